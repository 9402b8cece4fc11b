//! [`Find`]: the query of the search bar, and its matches in a text.

use shadestep_engine::source::Span;
use shadestep_engine::syntax::is_word_byte;
use std::borrow::Cow;

/// Replacements of byte ranges of a text, disjoint and in order.
pub type Edits = Vec<(Span, String)>;

/// State of the search bar.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FindMode {
    /// Not shown.
    #[default]
    Closed,
    /// Shown, to search.
    Find,
    /// Shown, to search and replace.
    Replace,
}

/// Options that decide what matches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// True to distinguish upper and lower case.
    pub case: bool,
    /// True to match whole words only.
    pub word: bool,
    /// True if the query is a regular expression.
    pub regex: bool,
    /// The part of the text to search. `None` for the whole text.
    pub within: Option<Span>,
}

/// The search bar.
#[derive(Clone, Debug, Default)]
pub struct Find {
    pub mode: FindMode,
    /// Text or regular expression to search for.
    pub query: String,
    /// Options that decide what matches.
    pub options: Options,
    /// Replacement for a match.
    pub replacement: String,
    wants_focus: Option<()>,
    /// Where the search begins: the caret when the bar opened.
    from: usize,
}

impl Find {
    /// Opens the bar and gives it the keyboard focus. The search begins at `caret`. If `selected` is within
    /// one line, it becomes the query.
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

    /// Returns true if the bar must take the keyboard focus.
    pub fn wants_focus(&self) -> bool {
        self.mode != FindMode::Closed && self.wants_focus.is_some()
    }

    /// Confirms that the bar has the keyboard focus.
    pub fn focused(&mut self) {
        self.wants_focus = None;
    }

    /// Returns every match in `text`.
    pub fn matches(&self, text: &str) -> Vec<Span> {
        self.search(text).unwrap_or_default()
    }

    pub(crate) fn search(&self, text: &str) -> Result<Vec<Span>, String> {
        matches(text, &self.query, self.options)
    }

    /// Returns the replacement of each match in `text`. `$1` is the match of the first group of a regular
    /// expression.
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

    /// Adjusts the searched part of the text to `edits`.
    pub fn moved(&mut self, edits: &Edits) {
        if let Some(within) = &mut self.options.within {
            let grown = |limit: usize| {
                let before = edits.iter().filter(|(span, _)| span.end <= limit);
                before.fold(limit, |at, (span, new)| at + new.len() - span.len())
            };
            *within = Span::new(grown(within.start).min(grown(within.end)), grown(within.end));
        }
    }

    /// Returns the match to show while the user types the query: the first one from the start of the search
    /// on, or else the first of all.
    pub fn first(&self, text: &str) -> Option<Span> {
        let matches = self.matches(text);
        matches.iter().find(|m| m.start >= self.from).or(matches.first()).copied()
    }
}

/// Compiles `query` as a regular expression in which `^` and `$` match at line ends.
fn pattern(query: &str, options: Options) -> Result<regex::Regex, String> {
    /// Largest size of a compiled expression, in bytes.
    const MOST: usize = 1 << 20;
    let mut builder = regex::RegexBuilder::new(query);
    let built = builder.multi_line(true).case_insensitive(!options.case).size_limit(MOST).build();
    // The last line is the message. The lines before it show the place.
    built.map_err(|error| {
        let words = error.to_string();
        let last = words.lines().last().unwrap_or_default();
        last.strip_prefix("error: ").unwrap_or(last).to_owned()
    })
}

/// Returns every match of `query` in `text`. Without `options.case`, only ASCII letters are folded. An empty
/// query matches nothing. A regular expression matches no empty ranges.
///
/// # Errors
/// A message about an invalid regular expression.
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
