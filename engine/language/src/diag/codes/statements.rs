//! Codes that every family of languages has: tokens, the form of statements, and warnings about any program.
//!
//! The codes of a family start with its prefix. Their examples use the words of the family.

use super::{Code, GRAMMAR, Row, Words, correction};
use crate::diag::Severity;
use crate::isa::Language;

static FP1_WORDS: Words = Words {
    head: "!!FP1.0\n",
    out: "o[COLR]",
    input: "f[COL0]",
    partial: "o[DEPR]",
    declare: "DEFINE",
    temporary: "",
};
static VP_WORDS: Words = Words {
    head: "!!VP2.0\n",
    out: "o[HPOS]",
    input: "v[OPOS]",
    partial: "o[FOGC]",
    declare: "",
    temporary: "",
};
static ARB_WORDS: Words = Words {
    head: "!!ARBfp1.0\nOPTION NV_fragment_program2;\n",
    out: "result.color",
    input: "fragment.color",
    partial: "result.depth",
    declare: "PARAM",
    temporary: "TEMP R0;\n",
};
static GPU_WORDS: Words = Words { head: "!!NVfp5.0\n", ..ARB_WORDS };

/// The clauses of a rule for `fp1`, `vp`, `arb` and `gpu` codes. The list for `arb` codes begins with fragment
/// programs, vertex programs and languages with data types. A family without clauses lacks the code.
type Clauses = [&'static [&'static str]; 4];

/// The clauses of the grammars.
const IN_GRAMMAR: Clauses =
    [&["NV_fragment_program 3.11.3"], &["NV_vertex_program2 2.14.1.8"], GRAMMAR, &["NV_gpu_program4 2.X.2"]];

/// The code of `row`, with the first clause if the family has the code.
const fn code(row: &'static Row) -> Code {
    match row.clauses {
        [] => Code { row, clause: "" },
        [..] => Code::new(row),
    }
}

/// Writes the codes of a family. `$family` is its index in [`Clauses`].
macro_rules! family {
    ($prefix:literal $words:ident $family:literal $($field:ident $name:literal $severity:ident $clauses:expr, $rule:literal
        $wrong:literal $correction:expr;)*) => {
        Shared {
            $($field: code(
                const {
                    let clauses: Clauses = $clauses;
                    &Row {
                        wrong: $wrong,
                        correction: $correction,
                        words: Some(&$words),
                        ..Row::new(concat!($prefix, $name), Severity::$severity, clauses[$family], $rule)
                    }
                },
            ),)*
        }
    };
}

/// Writes the rows of shared codes.
macro_rules! shared {
    ($($field:ident $name:literal $severity:ident $clauses:expr, $rule:literal
        $wrong:literal $($part:literal => $correction:literal)?;)*) => {
        /// The shared codes of a family.
        #[derive(Debug)]
        pub struct Shared {
            $(#[doc = $rule] pub $field: Code,)*
        }

        /// The shared codes of `!!FP1.0`.
        pub static FP1: Shared = family!("fp1-" FP1_WORDS 0
            $($field $name $severity $clauses, $rule $wrong correction!($($part => $correction)?);)*);
        /// The shared codes of `!!VP1.0`, `!!VP1.1`, `!!VP2.0` and `!!VSP1.0`.
        pub static VP: Shared = family!("vp-" VP_WORDS 1
            $($field $name $severity $clauses, $rule $wrong correction!($($part => $correction)?);)*);
        /// The shared codes of `!!ARBfp1.0`.
        pub static ARB: Shared = family!("arb-" ARB_WORDS 2
            $($field $name $severity $clauses, $rule $wrong correction!($($part => $correction)?);)*);
        /// The shared codes of `!!ARBvp1.0`.
        pub static ARB_VERTEX: Shared = Shared { $($field: ARB.$field.of(Language::ArbVp1),)* };
        /// The shared codes of the languages with data types.
        pub static GPU: Shared = family!("gpu-" GPU_WORDS 3
            $($field $name $severity $clauses, $rule $wrong correction!($($part => $correction)?);)*);

        /// The codes that a family has, with this severity.
        fn with(severity: Severity) -> Vec<Code> {
            let fields = [$([FP1.$field, VP.$field, ARB.$field, GPU.$field]),*];
            let all = fields.into_iter().flatten();
            all.filter(|code| code.row.severity == severity && !code.row.clauses.is_empty()).collect()
        }
    };
}

impl Shared {
    /// The clause with the grammar of the family.
    pub const fn grammar(&self) -> &'static str {
        self.unexpected.clause
    }
}

shared! {
    after_end "after-end" Error IN_GRAMMAR,
        "Only whitespace and comments can follow `END`."
        "{head}MOV {out}, {in};\nEND;" "END;" => "END";
    bad_component "bad-component" Error IN_GRAMMAR,
        "The components of a register are x, y, z and w. Fragment programs of the ARB and later languages also have r, g, b and a."
        "{head}MOV {out}, {in}.s;\nEND" "{in}.s" => "{in}.x";
    bad_condition "bad-condition" Error IN_GRAMMAR,
        "A test of a condition code begins with a rule: EQ, GE, GT, LE, LT, NE, TR or FL. Some languages have more."
        "{head}{temp}MOVC R0, {in};\nMOV {out} (MORE), R0;\nEND" "MORE" => "GT";
    bad_label "bad-label" Error
        [&[], &["NV_vertex_program2 2.14.1.8"], GRAMMAR, &["NV_gpu_program4 2.X.2"]],
        "A label does not begin with a digit."
        "{head}CAL 2nd;\nMOV {out}, {in};\nRET;\nsecond:\nRET;\nEND" "2nd" => "second";
    bad_mask "bad-mask" Error
        [
            &["NV_fragment_program 3.11.4.4"],
            &["NV_vertex_program2 2.14.2.2"],
            &["ARB_fragment_program 3.11.4.3", "ARB_vertex_program 2.14.4.3", "NV_gpu_program4 2.X.4.3"],
            &["NV_gpu_program4 2.X.4.3"],
        ],
        "A write mask names each component at most once, in the order x, y, z, w."
        "{head}MOV {out}.wzyx, {in};\nEND" ".wzyx" => ".xyzw";
    bad_suffix "bad-suffix" Error
        [
            &["NV_fragment_program 3.11.4"],
            &["NV_vertex_program2 2.14.2"],
            &["ARB_fragment_program 3.11.4", "ARB_vertex_program 2.14.4", "NV_gpu_program4 2.X.4.1"],
            &["NV_gpu_program4 2.X.4.1"],
        ],
        "An instruction takes only the suffixes and modifiers of its table row, each at most once."
        "{head}MOVCC {out}, {in};\nEND" "MOVCC" => "MOVC";
    bad_swizzle "bad-swizzle" Error
        [
            &["NV_fragment_program 3.11.4.3", "NV_fragment_program 3.11.3"],
            &["NV_vertex_program2 2.14.2.1", "NV_vertex_program2 2.14.1.8", "NV_vertex_program2 2.14.3.3"],
            &[
                "ARB_fragment_program 3.11.4.1", "ARB_vertex_program 2.14.4.1", "NV_gpu_program4 2.X.4.2",
                "ARB_fragment_program 3.11.2", "ARB_vertex_program 2.14.2", "NV_gpu_program4 2.X.2",
                "ARB_fragment_program 3.11.5.28", "ARB_vertex_program 2.14.5.26", "NV_gpu_program4 2.X.8.Z SWZ",
                "NV_vertex_program2_option 2.14.5.28",
            ],
            &["NV_gpu_program4 2.X.4.2", "NV_gpu_program4 2.X.2"],
        ],
        "A swizzle has one component or four."
        "{head}MOV {out}, {in}.xyz;\nEND" ".xyz" => ".xyzz";
    dead_write "dead-write" Warning
        [
            &["NV_fragment_program 3.11.4.4"],
            &["NV_vertex_program2 2.14.2.2"],
            &["ARB_fragment_program 3.11.4.3", "ARB_vertex_program 2.14.4.3", "NV_gpu_program4 2.X.4.3"],
            &["NV_gpu_program4 2.X.4.3"],
        ],
        "No instruction reads the value before it is overwritten or the program ends."
        "{head}MOV {out}, -{in};\nMOV {out}, {in};\nEND" "MOV {out}, -{in};\n" => "";
    duplicate_label "duplicate-label" Error
        [
            &[],
            &["NV_vertex_program2 2.14.2.3"],
            &["NV_fragment_program2 3.11.4.X", "NV_vertex_program2_option 2.14.4.X", "NV_gpu_program4 2.X.5"],
            &["NV_gpu_program4 2.X.5"],
        ],
        "A label is defined once."
        "{head}MOV {out}, {in};\nCAL twice;\nRET;\ntwice:\nRET;\ntwice:\nRET;\nEND" "RET;\ntwice:\nRET;\nEND" => "RET;\nEND";
    empty_statement "empty-statement" Error IN_GRAMMAR,
        "A semicolon ends a statement. It is not a statement by itself."
        "{head}MOV {out}, {in};;\nEND" ";;" => ";";
    idle_components "idle-components" Warning
        [
            &["NV_fragment_program 3.11.1.3"],
            &["NV_vertex_program 2.14.1.5"],
            &["ARB_fragment_program 3.11.3.4", "ARB_vertex_program 2.14.3.4", "NV_gpu_program4 2.X.3.5"],
            &["NV_gpu_program4 2.X.3.5"],
        ],
        "An instruction writes only components that a result does not have."
        "{head}MOV {out}, {in};\nMOV {partial}.y, {in};\nEND" ".y" => "";
    missing_comma "missing-comma" Error IN_GRAMMAR,
        "Commas separate the destination and the operands of an instruction, and the items of a list."
        "{head}MOV {out} {in};\nEND" "{out} {in}" => "{out}, {in}";
    missing_end "missing-end" Error IN_GRAMMAR,
        "A program ends with `END`."
        "{head}MOV {out}, {in};" "{in};" => "{in};\nEND";
    missing_semicolon "missing-semicolon" Error IN_GRAMMAR,
        "A statement ends with a semicolon."
        "{head}MOV {out}, {in}\nEND" "{in}" => "{in};";
    mixed_components "mixed-components" Error
        [
            &[],
            &[],
            &["ARB_fragment_program 3.11.4.3", "ARB_vertex_program 2.14.4.3", "NV_gpu_program4 2.X.4.2"],
            &["NV_gpu_program4 2.X.4.2", "NV_gpu_program4 2.X.4.3"],
        ],
        "A mask or a swizzle uses the letters of xyzw or those of rgba, not both."
        "{head}MOV {out}, {in}.xgzw;\nEND" ".xgzw" => ".xyzw";
    needs_component "needs-component" Error
        [
            &["NV_fragment_program 3.11.4.3"],
            &["NV_vertex_program2 2.14.2.1", "NV_vertex_program2 2.14.1.8"],
            &["ARB_fragment_program 3.11.4.1", "ARB_vertex_program 2.14.4.1", "NV_gpu_program4 2.X.4.2", "ARB_fragment_program 3.11.2", "ARB_vertex_program 2.14.2", "NV_gpu_program4 2.X.2"],
            &["NV_gpu_program4 2.X.4.2"],
        ],
        "A scalar operand names one component of a vector."
        "{head}RCP {out}, {in};\nEND" "{in}" => "{in}.x";
    operand_count "operand-count" Error IN_GRAMMAR,
        "An instruction has the number of operands of its table row."
        "{head}ADD {out}, {in};\nEND" "ADD {out}, {in}" => "ADD {out}, {in}, {in}";
    reserved_label "reserved-label" Error
        [&[], &[], GRAMMAR, &["NV_gpu_program4 2.X.2"]],
        "A reserved word of the language cannot be a label."
        "{head}MOV {out}, {in};\nCAL state;\nRET;\nstate:\nRET;\nEND" "state;\nRET;\nstate:" => "shade;\nRET;\nshade:";
    unclosed_bars "unclosed-bars" Error IN_GRAMMAR,
        "The absolute value of an operand stands between two bars."
        "{head}MOV {out}, |{in};\nEND" "|{in}" => "|{in}|";
    unexpected "unexpected" Error IN_GRAMMAR,
        "The grammar does not allow this token here. The message lists what it allows."
        "{head}MOV {out}, --{in};\nEND" "--" => "-";
    unknown_character "unknown-character" Error IN_GRAMMAR,
        "Outside comments, a program consists of the tokens of the grammar, all in ASCII."
        "{head}MOV {out}, {in}; @\nEND" " @" => "";
    unknown_instruction "unknown-instruction" Error IN_GRAMMAR,
        "A statement begins with an instruction or a keyword of the language, in capital letters."
        "{head}mov {out}, {in};\nEND" "mov" => "MOV";
    unknown_label "unknown-label" Error
        [
            &[],
            &["NV_vertex_program2 2.14.2.3"],
            &["NV_fragment_program2 3.11.4.X", "NV_vertex_program2_option 2.14.4.X", "NV_gpu_program4 2.X.5"],
            &["NV_gpu_program4 2.X.5"],
        ],
        "A branch or a call goes to a label of the program. Labels are case-sensitive."
        "{head}MOV {out}, {in};\nCAL Half;\nRET;\nhalf:\nRET;\nEND" "Half" => "half";
    unreachable "unreachable" Warning
        [&[], &["NV_vertex_program2 2.14.1.8"], GRAMMAR, &["NV_gpu_program4 2.X.2"]],
        "No path through the program reaches the instruction."
        "{head}MOV {out}, {in};\nRET;\nMOV {out}, -{in};\nEND" "RET;\nMOV {out}, -{in};\n" => "";
    unset_condition "unset-condition" Warning
        [
            &["NV_fragment_program 3.11.4.3"],
            &["NV_vertex_program2 2.14.2.1"],
            &["ARB_fragment_program 3.11.4.1", "ARB_vertex_program 2.14.4.1", "NV_gpu_program4 2.X.4.2"],
            &["NV_gpu_program4 2.X.4.2"],
        ],
        "A condition code is tested before an instruction sets it. Condition codes start as if zero had been written."
        "{head}MOV {out}, {in};\nMOV {out} (LT), -{in};\nEND" "MOV {out}, {in};" => "MOVC {out}, {in};";
    unused_name "unused-name" Warning
        [&["NV_fragment_program 3.11.3"], &[], GRAMMAR, &["NV_gpu_program4 2.X.2"]],
        "The program declares a name and does not use it."
        "{head}{declare} gain = 2;\nMOV {out}, {in};\nEND" "{in}" => "gain";
    unwritten_temporary "unwritten-temporary" Warning
        [
            &["NV_fragment_program 3.11.1.2"],
            &["NV_vertex_program2 2.14.1.4"],
            &["ARB_fragment_program 3.11.3.3", "ARB_vertex_program 2.14.3.3", "NV_gpu_program4 2.X.3.4"],
            &["NV_gpu_program4 2.X.3.4"],
        ],
        "A temporary register is read before it is written. Its value is undefined, except in `!!FP1.0` and the `!!VP` languages, where it is (0,0,0,0)."
        "{head}{temp}MOV {out}, R0;\nEND" "MOV {out}, R0;" => "MOV R0, {in};\nMOV {out}, R0;";
}

pub(super) fn errors() -> Vec<Code> {
    with(Severity::Error)
}

pub(super) fn warnings() -> Vec<Code> {
    with(Severity::Warning)
}
