//! Suffixes, and which of them the languages have of an instruction.

use super::{Language, OperandKind, VertexVersion};

/// A precision suffix.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Precision {
    /// `R`: fp32.
    R,
    /// `H`: fp16.
    H,
    /// `X`: fx12.
    X,
}

impl Precision {
    /// The suffix letter.
    pub const fn letter(self) -> char {
        match self {
            Self::R => 'R',
            Self::H => 'H',
            Self::X => 'X',
        }
    }
}

/// A suffix that makes an instruction update a condition code register.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Cc {
    /// `C`: the only register, or the first.
    C,
    /// `C0`: the first one (NV_vertex_program3).
    C0,
    /// `C1`: the second one (NV_vertex_program3).
    C1,
}

impl Cc {
    /// As written.
    pub const fn suffix(self) -> &'static str {
        match self {
            Self::C => "C",
            Self::C0 => "C0",
            Self::C1 => "C1",
        }
    }
}

/// Clamping of results.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Saturation {
    /// None.
    #[default]
    None,
    /// `_SAT`: to 0 to 1.
    Unsigned,
    /// `_SSAT`: to -1 to 1 (NV_fragment_program2).
    Signed,
}

impl Saturation {
    /// As written.
    pub const fn suffix(self) -> &'static str {
        match self {
            Self::None => "",
            Self::Unsigned => "_SAT",
            Self::Signed => "_SSAT",
        }
    }
}

/// The forms of an instruction that one language has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Forms {
    /// Precision suffixes allowed; empty where the instruction takes none.
    pub precisions: &'static [Precision],
    /// Condition code suffixes allowed.
    pub cc: &'static [Cc],
    /// Saturation suffixes allowed.
    pub sat: &'static [Saturation],
    /// The section that defines it, e.g. `3.11.5.1`.
    pub section: &'static str,
}

/// The forms of an instruction in the NV vertex languages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VertexForms {
    /// First version that has it.
    pub since: VertexVersion,
    /// Whether `!!VP2.0` has it with the `C` suffix.
    pub cc: bool,
    /// The section of NV_vertex_program2 that defines it, e.g. `2.14.3.2`.
    pub section: &'static str,
    /// Hover text where [`super::Info::prose`] would be wrong for these languages.
    pub prose: Option<&'static str>,
}

/// The suffixes that one ARB language has of an instruction (Table X.5 of its text).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ArbSuffixes {
    /// Precisions.
    pub precisions: &'static [Precision],
    /// Condition code updates.
    pub cc: &'static [Cc],
    /// Clamps.
    pub sat: &'static [Saturation],
}

/// The forms of an instruction in the three languages of an ARB family.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ArbForms {
    /// First language of the family that has it.
    pub since: Language,
    /// Suffixes in each of the three, also in those that lack the instruction (where they mean nothing).
    pub suffixes: [ArbSuffixes; 3],
    /// The extension that defines it.
    pub extension: &'static str,
    /// The section there.
    pub section: &'static str,
    /// Operand lists by language where they differ from [`super::Info::operands`].
    pub operands: Option<[&'static [OperandKind]; 3]>,
    /// The computation where [`super::Info::formula`] would be wrong.
    pub formula: Option<&'static str>,
    /// Hover text where [`super::Info::prose`] would be wrong.
    pub prose: Option<&'static str>,
}

impl ArbForms {
    /// Whether `language`, one of the family, has the instruction.
    pub fn is_in(&self, language: Language) -> bool {
        language.family() == self.since.family() && self.since <= language
    }
}

/// Suffixes after a mnemonic.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Suffixes {
    /// `R`, `H`, `X` or none.
    pub precision: Option<Precision>,
    /// `C`, `C0`, `C1` or none.
    pub cc: Option<Cc>,
    /// `_SAT`, `_SSAT` or none.
    pub saturate: Saturation,
}

impl Suffixes {
    /// The suffixes as written: precision, condition code, saturation.
    pub fn text(self) -> String {
        let mut text = String::new();
        text.extend(self.precision.map(Precision::letter));
        text.push_str(self.cc.map_or("", Cc::suffix));
        text.push_str(self.saturate.suffix());
        text
    }
}

impl Forms {
    /// Every suffix combination this instruction takes, the plain one first.
    pub fn combinations(&self) -> Vec<Suffixes> {
        let mut all = Vec::new();
        let with_none = |cc: &'static [Cc]| std::iter::once(None).chain(cc.iter().copied().map(Some));
        for precision in std::iter::once(None).chain(self.precisions.iter().copied().map(Some)) {
            for cc in with_none(self.cc) {
                for saturate in std::iter::once(Saturation::None).chain(self.sat.iter().copied()) {
                    all.push(Suffixes { precision, cc, saturate });
                }
            }
        }
        all
    }
}
