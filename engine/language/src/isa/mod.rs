//! The instruction table and the profiles of the languages.
//!
//! [`table`] has one row per opcode. Parser, checker, disassembler, highlighter, hover and the reference
//! pages read their facts about instructions from this row. A language's [`Profile`] holds all other facts
//! about the language: other code reads the profile and never compares languages. [`crate::front`] parses
//! with both.

mod action;
mod data;
mod form_constructors;
mod forms;
pub mod formula;
mod language;
mod memory;
mod profile;
mod profiles;
mod readings;
mod semantics;
pub mod table;
mod target;
mod types;

use std::borrow::Cow;
use std::sync::{LazyLock, OnceLock};

pub use action::{AccessKind, AccessPlace, Action, Block, BlockEdge, Emit, Flow, MemoryOption};
pub use data::{Count, DataType, Format};
pub use forms::{
    Cc, Forms, Modifier, ModifierFault, ModifierOrder, Modifiers, Need, Precision, Saturation, Slot,
    Suffixes, Typed, Typing,
};
pub use language::{Family, Language, Languages, Stage};
pub use memory::{Atomic, Caching, MAX_ACCESS, Storage};
pub use profile::{
    Addresses, ConditionNames, FlowLimits, Limits, LoopCounts, Profile, RegisterFiles, Relative,
};
pub use readings::Reading;
pub use semantics::{
    AddressRange, Domain, IncompleteTexture, LitExponent, Moves, Projection, RsqOperand, Semantics, SetOnNan,
};
pub use table::{Opcode, TABLE};
pub use target::{TargetOption, TextureTarget};
pub use types::{Type, Value};

/// The kind of operand at one place of an instruction's operand list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OperandKind {
    /// `<vectorSrc>`: four components.
    Vector,
    /// `<scalarSrc>`: one component.
    Scalar,
    /// A vector, or nothing (REP).
    OptionalVector,
    /// `<ccMask>`: a condition-code test (KIL, IF).
    Condition,
    /// A vector, or a condition-code test: KIL with OPTION NV_fragment_program.
    VectorOrCondition,
    /// A register without swizzle or sign, then `<extendedSwizzle>` (SWZ).
    ExtendedSwizzle,
    /// `<texImageUnit> "," <texImageTarget>`.
    TextureImage,
    /// `<imageUnit>` (LOADIM, STOREIM, ATOMIM).
    ImageUnit,
    /// `<imageTarget>`
    ImageTarget,
    /// `<addrRegister>`: a whole address register (ARA, PUSHA).
    Address,
    /// `<vp2-branchLabel>`.
    Label,
    /// `<subroutineVarName> <optArrayMem>` (CALI).
    SubroutineVariable,
    /// `<vp2-branchCondition>`: a test in parentheses, or nothing. No comma precedes this operand.
    BranchCondition,
}

impl OperandKind {
    /// Whether the operand has a value: a vector or a scalar.
    pub const fn takes_value(self) -> bool {
        matches!(self, Self::Vector | Self::Scalar | Self::VectorOrCondition)
    }
}

/// The kind of result that an instruction writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ResultKind {
    /// Nothing is written (KIL).
    None,
    /// Four components, each computed separately.
    Vector,
    /// One scalar in all four components (`ssss`).
    Replicated,
    /// Integers for an address register.
    Address,
}

/// Limits on an operand or destination beyond its kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rule {
    /// No further rule.
    Free,
    /// PK: the destination must have 32-bit components.
    WideDestination,
    /// UP: the operand must come from 32-bit components or a parameter.
    WideSource,
    /// RFL: the write mask must not have w.
    NoW,
    /// PK64: the destination must have 64-bit components.
    LongDestination,
    /// UP64: the operand must have 64-bit components.
    LongSource,
    /// CVT: the operand takes neither negation nor absolute value.
    NoSigns,
    /// IPAC, IPAO, IPAS: the first operand must be an attribute that can be evaluated anywhere in the pixel.
    Evaluates,
    /// TEX, TXD: every target except BUFFER and the multisample targets.
    Filters,
    /// TXB, TXL, TXP: targets whose coordinates leave w free.
    TakesW,
    /// TXF: targets without cube maps, depth comparison and samples.
    Fetches,
    /// TXFMS: multisample targets.
    FetchesSamples,
    /// TXQ: every target.
    Queries,
    /// LOD: every target except BUFFER and the multisample targets.
    QueriesLevel,
    /// TXG: targets with two axes.
    Gathers,
    /// TXGO: targets with two axes, except cube maps.
    GathersApart,
}

impl Rule {
    /// Whether the result is packed bits rather than a number.
    pub const fn packs(self) -> bool {
        matches!(self, Self::WideDestination | Self::LongDestination)
    }

    /// Whether the rule is about variables declared LONG.
    pub const fn is_of_long(self) -> bool {
        matches!(self, Self::LongDestination | Self::LongSource)
    }
}

/// The topic of an instruction. The reference groups instructions by topic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Group {
    /// Component arithmetic and moves.
    Arithmetic,
    /// Dot products, lighting and other vector helpers.
    Vector,
    /// Approximated scalar functions.
    Function,
    /// Comparisons that give 1.0 or 0.0.
    Compare,
    /// Operations on the bits of integers.
    Bits,
    /// Packing and unpacking of bits.
    Pack,
    /// Texture lookups.
    Texture,
    /// Derivatives across the quad.
    Derivative,
    /// Attributes evaluated away from the centre of the pixel.
    Interpolation,
    /// Votes across the invocations of a thread group.
    Group,
    /// Discarding the fragment.
    Kill,
    /// Address registers.
    Address,
    /// Branches, blocks and subroutines, and the stack of address registers.
    Flow,
    /// Loads, stores, atomics and barriers.
    Memory,
    /// Vertices and primitives that geometry programs emit.
    Emit,
}

/// One row of the table: all facts about one opcode.
#[derive(Clone, Copy, Debug)]
pub struct Info {
    pub opcode: Opcode,
    /// The name without suffixes, e.g. `MUL.HI`.
    pub mnemonic: &'static str,
    /// The operation in about three words.
    pub title: &'static str,
    /// The operands after the destination. [`Self::operands_in`] returns the operands of a language.
    pub operands: &'static [OperandKind],
    pub result: ResultKind,
    /// A further load rule. [`Self::rule_in`] returns the rule of a language.
    pub rule: Rule,
    pub group: Group,
    /// The effect.
    pub action: Action,
    /// The forms of the instruction. A language appears in at most one of them. [`Self::forms`] selects the
    /// form of a language.
    pub variants: &'static [Forms],
    /// The computation, component by component, in one or two lines. [`formula`] defines the notation.
    pub formula: &'static str,
    /// Hover text in plain sentences: the operation, its special cases and its pitfalls. [`Self::prose_in`]
    /// returns the text that is correct for a language.
    pub prose: &'static str,
    /// Statements of a program that demonstrates the instruction, unless its operands alone are enough to
    /// write one. Text in braces depends on the language: see the crate `shadestep-explain`.
    pub example: Option<&'static str>,
    /// The readings of the specifications that concern the instruction. `READINGS.md` of the conformance files
    /// has all other readings.
    pub readings: &'static [Reading],
}

impl Info {
    /// The form of this instruction in `language`, with the modifiers that the language allows. `None` if the
    /// language lacks the instruction.
    pub fn forms(&self, language: Language) -> Option<Forms> {
        let own = self.variants.iter().find(|forms| forms.languages.contains(language))?;
        Some(own.limited_to(language.profile()))
    }

    /// The extension and section that define the instruction in `language`, e.g. `NV_fragment_program
    /// 3.11.5.1`.
    pub fn clause(&self, language: Language) -> Option<&'static str> {
        let place = self.variants.iter().position(|forms| forms.languages.contains(language))?;
        self.clauses().nth(place)
    }

    /// The clause of each of [`Self::variants`].
    pub fn clauses(&self) -> impl Iterator<Item = &'static str> {
        static CLAUSES: LazyLock<Vec<Vec<String>>> = LazyLock::new(|| {
            let clause = |forms: &Forms| format!("{} {}", forms.extension, forms.section);
            TABLE.iter().map(|info| info.variants.iter().map(clause).collect()).collect()
        });
        CLAUSES[self.opcode as usize].iter().map(String::as_str)
    }

    /// Whether a lookup can have a computed offset, which is then its second operand.
    pub fn takes_computed_offset(&self) -> bool {
        self.operands.iter().filter(|kind| kind.takes_value()).count() == 1
    }

    /// Whether the instruction loads an address register that has one component, as ARL does before `!!VP2.0`
    /// (NV_vertex_program2 2.14.3.4) and in `!!ARBvp1.0` without options (2.14.5.3).
    pub fn loads_one_address(&self, language: Language) -> bool {
        self.result == ResultKind::Address && language.profile().addresses.components.len() == 1
    }

    /// The operands after the destination in `language`. ARL loads one scalar before `!!VP2.0`
    /// (NV_vertex_program2 2.14.3.4).
    pub fn operands_in(&self, language: Language) -> &'static [OperandKind] {
        if self.loads_one_address(language) {
            return &[OperandKind::Scalar];
        }
        self.forms(language).and_then(|forms| forms.operands).unwrap_or(self.operands)
    }

    /// The computation in `language`, component by component.
    pub fn formula_in(&self, language: Language) -> &'static str {
        self.forms(language).and_then(|forms| forms.formula).unwrap_or(self.formula)
    }

    /// The load rule of `language`. In languages with data types, RFL may write w, which is then undefined
    /// (NV_gpu_program4 2.X.8, RFL).
    pub fn rule_in(&self, language: Language) -> Rule {
        match self.rule {
            Rule::NoW if language.profile().typed => Rule::Free,
            rule => rule,
        }
    }

    /// The hover text for `language`.
    pub fn prose_in(&self, language: Language) -> &'static str {
        self.forms(language).and_then(|forms| forms.prose).unwrap_or(self.prose)
    }
}

static BY_MNEMONIC: LazyLock<Vec<&Info>> = LazyLock::new(|| {
    let mut rows: Vec<&Info> = TABLE.iter().collect();
    rows.sort_by_key(|info| info.mnemonic);
    rows
});

/// Every row, sorted by mnemonic.
pub fn all() -> impl Iterator<Item = &'static Info> {
    BY_MNEMONIC.iter().copied()
}

/// The rows of the instructions of `language`, sorted by mnemonic.
pub fn instructions(language: Language) -> impl Iterator<Item = &'static Info> {
    all().filter(move |info| info.forms(language).is_some())
}

/// The result of [`lookup`].
#[derive(Clone, Copy, Debug)]
pub enum Lookup {
    /// An instruction with valid suffixes.
    Instruction(&'static Info, Suffixes),
    /// A known mnemonic with an invalid modifier: the fault, and the byte offset of the modifier in the word.
    BadSuffix(&'static Info, ModifierFault, usize),
    /// Not an instruction name.
    Unknown,
}

/// The rows whose mnemonic (up to a point, if it has one) is a prefix of `word`, longest mnemonic first.
fn beginning(word: &str) -> impl Iterator<Item = &'static Info> {
    static BY_LETTER: OnceLock<[Vec<&'static Info>; 26]> = OnceLock::new();
    let by_letter = BY_LETTER.get_or_init(|| {
        let mut rows = [const { Vec::new() }; 26];
        for info in TABLE {
            rows[usize::from(info.mnemonic.as_bytes()[0] - b'A')].push(info);
        }
        for rows in &mut rows {
            rows.sort_by_key(|info| std::cmp::Reverse(info.mnemonic.len()));
        }
        rows
    });
    let letter = word.bytes().next().and_then(|first| first.checked_sub(b'A'));
    let rows = letter.and_then(|letter| by_letter.get(usize::from(letter)));
    rows.into_iter().flatten().copied().filter(move |info| word.starts_with(info.name_parts().0))
}

impl Info {
    /// Splits the mnemonic at its point: `MUL` and `.HI`. The second part can appear anywhere among the
    /// dotted modifiers.
    fn name_parts(&self) -> (&'static str, &'static str) {
        self.mnemonic.split_at(self.mnemonic.find('.').unwrap_or(self.mnemonic.len()))
    }

    /// The text after the mnemonic in `word` without the second part of the mnemonic, and the offset from
    /// which that part was removed. `None` if `word` lacks a part of the mnemonic.
    fn modifiers_of<'w>(&self, word: &'w str) -> Option<(Cow<'w, str>, usize)> {
        let (name, inner) = self.name_parts();
        let behind = word.strip_prefix(name)?;
        if inner.is_empty() {
            return Some((Cow::Borrowed(behind), behind.len()));
        }
        let ends = |at: &usize| matches!(behind.as_bytes().get(at + inner.len()), None | Some(b'.'));
        let (at, _) = behind.match_indices(inner).find(|(at, _)| ends(at))?;
        Some((Cow::Owned(format!("{}{}", &behind[..at], &behind[at + inner.len()..])), at))
    }

    /// Reads the modifiers of `word` in `language`. `None` if `word` does not contain the full mnemonic or
    /// the language lacks the instruction.
    fn read(&self, language: Language, word: &str) -> Option<Result<Suffixes, (ModifierFault, usize)>> {
        let forms = self.forms(language)?;
        let types = forms.typing.map_or(1, |typing| typing.types);
        let (modifiers, inner_at) = self.modifiers_of(word)?;
        let inner = self.name_parts().1.len();
        let in_word = |at| if at >= inner_at { at + inner } else { at };
        Some(forms.modifiers.read(&modifiers, types).map_err(|(fault, at)| (fault, in_word(at))))
    }
}

/// Whether `word` is the part of a mnemonic after the point, as `HI` in `MUL.HI`.
pub fn is_of_name(word: &str) -> bool {
    !word.is_empty() && TABLE.iter().any(|info| info.name_parts().1.strip_prefix('.') == Some(word))
}

/// The instruction of `language` that `word` names: a mnemonic followed by modifiers that both the language
/// and the instruction allow. Case-sensitive. For other words, [`lookup`] reports the reason.
pub fn find(language: Language, word: &str) -> Option<(&'static Info, Suffixes)> {
    beginning(word).find_map(|info| Some((info, info.read(language, word)?.ok()?)))
}

/// The first later language of the same family that has an instruction named `word`. `None` if `language`
/// already has such an instruction.
pub fn later_language(language: Language, word: &str) -> Option<Language> {
    let later = language.profile().later.iter().copied().find(|&later| find(later, word).is_some())?;
    find(language, word).is_none().then_some(later)
}

/// Looks up `word` as an instruction name of `language`, suffixes included. Case-sensitive.
pub fn lookup(language: Language, word: &str) -> Lookup {
    if let Some((info, suffixes)) = find(language, word) {
        return Lookup::Instruction(info, suffixes);
    }
    let order = language.profile().modifier_order;
    let faults = beginning(word).filter_map(|info| {
        let (name, _) = info.name_parts();
        let (fault, at) = info.read(language, word)?.err()?;
        order.takes(&word[name.len()..]).then_some((info, fault, name.len() + at))
    });
    // Report the fault that is furthest into the word. On a tie, the longest mnemonic wins.
    let furthest = faults.reduce(|one, other| if other.2 > one.2 { other } else { one });
    furthest.map_or(Lookup::Unknown, |(info, fault, at)| Lookup::BadSuffix(info, fault, at))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    fn name_count(language: Language) -> usize {
        instructions(language).map(|info| info.forms(language).unwrap().combinations().len()).sum()
    }

    #[test]
    fn fp1_has_the_forty_five_instructions_of_table_x4() {
        assert_eq!(instructions(Language::Fp1).count(), 45);
    }

    #[test]
    fn vertex_languages_have_the_instructions_of_their_tables() {
        let count = |language| instructions(language).count();
        let languages = [Language::Vp1, Language::Vp1_1, Language::Vp2, Language::Vsp1];
        assert_eq!(languages.map(count), [17, 21, 39, 17]);
        // All of the 39 except BRA, CAL and RET take C.
        assert_eq!(languages.map(name_count), [17, 21, 39 + 36, 17]);
    }

    #[test]
    fn arb_languages_have_the_instructions_of_their_tables() {
        use Language::{ArbFp1, ArbFp1Nv1, ArbFp1Nv2, ArbVp1, ArbVp1Nv2, ArbVp1Nv3};
        let languages = [ArbFp1, ArbFp1Nv1, ArbFp1Nv2, ArbVp1, ArbVp1Nv2, ArbVp1Nv3];
        // The specifications say "There are 33", "fifty-two", "sixty-seven", "twenty-seven", "forty-two" and
        // "forty-eight" instructions.
        assert_eq!(languages.map(|l| instructions(l).count()), [33, 52, 67, 27, 42, 48]);
        // All except KIL take _SAT.
        assert_eq!(name_count(ArbFp1), 2 * 32 + 1);
        // The numbers of rows in Table X.5 with R H X C S, R H - C S, - - - C S, - - - - S and no suffix, in
        // each text.
        assert_eq!(name_count(ArbFp1Nv1), 22 * 16 + 13 * 12 + 8 * 4 + 4 * 2 + 5);
        assert_eq!(name_count(ArbFp1Nv2), 24 * 24 + 18 * 18 + 10 * 6 + 15);
        assert_eq!(name_count(ArbVp1), 27);
        // All except BRA, CAL and RET take C.
        assert_eq!(name_count(ArbVp1Nv2), 42 + 39);
        // All except BRA, CAL, RET, POPA and PUSHA take C, C0 and C1. Of these, all except ARA, ARL and ARR
        // take _SAT.
        assert_eq!(name_count(ArbVp1Nv3), 5 + 3 * 4 + 40 * 8);
    }

    #[test]
    fn suffixes_are_those_of_the_tables() {
        let takes = |language, name: &str| find(language, name).is_some();
        use Language::{ArbFp1, ArbFp1Nv1, ArbFp1Nv2, ArbVp1Nv2, ArbVp1Nv3};
        for (language, has, lacks) in [
            (ArbFp1, "CMP_SAT", "CMPC"),
            (ArbFp1Nv1, "CMP_SAT", "CMPC"),
            (ArbFp1Nv2, "CMPC_SSAT", "CMPR"),
            (ArbFp1Nv1, "ADDHC_SAT", "ADDHC_SSAT"),
            (ArbFp1Nv1, "XPD_SAT", "XPDH"),
            (ArbFp1Nv2, "XPDHC_SSAT", "XPDX"),
            (ArbFp1Nv2, "DP2AX_SAT", "NRMX"),
            (ArbFp1Nv2, "TXLC_SSAT", "TXLR"),
            (ArbVp1Nv2, "SWZC", "SWZC0"),
            (ArbVp1Nv3, "SWZC1_SAT", "ARLC1_SAT"),
            (ArbVp1Nv3, "ARAC0", "POPAC"),
        ] {
            assert!(takes(language, has), "{has}");
            assert!(!takes(language, lacks), "{lacks}");
        }
    }

    /// Cases from Tables X.13 to X.15 of NV_gpu_program4 and NV_gpu_program5.
    #[test]
    fn modifiers_stand_behind_points_in_any_order() {
        use Language::{NvFp4, NvFp5, NvVp4, NvVp5};
        let all = [NvVp4, NvFp4, NvVp5, NvFp5];
        let old = &all[..];
        let new = &[NvVp5, NvFp5][..];
        let none = &[][..];
        for (name, languages) in [
            ("ADD", old),
            ("ADD.S.CC1", old),
            ("ADD.CC1.NTC.S", old),
            ("ADDH_SAT", old),
            ("ADDRC1_SSAT", old),
            ("ADDC.SAT", old),
            ("ADDX", none),
            ("ADD.X", none),
            ("ADD.S.U", none),
            ("ADDH.F", none),
            ("ADDC.CC0", none),
            ("ADD.F32", new),
            ("ADD.S64.PREC", new),
            ("MIN.F64.SAT", new),
            ("COS.F64", none),
            ("COS.S", none),
            ("RCP.F64", new),
            ("MUL.S24", old),
            ("ADD.S24", none),
            ("REP.S", old),
            ("REP.CC", none),
            ("IF.NTC", none),
            ("TEX.U.CC", old),
            ("TEX.PREC", none),
            ("TEXH", none),
            ("PK2H.U", old),
            ("PK2H.SAT", none),
            ("DDX.F", &[NvFp4, NvFp5]),
            ("KILH", &[NvFp4, NvFp5]),
            ("ADD.", none),
            ("MUL.HI.S", old),
            ("MULC1.U.HI", old),
            ("MUL.HI", old),
            ("MUL.HI.F", none),
            ("MUL.HIS", none),
            ("AND.U", old),
            ("AND.F", none),
            ("SHR.S64", new),
            ("BFE.U.CC", new),
            ("BFE.S64", none),
            ("I2F.U", old),
            ("I2F.SAT", none),
            ("SAD.SAT", none),
        ] {
            let found: Vec<Language> = all.into_iter().filter(|l| find(*l, name).is_some()).collect();
            assert_eq!(found, languages, "{name}");
        }
    }

    /// Table X.13 of NV_gpu_program4 and NV_gpu_program5, grouped by the columns that are set: floats,
    /// integers, condition codes, clamps, H. A 6 marks instructions that also take 64 bits.
    #[test]
    fn typed_languages_have_the_modifiers_of_table_x13() {
        const ROWS: &[(&str, &str)] = &[
            (
                "FICSH6",
                "ABS ADD CEIL CMP DIV FLR MAD MAX MIN MOV MUL ROUND SEQ SFL SGE SGT SLE SLT SNE STR SUB TRUNC",
            ),
            ("FCSH6", "FRC RCP RSQ SSG"),
            (
                "FCSH",
                "COS DDX DDY DP2 DP2A DP3 DP4 DPH DST EX2 LG2 LIT LRP NRM POW RCC RFL SCS SIN SWZ X2D XPD",
            ),
            ("FIH6", "REP"),
            ("FIH", "KIL"),
            ("IC6", "AND I2F MOD NOT OR SAD SHL SHR XOR"),
            ("IC", "BFE BFI BFR BTC BTFL BTFM MUL.HI"),
            ("FI", "PK2H PK2US PK4B PK4UB PK64"),
            ("FICS", "TEX TXB TXD TXF TXL TXP TXG TXGO UP2H UP2US UP4B UP4UB UP64 TGALL TGANY TGEQ"),
            ("FCS", "IPAC IPAO IPAS LOD"),
            ("", "BRK CAL CONT ELSE ENDIF ENDREP IF RET TXQ"),
        ];
        for (columns, mnemonics) in ROWS {
            for mnemonic in mnemonics.split(' ') {
                let info = TABLE.iter().find(|info| info.mnemonic == mnemonic).expect("a row");
                for language in [Language::NvFp4, Language::NvFp5] {
                    let Some(forms) = info.forms(language) else { continue };
                    let new = language == Language::NvFp5;
                    let has = |column| columns.contains(column);
                    let wide = new && has('6');
                    for (modifier, expected) in [
                        (Modifier::Data(DataType::F), has('F')),
                        (Modifier::Precision(Precision::R), has('F')),
                        (Modifier::Data(DataType::S), has('I')),
                        (Modifier::Data(DataType::U), has('I')),
                        (Modifier::Cc(Cc::C), has('C')),
                        (Modifier::Cc(Cc::C1), has('C')),
                        (Modifier::Saturation(Saturation::Unsigned), has('S')),
                        (Modifier::Saturation(Saturation::Signed), has('S')),
                        (Modifier::Precision(Precision::H), has('H')),
                        (Modifier::Data(DataType::Sized(Format::F32)), new && has('F')),
                        (Modifier::Data(DataType::Sized(Format::S32)), new && has('I')),
                        (Modifier::Data(DataType::Sized(Format::U32)), new && has('I')),
                        (Modifier::Data(DataType::Sized(Format::F64)), wide && has('F')),
                        (Modifier::Data(DataType::Sized(Format::S64)), wide && has('I')),
                        (Modifier::Data(DataType::Sized(Format::U64)), wide && has('I')),
                    ] {
                        let found = forms.modifiers.contains(modifier);
                        assert_eq!(found, expected, "{mnemonic} {modifier:?} {language:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn wrong_modifiers_are_told_apart() {
        let cc1 = Modifier::Cc(Cc::C1);
        let unsigned = Modifier::Data(DataType::U);
        for (name, fault, at) in [
            ("ADD.S.U", ModifierFault::Twice(unsigned), 5),
            ("ADDC.CC1", ModifierFault::Twice(cc1), 4),
            ("REP.CC1", ModifierFault::NotTaken(cc1), 3),
            ("ADD.F64.S", ModifierFault::NotTaken(Modifier::Data(DataType::Sized(Format::F64))), 3),
            ("MOV.XYZ", ModifierFault::Unknown, 3),
        ] {
            match lookup(Language::NvVp4, name) {
                Lookup::BadSuffix(_, found, place) => assert_eq!((found, place), (fault, at), "{name}"),
                other => panic!("{name}: {other:?}"),
            }
        }
        assert!(matches!(lookup(Language::NvVp4, "FOO.S"), Lookup::Unknown));
    }

    #[test]
    fn later_languages_are_found_for_what_a_vertex_language_lacks() {
        use Language::{Fp1, Vp1, Vp1_1, Vp2, Vsp1};
        for (language, word, later) in [
            (Vp1, "SUB", Some(Vp1_1)),
            (Vsp1, "ABS", Some(Vp1_1)),
            (Vp1, "SUBC", Some(Vp2)),
            (Vp1_1, "MOVC", Some(Vp2)),
            (Vp1_1, "BRA", Some(Vp2)),
            (Vp1, "MOV", None),
            (Vp2, "LRP", None),
            (Fp1, "BRA", None),
        ] {
            assert_eq!(later_language(language, word), later, "{word}");
        }
    }

    #[test]
    fn rows_stand_in_opcode_order_and_are_complete() {
        for (index, info) in TABLE.iter().enumerate() {
            assert_eq!(info.opcode as usize, index, "{}", info.mnemonic);
            assert!(Language::ALL.into_iter().any(|l| info.forms(l).is_some()), "{}", info.mnemonic);
            // The prose must be sentences, and longer than the title.
            let is_told = info.prose.ends_with('.') && info.prose.trim_end_matches('.') != info.title;
            assert!(is_told, "{} has no prose", info.mnemonic);
            assert!(!info.title.is_empty() && !info.formula.is_empty());
        }
    }

    #[test]
    fn every_full_name_is_unique_and_found() {
        let mut names = HashSet::new();
        for info in TABLE {
            let Some(forms) = info.forms(Language::Fp1) else { continue };
            for suffixes in forms.combinations() {
                let name = format!("{}{}", info.mnemonic, suffixes.text());
                assert!(names.insert(name.clone()), "{name} twice");
                match lookup(Language::Fp1, &name) {
                    Lookup::Instruction(found, s) => {
                        assert_eq!((found.opcode, s), (info.opcode, suffixes), "{name}");
                    }
                    other => panic!("{name}: {other:?}"),
                }
            }
        }
        // The number of names in the grammar of section 3.11.3.
        assert_eq!(names.len(), table_x4_form_count());
    }

    /// Counted by hand in Table X.4: 20 rows with [RHX][C][_SAT], 13 with [RH ], 7 with [C][_SAT], 5 without
    /// suffixes.
    fn table_x4_form_count() -> usize {
        20 * 16 + 13 * 12 + 7 * 4 + 5
    }

    #[test]
    fn wrong_suffixes_name_their_instruction() {
        for (word, mnemonic) in
            [("COSX", "COS"), ("PK2HC", "PK2H"), ("TEXR", "TEX"), ("ADDCR", "ADD"), ("MADXX", "MAD")]
        {
            match lookup(Language::Fp1, word) {
                Lookup::BadSuffix(info, ..) => assert_eq!(info.mnemonic, mnemonic),
                other => panic!("{word}: {other:?}"),
            }
        }
        for word in ["FOO", "add", "ADDER", "", "PK2HUS"] {
            assert!(matches!(lookup(Language::Fp1, word), Lookup::Unknown), "{word}");
        }
    }
}
