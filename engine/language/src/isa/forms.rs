//! Modifiers of instruction names (`R`, `C`, `_SAT`, `.F32`) and the forms of an instruction, which list the
//! modifiers that it takes in each language. The rows in [`super::table`] build their forms with the
//! functions in `form_constructors`.

use super::{Atomic, Caching, DataType, Format, Languages, MemoryOption, OperandKind, Profile, Storage};
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

/// Clamping of results.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Saturation {
    #[default]
    None,
    /// `_SAT`: to [0, 1].
    Unsigned,
    /// `_SSAT`: to [-1, 1] (NV_fragment_program2).
    Signed,
}

/// A modifier after a mnemonic: letters directly after the mnemonic, or a word after a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Modifier {
    /// The operation of ATOM and ATOMIM.
    Atomic(Atomic),
    /// The precision of the computation.
    Precision(Precision),
    /// The type of the operation.
    Data(DataType),
    /// A condition code update.
    Cc(Cc),
    /// A clamp of the result.
    Saturation(Saturation),
    /// How a conversion rounds.
    Rounding(Rounding),
    /// `.NTC`: no type check of the variables.
    NoTypeCheck,
    /// `.PREC`: the result must not depend on other instructions. Here results never do.
    Precise,
    /// `.COH`: through a coherent cache level.
    Coherent,
    /// `.VOL`: as if the memory could change at any time.
    Volatile,
}

/// The letters, the dotted word and a description of a modifier.
type Row = (Option<&'static str>, Option<&'static str>, &'static str);

/// All modifiers except [`Atomic`] and [`DataType`].
const OTHERS: [(Modifier, Row); 16] = [
    (Modifier::Precision(Precision::R), (Some("R"), None, "computes in fp32")),
    (Modifier::Precision(Precision::H), (Some("H"), None, "computes in fp16")),
    (Modifier::Precision(Precision::X), (Some("X"), None, "computes in fx12")),
    (Modifier::Cc(Cc::C), (Some("C"), Some("CC"), "sets the condition code")),
    (Modifier::Cc(Cc::C0), (Some("C0"), Some("CC0"), "sets the first condition code")),
    (Modifier::Cc(Cc::C1), (Some("C1"), Some("CC1"), "sets the second condition code")),
    (Modifier::Saturation(Saturation::Unsigned), (Some("_SAT"), Some("SAT"), "clamps the result to [0,1]")),
    (Modifier::Saturation(Saturation::Signed), (Some("_SSAT"), Some("SSAT"), "clamps the result to [-1,1]")),
    (Modifier::Rounding(Rounding::Round), (None, Some("ROUND"), "rounds to the nearest value, ties to even")),
    (Modifier::Rounding(Rounding::Ceil), (None, Some("CEIL"), "rounds up")),
    (Modifier::Rounding(Rounding::Floor), (None, Some("FLR"), "rounds down")),
    (Modifier::Rounding(Rounding::Trunc), (None, Some("TRUNC"), "rounds towards zero")),
    (Modifier::NoTypeCheck, (None, Some("NTC"), "skips the type check of variables")),
    (Modifier::Precise, (None, Some("PREC"), "gives the same result whatever the other instructions are")),
    (Modifier::Coherent, (None, Some("COH"), "makes the access coherent across invocations")),
    (Modifier::Volatile, (None, Some("VOL"), "always accesses the memory itself")),
];

const MODIFIERS: usize = Atomic::ALL.len() + DataType::ALL.len() + OTHERS.len();

impl Modifier {
    /// All modifiers, in the order in which they are written.
    pub const ALL: [Self; MODIFIERS] = {
        const ATOMICS: usize = Atomic::ALL.len();
        const TYPES: usize = DataType::ALL.len();
        // Data types follow the three precisions.
        const DATA: usize = ATOMICS + 3;
        let mut all = [Self::Precise; MODIFIERS];
        let mut place = 0;
        while place < MODIFIERS {
            all[place] = match place {
                0..ATOMICS => Self::Atomic(Atomic::ALL[place]),
                ATOMICS..DATA => OTHERS[place - ATOMICS].0,
                _ if place < DATA + TYPES => Self::Data(DataType::ALL[place - DATA]),
                _ => OTHERS[place - ATOMICS - TYPES].0,
            };
            place += 1;
        }
        all
    };

    const fn row(self) -> Row {
        match self {
            Self::Data(data) => (None, Some(data.name()), data.title()),
            Self::Atomic(atomic) => (None, Some(atomic.name()), atomic.title()),
            Self::Saturation(Saturation::None) => (Some(""), None, "does not clamp the result"),
            other => OTHERS[other.index()].1,
        }
    }

    /// The letters directly after the mnemonic, if the modifier has this form (NV_gpu_program4 Table X.15).
    pub const fn suffix(self) -> Option<&'static str> {
        self.row().0
    }

    /// The word after a point, if the modifier has this form (NV_gpu_program4 Table X.14).
    pub const fn dotted(self) -> Option<&'static str> {
        self.row().1
    }

    /// A description in a few words.
    pub const fn title(self) -> &'static str {
        self.row().2
    }

    /// The text that languages with `order` prefer.
    pub fn text(self, order: ModifierOrder) -> String {
        match (self.suffix(), self.dotted()) {
            (_, Some(word)) if order == ModifierOrder::Dotted => format!(".{word}"),
            (Some(letters), _) => letters.to_owned(),
            (None, word) => format!(".{}", word.unwrap_or_default()),
        }
    }

    /// The modifier whose dotted form is `word`.
    pub fn of_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|modifier| modifier.dotted() == Some(word))
    }

    /// The longest modifier that `text` begins with, and the rest of `text`.
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

    /// The kind of the modifier. An instruction has at most one modifier of each kind. Letters after the
    /// mnemonic follow the order of the kinds.
    pub const fn kind(self) -> u8 {
        self.kind_row().0
    }

    /// The kind in words, for "more than one ...".
    pub const fn kind_name(self) -> &'static str {
        self.kind_row().1
    }

    const fn kind_row(self) -> (u8, &'static str) {
        match self {
            Self::Precision(_) | Self::Data(_) => (0, "data type"),
            Self::Cc(_) => (1, "condition code update"),
            Self::Saturation(_) => (2, "clamp"),
            Self::Rounding(_) => (3, "rounding"),
            Self::NoTypeCheck => (4, "NTC"),
            Self::Precise => (5, "PREC"),
            Self::Atomic(_) => (6, "atomic operation"),
            Self::Coherent => (7, "COH"),
            Self::Volatile => (8, "VOL"),
        }
    }

    /// The index in [`OTHERS`]. Data types have the next indices, then atomic operations.
    const fn index(self) -> usize {
        match self {
            Self::Precision(precision) => precision as usize,
            Self::Cc(cc) => 3 + cc as usize,
            // Saturation::None is not a modifier.
            Self::Saturation(saturation) => 5 + saturation as usize,
            Self::Rounding(rounding) => 8 + rounding as usize,
            Self::NoTypeCheck => 12,
            Self::Precise => 13,
            Self::Coherent => 14,
            Self::Volatile => 15,
            Self::Data(data) => OTHERS.len() + data.index(),
            Self::Atomic(atomic) => OTHERS.len() + DataType::ALL.len() + atomic as usize,
        }
    }

    const fn bit(self) -> u128 {
        1 << self.index()
    }
}

/// The fault of the text after a mnemonic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ModifierFault {
    /// No modifier has this name, or letters are in the wrong order.
    Unknown,
    /// A modifier of the same kind precedes this one.
    Twice(Modifier),
    /// The instruction does not take this modifier.
    NotTaken(Modifier),
}

/// A set of modifiers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Modifiers(u128);

impl Modifiers {
    pub const NONE: Self = Self(0);

    pub const fn of(modifiers: &[Modifier]) -> Self {
        let mut set = 0;
        let mut place = 0;
        while place < modifiers.len() {
            set |= modifiers[place].bit();
            place += 1;
        }
        Self(set)
    }

    /// `first` and the modifiers after it, `count` in all.
    const fn from(first: Modifier, count: usize) -> Self {
        Self(((1 << count) - 1) * first.bit())
    }

    /// All data types with a fixed size.
    pub const FORMATS: Self = Self::from(Modifier::Data(DataType::Sized(Format::F16)), Format::ALL.len());

    /// All atomic operations.
    pub const ATOMICS: Self = Self::from(Modifier::Atomic(Atomic::Add), Atomic::ALL.len());

    /// All ways to round.
    pub const ROUNDINGS: Self = Self::from(Modifier::Rounding(Rounding::Round), 4);

    /// The intersection of both sets.
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// The union of both sets.
    pub const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// The modifiers of this set that are not in `other`.
    pub const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    pub const fn contains(self, modifier: Modifier) -> bool {
        self.0 & modifier.bit() != 0
    }

    /// The modifiers of the set, in the order in which they are written.
    pub fn iter(self) -> impl Iterator<Item = Modifier> + Clone {
        Modifier::ALL.into_iter().filter(move |modifier| self.contains(*modifier))
    }

    /// Parses `text`, the part of a name after its mnemonic: letters in order, then dotted words in any
    /// order. `text` may contain `types` data types and one modifier of each other kind.
    ///
    /// # Errors
    /// The fault, and the offset of the faulty modifier in `text`.
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

/// Decides whether the text after a mnemonic was meant as modifiers. If so, a wrong modifier is reported as
/// such and not as an unknown word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ModifierOrder {
    /// Up to three letters, then a clamp.
    LettersThenClamp,
    /// Any number of suffixes in any order. Any digit may follow C.
    Any,
    /// As [`Self::Any`], with dotted words after the letters.
    Dotted,
}

impl ModifierOrder {
    /// Whether the letters of `text` before its first point consist of modifiers only, whether or not the
    /// instruction takes them.
    pub(super) fn takes(self, text: &str) -> bool {
        let mut rest = text.split('.').next().unwrap_or_default();
        let mut letters = 0;
        while let Some((modifier, behind)) = Modifier::split(rest) {
            rest = behind;
            if self != Self::LettersThenClamp {
                // C0 and C1 are modifiers of their own, split off with their digit.
                let other = behind.strip_prefix(|c: char| c.is_ascii_digit());
                rest = other.filter(|_| modifier == Modifier::Cc(Cc::C)).unwrap_or(behind);
                continue;
            }
            match modifier {
                Modifier::Precision(_) | Modifier::Cc(Cc::C) => letters += 1,
                Modifier::Cc(Cc::C0 | Cc::C1) => return false,
                Modifier::Saturation(_) => break,
                // Modifiers without letters.
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

/// The form of an instruction in a set of languages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Forms {
    /// The languages that share this form.
    pub languages: Languages,
    /// The modifiers of the instruction. [`super::Info::forms`] removes the modifiers that a language lacks.
    pub modifiers: Modifiers,
    /// The modifiers that the instruction takes even if the language's profile lacks them.
    pub own: Modifiers,
    /// The extension that defines the instruction.
    pub extension: &'static str,
    /// The section in the extension, e.g. `3.11.5.1`.
    pub section: &'static str,
    /// The option that a program needs for the instruction.
    pub needs: Option<MemoryOption>,
    /// The operands, if they differ from [`super::Info::operands`].
    pub operands: Option<&'static [OperandKind]>,
    /// The computation, if [`super::Info::formula`] would be wrong.
    pub formula: Option<&'static str>,
    /// The hover text, if [`super::Info::prose`] would be wrong.
    pub prose: Option<&'static str>,
    /// The types of operands and result, in languages with several types.
    pub typing: Option<Typing>,
}

/// The type of an operand or result (the inputs and outputs of Table X.13 of NV_gpu_program5).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Typed {
    /// The type of the operation.
    Inherited,
    /// Floating-point.
    Float,
    /// Signed integers.
    Signed,
    /// Unsigned integers.
    Unsigned,
}

/// The types of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Typing {
    /// The type of the operation if the name has no data type. `None` if a data type is required.
    pub default: Option<DataType>,
    pub result: Typed,
    pub operands: [Typed; 3],
    /// The maximum number of data types in the name. CVT has two: the type of the result and the type of the
    /// operand.
    pub types: usize,
}

/// Modifiers after a mnemonic.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Suffixes {
    /// `R`, `H`, `X` or none.
    pub precision: Option<Precision>,
    /// The data type. In CVT, the type of the result.
    pub data: Option<DataType>,
    /// The second data type of CVT: the type of the operand.
    pub from: Option<DataType>,
    /// `C`, `C0`, `C1` or none.
    pub cc: Option<Cc>,
    /// `_SAT`, `_SSAT` or none.
    pub saturate: Saturation,
    /// The rounding of CVT.
    pub rounding: Option<Rounding>,
    /// `.NTC`
    pub no_type_check: bool,
    /// `.PREC`
    pub precise: bool,
    /// The operation of ATOM and ATOMIM.
    pub atomic: Option<Atomic>,
    /// `.COH`, `.VOL`
    pub caching: Caching,
}

impl Suffixes {
    /// The modifiers, in the order in which they are written.
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

    /// The modifiers, as letters where a modifier has letters.
    pub fn text(self) -> String {
        self.text_in(ModifierOrder::Any)
    }

    /// The modifiers as languages with `order` prefer to write them.
    pub fn text_in(self, order: ModifierOrder) -> String {
        self.modifiers().map(|modifier| modifier.text(order)).collect()
    }
}

/// The choices for one kind of modifier after a mnemonic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Slot {
    /// A name has at most one of these.
    pub choices: Vec<Modifier>,
    pub need: Need,
}

/// Whether a name must have a modifier of a slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    Required,
    Optional,
}

/// Functions that list the modifiers of one kind.
macro_rules! modifiers_of_kinds {
    ($($name:ident: $kind:ident($type:ty),)*) => {$(
        pub fn $name(&self) -> impl Iterator<Item = $type> + Clone {
            self.modifiers.iter().filter_map(|modifier| match modifier {
                Modifier::$kind(value) => Some(value),
                _ => None,
            })
        }
    )*};
}

impl Forms {
    /// This form in the language of `profile`: the modifiers that both allow, and [`Self::own`].
    pub(super) const fn limited_to(self, profile: &Profile) -> Self {
        Self { modifiers: self.modifiers.and(profile.modifiers).or(self.own), ..self }
    }

    modifiers_of_kinds! {
        precisions: Precision(Precision),
        atomics: Atomic(Atomic),
        data: Data(DataType),
        cc: Cc(Cc),
        saturations: Saturation(Saturation),
        roundings: Rounding(Rounding),
    }

    pub fn has_precisions(&self) -> bool {
        self.precisions().next().is_some()
    }

    /// The combinations of types that the instruction takes, the plain one first.
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

    /// The suffixes that the instruction takes, as rows of slots. A combination has one choice of each
    /// required slot and at most one of each optional slot of a row, in any mix. [`Self::combinations`] lists
    /// the combinations of all rows.
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

    /// The clamps that the types of `suffixes` allow.
    fn clamps_of(&self, suffixes: Suffixes) -> Vec<Saturation> {
        let goes =
            |saturate: &Saturation| self.clamps_what_it_may(Suffixes { saturate: *saturate, ..suffixes });
        self.saturations().filter(goes).collect()
    }

    /// Every combination of suffixes that the instruction takes. If the name can be plain, the plain one is
    /// first.
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

    /// The type of the operation with `suffixes`, in languages with several types. In CVT, the type of the
    /// result.
    pub fn operation(&self, suffixes: Suffixes) -> Option<DataType> {
        let typing = self.typing?;
        let by_letter = suffixes.precision.map(|precision| match precision {
            Precision::R | Precision::X => DataType::Sized(Format::F32),
            Precision::H => DataType::Sized(Format::F16),
        });
        suffixes.data.or(by_letter).or(typing.default)
    }

    /// Whether the clamp in `suffixes`, if any, is allowed. Only floating-point results are clamped, except
    /// that CVT takes SAT with every type (NV_gpu_program4 2.X.4.1, NV_gpu_program5 2.X.4.1 and 2.X.8.Z,
    /// CVT).
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

/// The key of one row of [`Forms::patterns`]. Types with equal keys share a row.
#[derive(PartialEq, Eq)]
struct TypeRow {
    clamps: Vec<Saturation>,
    storages: Vec<Option<DataType>>,
}

impl Slot {
    /// The slot with the modifiers that `modifier` extracts from `group`. The slot is optional if `modifier`
    /// returns `None` for a member.
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

/// Combines every element of `all` with every element of `choices`.
fn product<T>(all: Vec<Suffixes>, choices: &[T], with: impl Fn(Suffixes, &T) -> Suffixes) -> Vec<Suffixes> {
    let each = |plain| choices.iter().map(|choice| with(plain, choice)).collect::<Vec<_>>();
    all.into_iter().flat_map(each).collect()
}
