//! Removes ligatures from a font. egui shapes text with the font's default features; in JetBrains Mono these
//! draw `-|`, `!!` or `->` as other symbols.

use std::ops::Range;

/// Default features that replace characters depending on their neighbours.
const CONTEXTUAL: [&[u8]; 5] = [b"ccmp", b"calt", b"liga", b"clig", b"rlig"];

/// Renames the features of `font`, an OpenType file, that make ligatures, so that no shaper applies them. In
/// a truncated file, the rest stays unchanged.
pub fn remove(font: &mut [u8]) {
    let Some(table) = table(font, *b"GSUB") else { return };
    let Some(list) = number(font, table.start + 6).map(|offset| table.start + offset) else { return };
    let count = number(font, list).unwrap_or(0);
    for record in (0..count).map(|index| list + 2 + 6 * index) {
        let Some(tag) = font.get_mut(record..record + 4) else { return };
        if CONTEXTUAL.contains(&&*tag) {
            tag.copy_from_slice(b"none");
        }
    }
}

/// The byte range of a table.
fn table(font: &[u8], name: [u8; 4]) -> Option<Range<usize>> {
    let count = number(font, 4)?;
    let records = (0..count).map(|index| 12 + 16 * index);
    let mut found = records.filter(|&record| font.get(record..record + 4) == Some(&name));
    let record = found.next()?;
    let long = |at: usize| Some(number(font, at)? << 16 | number(font, at + 2)?);
    let start = long(record + 8)?;
    Some(start..start + long(record + 12)?)
}

/// The big-endian 16-bit number at byte `at`.
fn number(font: &[u8], at: usize) -> Option<usize> {
    let bytes = font.get(at..at + 2)?;
    Some(usize::from(u16::from_be_bytes([bytes[0], bytes[1]])))
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::{Color32, FontId, Rect, pos2};

    const FONT: &[u8] = include_bytes!("../../../assets/fonts/JetBrainsMono-Regular.ttf");

    #[test]
    fn a_font_that_is_cut_short_anywhere_is_survived() {
        for length in (0..2000).chain((2000..FONT.len()).step_by(997)) {
            let mut font = FONT[..length].to_vec();
            remove(&mut font);
            assert_eq!(font.len(), length);
        }
    }

    /// At this size, characters are whole pixels wide and look the same at every place.
    const SIZE: f32 = 10.0;

    /// Each character of a pair must look as it does alone.
    #[test]
    fn no_two_signs_become_another() {
        let ctx = egui::Context::default();
        crate::theme::install(&ctx, crate::theme::ThemeChoice::Dark);
        let signs: Vec<char> = ('!'..='~').filter(|c| !c.is_ascii_alphanumeric()).collect();
        let mut faults = Vec::new();
        let input = egui::RawInput {
            screen_rect: Some(Rect::from_min_max(pos2(0.0, 0.0), pos2(800.0, 600.0))),
            ..Default::default()
        };
        let mut output = ctx.run_ui(input, |ui| {
            let shape = |text: String| -> Vec<[u16; 4]> {
                let galley = ui.painter().layout_no_wrap(text, FontId::monospace(SIZE), Color32::WHITE);
                let glyphs = galley.rows.iter().flat_map(|row| &row.glyphs);
                glyphs
                    .map(|glyph| [glyph.uv_rect.min, glyph.uv_rect.max].concat().try_into().unwrap())
                    .collect()
            };
            for &a in &signs {
                for &b in &signs {
                    let alone = [shape(a.to_string()), shape(b.to_string())].concat();
                    if shape(format!("{a}{b}")) != alone {
                        faults.push(format!("{a}{b}"));
                    }
                }
            }
        });
        output.textures_delta.clear();
        assert!(faults.is_empty(), "{faults:?}");
    }
}
