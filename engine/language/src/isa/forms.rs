//! Modifiers of instruction names, and which of them the languages have of an instruction.

use super::{Atomic, Caching, DataType, Format, Languages, OperandKind, Profile, Storage};
use crate::num::Rounding;

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

/// What can follow a mnemonic: as letters right behind it, or as a word behind a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Modifier {
    /// What ATOM does to memory.
    Atomic(Atomic),
    /// The precision that is computed in.
    Precision(Precision),
    /// The type of operands and result.
    Data(DataType),
    /// A condition code update.
    Cc(Cc),
    /// A clamp of the result.
    Saturation(Saturation),
    /// How a conversion rounds.
    Rounding(Rounding),
    /// `.NTC`: the types of variables are not checked.
    NoTypeCheck,
    /// `.PREC`: the result is not to depend on other instructions. Here none ever does.
    Precise,
    /// `.COH`: through a coherent level of the caches.
    Coherent,
    /// `.VOL`: as if somebody else could change the memory at any time.
    Volatile,
}

/// The modifiers but for those of [`Atomic`] and [`DataType`].
const OTHERS: [Modifier; 16] = [
    Modifier::Precision(Precision::R),
    Modifier::Precision(Precision::H),
    Modifier::Precision(Precision::X),
    Modifier::Cc(Cc::C),
    Modifier::Cc(Cc::C0),
    Modifier::Cc(Cc::C1),
    Modifier::Saturation(Saturation::Unsigned),
    Modifier::Saturation(Saturation::Signed),
    Modifier::Rounding(Rounding::Round),
    Modifier::Rounding(Rounding::Ceil),
    Modifier::Rounding(Rounding::Floor),
    Modifier::Rounding(Rounding::Trunc),
    Modifier::NoTypeCheck,
    Modifier::Precise,
    Modifier::Coherent,
    Modifier::Volatile,
];

/// How many there are.
const MODIFIERS: usize = Atomic::ALL.len() + DataType::ALL.len() + OTHERS.len();

impl Modifier {
    /// All of them, in the order in which they are written.
    pub const ALL: [Self; MODIFIERS] = {
        let mut all = [Self::Precise; MODIFIERS];
        let mut place = 0;
        while place < Atomic::ALL.len() {
            all[place] = Self::Atomic(Atomic::ALL[place]);
            place += 1;
        }
        let mut other = 0;
        while other < OTHERS.len() {
            // Data types stand behind precisions, which are one.
            if other == 3 {
                let mut data = 0;
                while data < DataType::ALL.len() {
                    all[place] = Self::Data(DataType::ALL[data]);
                    data += 1;
                    place += 1;
                }
            }
            all[place] = OTHERS[other];
            other += 1;
            place += 1;
        }
        all
    };

    /// As written right behind the mnemonic, where it can stand there (NV_gpu_program4 Table X.15).
    pub const fn suffix(self) -> Option<&'static str> {
        match self {
            Self::Precision(Precision::R) => Some("R"),
            Self::Precision(Precision::H) => Some("H"),
            Self::Precision(Precision::X) => Some("X"),
            Self::Cc(cc) => Some(cc.suffix()),
            Self::Saturation(saturation) => Some(saturation.suffix()),
            Self::Atomic(_)
            | Self::Data(_)
            | Self::Rounding(_)
            | Self::NoTypeCheck
            | Self::Precise
            | Self::Coherent
            | Self::Volatile => None,
        }
    }

    /// As written behind a point, where it can stand there (NV_gpu_program4 Table X.14).
    pub const fn dotted(self) -> Option<&'static str> {
        match self {
            Self::Precision(_) => None,
            Self::Data(data) => Some(data.name()),
            Self::Cc(Cc::C) => Some("CC"),
            Self::Cc(Cc::C0) => Some("CC0"),
            Self::Cc(Cc::C1) => Some("CC1"),
            Self::Saturation(Saturation::None) => None,
            Self::Saturation(Saturation::Unsigned) => Some("SAT"),
            Self::Saturation(Saturation::Signed) => Some("SSAT"),
            Self::Rounding(rounding) => Some(rounding.name()),
            Self::NoTypeCheck => Some("NTC"),
            Self::Precise => Some("PREC"),
            Self::Coherent => Some("COH"),
            Self::Volatile => Some("VOL"),
            Self::Atomic(atomic) => Some(atomic.name()),
        }
    }

    /// What it does, in a few words.
    pub const fn title(self) -> &'static str {
        match self {
            Self::Precision(Precision::R) => "computes in fp32",
            Self::Precision(Precision::H) => "computes in fp16",
            Self::Precision(Precision::X) => "computes in fx12",
            Self::Data(data) => data.title(),
            Self::Cc(Cc::C) => "sets the condition code",
            Self::Cc(Cc::C0) => "sets the first condition code",
            Self::Cc(Cc::C1) => "sets the second condition code",
            Self::Saturation(Saturation::None) => "does not clamp the result",
            Self::Saturation(Saturation::Unsigned) => "clamps the result to [0,1]",
            Self::Saturation(Saturation::Signed) => "clamps the result to [-1,1]",
            Self::Rounding(Rounding::Round) => "rounds to the nearest value, ties to even",
            Self::Rounding(Rounding::Ceil) => "rounds up",
            Self::Rounding(Rounding::Floor) => "rounds down",
            Self::Rounding(Rounding::Trunc) => "rounds towards zero",
            Self::NoTypeCheck => "skips the type check of variables",
            Self::Precise => "gives the same result whatever the other instructions are",
            Self::Coherent => "makes the access coherent across invocations",
            Self::Volatile => "always accesses the memory itself",
            Self::Atomic(atomic) => atomic.title(),
        }
    }

    /// As languages with `order` prefer to write it.
    pub fn text(self, order: ModifierOrder) -> String {
        match (self.suffix(), self.dotted()) {
            (_, Some(word)) if order == ModifierOrder::Dotted => format!(".{word}"),
            (Some(letters), _) => letters.to_owned(),
            (None, word) => format!(".{}", word.unwrap_or_default()),
        }
    }

    /// The modifier that `word` is after a point.
    pub fn of_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|modifier| modifier.dotted() == Some(word))
    }

    /// The modifier that `text` begins with, the longest of them, and what is behind it.
    fn split(text: &str) -> Option<(Self, &str)> {
        if let Some(behind) = text.strip_prefix('.') {
            let (word, rest) = behind.split_at(behind.find('.').unwrap_or(behind.len()));
            return Self::of_word(word).map(|found| (found, rest));
        }
        let length = |modifier: &Self| modifier.suffix().filter(|s| text.starts_with(s)).map(str::len);
        let found = Self::ALL.into_iter().filter_map(|m| length(&m).map(|length| (m, length)));
        let (longest, length) = found.max_by_key(|(_, length)| *length)?;
        Some((longest, &text[length..]))
    }

    /// What kind of modifier it is: an instruction has one of each at most. Letters right behind the mnemonic stand in
    /// this order.
    pub const fn kind(self) -> u8 {
        match self {
            Self::Precision(_) | Self::Data(_) => 0,
            Self::Cc(_) => 1,
            Self::Saturation(_) => 2,
            Self::Rounding(_) => 3,
            Self::NoTypeCheck => 4,
            Self::Precise => 5,
            Self::Atomic(_) => 6,
            Self::Coherent => 7,
            Self::Volatile => 8,
        }
    }

    /// That kind in words, for "more than one ...".
    pub const fn kind_name(self) -> &'static str {
        match self {
            Self::Precision(_) | Self::Data(_) => "data type",
            Self::Cc(_) => "condition code update",
            Self::Saturation(_) => "clamp",
            Self::Rounding(_) => "rounding",
            Self::NoTypeCheck => "NTC",
            Self::Precise => "PREC",
            Self::Atomic(_) => "atomic operation",
            Self::Coherent => "COH",
            Self::Volatile => "VOL",
        }
    }

    const fn bit(self) -> u128 {
        const DATA: usize = OTHERS.len();
        1 << match self {
            Self::Precision(precision) => precision as usize,
            Self::Cc(cc) => 3 + cc as usize,
            // Saturation::None is no modifier.
            Self::Saturation(saturation) => 5 + saturation as usize,
            Self::Rounding(rounding) => 8 + rounding as usize,
            Self::NoTypeCheck => 12,
            Self::Precise => 13,
            Self::Coherent => 14,
            Self::Volatile => 15,
            Self::Data(data) => DATA + data.index(),
            Self::Atomic(atomic) => DATA + DataType::ALL.len() + atomic as usize,
        }
    }
}

/// What is wrong with what follows a mnemonic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ModifierFault {
    /// There is no such modifier, or letters stand in another order than theirs.
    Unknown,
    /// Another one of the kind of this one stands before it.
    Twice(Modifier),
    /// The instruction does not take this one.
    NotTaken(Modifier),
}

/// A set of modifiers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Modifiers(u128);

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

    /// All formats.
    pub const FORMATS: Self = {
        let mut set = 0;
        let mut place = 0;
        while place < Format::ALL.len() {
            set |= Modifier::Data(DataType::Sized(Format::ALL[place])).bit();
            place += 1;
        }
        Self(set)
    };

    /// All atomic operations.
    pub const ATOMICS: Self = {
        let mut set = 0;
        let mut place = 0;
        while place < Atomic::ALL.len() {
            set |= Modifier::Atomic(Atomic::ALL[place]).bit();
            place += 1;
        }
        Self(set)
    };

    /// All ways to round.
    pub const ROUNDINGS: Self = Self::of(&[
        Modifier::Rounding(Rounding::Round),
        Modifier::Rounding(Rounding::Ceil),
        Modifier::Rounding(Rounding::Floor),
        Modifier::Rounding(Rounding::Trunc),
    ]);

    /// Those of both sets.
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// Those of either set.
    pub const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Those that `other` has not.
    pub const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// Whether `modifier` is one of them.
    pub const fn contains(self, modifier: Modifier) -> bool {
        self.0 & modifier.bit() != 0
    }

    /// Each, in the order in which they are written.
    pub fn iter(self) -> impl Iterator<Item = Modifier> + Clone {
        Modifier::ALL.into_iter().filter(move |modifier| self.contains(*modifier))
    }

    /// Reads `text`, what follows a mnemonic, as at most one modifier of each kind (`types` of data types): letters in
    /// order, then words behind points in any.
    ///
    /// # Errors
    /// What is wrong, and the length of `text` up to the modifier that is at fault.
    pub(super) fn read(self, text: &str, types: usize) -> Result<Suffixes, (ModifierFault, usize)> {
        let mut suffixes = Suffixes::default();
        let mut rest = text;
        let mut seen: Vec<Modifier> = Vec::new();
        while !rest.is_empty() {
            let at = text.len() - rest.len();
            let (modifier, behind) = Modifier::split(rest).ok_or((ModifierFault::Unknown, at))?;
            let letters = !rest.starts_with('.');
            if letters && seen.last().is_some_and(|before| before.kind() > modifier.kind()) {
                return Err((ModifierFault::Unknown, at));
            }
            let most = if modifier.kind() == 0 { types } else { 1 };
            if seen.iter().filter(|before| before.kind() == modifier.kind()).count() >= most {
                return Err((ModifierFault::Twice(modifier), at));
            }
            if !self.contains(modifier) {
                return Err((ModifierFault::NotTaken(modifier), at));
            }
            match modifier {
                Modifier::Precision(precision) => suffixes.precision = Some(precision),
                Modifier::Data(data) if suffixes.data.is_some() => suffixes.from = Some(data),
                Modifier::Data(data) => suffixes.data = Some(data),
                Modifier::Cc(cc) => suffixes.cc = Some(cc),
                Modifier::Saturation(saturation) => suffixes.saturate = saturation,
                Modifier::Rounding(rounding) => suffixes.rounding = Some(rounding),
                Modifier::NoTypeCheck => suffixes.no_type_check = true,
                Modifier::Precise => suffixes.precise = true,
                Modifier::Atomic(atomic) => suffixes.atomic = Some(atomic),
                Modifier::Coherent => suffixes.caching.coherent = true,
                Modifier::Volatile => suffixes.caching.volatile = true,
            }
            seen.push(modifier);
            rest = behind;
        }
        Ok(suffixes)
    }
}

/// How the lexer decides that the rest of a word after a mnemonic is meant as modifiers, so that a wrong one is
/// reported as such and not as an unknown word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ModifierOrder {
    /// Up to three letters, then a clamp.
    LettersThenClamp,
    /// Any number in any order; a condition code register has any digit.
    Any,
    /// The same, and words behind points.
    Dotted,
}

impl ModifierOrder {
    /// Whether the letters of `text` before any point are made of modifiers only, legal or not for the instruction at
    /// hand.
    pub(super) fn takes(self, text: &str) -> bool {
        let mut rest = text.split('.').next().unwrap_or_default();
        let mut letters = 0;
        while let Some((modifier, behind)) = Modifier::split(rest) {
            rest = behind;
            if self != Self::LettersThenClamp {
                // C0 and C1 have been taken whole.
                let other = behind.strip_prefix(|c: char| c.is_ascii_digit());
                rest = other.filter(|_| modifier == Modifier::Cc(Cc::C)).unwrap_or(behind);
                continue;
            }
            match modifier {
                Modifier::Precision(_) | Modifier::Cc(Cc::C) => letters += 1,
                Modifier::Cc(Cc::C0 | Cc::C1) => return false,
                Modifier::Saturation(_) => break,
                // No letters.
                Modifier::Atomic(_)
                | Modifier::Data(_)
                | Modifier::Rounding(_)
                | Modifier::NoTypeCheck
                | Modifier::Precise
                | Modifier::Coherent
                | Modifier::Volatile => return false,
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
    /// Modifiers that come with the instruction, whatever else the language has.
    pub own: Modifiers,
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
    /// The types of operands and result, where the language has several.
    pub typing: Option<Typing>,
}

/// The type of an operand or result (the inputs and outputs of Table X.13 of NV_gpu_program5).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Typed {
    /// That of the operation.
    Inherited,
    /// Floating-point.
    Float,
    /// Signed integers.
    Signed,
    /// Unsigned integers.
    Unsigned,
}

/// The types that an instruction works with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Typing {
    /// The type of the operation where none is written; nothing where one must be.
    pub default: Option<DataType>,
    /// That of the result.
    pub result: Typed,
    /// Those of the operands.
    pub operands: [Typed; 3],
    /// How many data types are written at most: CVT has one for its result and one for its operand.
    pub types: usize,
}

/// Modifiers after a mnemonic.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Suffixes {
    /// `R`, `H`, `X` or none.
    pub precision: Option<Precision>,
    /// The data type, if one is written; of CVT that of the result.
    pub data: Option<DataType>,
    /// CVT's second data type, that of the operand.
    pub from: Option<DataType>,
    /// `C`, `C0`, `C1` or none.
    pub cc: Option<Cc>,
    /// `_SAT`, `_SSAT` or none.
    pub saturate: Saturation,
    /// How CVT rounds, if that is written.
    pub rounding: Option<Rounding>,
    /// `.NTC`
    pub no_type_check: bool,
    /// `.PREC`
    pub precise: bool,
    /// What ATOM does, if that is written.
    pub atomic: Option<Atomic>,
    /// `.COH`, `.VOL`
    pub caching: Caching,
}

impl Suffixes {
    /// Each, in the order in which they are written.
    pub fn modifiers(self) -> impl Iterator<Item = Modifier> {
        let saturation = Some(self.saturate).filter(|saturation| *saturation != Saturation::None);
        [
            self.atomic.map(Modifier::Atomic),
            self.precision.map(Modifier::Precision),
            self.data.map(Modifier::Data),
            self.from.map(Modifier::Data),
            self.cc.map(Modifier::Cc),
            saturation.map(Modifier::Saturation),
            self.rounding.map(Modifier::Rounding),
            self.no_type_check.then_some(Modifier::NoTypeCheck),
            self.precise.then_some(Modifier::Precise),
            self.caching.coherent.then_some(Modifier::Coherent),
            self.caching.volatile.then_some(Modifier::Volatile),
        ]
        .into_iter()
        .flatten()
    }

    /// The modifiers as letters right behind the mnemonic: precision, condition code, saturation.
    pub fn text(self) -> String {
        self.text_in(ModifierOrder::Any)
    }

    /// The modifiers as languages with `order` prefer to write them.
    pub fn text_in(self, order: ModifierOrder) -> String {
        self.modifiers().map(|modifier| modifier.text(order)).collect()
    }
}

/// The modifiers of one kind that can follow a mnemonic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Slot {
    /// One of these at most.
    pub choices: Vec<Modifier>,
    /// Whether one of them must be there.
    pub need: Need,
}

/// Whether an instruction loads without a modifier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    /// It does not.
    Required,
    /// It does.
    Optional,
}

impl Forms {
    /// These in the language of `profile`: the modifiers that both allow, and the instruction's own.
    pub(super) const fn limited_to(self, profile: &Profile) -> Self {
        Self { modifiers: self.modifiers.and(profile.modifiers).or(self.own), ..self }
    }

    /// Precision suffixes allowed; none where the instruction has no choice of them.
    pub fn precisions(&self) -> impl Iterator<Item = Precision> + Clone {
        self.modifiers.iter().filter_map(|modifier| match modifier {
            Modifier::Precision(precision) => Some(precision),
            _ => None,
        })
    }

    /// Whether any precision suffix is allowed.
    pub fn has_precisions(&self) -> bool {
        self.precisions().next().is_some()
    }

    /// Atomic operations allowed.
    pub fn atomics(&self) -> impl Iterator<Item = Atomic> + Clone {
        self.modifiers.iter().filter_map(|modifier| match modifier {
            Modifier::Atomic(atomic) => Some(atomic),
            _ => None,
        })
    }

    /// Data types allowed.
    pub fn data(&self) -> impl Iterator<Item = DataType> + Clone {
        self.modifiers.iter().filter_map(|modifier| match modifier {
            Modifier::Data(data) => Some(data),
            _ => None,
        })
    }

    /// Condition code suffixes allowed.
    pub fn cc(&self) -> impl Iterator<Item = Cc> + Clone {
        self.modifiers.iter().filter_map(|modifier| match modifier {
            Modifier::Cc(cc) => Some(cc),
            _ => None,
        })
    }

    /// Clamps allowed.
    pub fn saturations(&self) -> impl Iterator<Item = Saturation> + Clone {
        self.modifiers.iter().filter_map(|modifier| match modifier {
            Modifier::Saturation(saturation) => Some(saturation),
            _ => None,
        })
    }

    /// Roundings allowed.
    pub fn roundings(&self) -> impl Iterator<Item = Rounding> + Clone {
        self.modifiers.iter().filter_map(|modifier| match modifier {
            Modifier::Rounding(rounding) => Some(rounding),
            _ => None,
        })
    }

    /// The combinations of types that it takes, the plain one first.
    fn types(&self) -> Vec<Suffixes> {
        let plain = Suffixes::default();
        if let Some(Typing { types: 2, .. }) = self.typing {
            let pairs = self.data().flat_map(|data| self.data().map(move |from| (data, from)));
            return pairs
                .map(|(data, from)| Suffixes { data: Some(data), from: Some(from), ..plain })
                .collect();
        }
        if self.atomics().next().is_some() {
            let takes = |storage: &&Storage| self.modifiers.contains(Modifier::Data(storage.data_type()));
            let with = |atomic: Atomic| {
                atomic.storages().iter().filter(takes).map(move |&storage| (atomic, storage))
            };
            return self
                .atomics()
                .flat_map(with)
                .map(|(atomic, storage): (_, Storage)| Suffixes {
                    atomic: Some(atomic),
                    data: Some(storage.data_type()),
                    ..plain
                })
                .collect();
        }
        let needs_one = self.typing.is_some_and(|typing| typing.default.is_none());
        let mut all = if needs_one { Vec::new() } else { vec![plain] };
        all.extend(self.precisions().map(|precision| Suffixes { precision: Some(precision), ..plain }));
        all.extend(self.data().map(|data| Suffixes { data: Some(data), ..plain }));
        all
    }

    /// The suffixes that the instruction takes, as rows of slots: one choice of each required slot and at most one of each
    /// optional slot make a combination, whatever is chosen in the others. [`Self::combinations`] has the combinations of
    /// all rows.
    pub fn patterns(&self) -> Vec<Vec<Slot>> {
        let is_two = self.typing.is_some_and(|typing| typing.types == 2);
        let mut rows: Vec<(TypeRow, Vec<Suffixes>)> = Vec::new();
        let types = self.types();
        for &suffixes in &types {
            let of_atomic =
                types.iter().filter(|other| other.atomic.is_some() && other.atomic == suffixes.atomic);
            let key = TypeRow {
                clamps: self.clamps_of(suffixes),
                storages: of_atomic.map(|other| other.data).collect(),
            };
            match rows.iter_mut().find(|(other, _)| *other == key) {
                Some((_, group)) => group.push(suffixes),
                None => rows.push((key, vec![suffixes])),
            }
        }
        let row = |(key, group): (TypeRow, Vec<Suffixes>)| {
            let mut slots = vec![Slot::of(&group, |suffixes| suffixes.atomic.map(Modifier::Atomic))];
            let precision = |suffixes: Suffixes| suffixes.precision.map(Modifier::Precision);
            let data = |suffixes: Suffixes| suffixes.data.map(Modifier::Data);
            slots.push(Slot::of(&group, |suffixes| precision(suffixes).or(data(suffixes))));
            if is_two {
                slots.push(Slot::of(&group, |suffixes| suffixes.from.map(Modifier::Data)));
            }
            let optional = |choices: Vec<Modifier>| Slot { choices, need: Need::Optional };
            slots.push(optional(self.cc().map(Modifier::Cc).collect()));
            slots.push(optional(key.clamps.into_iter().map(Modifier::Saturation).collect()));
            slots.push(optional(self.roundings().map(Modifier::Rounding).collect()));
            let flags = [Modifier::NoTypeCheck, Modifier::Precise, Modifier::Coherent, Modifier::Volatile];
            slots.extend(
                flags.map(|flag| {
                    optional(if self.modifiers.contains(flag) { vec![flag] } else { Vec::new() })
                }),
            );
            slots.retain(|slot| !slot.choices.is_empty());
            slots
        };
        rows.into_iter().map(row).collect()
    }

    /// The clamps that go with the types of `suffixes`.
    fn clamps_of(&self, suffixes: Suffixes) -> Vec<Saturation> {
        let goes =
            |saturate: &Saturation| self.clamps_what_it_may(Suffixes { saturate: *saturate, ..suffixes });
        self.saturations().filter(goes).collect()
    }

    /// Every suffix combination this instruction takes, the plain one first where that is one.
    pub fn combinations(&self) -> Vec<Suffixes> {
        let with_cc: Vec<Option<Cc>> = std::iter::once(None).chain(self.cc().map(Some)).collect();
        let clamps = std::iter::once(Saturation::None).chain(self.saturations());
        let clamps: Vec<Saturation> = clamps.collect();
        let roundings: Vec<Option<Rounding>> =
            std::iter::once(None).chain(self.roundings().map(Some)).collect();
        let flags = |modifier| if self.modifiers.contains(modifier) { &[false, true][..] } else { &[false] };
        let all = product(self.types(), &with_cc, |plain, &cc| Suffixes { cc, ..plain });
        let all = product(all, &clamps, |plain, &saturate| Suffixes { saturate, ..plain });
        let all = product(all, &roundings, |plain, &rounding| Suffixes { rounding, ..plain });
        let all = product(all, flags(Modifier::NoTypeCheck), |plain, &no_type_check| Suffixes {
            no_type_check,
            ..plain
        });
        let all = product(all, flags(Modifier::Precise), |plain, &precise| Suffixes { precise, ..plain });
        let all = product(all, flags(Modifier::Coherent), |plain, &coherent| Suffixes {
            caching: Caching { coherent, ..plain.caching },
            ..plain
        });
        let mut all = product(all, flags(Modifier::Volatile), |plain, &volatile| Suffixes {
            caching: Caching { volatile, ..plain.caching },
            ..plain
        });
        all.retain(|suffixes| self.clamps_what_it_may(*suffixes));
        all
    }

    /// The type of the operation with `suffixes`, of the languages that have several; of CVT that of the result.
    pub fn operation(&self, suffixes: Suffixes) -> Option<DataType> {
        let typing = self.typing?;
        let by_letter = suffixes.precision.map(|precision| match precision {
            Precision::R | Precision::X => DataType::Sized(Format::F32),
            Precision::H => DataType::Sized(Format::F16),
        });
        suffixes.data.or(by_letter).or(typing.default)
    }

    /// Whether what `suffixes` clamp, if anything, is a floating-point result, as it has to be but for SAT of CVT
    /// (NV_gpu_program4 2.X.4.1, NV_gpu_program5 2.X.4.1 and 2.X.8.Z, CVT).
    pub fn clamps_what_it_may(&self, suffixes: Suffixes) -> bool {
        let Some(typing) = self.typing else { return true };
        match typing.result {
            _ if suffixes.saturate == Saturation::None => true,
            _ if typing.types == 2 && suffixes.saturate == Saturation::Unsigned => true,
            Typed::Float => true,
            Typed::Signed | Typed::Unsigned => false,
            Typed::Inherited => self.operation(suffixes).is_none_or(DataType::is_float),
        }
    }
}

/// What the types of one row of [`Forms::patterns`] have in common.
#[derive(PartialEq, Eq)]
struct TypeRow {
    clamps: Vec<Saturation>,
    storages: Vec<Option<DataType>>,
}

impl Slot {
    /// What `modifier` takes of each of `group`; optional if it takes nothing of one.
    fn of(group: &[Suffixes], modifier: impl Fn(Suffixes) -> Option<Modifier>) -> Self {
        let mut choices: Vec<Modifier> = Vec::new();
        for choice in group.iter().filter_map(|suffixes| modifier(*suffixes)) {
            if !choices.contains(&choice) {
                choices.push(choice);
            }
        }
        let is_required = group.iter().all(|suffixes| modifier(*suffixes).is_some());
        Self { choices, need: if is_required { Need::Required } else { Need::Optional } }
    }
}

/// Each of `all` with each of `choices`.
fn product<T>(all: Vec<Suffixes>, choices: &[T], with: impl Fn(Suffixes, &T) -> Suffixes) -> Vec<Suffixes> {
    let each = |plain| choices.iter().map(|choice| with(plain, choice)).collect::<Vec<_>>();
    all.into_iter().flat_map(each).collect()
}
