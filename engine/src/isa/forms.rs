//! Modifiers of instruction names, and which of them the languages have of an instruction.

use super::{Languages, OperandKind, Profile};

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

/// What can follow a mnemonic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Modifier {
    /// The precision that is computed in.
    Precision(Precision),
    /// A condition code update.
    Cc(Cc),
    /// A clamp of the result.
    Saturation(Saturation),
}

impl Modifier {
    /// All of them, in the order in which they are written.
    pub const ALL: [Self; 8] = [
        Self::Precision(Precision::R),
        Self::Precision(Precision::H),
        Self::Precision(Precision::X),
        Self::Cc(Cc::C),
        Self::Cc(Cc::C0),
        Self::Cc(Cc::C1),
        Self::Saturation(Saturation::Unsigned),
        Self::Saturation(Saturation::Signed),
    ];

    /// As written.
    pub const fn text(self) -> &'static str {
        match self {
            Self::Precision(Precision::R) => "R",
            Self::Precision(Precision::H) => "H",
            Self::Precision(Precision::X) => "X",
            Self::Cc(cc) => cc.suffix(),
            Self::Saturation(saturation) => saturation.suffix(),
        }
    }

    /// The modifier that `text` begins with, the longest of them, and what is behind it.
    fn split(text: &str) -> Option<(Self, &str)> {
        let found = Self::ALL.into_iter().filter(|modifier| text.starts_with(modifier.text()));
        let longest = found.max_by_key(|modifier| modifier.text().len())?;
        Some((longest, &text[longest.text().len()..]))
    }

    /// Place of its kind in the order in which they are written.
    pub const fn kind(self) -> u8 {
        match self {
            Self::Precision(_) => 0,
            Self::Cc(_) => 1,
            Self::Saturation(_) => 2,
        }
    }

    const fn bit(self) -> u16 {
        1 << match self {
            Self::Precision(precision) => precision as u16,
            Self::Cc(cc) => 3 + cc as u16,
            Self::Saturation(saturation) => 6 + saturation as u16,
        }
    }
}

/// A set of modifiers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Modifiers(u16);

impl Modifiers {
    /// None.
    pub const NONE: Self = Self(0);

    /// The set of these.
    pub const fn of(modifiers: &[Modifier]) -> Self {
        let mut set = 0;
        let mut place = 0;
        while place < modifiers.len() {
            set |= modifiers[place].bit();
            place += 1;
        }
        Self(set)
    }

    /// Those of both sets.
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// Those of either set.
    pub const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Whether `modifier` is one of them.
    pub const fn contains(self, modifier: Modifier) -> bool {
        self.0 & modifier.bit() != 0
    }

    /// Each, in the order in which they are written.
    pub fn iter(self) -> impl Iterator<Item = Modifier> + Clone {
        Modifier::ALL.into_iter().filter(move |modifier| self.contains(*modifier))
    }

    /// Reads `text`, what follows a mnemonic, as at most one modifier of each kind, in order.
    pub(super) fn read(self, text: &str) -> Option<Suffixes> {
        let mut suffixes = Suffixes::default();
        let mut rest = text;
        let mut before = None;
        while !rest.is_empty() {
            let (modifier, behind) = Modifier::split(rest)?;
            let follows = before.is_none_or(|before: Modifier| before.kind() < modifier.kind());
            if !follows || !self.contains(modifier) {
                return None;
            }
            match modifier {
                Modifier::Precision(precision) => suffixes.precision = Some(precision),
                Modifier::Cc(cc) => suffixes.cc = Some(cc),
                Modifier::Saturation(saturation) => suffixes.saturate = saturation,
            }
            (rest, before) = (behind, Some(modifier));
        }
        Some(suffixes)
    }
}

/// How a word that goes on behind a mnemonic is told to have wrong modifiers from being another word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ModifierOrder {
    /// Up to three letters, then a clamp.
    LettersThenClamp,
    /// Any number in any order; a condition code register has any digit.
    Any,
}

impl ModifierOrder {
    /// Whether `text` is made of modifiers only, legal or not for the instruction at hand.
    pub(super) fn takes(self, text: &str) -> bool {
        let mut rest = text;
        let mut letters = 0;
        while let Some((modifier, behind)) = Modifier::split(rest) {
            rest = behind;
            if self == Self::Any {
                // C0 and C1 have been taken whole.
                let other = behind.strip_prefix(|c: char| c.is_ascii_digit());
                rest = other.filter(|_| modifier == Modifier::Cc(Cc::C)).unwrap_or(behind);
                continue;
            }
            match modifier {
                Modifier::Precision(_) | Modifier::Cc(Cc::C) => letters += 1,
                Modifier::Cc(Cc::C0 | Cc::C1) => return false,
                Modifier::Saturation(_) => break,
            }
        }
        rest.is_empty() && letters <= 3
    }
}

/// The forms of an instruction in some of the languages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Forms {
    /// The languages that have these.
    pub languages: Languages,
    /// Modifiers allowed, of those that a language has.
    pub modifiers: Modifiers,
    /// The extension that defines the instruction.
    pub extension: &'static str,
    /// The section there, e.g. `3.11.5.1`.
    pub section: &'static str,
    /// Operand list where it differs from [`super::Info::operands`].
    pub operands: Option<&'static [OperandKind]>,
    /// The computation where [`super::Info::formula`] would be wrong.
    pub formula: Option<&'static str>,
    /// Hover text where [`super::Info::prose`] would be wrong.
    pub prose: Option<&'static str>,
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
    /// These in the language of `profile`: the modifiers that both allow.
    pub(super) const fn limited_to(self, profile: &Profile) -> Self {
        Self { modifiers: self.modifiers.and(profile.modifiers), ..self }
    }

    /// Precision suffixes allowed; none where the instruction has no choice of them.
    pub fn precisions(&self) -> impl Iterator<Item = Precision> + Clone {
        self.modifiers.iter().filter_map(|modifier| match modifier {
            Modifier::Precision(precision) => Some(precision),
            Modifier::Cc(_) | Modifier::Saturation(_) => None,
        })
    }

    /// Whether any precision suffix is allowed.
    pub fn has_precisions(&self) -> bool {
        self.precisions().next().is_some()
    }

    /// Condition code suffixes allowed.
    pub fn cc(&self) -> impl Iterator<Item = Cc> + Clone {
        self.modifiers.iter().filter_map(|modifier| match modifier {
            Modifier::Cc(cc) => Some(cc),
            Modifier::Precision(_) | Modifier::Saturation(_) => None,
        })
    }

    /// Clamps allowed.
    pub fn saturations(&self) -> impl Iterator<Item = Saturation> + Clone {
        self.modifiers.iter().filter_map(|modifier| match modifier {
            Modifier::Saturation(saturation) => Some(saturation),
            Modifier::Precision(_) | Modifier::Cc(_) => None,
        })
    }

    /// Every suffix combination this instruction takes, the plain one first.
    pub fn combinations(&self) -> Vec<Suffixes> {
        let mut all = Vec::new();
        for precision in std::iter::once(None).chain(self.precisions().map(Some)) {
            for cc in std::iter::once(None).chain(self.cc().map(Some)) {
                for saturate in std::iter::once(Saturation::None).chain(self.saturations()) {
                    all.push(Suffixes { precision, cc, saturate });
                }
            }
        }
        all
    }
}
