//! The fonts: the bundled ones, and a font file that the user can choose for program text.

use super::{SEMI_BOLD, ligatures};
use crate::scene;
use egui::epaint::text::{FontTweak, Fonts, TextOptions};
use egui::{Color32, FontData, FontDefinitions, FontFamily, FontId};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// egui's name of the font family for program text.
const PROGRAM: &str = "program text";
/// The common name of the bundled font for program text.
pub const BUNDLED: &str = "JetBrains Mono";
/// Largest size of a font file, in bytes.
const MAX_BYTES: u64 = 32 << 20;

/// The font of program text.
#[derive(Clone, Debug, Default)]
pub struct CodeFont {
    /// The user's font file; `None` for the bundled font.
    pub file: Option<Arc<FontFile>>,
    /// The reason why the last chosen file is not in use.
    pub fault: Option<String>,
}

/// A font file that egui can draw.
#[derive(Clone, PartialEq, Eq)]
pub struct FontFile {
    pub path: PathBuf,
    bytes: Arc<Vec<u8>>,
}

impl std::fmt::Debug for FontFile {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "FontFile({})", self.path.display())
    }
}

impl FontFile {
    /// Reads the file at `path`.
    ///
    /// # Errors
    /// A sentence for the user if the file cannot be read, is not a font, or lacks characters of programs.
    pub fn read(path: &Path) -> Result<Self, String> {
        let name = path.to_string_lossy();
        let mut bytes = scene::read_limited(path, &name, MAX_BYTES)
            .map_err(|error| format!("The font cannot be read: {error}."))?;
        ligatures::remove(&mut bytes);
        let font = Self { path: path.to_path_buf(), bytes: Arc::new(bytes) };
        font.check().map(|()| font)
    }

    fn data(&self) -> FontData {
        FontData::from_blob(Arc::<Vec<u8>>::clone(&self.bytes), 0)
    }

    /// Checks that this font alone can draw the characters of programs.
    fn check(&self) -> Result<(), String> {
        let name = self.path.display();
        // egui panics if the bytes are not a font.
        if skrifa::FontRef::from_index(&self.bytes, 0).is_err() {
            return Err(format!("{name} is not a font. Choose a .ttf or .otf file."));
        }
        let mut definitions = FontDefinitions::empty();
        definitions.font_data.insert(PROGRAM.to_owned(), Arc::new(self.data()));
        definitions.families.insert(FontFamily::Monospace, vec![PROGRAM.to_owned()]);
        definitions.families.insert(FontFamily::Proportional, vec![PROGRAM.to_owned()]);
        let mut fonts = Fonts::new(TextOptions::default(), definitions);
        let id = FontId::monospace(super::CODE_SIZE);
        let letters = || ' '..='~';
        if let Some(missing) = letters().find(|letter| !fonts.has_glyph(&id, *letter)) {
            return Err(format!("{name} has no “{missing}”. Choose a font that has every ASCII character."));
        }
        let text = letters().collect();
        let galley = fonts.with_pixels_per_point(1.0).layout_no_wrap(text, id, Color32::WHITE);
        match galley.size().x > 0.0 {
            true => Ok(()),
            false => Err(format!("The letters of {name} have no width. Choose another font.")),
        }
    }
}

/// The font family for program text.
pub(super) fn program_family() -> FontFamily {
    FontFamily::Name(PROGRAM.into())
}

/// Sets program text in `file`, or in the bundled font. A tab character is `tab_width` characters wide.
pub fn set_code_font(ctx: &egui::Context, file: Option<&FontFile>, tab_width: usize) {
    ctx.set_fonts(definitions(file, tab_width));
}

fn definitions(file: Option<&FontFile>, tab_width: usize) -> FontDefinitions {
    let mut fonts = FontDefinitions::default();
    let mut insert = |name: &str, data: FontData| {
        fonts.font_data.insert(name.to_owned(), Arc::new(data));
    };
    let tweak = FontTweak { tab_size: tab_width as f32, ..FontTweak::default() };
    let mut mono = include_bytes!("../../../assets/fonts/JetBrainsMono-Regular.ttf").to_vec();
    ligatures::remove(&mut mono);
    insert(BUNDLED, FontData::from_owned(mono).tweak(tweak.clone()));
    insert("Inter", FontData::from_static(include_bytes!("../../../assets/fonts/Inter-Regular.otf")));
    let semi_bold = include_bytes!("../../../assets/fonts/Inter-SemiBold.otf");
    insert("Inter semi-bold", FontData::from_static(semi_bold));
    if let Some(file) = file {
        insert(PROGRAM, file.data().tweak(tweak));
    }
    let first = |fonts: &mut FontDefinitions, family: FontFamily, name: &str| {
        fonts.families.entry(family).or_default().insert(0, name.to_owned());
    };
    first(&mut fonts, FontFamily::Proportional, "Inter");
    first(&mut fonts, FontFamily::Name(SEMI_BOLD.into()), "Inter semi-bold");
    first(&mut fonts, FontFamily::Monospace, BUNDLED);
    // The bundled fonts remain as a fallback for characters that the chosen font lacks.
    let program = fonts.families.get(&FontFamily::Monospace).cloned().unwrap_or_default();
    fonts.families.insert(program_family(), program);
    if file.is_some() {
        first(&mut fonts, program_family(), PROGRAM);
    }
    fonts
}

#[cfg(test)]
mod tests {
    use super::*;

    const MONO: &[u8] = include_bytes!("../../../assets/fonts/JetBrainsMono-Regular.ttf");

    fn read(name: &str, bytes: &[u8]) -> Result<FontFile, String> {
        let path = std::env::temp_dir().join(format!("shadestep-font-{}-{name}", std::process::id()));
        std::fs::write(&path, bytes).unwrap();
        let font = FontFile::read(&path);
        std::fs::remove_file(&path).unwrap();
        font
    }

    #[test]
    fn a_file_that_is_no_font_is_told_by_its_name() {
        assert!(read("good.ttf", MONO).is_ok());
        for (name, bytes) in [
            ("empty.ttf", &b""[..]),
            ("words.ttf", b"!!FP1.0\nMOV o[COLR], 1;\nEND\n"),
            ("head.otf", &MONO[..64]),
            ("tables.ttf", &MONO[..4000]),
        ] {
            let fault = read(name, bytes).unwrap_err();
            assert!(fault.contains(name), "{fault}");
        }
        let fault = FontFile::read(Path::new("no such font.ttf")).unwrap_err();
        assert!(fault.contains("no such font.ttf") && fault.contains("cannot be read"), "{fault}");
    }

    #[test]
    fn tabs_are_as_wide_as_they_are_set() {
        for file in
            [None, Some(read("tabs.ttf", include_bytes!("../../../assets/fonts/Inter-Regular.otf")).unwrap())]
        {
            for width in [1, 3, 8] {
                let mut fonts = Fonts::new(TextOptions::default(), definitions(file.as_ref(), width));
                let mut view = fonts.with_pixels_per_point(1.0);
                let mut wide = |text: &str| {
                    view.layout_no_wrap(text.to_owned(), super::super::code_font(), Color32::WHITE).size().x
                };
                let (tab, blanks) = (wide("\t."), wide(&(" ".repeat(width) + ".")));
                assert!((tab - blanks).abs() < 1.0, "{tab} {blanks}");
            }
        }
    }
}
