//! Search and replace in the program.

use super::Edits;
use crate::command::{Action, Command};
use crate::icons::Icon;
use crate::model::{Document, DocumentId, PerDocument, TextId};
use crate::shell::widgets::{self, Pressed};
use crate::theme;
use egui::text::{CCursor, CCursorRange, CharIndex};
use shadestep_engine::source::Span;
use shadestep_engine::syntax::is_word_byte;
use std::borrow::Cow;
use std::sync::Arc;

/// Whether the search bar is there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FindMode {
    /// It is not.
    #[default]
    Closed,
    /// To search.
    Find,
    /// To search and replace.
    Replace,
}

/// What counts as a match.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Whether upper and lower case letters differ.
    pub case: bool,
    /// Whether it has to be a whole word.
    pub word: bool,
    /// Whether the query is a regular expression.
    pub regex: bool,
    /// Where it has to lie, if not anywhere.
    pub within: Option<Span>,
}

/// The search bar.
#[derive(Clone, Debug, Default)]
pub struct Find {
    /// Whether it is there.
    pub mode: FindMode,
    /// What is searched for.
    pub query: String,
    /// What counts as a match.
    pub options: Options,
    /// What replaces it.
    pub replacement: String,
    wants_focus: Option<()>,
    /// Where the search began: the caret as the bar opened.
    from: usize,
}

/// Every match in the text shown.
#[derive(Default)]
pub struct Matches {
    all: Arc<[Span]>,
    /// Why there are none, if the query is no regular expression.
    fault: Option<String>,
    /// What [`Self::all`] is of.
    searched: Option<(TextId, u64, String, Options)>,
}

impl PerDocument for Matches {
    fn forget(&mut self, closed: DocumentId) {
        if self.kept().contains(&closed) {
            *self = Self::default();
        }
    }

    fn kept(&mut self) -> Vec<DocumentId> {
        self.searched.kept()
    }
}

impl Find {
    /// Opens the bar and gives it the keyboard; what is typed is searched for from `caret` on. A word or a piece of a line
    /// that is `selected` becomes the query.
    pub fn open(&mut self, mode: FindMode, caret: usize, selected: &str) {
        self.mode = mode;
        if !selected.is_empty() && !selected.contains('\n') {
            let is_regex = self.options.regex;
            self.query = if is_regex { regex::escape(selected) } else { selected.to_owned() };
        }
        self.options.within = None;
        self.from = caret;
        self.wants_focus = Some(());
    }

    /// Whether the keyboard is to be the bar's.
    pub fn wants_focus(&self) -> bool {
        self.mode != FindMode::Closed && self.wants_focus.is_some()
    }

    /// To be called once the bar has the keyboard.
    pub fn focused(&mut self) {
        self.wants_focus = None;
    }

    /// Every match in `text`.
    pub fn matches(&self, text: &str) -> Vec<Span> {
        self.search(text).unwrap_or_default()
    }

    fn search(&self, text: &str) -> Result<Vec<Span>, String> {
        matches(text, &self.query, self.options)
    }

    /// What replaces each match in `text`. `$1` of a regular expression is what its first group has matched.
    pub fn replacements(&self, text: &str) -> Edits {
        let found = self.matches(text);
        let Some(regex) = self.options.regex.then(|| pattern(&self.query, self.options).ok()).flatten()
        else {
            return found.into_iter().map(|span| (span, self.replacement.clone())).collect();
        };
        let expanded = |span: Span| {
            let captures = regex.captures_at(text, span.start)?;
            let mut replacement = String::new();
            captures.expand(&self.replacement, &mut replacement);
            Some((span, replacement))
        };
        found.into_iter().filter_map(expanded).collect()
    }

    /// Has the part of the text that is searched be the same once `edits` are made in it.
    pub fn moved(&mut self, edits: &Edits) {
        if let Some(within) = &mut self.options.within {
            let grown = |limit: usize| {
                let before = edits.iter().filter(|(span, _)| span.end <= limit);
                before.fold(limit, |at, (span, new)| at + new.len() - span.len())
            };
            *within = Span::new(grown(within.start).min(grown(within.end)), grown(within.end));
        }
    }

    /// The match that typing the query goes to: the first one from where the search began, or of all.
    pub fn first(&self, text: &str) -> Option<Span> {
        let matches = self.matches(text);
        matches.iter().find(|m| m.start >= self.from).or(matches.first()).copied()
    }
}

impl Matches {
    /// The matches.
    pub fn all(&self) -> Arc<[Span]> {
        Arc::clone(&self.all)
    }

    /// Why there are none, if the query is no regular expression.
    pub fn fault(&self) -> Option<&str> {
        self.fault.as_deref()
    }

    /// Searches anew where the text or the query is another, while the bar is open.
    pub fn refresh(&mut self, find: &Find, document: &Document) {
        if find.mode == FindMode::Closed {
            return;
        }
        let now = (document.text_id(), document.revision);
        let same = |(text, revision, query, options): &(TextId, u64, String, Options)| {
            (*text, *revision) == now && *query == find.query && *options == find.options
        };
        if !self.searched.as_ref().is_some_and(same) {
            let found = find.search(document.active().text());
            self.fault = found.as_ref().err().cloned();
            self.all = found.unwrap_or_default().into();
            self.searched = Some((now.0, now.1, find.query.clone(), find.options));
        }
    }
}

/// `query` as a regular expression, in which `^` and `$` are the ends of lines.
fn pattern(query: &str, options: Options) -> Result<regex::Regex, String> {
    /// Bytes that a compiled expression may have.
    const MOST: usize = 1 << 20;
    let mut builder = regex::RegexBuilder::new(query);
    let built = builder.multi_line(true).case_insensitive(!options.case).size_limit(MOST).build();
    // The last line says what is wrong; those before show where.
    built.map_err(|error| {
        let words = error.to_string();
        let last = words.lines().last().unwrap_or_default();
        last.strip_prefix("error: ").unwrap_or(last).to_owned()
    })
}

/// Every place of `query` in `text` by `options`, which ignore case for ASCII alone; none for an empty query. A regular
/// expression matches no empty places.
///
/// # Errors
/// What is wrong with a regular expression.
fn matches(text: &str, query: &str, options: Options) -> Result<Vec<Span>, String> {
    if query.is_empty() {
        return Ok(Vec::new());
    }
    let span = |start, length| Span::new(start, start + length);
    let found: Vec<Span> = if options.regex {
        let regex = pattern(query, options)?;
        regex.find_iter(text).map(|found| span(found.start(), found.len())).collect()
    } else {
        let (text, query) = match options.case {
            true => (Cow::Borrowed(text), Cow::Borrowed(query)),
            false => (text.to_ascii_lowercase().into(), query.to_ascii_lowercase().into()),
        };
        text.match_indices(&*query).map(|(start, found)| span(start, found.len())).collect()
    };
    let in_word = |byte: Option<&u8>| byte.is_some_and(|byte| is_word_byte(*byte));
    let bytes = text.as_bytes();
    let is_word = |span: &Span| !in_word(bytes[..span.start].last()) && !in_word(bytes[span.end..].first());
    let is_within = |span: &Span| {
        options.within.is_none_or(|within| within.start <= span.start && span.end <= within.end)
    };
    let counts = |span: &Span| !span.is_empty() && (!options.word || is_word(span)) && is_within(span);
    Ok(found.into_iter().filter(counts).collect())
}

/// The bar, where it is open.
pub fn show(
    ui: &mut egui::Ui,
    find: &Find,
    matches: &Matches,
    (document, selected): (&Document, Option<Span>),
    actions: &mut Vec<Action>,
) {
    if find.mode == FindMode::Closed {
        return;
    }
    if ui.input(|input| input.key_pressed(egui::Key::Escape)) {
        actions.push(Action::CloseFind);
    }
    let palette = theme::palette(ui);
    egui::Frame::new().fill(palette.panel).inner_margin(egui::Margin::symmetric(10, 6)).show(ui, |ui| {
        ui.spacing_mut().item_spacing.y = 6.0;
        // Tab goes from one field to the other and then to the buttons: that is the order they are made in.
        ui.horizontal_top(|ui| {
            ui.vertical(|ui| {
                row(ui, |ui| query_field(ui, find, actions));
                if find.mode == FindMode::Replace {
                    row(ui, |ui| replacement_field(ui, find, actions));
                }
            });
            ui.vertical(|ui| {
                row(ui, |ui| search_buttons(ui, (find, matches), document, actions));
                if find.mode == FindMode::Replace {
                    row(ui, |ui| replace_buttons(ui, actions));
                }
            });
        });
        row(ui, |ui| option_buttons(ui, find.options, selected, actions));
    });
    widgets::hairline(ui);
}

/// A row as high as any other.
fn row(ui: &mut egui::Ui, add: impl FnOnce(&mut egui::Ui)) {
    ui.horizontal(|ui| {
        ui.set_min_height(theme::ICON_BUTTON);
        add(ui);
    });
}

fn search_buttons(
    ui: &mut egui::Ui,
    (find, matches): (&Find, &Matches),
    document: &Document,
    actions: &mut Vec<Action>,
) {
    let found = matches.all();
    let here = found.iter().position(|m| m.end >= document.active().caret);
    let count = match (found.len(), here) {
        (0, _) if find.query.is_empty() => String::new(),
        (0, _) => "No match".to_owned(),
        (total, Some(index)) => format!("{} of {total}", index + 1),
        (1, None) => "1 match".to_owned(),
        (total, None) => format!("{total} matches"),
    };
    for (icon, command) in
        [(Icon::ChevronLeft, Command::FindPrevious), (Icon::ChevronRight, Command::FindNext)]
    {
        if widgets::icon_button(ui, icon, &command.tooltip(ui.ctx()), !found.is_empty()).clicked() {
            actions.push(command.into());
        }
    }
    match matches.fault() {
        Some(fault) => {
            let words = egui::RichText::new(format!("Invalid regex: {fault}")).font(theme::caption_font());
            ui.add(egui::Label::new(words.color(theme::palette(ui).error)).truncate());
        }
        None => {
            ui.label(theme::caption(ui, count));
        }
    }
    ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
        if widgets::icon_button(ui, Icon::Close, "Close the search bar (Esc)", true).clicked() {
            actions.push(Action::CloseFind);
        }
    });
}

/// What counts as a match.
fn option_buttons(ui: &mut egui::Ui, options: Options, selected: Option<Span>, actions: &mut Vec<Action>) {
    let mut now = options;
    let toggle = |ui: &mut egui::Ui, on: bool, label: &str, hint: &str| {
        let pressed = if on { Pressed::Yes } else { Pressed::No };
        widgets::toggle_button(ui, label, hint, pressed).clicked()
    };
    if toggle(ui, options.case, "Case", "Match case") {
        now.case = !options.case;
    }
    if toggle(ui, options.word, "Word", "Match whole words only") {
        now.word = !options.word;
    }
    if toggle(
        ui,
        options.regex,
        "Regex",
        "Search with a regular expression. $1 in the replacement is the first group.",
    ) {
        now.regex = !options.regex;
    }
    let selected = selected.filter(|span| !span.is_empty());
    let hint = "Search only in the text selected now";
    ui.add_enabled_ui(options.within.is_some() || selected.is_some(), |ui| {
        if toggle(ui, options.within.is_some(), "Selection", hint) {
            now.within = if options.within.is_none() { selected } else { None };
        }
    });
    if now != options {
        actions.push(Action::SetFindOptions(now));
    }
}

fn query_field(ui: &mut egui::Ui, find: &Find, actions: &mut Vec<Action>) {
    let mut query = find.query.clone();
    let field = egui::TextEdit::singleline(&mut query)
        .hint_text("Find")
        .desired_width(220.0)
        .font(theme::value_font())
        .id_salt("find query");
    let output = field.show(ui);
    let response = widgets::named(output.response.response, "Find");
    if find.wants_focus() {
        response.request_focus();
        // What is typed takes the place of what was searched for before.
        let mut state = output.state;
        let all =
            CCursorRange::two(CCursor::new(CharIndex(0)), CCursor::new(CharIndex(query.chars().count())));
        state.cursor.set_char_range(Some(all));
        state.store(ui.ctx(), response.id);
        actions.insert(0, Action::FindFocused);
    }
    if response.changed() {
        actions.push(Action::SetQuery(query));
    }
    if let Some(modifiers) = entered(ui, &response) {
        let command = if modifiers.shift { Command::FindPrevious } else { Command::FindNext };
        actions.push(command.into());
    }
}

fn replacement_field(ui: &mut egui::Ui, find: &Find, actions: &mut Vec<Action>) {
    let mut replacement = find.replacement.clone();
    let field = egui::TextEdit::singleline(&mut replacement)
        .hint_text("Replace with")
        .desired_width(220.0)
        .font(theme::value_font())
        .id_salt("find replacement");
    let response = widgets::named(ui.add(field), "Replace with");
    if response.changed() {
        actions.push(Action::SetReplacement(replacement));
    }
    if entered(ui, &response).is_some() {
        actions.push(Action::ReplaceOne);
    }
}

/// The keys held with Enter, where it was pressed in this field, which keeps the keyboard.
fn entered(ui: &egui::Ui, response: &egui::Response) -> Option<egui::Modifiers> {
    let entered = response.lost_focus() && ui.input(|input| input.key_pressed(egui::Key::Enter));
    entered.then(|| {
        response.request_focus();
        ui.input(|input| input.modifiers)
    })
}

fn replace_buttons(ui: &mut egui::Ui, actions: &mut Vec<Action>) {
    if widgets::button(ui, "Replace").clicked() {
        actions.push(Action::ReplaceOne);
    }
    if widgets::button(ui, "Replace all").clicked() {
        actions.push(Action::ReplaceAll);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn matches_ignore_case_and_do_not_overlap() {
        let matches = |text, query| matches(text, query, Options::default()).unwrap();
        assert_eq!(matches("MOV mov", "Mov"), [Span::new(0, 3), Span::new(4, 7)]);
        assert_eq!(matches("aaaa", "aa"), [Span::new(0, 2), Span::new(2, 4)]);
        assert!(matches("aaaa", "").is_empty());
        assert_eq!(matches("é R0", "r0"), [Span::new(3, 5)]);
    }

    #[test]
    fn regular_expressions_match_and_replace_groups() {
        let options = Options { regex: true, ..Options::default() };
        let mut find = Find { query: r"^(mov|add)\s+(\w+)".to_owned(), options, ..Find::default() };
        let text = "MOV R0, R1;\n  ADD R2, R3;\nADD  R4, R5;\n";
        assert_eq!(find.matches(text), [Span::new(0, 6), Span::new(26, 33)]);
        find.replacement = "$2 <- $1".to_owned();
        let texts: Vec<String> = find.replacements(text).into_iter().map(|(_, new)| new).collect();
        assert_eq!(texts, ["R0 <- MOV", "R4 <- ADD"]);
        find.query = "x*".to_owned();
        assert_eq!(find.matches("axxa"), [Span::new(1, 3)], "no empty ones");
        let fault = |query: &str| matches("a", query, options).unwrap_err();
        assert!(fault("(").contains("unclosed group"), "{}", fault("("));
        assert!(matches("a", "a{1000}{1000}", options).is_err(), "too large");
        find.open(FindMode::Find, 0, "a[0]");
        assert_eq!(find.matches("a[0] a0"), [Span::new(0, 4)], "what was selected is meant as it is");
    }

    #[test]
    fn options_leave_matches_out() {
        let starts = |text, query, options| -> Vec<usize> {
            matches(text, query, options).unwrap().iter().map(|span| span.start).collect()
        };
        let text = "R1 r1 R10 aR1 R1";
        assert_eq!(starts(text, "R1", Options { case: true, ..Options::default() }), [0, 6, 11, 14]);
        assert_eq!(starts(text, "R1", Options { word: true, ..Options::default() }), [0, 3, 14]);
        let within = Some(Span::new(3, 13));
        assert_eq!(starts(text, "R1", Options { within, ..Options::default() }), [3, 6, 11]);
        let mut find = Find { options: Options { within, ..Options::default() }, ..Find::default() };
        find.moved(&vec![(Span::new(0, 2), "long".to_owned()), (Span::new(3, 5), String::new())]);
        assert_eq!(find.options.within, Some(Span::new(5, 13)));
    }
}
