//! The rules of `docs/internals/style.md` as patterns, and counts of habits for the rates of a page.

use std::ops::AddAssign;
use std::sync::LazyLock;

use regex::Regex;

/// The kinds of text. Their rules differ slightly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A page of Markdown.
    Page,
    /// A label, a message, a tooltip or a help text, without Markdown.
    Message,
    /// Text whose code spans are shown in a code font: the reference, load errors, results of checks, doc
    /// comments.
    Spans,
}

/// Each rule with a pattern of texts that break the rule.
const RULES: &[(&str, &str)] = &[
    ("code is not people", r"\b(nobody|somebody|whoever|anybody|everybody)\b"),
    ("write \"is not a\"", r"\b(is|are|was|were) no [a-z]+"),
    (
        "write \"is\" or \"is in\"",
        r"\b(stands?|standing|stood) (in|at|behind|before|beside|above|below|there|on|side)\b",
    ),
    (
        "write \"after\", unless it is about space",
        r"\bbehind (the (program|instruction|line|name|text|label|command|call|option|loop|tests?|value|number|word|comma|others?|last|first|END|draw|clear)|it|them|this|that|END)\b",
    ),
    ("write \"shows\", \"reports\" or \"prints\"", r"\b(tells?|told)\b"),
    (
        "say the noun",
        r"\bwhat (it|they|that|this|these|those|nothing|something) (is|are|has|have|does|do|was|were|says?|gives?|wants?|reads?|writes?|wrote|read|needs?|takes?|holds?)\b",
    ),
    ("say the noun", r"\b(that of it|those that)\b"),
    (
        "use an English idiom",
        r"\b(at hand|has its way|counts? for nothing|goes on|under way|in one breath|given up|gives? up|is worth|wherever it stands|comes? to it|without a seam|anew|as it were|a lone|passed over|in force|gone through)\b",
    ),
    (
        "write \"you\"",
        r"(^|[.,:;] |\b(as|here|if|that|when|where) )one (sees|runs|has|can|may|goes|wants|needs|finds|looks|gets)\b",
    ),
    ("write \"iteration\"", r"\brounds? of (a|the) loop\b"),
];

/// Correct phrases that match a rule's pattern.
const NO_EXCEPTED: &str = r"(?i)\b(there|which|it)? ?(is|are|was|were) no (longer|more|less|fewer|greater|larger|smaller|way|need)\b|\bthere (is|are|was|were) no\b|\btells? (\w+ ){0,4}apart\b";

const START: (&str, &str) = ("begin with a verb or a noun", r"^(They|Those|It|Them|Whose|What) ");
const MARKDOWN: (&str, &str) = ("messages have no Markdown", r"`|\*\*");

fn compiled() -> &'static [(&'static str, Regex)] {
    static COMPILED: LazyLock<Vec<(&'static str, Regex)>> = LazyLock::new(|| {
        RULES
            .iter()
            .map(|(rule, pattern)| (*rule, Regex::new(&format!("(?i){pattern}")).expect(rule)))
            .collect()
    });
    &COMPILED
}

/// Returns the rules that `text` breaks, each with the offending words.
pub fn broken(text: &str, kind: Kind) -> Vec<(&'static str, String)> {
    static EXCEPTED: LazyLock<Regex> = LazyLock::new(|| Regex::new(NO_EXCEPTED).expect("a pattern"));
    static STARTS: LazyLock<Regex> = LazyLock::new(|| Regex::new(START.1).expect("a pattern"));
    static SIGNS: LazyLock<Regex> = LazyLock::new(|| Regex::new(MARKDOWN.1).expect("a pattern"));
    let plain = EXCEPTED.replace_all(text, "X");
    let mut found: Vec<(&str, String)> = Vec::new();
    for (rule, pattern) in compiled() {
        found.extend(pattern.find(&plain).map(|words| (*rule, words.as_str().to_owned())));
    }
    if kind != Kind::Page && !text.starts_with("What if") && !text.ends_with('?') {
        found.extend(STARTS.find(text).map(|words| (START.0, words.as_str().to_owned())));
    }
    if kind == Kind::Message {
        found.extend(SIGNS.find(text).map(|words| (MARKDOWN.0, words.as_str().to_owned())));
    }
    found
}

/// Counts of words and of habits in prose.
#[derive(Clone, Copy, Debug, Default)]
pub struct Measure {
    pub words: usize,
    pub relative: usize,
    pub passive: usize,
    pub you: usize,
}

impl Measure {
    pub fn add(&mut self, text: &str) {
        static PATTERNS: LazyLock<[Regex; 4]> = LazyLock::new(|| {
            [
                r"[A-Za-z']+",
                r"(?i)\b(what|who|whose|whom|where)\b",
                r"(?i)\b(is|are|was|were|be|been)\s+(\w+ly\s+)?\w+(ed|wn|en|ept|eld|ade|one|ead|ut|old|ought|ound)\b",
                r"(?i)\byou\b",
            ]
            .map(|pattern| Regex::new(pattern).expect("a pattern"))
        });
        let [words, relative, passive, you] =
            PATTERNS.each_ref().map(|pattern| pattern.find_iter(text).count());
        *self += Self { words, relative, passive, you };
    }

    /// Returns `count` per 1,000 words.
    pub fn per_thousand(&self, count: usize) -> f64 {
        1000.0 * count as f64 / self.words.max(1) as f64
    }
}

impl AddAssign for Measure {
    fn add_assign(&mut self, other: Self) {
        self.words += other.words;
        self.relative += other.relative;
        self.passive += other.passive;
        self.you += other.you;
    }
}

#[test]
fn each_rule_finds_its_habit() {
    let cases = [
        ("Nobody reads the value", "code is not people"),
        ("R0q is no register", "write \"is not a\""),
        ("The name stands in the list", "write \"is\" or \"is in\""),
        ("Found abc behind END", "write \"after\", unless it is about space"),
        ("The line tells the place", "write \"shows\", \"reports\" or \"prints\""),
        ("Shows what it reads", "say the noun"),
        ("Loops under way", "use an English idiom"),
        ("Here one sees the picture", "write \"you\""),
        ("It emitted a vertex", "begin with a verb or a noun"),
        ("The attribute `R0` is missing", "messages have no Markdown"),
    ];
    for (text, rule) in cases {
        let found = broken(text, Kind::Message);
        assert!(found.iter().any(|(of, _)| *of == rule), "{text}: {found:?}");
    }
    for text in ["There is no such file", "The name is no longer in use", "Needs LT; is GT", "What if..."] {
        assert_eq!(broken(text, Kind::Message), [], "{text}");
    }
}
