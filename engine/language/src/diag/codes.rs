//! The table of error and warning codes: one row each, by topic.
//!
//! A [`Diagnostic`](super::Diagnostic) takes its severity and its clause from the row of its code.
//! `docs/errors.md` and `shadestep explain` print the rows. The conformance suite has a case for each row,
//! except `header-other-target` and the `link-` codes, which need more than a program. A test of `lint`, in
//! the crate `shadestep-ide`, loads the example of each.

mod declarations;
mod flow;
mod language;
mod memory;
mod primitives;
mod programs;
mod registers;
mod resources;
mod statements;
mod textures;
mod warnings;

use super::Severity;
use crate::isa::{Language, Stage};
use std::borrow::Cow;

pub use declarations::*;
pub use flow::*;
pub use language::*;
pub use memory::*;
pub use primitives::*;
pub use programs::*;
pub use registers::*;
pub use resources::*;
pub use statements::{ARB, ARB_VERTEX, FP1, GPU, Shared, VP};
pub use textures::*;
pub use warnings::*;

/// The facts about a code.
#[derive(Debug)]
pub struct Row {
    /// The code, such as `fp1-two-attributes`. It never changes.
    pub name: &'static str,
    /// Error or warning.
    pub severity: Severity,
    /// The clauses with the rule.
    pub clauses: &'static [&'static str],
    /// The rule, in one or two sentences.
    pub rule: &'static str,
    /// A program that breaks the rule; empty if the rule is about more than one program or needs a long one.
    pub wrong: &'static str,
    /// Part of `wrong`, and the text that corrects it.
    pub correction: Option<(&'static str, &'static str)>,
    /// The words for the names in braces in `wrong`.
    pub words: Option<&'static Words>,
}

impl Row {
    /// A row without an example.
    pub const fn new(
        name: &'static str,
        severity: Severity,
        clauses: &'static [&'static str],
        rule: &'static str,
    ) -> Self {
        Self { name, severity, clauses, rule, wrong: "", correction: None, words: None }
    }
}

/// The words of a language, for the examples of shared codes.
#[derive(Debug)]
pub struct Words {
    /// The header, with options.
    head: &'static str,
    /// A result.
    out: &'static str,
    /// An attribute.
    input: &'static str,
    /// A result with fewer than four components.
    partial: &'static str,
    /// The keyword of a named constant.
    declare: &'static str,
    /// The declaration of the temporary R0.
    temporary: &'static str,
}

impl Words {
    fn expand(&self, text: &str) -> String {
        let words = [
            ("{head}", self.head),
            ("{out}", self.out),
            ("{in}", self.input),
            ("{partial}", self.partial),
            ("{declare}", self.declare),
            ("{temp}", self.temporary),
        ];
        words.into_iter().fold(text.to_owned(), |text, (name, word)| text.replace(name, word))
    }
}

/// A code with the clause that a diagnostic cites.
#[derive(Clone, Copy, Debug)]
pub struct Code {
    row: &'static Row,
    clause: &'static str,
}

impl Code {
    /// The code of `row`, with the first clause.
    pub const fn new(row: &'static Row) -> Self {
        Self { row, clause: row.clauses[0] }
    }

    /// Returns the code with the clause for `language`. The first three clauses of the row are for fragment
    /// programs, for vertex programs and for languages with data types.
    #[must_use]
    pub const fn of(self, language: Language) -> Self {
        let [_, vertex, typed, ..] = self.row.clauses else { return self };
        if language.profile().typed {
            return self.citing(typed);
        }
        match language.stage() {
            Stage::Fragment => self,
            _ => self.citing(vertex),
        }
    }

    /// Returns the code with another clause.
    #[must_use]
    pub const fn citing(self, clause: &'static str) -> Self {
        Self { clause, ..self }
    }

    /// The facts about the code.
    pub const fn row(self) -> &'static Row {
        self.row
    }

    /// The code, such as `fp1-two-attributes`.
    pub const fn name(self) -> &'static str {
        self.row.name
    }

    /// The clause to cite.
    pub const fn clause(self) -> &'static str {
        self.clause
    }

    /// A program that breaks the rule, if the row has one.
    ///
    /// ```
    /// use shadestep_language::diag::{codes, first_error};
    /// let wrong = codes::ARB_NOT_ARRAY.wrong().unwrap();
    /// let loaded = shadestep_language::front::load(wrong.as_bytes());
    /// assert_eq!(first_error(&loaded.diagnostics).unwrap().code, codes::ARB_NOT_ARRAY);
    /// ```
    pub fn wrong(self) -> Option<Cow<'static, str>> {
        match (self.row.wrong, self.row.words) {
            ("", _) => None,
            (wrong, None) => Some(wrong.into()),
            (wrong, Some(words)) => Some(words.expand(wrong).into()),
        }
    }

    /// The corrected program, if the row has one.
    pub fn right(self) -> Option<String> {
        let (part, correction) = self.row.correction?;
        let right = self.row.wrong.replacen(part, correction, 1);
        Some(self.row.words.map_or_else(|| right.clone(), |words| words.expand(&right)))
    }
}

impl PartialEq for Code {
    fn eq(&self, other: &Self) -> bool {
        self.name() == other.name()
    }
}

impl Eq for Code {}

impl PartialEq<&str> for Code {
    fn eq(&self, other: &&str) -> bool {
        self.name() == *other
    }
}

impl PartialEq<str> for Code {
    fn eq(&self, other: &str) -> bool {
        self.name() == other
    }
}

/// The codes about one subject.
#[derive(Clone, Debug)]
pub struct Topic {
    /// The heading of the subject.
    pub title: &'static str,
    pub codes: Vec<Code>,
}

/// All codes, by topic.
pub fn topics() -> Vec<Topic> {
    let topic = |title, codes: &[Code]| Topic { title, codes: codes.to_vec() };
    vec![
        topic("Headers and options", language::all()),
        Topic { title: "Statements", codes: statements::errors() },
        topic("Names and declarations", declarations::all()),
        topic("Registers and operands", registers::all()),
        topic("Textures", textures::all()),
        topic("Buffers, images and memory", memory::all()),
        topic("Labels, blocks and subroutines", flow::all()),
        topic("Primitives and patches", primitives::all()),
        topic("Limits", resources::all()),
        Topic {
            title: "Warnings about a program",
            codes: [statements::warnings(), warnings::all().to_vec()].concat(),
        },
        topic("Warnings about the programs of a draw", programs::all()),
    ]
}

/// All codes.
pub fn all() -> impl Iterator<Item = Code> {
    topics().into_iter().flat_map(|topic| topic.codes)
}

/// The clauses of the grammar.
const GRAMMAR: &[&str] =
    &["ARB_fragment_program 3.11.2", "ARB_vertex_program 2.14.2", "NV_gpu_program4 2.X.2"];

/// Writes the rows of a topic: a constant for each code, and `all` with all of them.
macro_rules! codes {
    ($severity:ident $($code:ident $name:literal $clauses:expr, $rule:literal
        $(, $wrong:literal $(, $part:literal => $correction:literal)?)?;)*) => {
        $(
            #[doc = concat!("`", $name, "`")]
            pub const $code: $crate::diag::codes::Code = $crate::diag::codes::Code::new(&$crate::diag::codes::Row {
                wrong: concat!($($wrong)?),
                correction: $crate::diag::codes::correction!($($($part => $correction)?)?),
                ..$crate::diag::codes::Row::new($name, $crate::diag::Severity::$severity, $clauses, $rule)
            });
        )*
        /// The codes of the topic.
        pub(super) const fn all() -> &'static [$crate::diag::codes::Code] {
            &[$($code),*]
        }
    };
}
pub(crate) use codes;

macro_rules! correction {
    () => {
        None
    };
    ($part:literal => $correction:literal) => {
        Some(($part, $correction))
    };
}
pub(crate) use correction;

#[cfg(test)]
mod tests;
