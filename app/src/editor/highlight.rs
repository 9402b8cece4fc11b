//! Program text in colours, laid out line by line. The colours of a line depend only on the line and the
//! program's lexicon, so a key press lays out only the changed lines. The tokens of a large text are found on
//! another thread; its lines get their colours when that thread is done.

use super::toml;
use crate::settings::{Comments, TextLook};
use crate::theme::{self, Syntax};
use egui::Galley;
use egui::epaint::TextOptions;
use egui::text::{ByteIndex, LayoutJob, LayoutSection, TextFormat};
use shadestep_engine::ide;
use std::ops::Range;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, TryRecvError, channel};

/// Size from which a text is large, in bytes.
pub(super) const LARGE: usize = 64 << 10;
/// Most lines of a large text that are coloured or laid out again in one frame.
const A_FRAME: usize = 1000;

/// Syntax of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Coloring {
    /// A program.
    Program,
    /// `scene.toml`.
    Toml,
}

/// Settings of the layout.
#[derive(Clone, Copy, Debug)]
pub struct Setting {
    pub coloring: Coloring,
    pub look: TextLook,
    /// Available width, in points.
    pub width: f32,
}

/// Everything except the text that a line's layout depends on.
#[derive(Clone, Copy, PartialEq)]
struct Look {
    coloring: Coloring,
    text: TextLook,
    syntax: &'static Syntax,
    pixels_per_point: f32,
    /// Width of a character, in points.
    advance: f32,
    /// Columns of a row if comments wrap.
    columns: Option<usize>,
    /// Rendering of glyphs, which differs between the two themes. A change rebuilds the glyph texture, so all
    /// lines are laid out again.
    letters: TextOptions,
    /// Used share of the glyph texture. The share falls only when egui rebuilds a full texture.
    fill: f32,
}

impl Look {
    fn holds(&self, now: &Self) -> bool {
        self.fill <= now.fill && *self == Self { fill: self.fill, columns: self.columns, ..*now }
    }

    fn format(&self, color: egui::Color32) -> TextFormat {
        TextFormat {
            font_id: self.text.font(),
            color,
            line_height: Some(self.text.line_height()),
            ..TextFormat::default()
        }
    }

    /// Returns how a line with these tokens wraps. Only comments wrap, and only if the code before them
    /// leaves enough room.
    fn wrap(&self, line: &str, tokens: &[(Range<usize>, Shade)]) -> Option<Wrap> {
        let (columns, start) = (self.columns?, comment_start(tokens)?);
        let blank = line.len() - line.trim_start().len();
        // Continuation rows are indented by 2 below a comment line. After code they are indented by 4, to
        // stand out from the code of the next line.
        let hang = blank + if blank == start { 2 } else { 4 };
        let width = columns.checked_sub(hang)?;
        let letters = |columns: usize| columns as f32 * self.advance;
        (start.max(LEAST_ROOM) <= width).then(|| Wrap { width: letters(width), hang: letters(hang) })
    }
}

/// The wrapping of a line.
#[derive(Clone, Copy)]
struct Wrap {
    /// Width of the rows, in points.
    width: f32,
    /// Indentation of all rows but the first, in points.
    hang: f32,
}

/// Least number of characters in a row of a wrapped comment.
const LEAST_ROOM: usize = 16;

/// Returns the byte where the line's comment begins.
fn comment_start(tokens: &[(Range<usize>, Shade)]) -> Option<usize> {
    let comment = tokens.iter().find(|(_, shade)| shade.kind == ide::TokenKind::Comment);
    comment.map(|(range, _)| range.start)
}

/// Appearance of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Shade {
    kind: ide::TokenKind,
    /// True for a declared name without uses.
    is_faded: bool,
}

impl From<ide::TokenKind> for Shade {
    fn from(kind: ide::TokenKind) -> Self {
        Self { kind, is_faded: false }
    }
}

type Tokens = Vec<(Range<usize>, Shade)>;

/// The tokens of a large text, as the other thread found them.
struct Coloured {
    text: String,
    lexicon: ide::Lexicon,
    lines: Vec<Tokens>,
    /// Number of lines that already have their new colours.
    shown: usize,
}

/// Colours and lays out a text, and keeps the result for the next frame.
#[derive(Default)]
pub struct Highlighter {
    look: Option<Look>,
    text: String,
    /// The lexicon that colours the lines.
    lexicon: ide::Lexicon,
    /// One entry per line, without the line ends.
    tokens: Vec<Tokens>,
    galleys: Vec<Arc<Galley>>,
    whole: Option<Arc<Galley>>,
    beside: Option<Receiver<Coloured>>,
    coloured: Option<Coloured>,
    laid_out: usize,
}

impl Highlighter {
    /// Drops every line.
    pub fn clear(&mut self) {
        self.text.clear();
        self.tokens.clear();
        self.galleys.clear();
        self.whole = None;
        self.coloured = None;
    }

    /// Number of lines laid out so far, for tests.
    pub fn laid_out(&self) -> usize {
        self.laid_out
    }

    /// True if no other thread is working on the text and all its colours are shown.
    pub fn is_settled(&self) -> bool {
        self.beside.is_none() && self.coloured.is_none()
    }

    /// Returns `text` in colours. Only comments wrap, and only in texts that are not large.
    pub fn galley(&mut self, ui: &egui::Ui, text: &str, setting: Setting) -> Arc<Galley> {
        let font = setting.look.font();
        let advance = ui.fonts_mut(|fonts| fonts.glyph_width(&font, '0'));
        let wraps = setting.look.comments == Comments::Wrapped && text.len() <= LARGE && advance > 0.0;
        let look = Look {
            coloring: setting.coloring,
            text: setting.look,
            syntax: &theme::palette(ui).syntax,
            pixels_per_point: ui.pixels_per_point(),
            advance,
            columns: wraps.then(|| (setting.width / advance).max(0.0) as usize),
            letters: ui.fonts_mut(|fonts| *fonts.options()),
            fill: ui.fonts_mut(|fonts| fonts.font_atlas_fill_ratio()),
        };
        if !self.look.is_some_and(|before| before.holds(&look)) {
            self.clear();
        }
        let rewrap = self.look.is_some_and(|before| before.columns != look.columns);
        self.look = Some(look);
        if rewrap {
            self.wrap_anew(ui, &look);
        }
        if self.whole.is_none() || self.text != text {
            self.take_text(ui, text, &look);
        }
        self.take_colours(ui, &look);
        if let Some(whole) = &self.whole {
            return Arc::clone(whole);
        }
        let job = LayoutJob { text: text.to_owned(), ..plain(&look) };
        let whole = Arc::new(Galley::concat(Arc::new(job), &self.galleys, look.pixels_per_point));
        self.whole = Some(Arc::clone(&whole));
        whole
    }

    /// Lays out the lines with comments again for a new width.
    fn wrap_anew(&mut self, ui: &egui::Ui, look: &Look) {
        let lines = self.text.split('\n').zip(&self.tokens).zip(&mut self.galleys);
        for ((line, tokens), galley) in lines.filter(|((_, tokens), _)| comment_start(tokens).is_some()) {
            *galley = lay_out(ui, line, tokens, look);
            self.laid_out += 1;
        }
        self.whole = None;
    }

    /// Lays out the changed lines of `text`.
    fn take_text(&mut self, ui: &egui::Ui, text: &str, look: &Look) {
        let large = text.len() > LARGE;
        let mut same_colours = true;
        if !large && look.coloring == Coloring::Program {
            let lexicon = ide::Lexicon::of(text.as_bytes());
            same_colours = lexicon == self.lexicon;
            self.lexicon = lexicon;
        }
        let lines: Vec<&str> = text.split('\n').collect();
        let (mut before, mut behind) = (0, 0);
        if same_colours && !self.galleys.is_empty() {
            let same = |(old, new): (&Arc<Galley>, &&str)| old.text() == *new;
            before = self.galleys.iter().zip(&lines).take_while(|pair| same(*pair)).count();
            // The header must be in the first line, so the first line is compared from the front only.
            let most =
                self.galleys.len().min(lines.len()) - before.max(1).min(self.galleys.len().min(lines.len()));
            let pairs = self.galleys.iter().rev().zip(lines.iter().rev()).take(most);
            behind = pairs.take_while(|pair| same(*pair)).count();
        }
        let changed = before..lines.len() - behind;
        let plainly = large && changed.len() > A_FRAME;
        let tokens: Vec<Tokens> = changed
            .clone()
            .map(|number| match look.coloring {
                _ if plainly => vec![(0..lines[number].len(), ide::TokenKind::Whitespace.into())],
                Coloring::Program => tokens(lines[number], number.min(1), &self.lexicon),
                Coloring::Toml => of_toml(lines[number]),
            })
            .collect();
        let galleys: Vec<_> = changed
            .clone()
            .zip(&tokens)
            .map(|(number, tokens)| lay_out(ui, lines[number], tokens, look))
            .collect();
        self.laid_out += changed.len();
        let old = before..self.galleys.len() - behind;
        self.tokens.splice(old.clone(), tokens);
        self.galleys.splice(old, galleys);
        text.clone_into(&mut self.text);
        self.whole = None;
        self.coloured = None;
        if large && self.beside.is_none() {
            self.colour_beside(ui.ctx(), look.coloring);
        }
    }

    fn colour_beside(&mut self, ctx: &egui::Context, coloring: Coloring) {
        let (sender, receiver) = channel();
        let (text, ctx) = (self.text.clone(), ctx.clone());
        self.beside = Some(receiver);
        std::thread::spawn(move || {
            let lexicon = match coloring {
                Coloring::Program => ide::Lexicon::of(text.as_bytes()),
                Coloring::Toml => ide::Lexicon::default(),
            };
            let lines = text.split('\n').enumerate().map(|(number, line)| match coloring {
                Coloring::Program => tokens(line, number.min(1), &lexicon),
                Coloring::Toml => of_toml(line),
            });
            let lines = lines.collect();
            // Sending fails if the window has closed, which is harmless.
            drop(sender.send(Coloured { text, lexicon, lines, shown: 0 }));
            ctx.request_repaint();
        });
    }

    /// Applies the colours that the other thread found, some lines per frame.
    fn take_colours(&mut self, ui: &egui::Ui, look: &Look) {
        let received = self.beside.as_ref().map(Receiver::try_recv);
        if let Some(Ok(_) | Err(TryRecvError::Disconnected)) = &received {
            self.beside = None;
        }
        if let Some(Ok(coloured)) = received {
            if coloured.text == self.text && coloured.lines.len() == self.galleys.len() {
                self.lexicon = coloured.lexicon.clone();
                self.coloured = Some(coloured);
            } else if self.text.len() > LARGE {
                self.colour_beside(ui.ctx(), look.coloring);
            }
        }
        let Some(mut coloured) = self.coloured.take() else { return };
        let mut left = A_FRAME;
        let lines = self.text.split('\n').enumerate().skip(coloured.shown);
        for (number, line) in lines {
            if left == 0 {
                ui.ctx().request_repaint();
                self.coloured = Some(coloured);
                return;
            }
            coloured.shown = number + 1;
            if self.tokens[number] != coloured.lines[number] {
                self.tokens[number] = std::mem::take(&mut coloured.lines[number]);
                self.galleys[number] = lay_out(ui, line, &self.tokens[number], look);
                self.laid_out += 1;
                self.whole = None;
                left -= 1;
            }
        }
    }
}

/// An empty, unwrapped layout.
fn plain(look: &Look) -> LayoutJob {
    let mut job = LayoutJob { keep_trailing_whitespace: true, ..LayoutJob::default() };
    job.wrap.max_width = f32::INFINITY;
    push(&mut job, 0..0, look.format(egui::Color32::PLACEHOLDER));
    job
}

fn lay_out(ui: &egui::Ui, line: &str, tokens: &[(Range<usize>, Shade)], look: &Look) -> Arc<Galley> {
    let wrap = look.wrap(line, tokens);
    let mut galley = ui.fonts_mut(|fonts| fonts.layout_job(job(line, tokens, look, wrap)));
    if let Some(wrap) = wrap
        && galley.rows.len() > 1
    {
        for row in Arc::make_mut(&mut galley).rows.iter_mut().skip(1) {
            row.pos.x += wrap.hang;
        }
    }
    galley
}

fn job(line: &str, tokens: &[(Range<usize>, Shade)], look: &Look, wrap: Option<Wrap>) -> LayoutJob {
    let mut job = plain(look);
    job.wrap.max_width = wrap.map_or(f32::INFINITY, |wrap| wrap.width);
    line.clone_into(&mut job.text);
    if !line.is_empty() {
        job.sections.clear();
    }
    for (range, shade) in tokens.iter().filter(|(range, _)| !range.is_empty()) {
        let color = look.syntax.color(shade.kind);
        let color = if shade.is_faded { theme::faded(color) } else { color };
        push(&mut job, range.clone(), look.format(color));
    }
    job
}

fn push(job: &mut LayoutJob, range: Range<usize>, format: TextFormat) {
    if let Some(last) = job.sections.last_mut()
        && last.format == format
    {
        last.byte_range.end = ByteIndex(range.end);
        return;
    }
    let byte_range = ByteIndex(range.start)..ByteIndex(range.end);
    job.sections.push(LayoutSection { leading_space: 0.0, byte_range, format });
}

/// The tokens of `line`, extended to whole characters.
fn tokens(line: &str, line_number: usize, lexicon: &ide::Lexicon) -> Tokens {
    let mut result: Tokens = Vec::new();
    for token in ide::highlight_line(line.as_bytes(), line_number, lexicon) {
        let start = result.last().map_or(0, |(range, _)| range.end);
        let mut end = token.span.end.min(line.len());
        while !line.is_char_boundary(end) {
            end += 1;
        }
        if end > start {
            result.push((start..end, Shade { kind: token.kind, is_faded: token.is_unused }));
        }
    }
    let end = result.last().map_or(0, |(range, _)| range.end);
    if end < line.len() {
        result.push((end..line.len(), ide::TokenKind::Whitespace.into()));
    }
    result
}

fn of_toml(line: &str) -> Tokens {
    toml::tokens(line).into_iter().map(|(range, kind)| (range, kind.into())).collect()
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// Calls `check` in a frame with the app's fonts.
    pub fn in_frame(mut check: impl FnMut(&egui::Ui)) {
        let ctx = egui::Context::default();
        theme::install(&ctx, theme::ThemeChoice::Dark);
        let mut output = ctx.run_ui(egui::RawInput::default(), |ui| check(ui));
        output.textures_delta.clear();
    }

    fn shown(highlighter: &mut Highlighter, text: &str) -> Arc<Galley> {
        let mut galley = None;
        let look = TextLook::default();
        let setting = Setting { coloring: Coloring::Program, look, width: 1000.0 };
        in_frame(|ui| galley = Some(highlighter.galley(ui, text, setting)));
        galley.unwrap()
    }

    #[test]
    fn another_header_recolours_lines_that_stay_the_same() {
        let mut highlighter = Highlighter::default();
        let mut register = |text: &str| {
            shown(&mut highlighter, text);
            let line = text.split('\n').position(|line| line.contains("R15")).unwrap();
            let at = text.split('\n').nth(line).unwrap().find("R15").unwrap();
            let tokens = &highlighter.tokens[line];
            tokens.iter().find(|(range, _)| range.contains(&at)).unwrap().1.kind
        };
        use ide::TokenKind::{Attribute, Error, Register};
        assert_eq!(register("!!VP2.0\nMOV R15, R0;"), Register);
        assert_eq!(register("!!VP1.0\nMOV R15, R0;"), Error);
        assert_eq!(register("!!VP2.0\nMOV R15, R0;"), Register);
        // A declaration on another line changes the colours too.
        assert_eq!(register("!!ARBvp1.0\nTEMP R15;\n"), Register);
        assert_eq!(register("!!ARBvp1.0\nMOV R15, R0;"), Error);
        assert_eq!(register("!!ARBvp1.0\nMOV R15, R0;\nATTRIB R15 = vertex.color;"), Attribute);
    }

    #[test]
    fn what_is_never_used_is_faded_until_it_is() {
        let mut highlighter = Highlighter::default();
        let mut faded = |text: &str| -> Vec<String> {
            shown(&mut highlighter, text);
            let lines = text.split('\n').zip(&highlighter.tokens);
            let words = lines.flat_map(|(line, tokens)| {
                let faded = tokens.iter().filter(|(_, shade)| shade.is_faded);
                faded.map(|(range, _)| line[range.clone()].to_owned()).collect::<Vec<_>>()
            });
            words.collect()
        };
        assert_eq!(faded("!!ARBfp1.0\nTEMP a, b;\nMOV a, fragment.color;\nEND"), ["b"]);
        assert!(faded("!!ARBfp1.0\nTEMP a, b;\nMOV a, b;\nEND").is_empty());
        assert_eq!(faded("!!FP1.0\nDEFINE k = 1;\nMOV o[COLR], ,\nEND"), ["k"]);
    }

    #[test]
    fn rows_are_lines_whatever_is_edited() {
        let mut highlighter = Highlighter::default();
        for text in ["", "\n", "a", "a\n", "b\na\n", "a\n", "\n\n\n", "x\ny\nz", "x\nz", "y\nx\nz\r\n"] {
            let galley = shown(&mut highlighter, text);
            assert_eq!(galley.rows.len(), text.split('\n').count(), "{text:?}");
            let chars: usize = galley.rows.iter().map(|row| row.char_count_including_newline().0).sum();
            assert_eq!(chars, text.chars().count(), "{text:?}");
            let lines: Vec<&str> = highlighter.galleys.iter().map(|galley| galley.text()).collect();
            assert_eq!(lines.join("\n"), text);
        }
    }

    #[test]
    fn another_width_lays_out_comments_and_nothing_else() {
        let text = "!!FP1.0\n# A comment of some length, which is wider than the panel.\nMOV o[COLR], 1; # And another, which is long as well.\nEND";
        in_frame(|ui| {
            let mut highlighter = Highlighter::default();
            let setting = |width| Setting { coloring: Coloring::Program, look: TextLook::default(), width };
            let wide = highlighter.galley(ui, text, setting(2000.0)).rows.len();
            assert_eq!((wide, highlighter.laid_out()), (4, 4));
            let narrow = highlighter.galley(ui, text, setting(300.0));
            assert!(narrow.rows.len() == 6 && narrow.size().x <= 300.0, "{:?}", narrow.size());
            let lefts: Vec<f32> = narrow
                .rows
                .iter()
                .map(|row| (row.pos.x / narrow.rows[0].glyphs[0].advance_width).round())
                .collect();
            assert_eq!(lefts, [0.0, 0.0, 2.0, 0.0, 4.0, 0.0]);
            assert_eq!(highlighter.laid_out(), 6);
            // A row still has the same number of characters.
            highlighter.galley(ui, text, setting(300.5));
            assert_eq!(highlighter.laid_out(), 6);
            // Code and comments without enough room do not wrap.
            assert_eq!(highlighter.galley(ui, text, setting(20.0)).rows.len(), 4);
        });
    }

    #[test]
    fn the_other_theme_lays_out_every_line_with_its_letters() {
        let ctx = egui::Context::default();
        theme::install(&ctx, theme::ThemeChoice::Dark);
        let mut highlighter = Highlighter::default();
        let setting = Setting { coloring: Coloring::Program, look: TextLook::default(), width: 500.0 };
        let mut laid_out = Vec::new();
        let mut frame = |choice| {
            let mut output = ctx.run_ui(egui::RawInput::default(), |ui| {
                // As the command does: the glyphs change in the next frame.
                theme::select(ui.ctx(), choice);
                ui.set_style(ui.ctx().style_of(ui.ctx().theme()));
                highlighter.galley(ui, "!!FP1.0\nEND", setting);
                laid_out.push(highlighter.laid_out());
            });
            output.textures_delta.clear();
        };
        for choice in [theme::ThemeChoice::Dark, theme::ThemeChoice::Light, theme::ThemeChoice::Light] {
            frame(choice);
        }
        // First other colours, then other glyphs.
        assert_eq!(laid_out, [2, 4, 6]);
    }

    #[test]
    fn another_size_lays_out_every_line() {
        let mut highlighter = Highlighter::default();
        in_frame(|ui| {
            let mut height = |points| {
                let look = TextLook::default().enlarged(points);
                let setting = Setting { coloring: Coloring::Program, look, width: 500.0 };
                highlighter.galley(ui, "!!FP1.0\nEND", setting).size().y
            };
            let usual = height(0);
            assert_eq!(usual, 2.0 * theme::CODE_LINE_HEIGHT);
            assert!(height(4) > usual && height(-3) < usual);
        });
    }
}
