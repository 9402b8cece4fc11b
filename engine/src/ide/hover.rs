//! What a word of a program means, for a pointer that rests on it.

use std::fmt::Write as _;

use super::highlight::{Token, TokenKind, highlight_line};
use super::outline::{OutlineKind, outline};
use super::reference::{readings, rule_text, usage};
use crate::front::fp1::words::{Register, Word, classify};
use crate::front::lossy;
use crate::ir::{Attribute, Condition, ParameterSource, Program, TextureTarget, Type};
use crate::isa::{self, Info, Language, Lookup, Precision, Suffixes};
use crate::num::fp32;
use crate::source::{LineIndex, Span};

/// What there is to say about a piece of text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hover {
    /// The bytes it is about.
    pub span: Span,
    /// One line.
    pub title: String,
    /// Plain text, paragraphs apart by blank lines.
    pub body: String,
}

/// What stands at byte `offset` of `text`; `program` (the loaded program, if it loads) adds values.
pub fn hover(text: &[u8], offset: usize, program: Option<&Program>) -> Option<Hover> {
    let index = LineIndex::new(text);
    let line_number = index.line_of(offset.min(text.len()));
    let line = index.line_span(line_number);
    let tokens = highlight_line(line.slice(text), line_number);
    let at = tokens.iter().position(|t| t.span.contains(offset.wrapping_sub(line.start)))?;
    let (span, title, body) =
        Hovered { line: line.slice(text), tokens: &tokens, at, text, program }.describe()?;
    Some(Hover { span: Span::new(span.start + line.start, span.end + line.start), title, body })
}

/// A token with its surroundings.
struct Hovered<'h> {
    line: &'h [u8],
    tokens: &'h [Token],
    at: usize,
    text: &'h [u8],
    program: Option<&'h Program>,
}

impl Hovered<'_> {
    fn word(&self, index: usize) -> String {
        self.tokens.get(index).map_or_else(String::new, |t| lossy(t.span.slice(self.line)))
    }

    fn describe(&self) -> Option<(Span, String, String)> {
        let token = self.tokens[self.at];
        let word = self.word(self.at);
        let (title, body) = match token.kind {
            TokenKind::Mnemonic | TokenKind::Suffix => return self.instruction(),
            TokenKind::Attribute | TokenKind::Output | TokenKind::Parameter => return self.element(token.kind),
            TokenKind::Register => register(&word)?,
            TokenKind::Condition => condition(&word)?,
            TokenKind::TextureTarget => target(&word)?,
            TokenKind::TextureUnit => {
                (format!("{word}: texture image unit"), "The unit whose texture is looked up. It has nothing to do with the coordinate set of the same name, which is written f[TEXn]. A program can use one target on each unit.".to_owned())
            }
            TokenKind::Swizzle => components(&word),
            TokenKind::Keyword => keyword(&word)?,
            TokenKind::Header => (format!("{word}: fragment program"), "The program is written in the language of NV_fragment_program. The header must be the first bytes of the text.".to_owned()),
            TokenKind::Number => number(&word)?,
            TokenKind::Name => self.name(&word)?,
            TokenKind::Punctuation | TokenKind::Comment | TokenKind::Whitespace | TokenKind::Error => {
                return None;
            }
        };
        Some((token.span, title, body))
    }

    fn instruction(&self) -> Option<(Span, String, String)> {
        let mut span = self.tokens[self.at].span;
        let neighbour = if self.tokens[self.at].kind == TokenKind::Suffix {
            self.at.checked_sub(1)
        } else {
            Some(self.at + 1).filter(|&i| self.tokens.get(i).is_some_and(|t| t.kind == TokenKind::Suffix))
        };
        if let Some(neighbour) = neighbour {
            span = span.to(self.tokens[neighbour].span);
        }
        let word = lossy(span.slice(self.line));
        match isa::lookup(Language::Fp1, &word) {
            Lookup::Instruction(info, suffixes) => {
                let (title, body) = instruction_text(info, suffixes)?;
                Some((span, title, body))
            }
            Lookup::BadSuffix(info) => {
                let (title, body) = instruction_text(info, Suffixes::default())?;
                Some((span, title, body))
            }
            Lookup::Unknown => None,
        }
    }

    /// An array element such as `f[TEX0]`, whichever of its parts is pointed at.
    fn element(&self, kind: TokenKind) -> Option<(Span, String, String)> {
        let of_kind = |index: usize| self.tokens.get(index).is_some_and(|t| t.kind == kind);
        let significant: Vec<usize> =
            (0..self.tokens.len()).filter(|&i| self.tokens[i].kind != TokenKind::Whitespace).collect();
        let place = significant.iter().position(|&i| i == self.at)?;
        let is_array = matches!(self.word(self.at).as_str(), "f" | "o" | "p");
        let (array, inner) = if is_array {
            (self.at, significant.get(place + 2).copied().filter(|&i| of_kind(i)))
        } else {
            (*significant.get(place.checked_sub(2)?)?, Some(self.at))
        };
        let name = inner.map(|i| self.word(i));
        let last = inner.map_or(self.at, |i| {
            let close =
                significant.iter().position(|&s| s == i).and_then(|p| significant.get(p + 1).copied());
            close.filter(|&c| self.word(c) == "]").unwrap_or(i)
        });
        let span = self.tokens[array].span.to(self.tokens[last].span);
        let (title, body) = match kind {
            TokenKind::Attribute => attribute(name.as_deref()),
            TokenKind::Output => output(name.as_deref()),
            _ => self.parameter(name.as_deref()),
        };
        Some((span, title, body))
    }

    fn parameter(&self, number: Option<&str>) -> (String, String) {
        let Some(number) = number else {
            return (
                "p: numbered local parameters".to_owned(),
                "p[0] to p[63], vectors of four that can be set from outside between draws.".to_owned(),
            );
        };
        let mut body =
            "A vector of four set from outside the program; it needs no declaration. An instruction can read one program parameter."
                .to_owned();
        let wanted = number.parse::<u16>().ok();
        let read = self.program.is_some_and(|p| {
            p.parameters.iter().any(|p| matches!(p.source, ParameterSource::Numbered(n) if Some(n) == wanted))
        });
        if read {
            body.push_str("\n\nThe values in use are shown in the inputs panel.");
        }
        (format!("p[{number}]: numbered local parameter"), body)
    }

    fn name(&self, word: &str) -> Option<(String, String)> {
        if let Some(initial) = self.program.and_then(|p| {
            p.parameters.iter().find_map(|p| match &p.source {
                ParameterSource::Named { name, initial } if name == word => Some(*initial),
                _ => None,
            })
        }) {
            let [x, y, z, w] = initial;
            return Some((
                format!("{word}: local parameter"),
                format!("Set from outside the program between draws; ({x}, {y}, {z}, {w}) until then."),
            ));
        }
        let item = outline(self.text).into_iter().find(|item| {
            item.title == word && matches!(item.kind, OutlineKind::Constant | OutlineKind::Parameter)
        })?;
        Some(match item.kind {
            OutlineKind::Constant => (
                format!("{word} = {}", item.detail),
                "A constant made by DEFINE. Using its name is the same as writing its value.".to_owned(),
            ),
            _ => (
                format!("{word}: local parameter"),
                if item.detail.is_empty() {
                    "Made by DECLARE; set from outside the program, (0,0,0,0) until then.".to_owned()
                } else {
                    format!("Made by DECLARE; set from outside the program, {} until then.", item.detail)
                },
            ),
        })
    }
}

fn instruction_text(info: &Info, suffixes: Suffixes) -> Option<(String, String)> {
    let forms = info.forms(Language::Fp1)?;
    let title = format!("{}{}: {}", info.mnemonic, suffixes.text(), info.title);
    let mut body = format!("{}\n\n{}\n\n{}", usage(info, &forms), info.formula, info.prose);
    for rule in rule_text(info.rule).into_iter().chain(readings(info.opcode)) {
        let _ = write!(body, "\n\n{rule}");
    }
    match suffixes.precision {
        Some(Precision::R) => body.push_str("\n\nR: computed in fp32."),
        Some(Precision::H) => body.push_str(
            "\n\nH: computed in fp16, unless an operand is f[FOGC] or f[TEXn]: those instructions run in fp32.",
        ),
        Some(Precision::X) => body.push_str(
            "\n\nX: operands are converted to fx12, [-2, 2) in steps of 1/1024; the result is exact, then rounded to fx12 once. With f[FOGC] or f[TEXn] as an operand the instruction runs in fp32.",
        ),
        None if !forms.precisions.is_empty() => {
            body.push_str("\n\nWithout a precision suffix it runs at the destination's precision.");
        }
        None => {}
    }
    if suffixes.cc {
        body.push_str("\n\nC: sets the condition code from the components written, after conversion to the destination's precision.");
    }
    if suffixes.sat {
        body.push_str(
            "\n\n_SAT: clamps the result to [0,1] before it is converted to the destination's precision.",
        );
    }
    let _ = write!(body, "\n\n{} {}", Language::Fp1.extension(), forms.section);
    Some((title, body))
}

fn register(word: &str) -> Option<(String, String)> {
    Some(match classify(word) {
        Word::Temporary(Register { ty: Type::F16, .. }) => (
            format!("{word}: fp16 temporary register"),
            "Four 16-bit floats, (0,0,0,0) when the program starts. Counts one half of the 64 a program's registers may take.".to_owned(),
        ),
        Word::Temporary(_) => (
            format!("{word}: fp32 temporary register"),
            "Four 32-bit floats, (0,0,0,0) when the program starts. Counts two halves of the 64 a program's registers may take.".to_owned(),
        ),
        Word::ConditionRegister(ty) => (
            format!("{word}: condition code only"),
            format!(
                "A destination that stores nothing: an instruction with C sets the condition code as if it had written an {} register.",
                if ty == Type::F16 { "fp16" } else { "fp32" }
            ),
        ),
        _ => return None,
    })
}

fn attribute(name: Option<&str>) -> (String, String) {
    let found = name.and_then(|n| Attribute::FRAGMENT.iter().find(|a| a.name() == n));
    let Some(attribute) = found else {
        return (
            "f: fragment attributes".to_owned(),
            "f[WPOS], f[COL0], f[COL1], f[FOGC] and f[TEX0] to f[TEX7], read-only. An instruction can read one of them.".to_owned(),
        );
    };
    let (what, body) = match attribute {
        Attribute::Wpos => (
            "window position",
            "(x, y, z, 1/w): x and y of the fragment's centre, counted in pixels from the lower left corner; z, the depth in [0,1]; and the reciprocal of clip w.".to_owned(),
        ),
        Attribute::Col0 => ("primary colour", "(r, g, b, a), interpolated.".to_owned()),
        Attribute::Col1 => ("secondary colour", "(r, g, b, a), interpolated.".to_owned()),
        Attribute::Fogc => (
            "fog coordinate",
            "(z, 0, 0, 0): eye distance or fog coordinate. An instruction that reads it runs in fp32 whatever its suffix.".to_owned(),
        ),
        Attribute::Vertex(_) => ("vertex attribute", "Four components of the current vertex.".to_owned()),
        Attribute::Tex(set) => (
            "texture coordinates",
            format!("(s, t, r, q) of set {set}, interpolated. An instruction that reads it runs in fp32 whatever its suffix."),
        ),
    };
    (format!("f[{}]: {what}", attribute.name()), body)
}

fn output(name: Option<&str>) -> (String, String) {
    let undefined = "Undefined until written ((0,0,0,0) here).";
    match name {
        Some("COLR") => (
            "o[COLR]: colour".to_owned(),
            format!(
                "The fragment's colour (r, g, b, a) as fp32. A program writes o[COLR] or o[COLH], not both. {undefined}"
            ),
        ),
        Some("COLH") => (
            "o[COLH]: colour, fp16".to_owned(),
            format!(
                "The fragment's colour (r, g, b, a) as fp16. A program writes o[COLR] or o[COLH], not both. {undefined}"
            ),
        ),
        Some("DEPR") => (
            "o[DEPR]: depth".to_owned(),
            format!(
                "Its z replaces the fragment's depth, and only if the program writes it at all. {undefined}"
            ),
        ),
        _ => (
            "o: outputs".to_owned(),
            "o[COLR], o[COLH] and o[DEPR], write-only. A program must write one at least.".to_owned(),
        ),
    }
}

fn condition(word: &str) -> Option<(String, String)> {
    let condition = Condition::ALL.iter().find(|c| c.name() == word)?;
    let what = match condition {
        Condition::Eq => "equal to zero",
        Condition::Ge => "greater than or equal to zero; false for NaN",
        Condition::Gt => "greater than zero",
        Condition::Le => "less than or equal to zero; false for NaN",
        Condition::Lt => "less than zero",
        Condition::Ne => "not equal to zero; true for NaN",
        Condition::Tr => "always true",
        Condition::Fl => "never true",
    };
    Some((
        format!("{word}: {what}"),
        "Tests each component of the condition code, which instructions with the C suffix set; the code starts as EQ. A suffix such as .x or .wzyx picks the components to test.".to_owned(),
    ))
}

fn target(word: &str) -> Option<(String, String)> {
    let target = TextureTarget::ALL.into_iter().find(|t| t.name() == word)?;
    let body = match target {
        TextureTarget::D1 => "Looked up with s = x.",
        TextureTarget::D2 => "Looked up with (s, t) = (x, y), in [0,1] across the image.",
        TextureTarget::D3 => "Looked up with (s, t, r) = (x, y, z).",
        TextureTarget::Cube => {
            "Looked up with the direction (x, y, z); its largest component picks the face."
        }
        TextureTarget::Rect => "Looked up with (s, t) = (x, y) in texels; no mipmaps.",
    };
    Some((format!("{word}: texture target"), body.to_owned()))
}

fn components(word: &str) -> (String, String) {
    let body = match word.len() {
        1 => format!("One component: {word} alone. As a vector operand it fills all four places."),
        4 => {
            let parts: Vec<String> =
                "xyzw".chars().zip(word.chars()).map(|(to, from)| format!("{to} from {from}")).collect();
            format!("On an operand: {}. On a destination: all four components are written.", parts.join(", "))
        }
        _ => format!(
            "Write mask: only {} change.",
            word.chars().map(String::from).collect::<Vec<_>>().join(", ")
        ),
    };
    (format!(".{word}"), body)
}

fn keyword(word: &str) -> Option<(String, String)> {
    let (what, body) = match word {
        "DEFINE" => (
            "name a constant",
            "DEFINE name = constant; The constant is a number, another constant's name, or {one to four of them}; missing y and z are 0, a missing w is 1.",
        ),
        "DECLARE" => (
            "make a local parameter",
            "DECLARE name; or DECLARE name = constant; Makes a vector that can be set from outside the program. It is (0,0,0,0) until then if no constant is given; a scalar fills all four components.",
        ),
        "END" => ("end of the program", "Only whitespace and comments may follow."),
        _ => return None,
    };
    Some((format!("{word}: {what}"), body.to_owned()))
}

fn number(word: &str) -> Option<(String, String)> {
    let value = fp32::flush(word.parse().ok()?);
    Some((format!("{word} = {value}"), format!("fp32 bits {:#010x}.", value.to_bits())))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::front::load;

    const TEXT: &str = "!!FP1.0\nDEFINE pi = 3.14;\nDECLARE tint = 2;\nMADHC_SAT R0.xyz (GT.x), f [ TEX0 ], p[3], H1;\nRFL HC.x, R0, tint;\nTEX R1, R0, TEX2, CUBE;\nMUL o[COLR], R1, pi;\nEND";

    fn at(needle: &str, inside: usize) -> Option<Hover> {
        let program = load(TEXT.as_bytes()).program;
        assert!(program.is_some());
        hover(TEXT.as_bytes(), TEXT.find(needle).unwrap() + inside, program.as_ref())
    }

    #[track_caller]
    fn title(needle: &str, inside: usize) -> String {
        at(needle, inside).unwrap().title
    }

    #[test]
    fn words_are_explained() {
        let mad = at("MADHC", 4).unwrap();
        assert_eq!(mad.title, "MADHC_SAT: Multiply and add");
        assert_eq!(mad.span.len(), 9);
        for part in ["result = a*b + c", "H: ", "C: ", "_SAT: ", "3.11.5.15", "MAD[R|H|X][C][_SAT]"] {
            assert!(mad.body.contains(part), "{part}");
        }
        assert_eq!(title("R0", 0), "R0: fp32 temporary register");
        assert_eq!(title("H1", 1), "H1: fp16 temporary register");
        assert_eq!(title("HC.x", 0), "HC: condition code only");
        assert_eq!(title("GT", 0), "GT: greater than zero");
        assert_eq!(title("tint;", 0), "tint: local parameter");
        assert!(at("tint;", 0).unwrap().body.contains("(2, 2, 2, 2)"));
        assert_eq!(title("pi;", 1), "pi = 3.14");
        assert_eq!(title("TEX2", 0), "TEX2: texture image unit");
        assert_eq!(title("CUBE", 3), "CUBE: texture target");
        assert_eq!(title("3.14", 0), "3.14 = 3.14");
        assert_eq!(title("DECLARE", 0), "DECLARE: make a local parameter");
        assert_eq!(title("!!FP", 0), "!!FP1.0: fragment program");
        assert_eq!(title(".xyz", 1), ".xyz");
    }

    #[test]
    fn array_elements_are_one_thing() {
        for inside in [0, 4] {
            let hover = at("f [ TEX0 ]", inside).unwrap();
            assert_eq!(hover.title, "f[TEX0]: texture coordinates");
            assert_eq!(hover.span.len(), "f [ TEX0 ]".len());
        }
        assert_eq!(title("p[3]", 2), "p[3]: numbered local parameter");
        assert_eq!(title("o[COLR]", 0), "o[COLR]: colour");
        assert!(at("f [", 1).is_none());
        assert!(hover(b"", 0, None).is_none());
        assert!(hover(b"f", 0, None).is_some());
        assert!(hover(b"MOV", 99, None).is_none());
    }
}
