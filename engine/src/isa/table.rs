//! THE instruction table: one row an opcode. To add an instruction, add a row here; the compiler then
//! points at every executor that has to say what it does.

use super::variants::{
    CS, KIL_PROSE, LG2_PROSE, LIT_FORMULA, LIT_PROSE, NONE, RHCS, RHXCS, RSQ_FORMULA, RSQ_PROSE, arb_fp,
    arb_fp_before_nv2, arb_fp_late, arb_fp_nv, arb_fp_nv2, arb_vp, arb_vp_nv2, arb_vp_nv3, fp1, gpu, gpu_fp,
    gpu_gp, gpu_tex, gpu5, gpu5_fp, gpu5_gp, gpu5_tex, image, memory, memory4, subroutines, vp1, vp1_1, vp2,
};
use super::{DataType, Group, Info, Languages, Modifier, OperandKind, ResultKind, Rule};

macro_rules! instructions {
    ($($name:ident $mnemonic:literal $title:literal ($($operand:ident),*) -> $result:ident, $rule:ident, $group:ident,
        [$($variant:expr),*], $formula:literal, $prose:literal $(=> $example:literal)?;)*) => {
        /// An operation, whatever its suffixes and whichever language it came from.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(u8)]
        pub enum Opcode {
            $(#[doc = $title] $name,)*
        }

        /// Every row, in the order of [`Opcode`].
        pub const TABLE: &[Info] = &[
            $(Info {
                opcode: Opcode::$name,
                mnemonic: $mnemonic,
                title: $title,
                operands: &[$(OperandKind::$operand),*],
                result: ResultKind::$result,
                rule: Rule::$rule,
                group: Group::$group,
                variants: &[$($variant),*],
                formula: $formula,
                prose: $prose,
                example: instructions!(@example $($example)?),
            },)*
        ];
    };
    (@example) => { None };
    (@example $example:literal) => { Some($example) };
}

impl Opcode {
    /// This opcode's row.
    pub const fn info(self) -> &'static Info {
        &TABLE[self as usize]
    }
}

instructions! {
    Abs "ABS" "Absolute value" (Vector) -> Vector, Free, Arithmetic,
        [
            vp1_1("2.14.3.1"),
            arb_fp("3.11.5.1", RHXCS).reads("Clears the sign of each component; NaN stays NaN. With OPTION NV_fragment_program any operand can be written |R1| instead."),
            arb_vp("2.14.5.1").reads("Clears the sign of each component; NaN stays NaN. With OPTION NV_vertex_program2 any operand can be written |R1| instead."),
            gpu("2.X.8.Z ABS", "66XXXF", "v", "v").reads("Clears the sign of each component; NaN stays NaN. Any operand can be written |a| instead.")
        ],
        "result = |a|",
        "Clears the sign of each component; NaN stays NaN. In `!!VP2.0` any operand can be written |R1| instead; in `!!VP1.0` MAX R0, R1, -R1 does the same.";
    Add "ADD" "Add" (Vector, Vector) -> Vector, Free, Arithmetic,
        [
            fp1("3.11.5.1", RHXCS),
            vp1("2.14.3.2"),
            arb_fp("3.11.5.2", RHXCS),
            arb_vp("2.14.5.2"),
            gpu("2.X.8.Z ADD", "66XXXF", "v", "v,v").reads("Adds the operands component by component. Infinities of opposite sign give NaN, and a NaN operand gives NaN. Of integers the lowest bits are kept; carry and overflow go to the condition code.")
        ],
        "result = a + b",
        "Adds the operands component by component. The order of the operands never matters. Infinities of opposite sign give NaN, and a NaN operand gives NaN.";
    Ara "ARA" "Address register add" (Address) -> Address, Free, Address,
        [
            vp2("2.14.3.3"),
            arb_vp_nv2("2.14.5.28").no_sat().computes("result = (a.x + a.z, a.y + a.w, a.x + a.z, a.y + a.w); where each sum saturates at 32 bits")
        ],
        "result = (a.x + a.z, a.y + a.w, a.x + a.z, a.y + a.w); where each sum is clamped to [-512, 511]",
        "Adds the two halves of an address register: x and z, y and w. With counter and index in x and y and their steps in z and w, one ARAC moves a loop on and sets the condition code for its branch."
        => "{address} ARL A0, {a}; ARA A0.x, A0; MOV {r}, {table};";
    Arl "ARL" "Address register load" (Vector) -> Address, Free, Address,
        [
            vp1("2.14.3.4"),
            arb_vp("2.14.5.3").no_sat().computes("result = floor(a); where the result saturates at 32 bits").reads("Loads an address register with the floor of the operand; NaN gives 0. Without options address registers have x alone, loaded from a scalar. An array element named by address and offset is then read that many places on.")
        ],
        "result = clamp(floor(a), -512, 511)",
        "Loads an address register with the floor of the operand; NaN gives 0. `!!VP1.0` and `!!VP1.1` have A0.x alone, loaded from a scalar and not clamped. c[A0.x+n] then reads the parameter that many places on."
        => "{address} ARL A0.x, {a}.x; MOV {r}, {table};";
    Arr "ARR" "Address register load with round" (Vector) -> Address, Free, Address,
        [
            vp2("2.14.3.5"),
            arb_vp_nv2("2.14.5.29").no_sat().computes("result = round(a); where the result saturates at 32 bits")
        ],
        "result = clamp(round(a), -512, 511)",
        "Like ARL, but rounds to the nearest whole number, halves to the even one."
        => "{address} ARR A0.x, {a}.x; MOV {r}, {table};";
    Bra "BRA" "Branch" (Label, BranchCondition) -> None, Free, Flow,
        [
            vp2("2.14.3.6").bare(),
            arb_vp_nv2("2.14.5.30").bare()
        ],
        "if (any tested condition code is true) go on at the label",
        "Goes on at the label if the test holds for any of the four (swizzled) condition code components, or always where no test is written. Every program ends after so many instructions, so an endless loop does."
        => "MOV {r}, {a}; {set a} BRA done (GT.x); MOV {r}, {b}; done:";
    Cal "CAL" "Subroutine call" (Label, BranchCondition) -> None, Free, Flow,
        [
            vp2("2.14.3.7").bare(),
            arb_fp_nv2("3.11.X.2", NONE).reads("Calls the subroutine at the label if the test holds for any component, or always where no test is written. Calls nest four deep; a fifth ends the program, and the fragment comes out as it then stands."),
            arb_vp_nv2("2.14.5.31").bare(),
            gpu("2.X.8.Z CAL", "------", "", "").reads("Calls the subroutine at the label if the test holds for any component, or always where no test is written. Calls nest 32 deep; one more ends the program, with the results as they then stand.")
        ],
        "if (any tested condition code is true) push the next instruction and go on at the label",
        "Calls the subroutine at the label if the test holds for any component, or always where no test is written. Calls nest four deep; a fifth ends the program, and the vertex comes out as it then stands."
        => "CAL twice; {write} RET; twice: ADD {r}, {a}, {a}; RET;";
    Cali "CALI" "Indirect subroutine call" (SubroutineVariable, BranchCondition) -> None, Free, Flow,
        [subroutines("2.X.8.Z CALI")],
        "if (any tested condition code is true) push the next instruction and go on at the label that the variable stands for",
        "Calls the subroutine that the application has chosen for a subroutine variable, or for an element of an array of them, if the test holds for any component, or always where no test is written. An index outside the array calls nothing. Calls nest 32 deep; one more ends the program, with the results as they then stand."
        => "SUBROUTINETYPE change { twice, half }; SUBROUTINE change chosen = program.subroutine[0]; CALI chosen; {write} RET; twice SUBROUTINENUM(0): ADD {r}, {a}, {a}; RET; half SUBROUTINENUM(1): MUL {r}, {a}, {b}.x; RET;";
    Cos "COS" "Cosine" (Scalar) -> Replicated, Free, Function,
        [
            fp1("3.11.5.2", RHCS),
            vp2("2.14.3.8"),
            arb_fp("3.11.5.4", RHCS),
            arb_vp_nv2("2.14.5.32"),
            gpu("2.X.8.Z COS", "X-XXXF", "s", "s")
        ],
        "result.xyzw = cos(a)",
        "Cosine of an angle in radians, in all four components. The error stays below 2^-22 for angles from 0 to 2 PI and grows slowly outside. Zero gives exactly 1.0; infinities and NaN give NaN.";
    Ddx "DDX" "Derivative along x" (Vector) -> Vector, Free, Derivative,
        [
            fp1("3.11.5.3", RHCS),
            arb_fp_nv("3.11.5.30", RHCS),
            gpu_fp("2.X.8.Z DDX", "X-XXXF", "v", "v")
        ],
        "result = d a / d x",
        "How fast each component changes from one pixel to its right neighbour, taken as a difference within the 2x2 quad. Killed and uncovered neighbours still run, so the difference always exists. A derivative of a derivative is zero or meaningless."
        => "DDX {r}, {attribute};";
    Ddy "DDY" "Derivative along y" (Vector) -> Vector, Free, Derivative,
        [
            fp1("3.11.5.4", RHCS),
            arb_fp_nv("3.11.5.31", RHCS),
            gpu_fp("2.X.8.Z DDY", "X-XXXF", "v", "v")
        ],
        "result = d a / d y",
        "How fast each component changes from one pixel to the one above it (y grows upwards), taken as a difference within the 2x2 quad."
        => "DDY {r}, {attribute};";
    Dp3 "DP3" "Dot product of 3" (Vector, Vector) -> Replicated, Free, Vector,
        [
            fp1("3.11.5.5", RHXCS),
            vp1("2.14.3.9").reads("Sum of the products of x, y and z, in all four components. The sum runs from left to right; each product and sum is rounded."),
            arb_fp("3.11.5.5", RHXCS),
            arb_vp("2.14.5.4").reads("Sum of the products of x, y and z, in all four components. The sum runs from left to right; each product and sum is rounded."),
            gpu("2.X.8.Z DP3", "X-XXXF", "s", "v,v")
        ],
        "result.xyzw = a.x*b.x + a.y*b.y + a.z*b.z",
        "Sum of the products of x, y and z, in all four components. The sum runs from left to right and each product and sum is rounded to the instruction's precision (X computes exactly and rounds once).";
    Dp4 "DP4" "Dot product of 4" (Vector, Vector) -> Replicated, Free, Vector,
        [
            fp1("3.11.5.6", RHXCS),
            vp1("2.14.3.10").reads("Sum of the four products, in all four components, from left to right, each step rounded. Four of them with a matrix's rows transform a position."),
            arb_fp("3.11.5.6", RHXCS),
            arb_vp("2.14.5.5").reads("Sum of the four products, in all four components, from left to right, each step rounded. Four of them with a matrix's rows transform a position."),
            gpu("2.X.8.Z DP4", "X-XXXF", "s", "v,v")
        ],
        "result.xyzw = a.x*b.x + a.y*b.y + a.z*b.z + a.w*b.w",
        "Sum of the four products, in all four components, from left to right, each step rounded to the instruction's precision (X computes exactly and rounds once).";
    Dph "DPH" "Homogeneous dot product" (Vector, Vector) -> Replicated, Free, Vector,
        [
            vp1_1("2.14.3.11"),
            arb_fp("3.11.5.7", RHXCS),
            arb_vp("2.14.5.6"),
            gpu("2.X.8.Z DPH", "X-XXXF", "s", "v,v")
        ],
        "result.xyzw = a.x*b.x + a.y*b.y + a.z*b.z + b.w",
        "A dot product that takes the first operand's w as 1.0: a point with three components against a plane or a matrix row. The sum runs from left to right, each step rounded.";
    Dst "DST" "Distance vector" (Vector, Vector) -> Vector, Free, Vector,
        [
            fp1("3.11.5.7", RHCS),
            vp1("2.14.3.12"),
            arb_fp("3.11.5.8", RHCS),
            arb_vp("2.14.5.7"),
            gpu("2.X.8.Z DST", "X-XXXF", "v", "v,v")
        ],
        "result = (1, a.y*b.y, a.z, b.w)",
        "Builds (1, d, d*d, 1/d) from (-, d*d, d*d, -) and (-, 1/d, -, 1/d). A dot product with three attenuation factors then gives a light's attenuation.";
    Ex2 "EX2" "Power of two" (Scalar) -> Replicated, Free, Function,
        [
            fp1("3.11.5.8", RHCS),
            vp2("2.14.3.13"),
            arb_fp("3.11.5.9", RHCS),
            arb_vp("2.14.5.8"),
            gpu("2.X.8.Z EX2", "X-XXXF", "s", "s")
        ],
        "result.xyzw = 2^a",
        "Two raised to the operand, in all four components, with an error below 2^-22 relative to the power of two at or below the result. Zero gives exactly 1.0, -INF gives 0.0, +INF stays +INF.";
    Exp "EXP" "Power of two, approximate" (Scalar) -> Vector, Free, Function,
        [
            vp1("2.14.3.14"),
            arb_vp("2.14.5.9")
        ],
        "result = (2^floor(a), a - floor(a), 2^a, 1)",
        "Takes 2^a apart: x is the power of two below, y the fraction left over, z the approximate result, w is 1. Only 11 bits of z are promised (here it is as good as EX2's); x times your own function of y can be made as good as you like.";
    Flr "FLR" "Floor" (Vector) -> Vector, Free, Arithmetic,
        [
            fp1("3.11.5.9", RHXCS),
            vp2("2.14.3.15"),
            arb_fp("3.11.5.10", RHXCS),
            arb_vp("2.14.5.10"),
            gpu("2.X.8.Z FLR", "66XXXF", "v", "vf").reads("The largest whole number not above each component: 2.3 gives 2 and -3.6 gives -4. The operand is a float; S and U make an integer of the result, of which the lowest bits are kept where it is too large.")
        ],
        "result = floor(a)",
        "The largest whole number not above each component: 2.3 gives 2.0 and -3.6 gives -4.0. Zeros and infinities keep their sign.";
    Frc "FRC" "Fraction" (Vector) -> Vector, Free, Arithmetic,
        [
            fp1("3.11.5.10", RHXCS),
            vp2("2.14.3.16"),
            arb_fp("3.11.5.11", RHXCS),
            arb_vp("2.14.5.11"),
            gpu("2.X.8.Z FRC", "6-XXXF", "v", "v")
        ],
        "result = a - floor(a)",
        "What is left of each component above its floor, in [0, 1). The fraction of -1.7 is therefore 0.3. Infinities give NaN.";
    Kil "KIL" "Discard the fragment" (Condition) -> None, Free, Kill,
        [
            fp1("3.11.5.11", NONE),
            arb_fp("3.11.6.4", NONE).only(Languages::ARB_FP.without(Languages::ARB_FP_NV1)).takes(&[OperandKind::Vector]).computes("if (any component of a is below zero) discard").reads(KIL_PROSE),
            arb_fp("3.11.6.4", NONE).only(Languages::ARB_FP_NV1).takes(&[OperandKind::VectorOrCondition]).computes("if (any component of a is below zero) discard").reads(KIL_PROSE),
            gpu_fp("2.X.8.Z KIL", "XX--XF", "", "v").takes(&[OperandKind::VectorOrCondition]).computes("if (any component of a is below zero) discard").reads("Discards the fragment if any component of the operand is below zero (neither zero nor NaN nor an unsigned integer is). The operand can be a condition code test instead: then it discards if the test holds for any of the four components. Nothing is drawn for the fragment; it goes on running only as a neighbour for derivatives.")
        ],
        "if (any tested condition code is true) discard",
        "Discards the fragment if the test is true for any of the four (swizzled) condition code components. Nothing is drawn for it; it goes on running only as a neighbour for derivatives."
        => "SUB {r}, {attribute}, {b}.x; {kill}";
    Lg2 "LG2" "Logarithm to base 2" (Scalar) -> Replicated, Free, Function,
        [
            fp1("3.11.5.12", RHCS),
            vp2("2.14.3.17"),
            arb_fp("3.11.5.12", RHCS).reads(LG2_PROSE),
            arb_vp("2.14.5.12").reads(LG2_PROSE),
            gpu("2.X.8.Z LG2", "X-XXXF", "s", "s")
        ],
        "result.xyzw = log2(a)",
        "Logarithm to base 2, in all four components, with an error below 2^-22. Either zero gives -INF, anything below zero gives NaN; no absolute value is taken.";
    Lit "LIT" "Light coefficients" (Vector) -> Vector, Free, Vector,
        [
            fp1("3.11.5.13", RHCS),
            vp1("2.14.3.18").reads(LIT_PROSE),
            arb_fp("3.11.5.13", RHCS).computes(LIT_FORMULA).reads(LIT_PROSE),
            arb_vp("2.14.5.13").computes(LIT_FORMULA).reads(LIT_PROSE),
            gpu("2.X.8.Z LIT", "X-XXXF", "v", "v").computes(LIT_FORMULA).reads(LIT_PROSE)
        ],
        "result = (1, max(a.x,0), a.x > 0 ? max(a.y,0)^a.w : 0, 1)",
        "From diffuse dot product x, specular dot product y and exponent w makes the factors for ambient (x, always 1), diffuse (y) and specular (z) light. Specular is zero where the surface faces away. The power is POW's, so 0^0 gives NaN.";
    Log "LOG" "Logarithm to base 2, approximate" (Scalar) -> Vector, Free, Function,
        [
            vp1("2.14.3.19"),
            arb_vp("2.14.5.14")
        ],
        "result = (floor(log2|a|), |a| / 2^floor(log2|a|), log2|a|, 1)",
        "Takes the logarithm of the absolute value apart: x is the exponent, y the mantissa in [1, 2), z the approximate result, w is 1. Only 11 bits of z are promised (here it is as good as LG2's).";
    Lrp "LRP" "Linear interpolation" (Vector, Vector, Vector) -> Vector, Free, Arithmetic,
        [
            fp1("3.11.5.14", RHXCS),
            arb_fp("3.11.5.14", RHXCS),
            gpu("2.X.8.Z LRP", "X-XXXF", "v", "v,v,v")
        ],
        "result = a*b + (1 - a)*c",
        "Blends from the third operand (weight 0) to the second (weight 1) by the first. Note the order: the first named colour is what weight 1 selects.";
    Mad "MAD" "Multiply and add" (Vector, Vector, Vector) -> Vector, Free, Arithmetic,
        [
            fp1("3.11.5.15", RHXCS),
            vp1("2.14.3.20"),
            arb_fp("3.11.5.15", RHXCS),
            arb_vp("2.14.5.15"),
            gpu("2.X.8.Z MAD", "66XXXF", "v", "v,v,v").reads("Multiplies the first two operands, rounds, then adds the third and rounds again: never a fused operation. Of integers the lowest bits are kept.")
        ],
        "result = a*b + c",
        "Multiplies the first two operands, rounds, then adds the third and rounds again: never a fused operation.";
    Max "MAX" "Maximum" (Vector, Vector) -> Vector, Free, Arithmetic,
        [
            fp1("3.11.5.16", RHXCS),
            vp1("2.14.3.21"),
            arb_fp("3.11.5.16", RHXCS),
            arb_vp("2.14.5.16"),
            gpu("2.X.8.Z MAX", "66XXXF", "v", "v,v")
        ],
        "result = max(a, b)",
        "The larger of the two components. A NaN in either operand gives NaN; +0.0 counts as larger than -0.0, so the order of the operands never matters.";
    Min "MIN" "Minimum" (Vector, Vector) -> Vector, Free, Arithmetic,
        [
            fp1("3.11.5.17", RHXCS),
            vp1("2.14.3.22"),
            arb_fp("3.11.5.17", RHXCS),
            arb_vp("2.14.5.17"),
            gpu("2.X.8.Z MIN", "66XXXF", "v", "v,v")
        ],
        "result = min(a, b)",
        "The smaller of the two components. A NaN in either operand gives NaN; -0.0 counts as smaller than +0.0, so the order of the operands never matters.";
    Mov "MOV" "Move" (Vector) -> Vector, Free, Arithmetic,
        [
            fp1("3.11.5.18", RHXCS),
            vp1("2.14.3.23").reads("Copies the operand."),
            arb_fp("3.11.5.18", RHXCS).reads("Copies the operand. With OPTION NV_fragment_program it is converted to the instruction's precision and then to the destination's, and MOVC sets the condition code."),
            arb_vp("2.14.5.18").reads("Copies the operand."),
            gpu("2.X.8.Z MOV", "66XXXF", "v", "v").reads("Copies the operand's bits.")
        ],
        "result = a",
        "Copies the operand, converted to the instruction's precision and then to the destination's. MOVC to RC or HC sets the condition code without touching a register.";
    Mul "MUL" "Multiply" (Vector, Vector) -> Vector, Free, Arithmetic,
        [
            fp1("3.11.5.19", RHXCS),
            vp1("2.14.3.24"),
            arb_fp("3.11.5.19", RHXCS),
            arb_vp("2.14.5.19"),
            gpu("2.X.8.Z MUL", "66XXXF", "v", "v,v").also(&[Modifier::Data(DataType::S24), Modifier::Data(DataType::U24)]).reads("Multiplies component by component; of integers the lower half of the product. Zero times infinity gives NaN. S24 and U24 multiply the lowest 24 bits; with HI, S or U, the upper half of the product comes out.")
        ],
        "result = a * b",
        "Multiplies component by component. Zero times infinity gives NaN; zeros and infinities take the sign of the product.";
    Pk2h "PK2H" "Pack two halves" (Vector) -> Replicated, WideDestination, Pack,
        [
            fp1("3.11.5.20", NONE),
            arb_fp_nv("3.11.5.32", NONE).reads("Converts x and y to 16-bit floats and puts their bits side by side into every 32-bit component. The destination must not be a SHORT variable; UP2H takes them apart again. Unpack straight from that register: the bits are no number, and arithmetic on them flushes or rewrites them."),
            gpu("2.X.8.Z PK2H", "XX---F", "s", "vf").reads("Converts x and y to 16-bit floats and puts their bits side by side into every component. The destination must not be a SHORT variable; UP2H takes them apart again. With U or S the result is an integer; as a float it is no number, and arithmetic on it flushes or rewrites the bits.")
        ],
        "result.xyzw = fp16bits(a.x) | fp16bits(a.y) << 16",
        "Converts x and y to 16-bit floats and puts their bits side by side into every 32-bit component. The destination must be an R register, o[COLR] or o[DEPR]; UP2H takes them apart again. Unpack straight from that register: the bits are no number, and arithmetic on them flushes or rewrites them.";
    Pk2us "PK2US" "Pack two unsigned shorts" (Vector) -> Replicated, WideDestination, Pack,
        [
            fp1("3.11.5.21", NONE),
            arb_fp_nv("3.11.5.33", NONE),
            gpu("2.X.8.Z PK2US", "XX---F", "s", "vf")
        ],
        "result.xyzw = short(a.x) | short(a.y) << 16; where short(v) = round(65535*clamp(v, 0, 1))",
        "Clamps x and y to [0,1], scales them to 16-bit unsigned integers and puts those side by side into every 32-bit component. The destination must have 32-bit components; UP2US reverses it.";
    Pk4b "PK4B" "Pack four signed bytes" (Vector) -> Replicated, WideDestination, Pack,
        [
            fp1("3.11.5.22", NONE),
            arb_fp_nv("3.11.5.34", NONE),
            gpu("2.X.8.Z PK4B", "XX---F", "s", "vf")
        ],
        "result.xyzw = byte(a.x) | byte(a.y) << 8 | byte(a.z) << 16 | byte(a.w) << 24; where byte(v) = round(127*clamp(v, -128/127, 1) + 128)",
        "Clamps each component to [-128/127, 1], scales it to a byte (128 stands for zero) and packs the four bytes, x lowest, into every 32-bit component. The destination must have 32-bit components; UP4B reverses it.";
    Pk4ub "PK4UB" "Pack four unsigned bytes" (Vector) -> Replicated, WideDestination, Pack,
        [
            fp1("3.11.5.23", NONE),
            arb_fp_nv("3.11.5.35", NONE),
            gpu("2.X.8.Z PK4UB", "XX---F", "s", "vf")
        ],
        "result.xyzw = byte(a.x) | byte(a.y) << 8 | byte(a.z) << 16 | byte(a.w) << 24; where byte(v) = round(255*clamp(v, 0, 1))",
        "Clamps each component to [0,1], scales it to an unsigned byte and packs the four bytes, x lowest, into every 32-bit component. The destination must have 32-bit components; UP4UB reverses it.";
    Pow "POW" "Power" (Scalar, Scalar) -> Replicated, Free, Function,
        [
            fp1("3.11.5.24", RHCS),
            arb_fp("3.11.5.20", RHCS),
            arb_vp("2.14.5.20"),
            gpu("2.X.8.Z POW", "X-XXXF", "s", "s,s")
        ],
        "result.xyzw = 2^(b * log2(a))",
        "First operand to the power of the second, made of LG2, MUL and EX2. A negative base is therefore always NaN, and so is 0^0.";
    Rcc "RCC" "Reciprocal, clamped" (Scalar) -> Replicated, Free, Function,
        [
            vp1_1("2.14.3.25"),
            arb_vp_nv2("2.14.5.33"),
            gpu("2.X.8.Z RCC", "X-XXXF", "s", "s")
        ],
        "result.xyzw = sign(1/a) * clamp(|1/a|, 2^-64, 2^64)",
        "One divided by the operand, kept between 2^-64 and 2^64 in size, so that neither zero nor infinity comes out and later products do not overflow. NaN stays NaN.";
    Rcp "RCP" "Reciprocal" (Scalar) -> Replicated, Free, Function,
        [
            fp1("3.11.5.25", RHCS),
            vp1("2.14.3.26"),
            arb_fp("3.11.5.21", RHCS),
            arb_vp("2.14.5.21"),
            gpu("2.X.8.Z RCP", "6-XXXF", "s", "s")
        ],
        "result.xyzw = 1 / a",
        "One divided by the operand, in all four components, good to 22 bits and more. Zeros give infinities of their sign and infinities give zeros.";
    Ret "RET" "Return" (BranchCondition) -> None, Free, Flow,
        [
            vp2("2.14.3.27").bare(),
            arb_fp_nv2("3.11.X.10", NONE),
            arb_vp_nv2("2.14.5.34").bare().reads("Returns from a subroutine if the test holds for any component, or always where no test is written. Outside any subroutine it ends the program; so it does where PUSHA has left an address on top of the stack that both share."),
            gpu("2.X.8.Z RET", "------", "", "").reads("Returns from a subroutine if the test holds for any component, or always where no test is written, and leaves the blocks it stands in. Outside any subroutine it ends the program.")
        ],
        "if (any tested condition code is true) go on behind the latest CAL",
        "Returns from a subroutine if the test holds for any component, or always where no test is written. Outside any subroutine it ends the program."
        => "CAL twice; {write} RET; twice: ADD {r}, {a}, {a}; RET;";
    Rfl "RFL" "Reflection vector" (Vector, Vector) -> Vector, NoW, Vector,
        [
            fp1("3.11.5.26", RHCS),
            arb_fp_nv("3.11.5.36", RHCS),
            gpu("2.X.8.Z RFL", "X-XXXF", "v", "v,v")
        ],
        "result.xyz = 2*(a.x*b.x + a.y*b.y + a.z*b.z)/(a.x*a.x + a.y*a.y + a.z*a.z)*a - b",
        "Reflects the second operand (a direction) about the first (an axis, which need not have length 1). Only x, y and z exist: a write mask with w, or none at all, does not load.";
    Rsq "RSQ" "Reciprocal square root" (Scalar) -> Replicated, Free, Function,
        [
            fp1("3.11.5.27", RHCS),
            vp1("2.14.3.28"),
            arb_fp("3.11.5.22", RHCS).computes(RSQ_FORMULA).reads(RSQ_PROSE),
            arb_vp("2.14.5.22").computes(RSQ_FORMULA).reads(RSQ_PROSE),
            gpu("2.X.8.Z RSQ", "6-XXXF", "s", "s")
        ],
        "result.xyzw = 1 / sqrt(a)",
        "One divided by the square root, in all four components, good to 22 bits and more. Below zero gives NaN (no absolute value is taken), +0.0 gives +INF, -0.0 gives -INF.";
    Seq "SEQ" "Set on equal" (Vector, Vector) -> Vector, Free, Compare,
        [
            fp1("3.11.5.28", RHXCS),
            vp2("2.14.3.29").reads("1.0 where the components are equal, else 0.0. Both zeros are equal; a NaN on either side gives NaN (the fragment languages give 0.0 or 1.0 there)."),
            arb_fp_nv("3.11.5.37", RHXCS),
            arb_vp_nv2("2.14.5.35"),
            gpu("2.X.8.Z SEQ", "66XXXF", "v", "v,v").computes("result = a == b ? TRUE : FALSE").reads("TRUE where the components are equal, else FALSE. TRUE is 1.0 of floats and all ones of integers, FALSE is 0. Both zeros are equal; NaN equals nothing, not even itself.")
        ],
        "result = a == b ? 1.0 : 0.0",
        "1.0 where the components are equal, else 0.0. Both zeros are equal; NaN equals nothing, not even itself.";
    Sfl "SFL" "Set on false" (Vector, Vector) -> Vector, Free, Compare,
        [
            fp1("3.11.5.29", RHXCS),
            vp2("2.14.3.30"),
            arb_fp_nv("3.11.5.38", RHXCS),
            arb_vp_nv2("2.14.5.36"),
            gpu("2.X.8.Z SFL", "66XXXF", "v", "v,v").computes("result = FALSE").reads("Gives 0 in every component. The grammar asks for two operands; their values do not matter.")
        ],
        "result = 0.0",
        "Gives 0.0 in every component. The grammar asks for two operands; their values do not matter.";
    Sge "SGE" "Set on greater or equal" (Vector, Vector) -> Vector, Free, Compare,
        [
            fp1("3.11.5.30", RHXCS),
            vp1("2.14.3.31").reads("1.0 where the first operand's component is at or above the second's, else 0.0; a NaN on either side gives NaN (the fragment languages give 0.0 or 1.0 there)."),
            arb_fp("3.11.5.24", RHXCS),
            arb_vp("2.14.5.23"),
            gpu("2.X.8.Z SGE", "66XXXF", "v", "v,v").computes("result = a >= b ? TRUE : FALSE").reads("TRUE where the components compare: the first at or above the second, else FALSE. TRUE is 1.0 of floats and all ones of integers, FALSE is 0. Any comparison with NaN is false.")
        ],
        "result = a >= b ? 1.0 : 0.0",
        "1.0 where the first operand's component is at or above the second's, else 0.0. Any comparison with NaN is false.";
    Sgt "SGT" "Set on greater" (Vector, Vector) -> Vector, Free, Compare,
        [
            fp1("3.11.5.31", RHXCS),
            vp2("2.14.3.32").reads("1.0 where the first operand's component is above the second's, else 0.0; a NaN on either side gives NaN (the fragment languages give 0.0 or 1.0 there)."),
            arb_fp_nv("3.11.5.39", RHXCS),
            arb_vp_nv2("2.14.5.37"),
            gpu("2.X.8.Z SGT", "66XXXF", "v", "v,v").computes("result = a > b ? TRUE : FALSE").reads("TRUE where the components compare: the first above the second, else FALSE. TRUE is 1.0 of floats and all ones of integers, FALSE is 0. Any comparison with NaN is false.")
        ],
        "result = a > b ? 1.0 : 0.0",
        "1.0 where the first operand's component is above the second's, else 0.0. Any comparison with NaN is false.";
    Sin "SIN" "Sine" (Scalar) -> Replicated, Free, Function,
        [
            fp1("3.11.5.32", RHCS),
            vp2("2.14.3.33"),
            arb_fp("3.11.5.25", RHCS),
            arb_vp_nv2("2.14.5.38"),
            gpu("2.X.8.Z SIN", "X-XXXF", "s", "s")
        ],
        "result.xyzw = sin(a)",
        "Sine of an angle in radians, in all four components. The error stays below 2^-22 for angles from 0 to 2 PI and grows slowly outside. Zeros keep their sign; infinities and NaN give NaN.";
    Sle "SLE" "Set on less or equal" (Vector, Vector) -> Vector, Free, Compare,
        [
            fp1("3.11.5.33", RHXCS),
            vp2("2.14.3.34").reads("1.0 where the first operand's component is at or below the second's, else 0.0; a NaN on either side gives NaN (the fragment languages give 0.0 or 1.0 there)."),
            arb_fp_nv("3.11.5.40", RHXCS),
            arb_vp_nv2("2.14.5.39"),
            gpu("2.X.8.Z SLE", "66XXXF", "v", "v,v").computes("result = a <= b ? TRUE : FALSE").reads("TRUE where the components compare: the first at or below the second, else FALSE. TRUE is 1.0 of floats and all ones of integers, FALSE is 0. Any comparison with NaN is false.")
        ],
        "result = a <= b ? 1.0 : 0.0",
        "1.0 where the first operand's component is at or below the second's, else 0.0. Any comparison with NaN is false.";
    Slt "SLT" "Set on less" (Vector, Vector) -> Vector, Free, Compare,
        [
            fp1("3.11.5.34", RHXCS),
            vp1("2.14.3.35").reads("1.0 where the first operand's component is below the second's, else 0.0; a NaN on either side gives NaN (the fragment languages give 0.0 or 1.0 there)."),
            arb_fp("3.11.5.26", RHXCS),
            arb_vp("2.14.5.24"),
            gpu("2.X.8.Z SLT", "66XXXF", "v", "v,v").computes("result = a < b ? TRUE : FALSE").reads("TRUE where the components compare: the first below the second, else FALSE. TRUE is 1.0 of floats and all ones of integers, FALSE is 0. Any comparison with NaN is false.")
        ],
        "result = a < b ? 1.0 : 0.0",
        "1.0 where the first operand's component is below the second's, else 0.0. Any comparison with NaN is false.";
    Sne "SNE" "Set on not equal" (Vector, Vector) -> Vector, Free, Compare,
        [
            fp1("3.11.5.35", RHXCS),
            vp2("2.14.3.36").reads("1.0 where the components differ, else 0.0. Both zeros are equal (the special case printed in the text is a slip); a NaN on either side gives NaN (the fragment languages give 0.0 or 1.0 there)."),
            arb_fp_nv("3.11.5.41", RHXCS),
            arb_vp_nv2("2.14.5.40"),
            gpu("2.X.8.Z SNE", "66XXXF", "v", "v,v").computes("result = a != b ? TRUE : FALSE").reads("TRUE where the components differ, else FALSE. TRUE is 1.0 of floats and all ones of integers, FALSE is 0. Both zeros are equal; NaN differs from everything, itself included.")
        ],
        "result = a != b ? 1.0 : 0.0",
        "1.0 where the components differ, else 0.0. Both zeros are equal (the special case printed in the text is a slip); NaN differs from everything, itself included.";
    Ssg "SSG" "Set sign" (Vector) -> Vector, Free, Arithmetic,
        [
            vp2("2.14.3.37"),
            arb_vp_nv2("2.14.5.41"),
            gpu("2.X.8.Z SSG", "6-XXXF", "v", "v")
        ],
        "result = a > 0 ? 1.0 : a < 0 ? -1.0 : 0.0",
        "1.0 above zero, -1.0 below, 0.0 for either zero; NaN stays NaN.";
    Str "STR" "Set on true" (Vector, Vector) -> Vector, Free, Compare,
        [
            fp1("3.11.5.36", RHXCS),
            vp2("2.14.3.38"),
            arb_fp_nv("3.11.5.42", RHXCS),
            arb_vp_nv2("2.14.5.42"),
            gpu("2.X.8.Z STR", "66XXXF", "v", "v,v").computes("result = TRUE").reads("Gives 1.0 in every component, all ones of integers. The grammar asks for two operands; their values do not matter.")
        ],
        "result = 1.0",
        "Gives 1.0 in every component. The grammar asks for two operands; their values do not matter.";
    Sub "SUB" "Subtract" (Vector, Vector) -> Vector, Free, Arithmetic,
        [
            fp1("3.11.5.37", RHXCS),
            vp1_1("2.14.3.39"),
            arb_fp("3.11.5.27", RHXCS),
            arb_vp("2.14.5.25"),
            gpu("2.X.8.Z SUB", "66XXXF", "v", "v,v").reads("Subtracts the second operand from the first. Of integers the lowest bits are kept; the carry flag then says that nothing was borrowed.")
        ],
        "result = a - b",
        "Subtracts the second operand from the first; the same as ADD with the second operand's sign turned.";
    Tex "TEX" "Texture lookup" (Vector, TextureImage) -> Vector, Filters, Texture,
        [
            fp1("3.11.5.38", CS),
            arb_fp("3.11.6.1", CS).reads("Filtered lookup at (s,t,r) = x, y, z. The level of detail comes from differences within the 2x2 quad. RECT coordinates are in texels. A texture that is not complete gives (0,0,0,1). SHADOW targets compare r with the depth found."),
            arb_vp_nv3("2.14.5.45").reads("Filtered lookup at (s,t,r) = x, y, z. Vertices have no neighbours, so the level of detail is the bias of texture and unit alone. RECT coordinates are in texels. A texture that is not complete gives (0,0,0,1)."),
            gpu_tex("2.X.8.Z TEX", "XXXX-F", "v", "vf").reads("Filtered lookup at (s,t,r) = x, y, z. In fragment programs the level of detail comes from differences within the 2x2 quad. RECT coordinates are in texels, array targets take their layer from the coordinate behind those of the image, SHADOW targets compare the next one. S and U are for textures of integers.")
        ],
        "result = texture(unit, a.xyz)",
        "Filtered lookup at (s,t,r) = x, y, z. The level of detail comes from differences within the 2x2 quad. RECT coordinates are in texels. A texture that is not complete gives (0,0,0,0).";
    Txd "TXD" "Texture lookup with derivatives" (Vector, Vector, Vector, TextureImage) -> Vector, Filters, Texture,
        [
            fp1("3.11.5.39", CS),
            arb_fp_nv("3.11.6.5", CS),
            gpu_tex("2.X.8.Z TXD", "XXXX-F", "v", "vf,vf,vf")
        ],
        "result = texture(unit, a.xyz, d/dx = b.xyz, d/dy = c.xyz)",
        "Filtered lookup that takes the level of detail from derivatives you give: the second operand along x, the third along y.";
    Txp "TXP" "Projective texture lookup" (Vector, TextureImage) -> Vector, TakesW, Texture,
        [
            fp1("3.11.5.40", CS),
            arb_fp("3.11.6.2", CS).reads("Filtered lookup at x/w, y/w, z/w. A cube map ignores w, which only scales the direction. Where w is not above zero the result is undefined. SHADOW targets compare z/w with the depth found."),
            arb_vp_nv3("2.14.5.48").reads("Filtered lookup at x/w, y/w, z/w, with the bias of texture and unit as the level of detail. A cube map ignores w, which only scales the direction."),
            gpu_tex("2.X.8.Z TXP", "XXXX-F", "v", "vf").reads("Filtered lookup at x/w, y/w, z/w. Where w is not above zero the result is undefined. It has no coordinates for SHADOWCUBE and SHADOWARRAY2D.")
        ],
        "result = texture(unit, a.xyz / a.w)",
        "Filtered lookup at x/w, y/w, z/w. A cube map ignores w and is looked up with x, y, z as they are.";
    Up2h "UP2H" "Unpack two halves" (Scalar) -> Vector, WideSource, Pack,
        [
            fp1("3.11.5.41", CS),
            arb_fp_nv("3.11.5.43", CS),
            gpu("2.X.8.Z UP2H", "XXXX-F", "vf", "s")
        ],
        "result = (half(a, 0), half(a, 16), half(a, 0), half(a, 16)); where half(v, n) is the fp16 number in bits n to n + 15 of v",
        "Takes the 32 bits of the operand apart into two 16-bit floats: the low half in x and z, the high half in y and w. The operand must have 32-bit components."
        => "PK2H {b}.x, {a}; UP2H {r}, {b}.x;";
    Up2us "UP2US" "Unpack two unsigned shorts" (Scalar) -> Vector, WideSource, Pack,
        [
            fp1("3.11.5.42", CS),
            arb_fp_nv("3.11.5.44", CS),
            gpu("2.X.8.Z UP2US", "XXXX-F", "vf", "s")
        ],
        "result = (short(a, 0)/65535, short(a, 16)/65535, short(a, 0)/65535, short(a, 16)/65535); where short(v, n) is the number in bits n to n + 15 of v",
        "Takes the 32 bits of the operand apart into two unsigned 16-bit fractions: the low half in x and z, the high half in y and w. The operand must have 32-bit components."
        => "PK2US {b}.x, {a}; UP2US {r}, {b}.x;";
    Up4b "UP4B" "Unpack four signed bytes" (Scalar) -> Vector, WideSource, Pack,
        [
            fp1("3.11.5.43", CS),
            arb_fp_nv("3.11.5.45", CS),
            gpu("2.X.8.Z UP4B", "XXXX-F", "vf", "s")
        ],
        "result = ((byte(a, 0) - 128)/127, (byte(a, 8) - 128)/127, (byte(a, 16) - 128)/127, (byte(a, 24) - 128)/127); where byte(v, n) is the number in bits n to n + 7 of v",
        "Takes the 32 bits of the operand apart into four bytes, x lowest; byte 128 stands for 0.0 and 255 for 1.0. The operand must have 32-bit components."
        => "PK4B {b}.x, {a}; UP4B {r}, {b}.x;";
    Up4ub "UP4UB" "Unpack four unsigned bytes" (Scalar) -> Vector, WideSource, Pack,
        [
            fp1("3.11.5.44", CS),
            arb_fp_nv("3.11.5.46", CS),
            gpu("2.X.8.Z UP4UB", "XXXX-F", "vf", "s")
        ],
        "result = (byte(a, 0)/255, byte(a, 8)/255, byte(a, 16)/255, byte(a, 24)/255); where byte(v, n) is the number in bits n to n + 7 of v",
        "Takes the 32 bits of the operand apart into four unsigned byte fractions, x lowest. The operand must have 32-bit components."
        => "PK4UB {b}.x, {a}; UP4UB {r}, {b}.x;";
    X2d "X2D" "2D coordinate transform" (Vector, Vector, Vector) -> Vector, Free, Vector,
        [
            fp1("3.11.5.45", RHCS),
            arb_fp_nv("3.11.5.47", RHCS),
            gpu("2.X.8.Z X2D", "X-XXXF", "v", "v,v,v")
        ],
        "result.xz = a.x + b.x*c.x + b.y*c.y; result.yw = a.y + b.x*c.z + b.y*c.w",
        "Adds to the 2D vector in the first operand the second operand's x and y multiplied by the 2x2 matrix in the third. Made for displacing texture coordinates; the sum runs from left to right.";
    Brk "BRK" "Leave the loop" (BranchCondition) -> None, Free, Flow,
        [
            arb_fp_nv2("3.11.X.1", NONE),
            gpu("2.X.8.Z BRK", "------", "", "").computes("if (any tested condition code is true) go on behind the ENDREP").reads("Leaves the innermost REP block if the test holds for any of the four (swizzled) condition code components, or always where no test is written. It must stand inside such a block of the same subroutine.")
        ],
        "if (any tested condition code is true) go on behind the ENDLOOP or ENDREP",
        "Leaves the innermost LOOP or REP block if the test holds for any of the four (swizzled) condition code components, or always where no test is written. It must stand inside such a block of the same subroutine."
        => "MOV {r}, {b}; {rep} ADD {r}, {r}, {b}; {set r} BRK (GT.z); ENDREP;";
    Cmp "CMP" "Choose by sign" (Vector, Vector, Vector) -> Vector, Free, Compare,
        [
            arb_fp_before_nv2("3.11.5.3"),
            arb_fp_late("3.11.5.3", CS),
            gpu("2.X.8.Z CMP", "66XXXF", "v", "v,v,v").reads("Takes the second operand's component where the first one's is below zero, else the third's. Zeros of either sign and NaN are not below zero, nor is an unsigned integer.")
        ],
        "result = a < 0 ? b : c",
        "Takes the second operand's component where the first one's is below zero, else the third's. Zeros of either sign and NaN are not below zero.";
    Div "DIV" "Divide by a scalar" (Vector, Scalar) -> Vector, Free, Arithmetic,
        [
            arb_fp_nv2("3.11.5.48", RHCS),
            gpu("2.X.8.Z DIV", "66XXXF", "v", "v,s").reads("Divides each component by the one scalar: floats correctly rounded, integers towards zero. An integer divided by zero gives all ones here; the text leaves it undefined.")
        ],
        "result = a / b",
        "Divides each component by the one scalar, correctly rounded. It need not equal RCP and MUL. Zero divided by zero and infinity by infinity give NaN.";
    Dp2 "DP2" "Dot product of 2" (Vector, Vector) -> Replicated, Free, Vector,
        [
            arb_fp_nv2("3.11.5.49", RHXCS),
            gpu("2.X.8.Z DP2", "X-XXXF", "s", "v,v")
        ],
        "result.xyzw = a.x*b.x + a.y*b.y",
        "Sum of the products of x and y, in all four components. Each product and the sum are rounded to the instruction's precision (X computes exactly and rounds once).";
    Dp2a "DP2A" "Dot product of 2 and add" (Vector, Vector, Vector) -> Replicated, Free, Vector,
        [
            arb_fp_nv2("3.11.5.50", RHXCS),
            gpu("2.X.8.Z DP2A", "X-XXXF", "s", "v,v,v")
        ],
        "result.xyzw = a.x*b.x + a.y*b.y + c.x",
        "Sum of the products of x and y plus the third operand's x, in all four components. The sum runs from left to right and each step is rounded to the instruction's precision (X computes exactly and rounds once).";
    Else "ELSE" "Otherwise" () -> None, Free, Flow,
        [
            arb_fp_nv2("3.11.X.3", NONE),
            gpu("2.X.8.Z ELSE", "------", "", "")
        ],
        "go on at the ENDIF",
        "Divides an IF block. Whoever comes here has executed the part above and goes on at the ENDIF; who failed the test of the IF begins behind it."
        => "{set a} IF GT.x; MOV {r}, {a}; ELSE; MOV {r}, {b}; ENDIF;";
    Endif "ENDIF" "End of an IF block" () -> None, Free, Flow,
        [
            arb_fp_nv2("3.11.X.4", NONE),
            gpu("2.X.8.Z ENDIF", "------", "", "")
        ],
        "nothing",
        "Ends an IF block, with or without ELSE. The fragments that went separate ways go on together."
        => "MOV {r}, {b}; {set a} IF GT.x; MOV {r}, {a}; ENDIF;";
    Endloop "ENDLOOP" "End of a LOOP block" () -> None, Free, Flow,
        [
            arb_fp_nv2("3.11.X.5", NONE)
        ],
        "count -= 1; A0.x += increment; if (count > 0) go on behind the LOOP",
        "Counts one round of the LOOP block and moves the index on by the increment. Another round follows while the count is above zero."
        => "PARAM count = { 3, 0, 1, 0 }; MOV {r}, {a}; LOOP count; ADD {r}, {r}, {b}; ENDLOOP;";
    Endrep "ENDREP" "End of a REP block" () -> None, Free, Flow,
        [
            arb_fp_nv2("3.11.X.6", NONE),
            gpu("2.X.8.Z ENDREP", "------", "", "")
        ],
        "count -= 1; if (count > 0) go on behind the REP",
        "Counts one round of the REP block. Another round follows while the count is above zero."
        => "MOV {r}, {a}; {rep} ADD {r}, {r}, {b}; ENDREP;";
    If "IF" "Conditional block" (Condition) -> None, Free, Flow,
        [
            arb_fp_nv2("3.11.X.7", NONE),
            gpu("2.X.8.Z IF", "------", "", "").reads("Executes the block up to ELSE or ENDIF if the test holds for any of the four (swizzled) condition code components, otherwise what stands between ELSE and ENDIF, if there is an ELSE. Blocks nest 64 deep in one subroutine. Neighbours in the quad that stand elsewhere still count for derivatives.")
        ],
        "if (no tested condition code is true) go on behind the ELSE, or else the ENDIF",
        "Executes the block up to ELSE or ENDIF if the test holds for any of the four (swizzled) condition code components, otherwise what stands between ELSE and ENDIF, if there is an ELSE. Blocks nest 48 deep, those of callers included; one more ends the program. Neighbours in the quad that stand elsewhere still count for derivatives."
        => "{set a} IF GT.y; MOV {r}, {a}; ELSE; MOV {r}, {b}; ENDIF;";
    Loop "LOOP" "Loop with an index" (Vector) -> None, Free, Flow,
        [
            arb_fp_nv2("3.11.X.8", NONE)
        ],
        "count = floor(a.x); A0.x = floor(a.y); increment = floor(a.z); if (count <= 0) go on behind the ENDLOOP",
        "Repeats the block up to ENDLOOP as often as x says (rounded down, at most 255 times, not at all at zero or below). A0.x begins at y and grows by z each round; where it is read it counts as at least 0. The operand must be a program parameter. LOOP and REP nest four deep, those of callers included; one more ends the program."
        => "PARAM count = { 3, 0, 1, 0 }; MOV {r}, {a}; LOOP count; ADD {r}, {r}, {b}; ENDLOOP;";
    Nrm "NRM" "Normalize" (Vector) -> Vector, Free, Vector,
        [
            arb_fp_nv2("3.11.5.51", RHCS),
            gpu("2.X.8.Z NRM", "X-XXXF", "v", "v")
        ],
        "result.xyz = a / sqrt(a.x*a.x + a.y*a.y + a.z*a.z)",
        "Scales x, y and z to a vector of length 1, by the reciprocal square root of the sum of squares, each step rounded. The null vector gives NaN. w is undefined (here 0).";
    Popa "POPA" "Pop an address register" () -> Address, Free, Flow,
        [
            arb_vp_nv3("2.14.5.43").bare()
        ],
        "result = the address on top of the stack",
        "Takes an address register's four components off the stack that PUSHA and CAL share. Where the stack is empty or a return address lies on top, the program ends, and the vertex comes out as it then stands. It takes no masks."
        => "{address} ARL A0, {a}; PUSHA A0; ARL A0.x, {b}.x; MOV {r}, {table}; POPA A0; ADD {r}, {r}, {table};";
    Pusha "PUSHA" "Push an address register" (Address) -> None, Free, Flow,
        [
            arb_vp_nv3("2.14.5.44").bare()
        ],
        "put a on the stack",
        "Puts an address register's four components on the stack that CAL uses too. With four entries on it the program ends, and the vertex comes out as it then stands."
        => "{address} ARL A0, {a}; PUSHA A0; ARL A0.x, {b}.x; MOV {r}, {table}; POPA A0; ADD {r}, {r}, {table};";
    Rep "REP" "Loop" (Vector) -> None, Free, Flow,
        [
            arb_fp_nv2("3.11.X.9", NONE),
            gpu("2.X.8.Z REP", "66--XF", "", "v").takes(&[OperandKind::OptionalVector]).computes("count = floor(a.x); if (count <= 0) go on behind the ENDREP").reads("Repeats the block up to ENDREP as often as x says (rounded down, not at all at zero or below), or without an operand until BRK or RET leaves it. REP blocks nest 64 deep in one subroutine.")
        ],
        "count = floor(a.x); if (count <= 0) go on behind the ENDREP",
        "Repeats the block up to ENDREP as often as x says (rounded down, at most 255 times, not at all at zero or below). The operand must be a program parameter. LOOP and REP nest four deep, those of callers included; one more ends the program."
        => "MOV {r}, {a}; {rep} ADD {r}, {r}, {b}; ENDREP;";
    Scs "SCS" "Sine and cosine" (Scalar) -> Vector, Free, Function,
        [
            arb_fp_before_nv2("3.11.5.23"),
            arb_fp_late("3.11.5.23", RHCS),
            gpu("2.X.8.Z SCS", "X-XXXF", "v", "s")
        ],
        "result.xy = (cos(a), sin(a))",
        "Cosine in x and sine in y of an angle in radians between -PI and PI. Other angles are undefined by the text; here they are computed all the same. z and w are undefined (here 0).";
    Swz "SWZ" "Extended swizzle" (ExtendedSwizzle) -> Vector, Free, Arithmetic,
        [
            arb_fp_before_nv2("3.11.5.28"),
            arb_fp_late("3.11.5.28", RHCS),
            arb_vp("2.14.5.26"),
            gpu("2.X.8.Z SWZ", "X-XXXF", "v", "v")
        ],
        "result = a; where each component of a is x, y, z or w of the register, 0 or 1, with either sign",
        "Each component of the result is any component of the operand, 0 or 1, with a sign of its own."
        => "SWZ {r}, {a}, y, -x, 1, 0;";
    Txb "TXB" "Texture lookup with bias" (Vector, TextureImage) -> Vector, TakesW, Texture,
        [
            arb_fp("3.11.6.3", CS),
            arb_vp_nv3("2.14.5.46").reads("Like TEX, with w added to the level of detail, which is zero for vertices: the same as TXL up to where the bias is clamped."),
            gpu_tex("2.X.8.Z TXB", "XXXX-F", "v", "vf").reads("Like TEX, with w added to the level of detail besides the bias of texture and unit. The three together are clamped. It has no coordinates for SHADOWCUBE and SHADOWARRAY2D.")
        ],
        "result = texture(unit, a.xyz, bias = a.w)",
        "Like TEX, with w added to the level of detail besides the bias of texture and unit. The three together are clamped.";
    Txl "TXL" "Texture lookup at a level" (Vector, TextureImage) -> Vector, TakesW, Texture,
        [
            arb_fp_nv2("3.11.6.6", CS),
            arb_vp_nv3("2.14.5.47").reads("Filtered lookup at (s,t,r) = x, y, z with the level of detail that w gives, to which the bias of texture and unit is added."),
            gpu_tex("2.X.8.Z TXL", "XXXX-F", "v", "vf").reads("Filtered lookup at (s,t,r) = x, y, z with the level of detail that w gives, to which the bias of texture and unit is added. It does not depend on neighbours, so it is right in divergent flow too. It has no coordinates for SHADOWCUBE and SHADOWARRAY2D.")
        ],
        "result = texture(unit, a.xyz, level = a.w)",
        "Filtered lookup at (s,t,r) = x, y, z with the level of detail that w gives, to which the bias of texture and unit is added. It does not depend on neighbours, so it is right in divergent flow too.";
    Txf "TXF" "Texel fetch" (Vector, TextureImage) -> Vector, Fetches, Texture,
        [gpu_tex("2.X.8.Z TXF", "XXXX-F", "v", "vi")],
        "result = texel (a.x, a.y, a.z) of level a.w of the texture",
        "Reads one texel without filter and wrap modes. The operand holds signed integers: the texel's place along each axis that the target has, and in w the level, counted from the base level. Levels above the base level need a minification filter with mipmaps. Outside the image or the levels the result is undefined (here 0). CUBE and SHADOW targets are not taken.";
    Txfms "TXFMS" "Multisample texel fetch" (Vector, TextureImage) -> Vector, FetchesSamples, Texture,
        [gpu_tex("2.X.4.4", "XXXX-F", "v", "vi").of("NV_texture_multisample")],
        "result = sample a.w of texel (a.x, a.y, a.z) of the texture",
        "Reads one sample of a texel of a multisample texture. The operand holds signed integers: the texel's place in x and y, the layer of ARRAY2DMS in z, and in w the number of the sample, which is where GetMultisamplefv says. Outside the image and for a sample that there is not the result is undefined (here 0). It comes with the options NV_texture_multisample (targets 2DMS and ARRAY2DMS) and NV_explicit_multisample (RENDERBUFFER).";
    Txq "TXQ" "Texture size query" (Vector, TextureImage) -> Vector, Queries, Texture,
        [gpu_tex("2.X.8.Z TXQ", "-----S", "vi", "vi")],
        "result = (width, height, depth) of level a.x of the texture",
        "Integers: the size of the level that x, a signed integer counted from the base level, says, along as many axes as the target has. The other components, and all of them for a level that there is not, are undefined (here 0).";
    Txg "TXG" "Texture gather" (Vector, TextureImage) -> Vector, Gathers, Texture,
        [gpu5_tex("2.X.8.Z TXG", "XXXX-F", "v", "vf")],
        "result = component of the texels (i0,j1), (i1,j1), (i1,j0), (i0,j0) at a",
        "One component of the four texels of the base level that a LINEAR filter would blend: x has the upper left one, y the upper right, z the lower right, w the lower left. A letter behind the unit says which component, x without one. SHADOW targets give 1 for each texel that passes the comparison, else 0.";
    Txgo "TXGO" "Texture gather with offsets" (Vector, Vector, Vector, TextureImage) -> Vector, GathersApart, Texture,
        [gpu5_tex("2.X.8.Z TXGO", "XXXX-F", "v", "vf,vi,vi")],
        "result = component of four texels at a, moved by b and c",
        "Like TXG, with an offset in texels of its own for each of the four: signed integers from -32 to 31, the second operand along s, the third along t. They are added to the lower left one of the texels that LINEAR would blend. Outside these limits, or where the texture wraps with CLAMP, the result is undefined (here 0).";
    Lod "LOD" "Level of detail" (Vector, TextureImage) -> Vector, QueriesLevel, Texture,
        [gpu5_tex("2.X.8.Z LOD", "X-XX-F", "v", "vf")],
        "result = (level of detail at a with clamps, without them)",
        "What level of detail TEX would have: in x the level, counted from the base level, that the minification filter works with; in y the same before it is clamped and rounded. z and w are undefined (here 0).";
    Xpd "XPD" "Cross product" (Vector, Vector) -> Vector, Free, Vector,
        [
            arb_fp_before_nv2("3.11.5.29"),
            arb_fp_late("3.11.5.29", RHCS),
            arb_vp("2.14.5.27"),
            gpu("2.X.8.Z XPD", "X-XXXF", "v", "v,v")
        ],
        "result.xyz = (a.y*b.z - a.z*b.y, a.z*b.x - a.x*b.z, a.x*b.y - a.y*b.x)",
        "The vector at right angles to the first three components of both operands. Each product and difference is rounded. w is undefined (here 0).";
    And "AND" "Bitwise and" (Vector, Vector) -> Vector, Free, Bits,
        [
            gpu("2.X.8.Z AND", "-6X--S", "v", "v,v")
        ],
        "result = a & b",
        "The bits that both operands have set, component by component.";
    Bfe "BFE" "Bit field extract" (Vector, Vector) -> Vector, Free, Bits,
        [
            gpu5("2.X.8.Z BFE", "-XX--S", "v", "v,v")
        ],
        "result = bits a.y to a.y + a.x - 1 of b",
        "Takes a.x bits of each component of b, from bit a.y on, and moves them down to bit 0. With S the highest of them is the sign and fills the rest, with U zeros do. No bits give 0; a field that is not wholly within the 32 bits is undefined (here 0).";
    Bfi "BFI" "Bit field insert" (Vector, Vector, Vector) -> Vector, Free, Bits,
        [
            gpu5("2.X.8.Z BFI", "-XX--S", "v", "v,v,v")
        ],
        "result = c with bits a.y to a.y + a.x - 1 replaced by the lowest a.x bits of b",
        "Replaces a.x bits of each component of c, from bit a.y on, by the lowest bits of b's component. A field that is not wholly within the 32 bits is undefined (here 0).";
    Bfr "BFR" "Bit field reverse" (Vector) -> Vector, Free, Bits,
        [
            gpu5("2.X.8.Z BFR", "-XX--S", "v", "v")
        ],
        "result = the bits of a from the last to the first",
        "Turns the order of the 32 bits of each component round: the lowest becomes the highest.";
    Btc "BTC" "Bit count" (Vector) -> Vector, Free, Bits,
        [
            gpu5("2.X.8.Z BTC", "-XX--S", "v", "v")
        ],
        "result = number of bits set in a",
        "Counts the bits that are set in each component.";
    Btfl "BTFL" "Find the lowest bit" (Vector) -> Vector, Free, Bits,
        [
            gpu5("2.X.8.Z BTFL", "-XX--S", "v", "v")
        ],
        "result = number of the lowest bit set in a, all ones for 0",
        "The number of the lowest bit that is set in each component, 0 to 31. Of 0 all bits are ones: -1 for signed integers.";
    Btfm "BTFM" "Find the highest bit" (Vector) -> Vector, Free, Bits,
        [
            gpu5("2.X.8.Z BTFM", "-XX--S", "v", "v")
        ],
        "result = number of the highest bit of a that is not the sign, all ones if there is none",
        "The number of the highest bit that is set in each component; of a signed integer below zero that of the highest bit that is not set. Where there is none, which is of 0 and of -1, all bits are ones.";
    Ceil "CEIL" "Ceiling" (Vector) -> Vector, Free, Arithmetic,
        [
            gpu("2.X.8.Z CEIL", "66XXXF", "v", "vf")
        ],
        "result = ceil(a)",
        "The smallest whole number not below each component: -1.7 gives -1 and 3.7 gives 4. The operand is a float; S and U make an integer of the result, of which the lowest bits are kept where it is too large.";
    Cont "CONT" "Next round of the loop" (BranchCondition) -> None, Free, Flow,
        [
            gpu("2.X.8.Z CONT", "------", "", "")
        ],
        "if (any tested condition code is true) go on at the ENDREP",
        "Ends the round of the innermost REP block if the test holds for any of the four (swizzled) condition code components, or always where no test is written. It must stand inside such a block of the same subroutine."
        => "MOV {r}, {b}; {rep} {set r} CONT (GT.x); ADD {r}, {r}, {a}; ENDREP;";
    Cvt "CVT" "Convert" (Vector) -> Vector, NoSigns, Arithmetic,
        [
            gpu5("2.X.8.Z CVT", "--XX--", "v", "v").converts()
        ],
        "result = convert(a)",
        "Reads each component as the second of the two formats and writes the same value as the first. What that does not have is rounded as ROUND (the default), CEIL, FLR or TRUNC says, numbers to a number; integers that are too large keep their lowest bits, or with SAT become the nearest there is. NaN gives the integer 0, an infinity the end of the integers."
        => "INT TEMP whole; CVT.S32.F32.FLR whole, {a}; I2F.S {r}, whole;";
    I2f "I2F" "Integer to float" (Vector) -> Vector, Free, Arithmetic,
        [
            gpu("2.X.8.Z I2F", "-6X--S", "vf", "v")
        ],
        "result = float(a)",
        "The float nearest to each integer component, the even one of two.";
    Ipac "IPAC" "Interpolate at the centroid" (Vector) -> Vector, Evaluates, Interpolation,
        [
            gpu5_fp("2.X.8.Z IPAC", "X-XX-F", "v", "v")
        ],
        "result = attribute a at the centroid",
        "What the attribute is at the centroid, a place of the pixel that the primitive covers, whether its variable is declared CENTROID, SAMPLE or neither. FLAT and NOPERSPECTIVE hold as declared. With one sample a pixel the centroid is the centre, so the result is that of MOV. Swizzle and signs are applied to the interpolated value."
        => "IPAC {r}, {attribute};";
    Ipao "IPAO" "Interpolate at an offset" (Vector, Vector) -> Vector, Evaluates, Interpolation,
        [
            gpu5_fp("2.X.8.Z IPAO", "X-XX-F", "v", "v,v")
        ],
        "result = attribute a at the centre of the pixel + (b.x, b.y)",
        "What the attribute is (b.x, b.y) pixels right of and above the centre of the pixel, with perspective correction unless its variable is declared NOPERSPECTIVE. One that is FLAT is the same everywhere; CENTROID and SAMPLE do not matter. Offsets are rounded to 1024ths of a pixel. From -0.5 to 0.5 they are defined; beyond that the result is undefined (here 0). Swizzle and signs are applied to the interpolated value."
        => "IPAO {r}, {attribute}, {b}.x;";
    Ipas "IPAS" "Interpolate at a sample" (Vector, Scalar) -> Vector, Evaluates, Interpolation,
        [
            gpu5_fp("2.X.8.Z IPAS", "X-XX-F", "v", "v,su")
        ],
        "result = attribute a at sample b of the pixel",
        "What the attribute is at the sample with this number, an integer, whether its variable is declared CENTROID, SAMPLE or neither. FLAT and NOPERSPECTIVE hold as declared. Without a multisample buffer that is the centre of the pixel, whatever the number, so the result is that of MOV. Swizzle and signs are applied to the interpolated value."
        => "IPAS {r}, {attribute}, 0;";
    Mod "MOD" "Modulus by a scalar" (Vector, Scalar) -> Vector, Free, Arithmetic,
        [
            gpu("2.X.8.Z MOD", "-6X--S", "v", "v,s")
        ],
        "result = a % b",
        "What is left of each integer component when it is divided by the one scalar. The text leaves operands below zero and a divisor of zero undefined; here the result has the sign of the dividend, and by zero it is the dividend.";
    MulHi "MUL.HI" "High half of a product" (Vector, Vector) -> Vector, Free, Arithmetic,
        [
            gpu("2.X.8.Z MUL", "-XX---", "v", "v,v")
        ],
        "result = (a * b) >> 32",
        "The upper 32 bits of the 64-bit product of two integers, signed or unsigned.";
    Not "NOT" "Bitwise not" (Vector) -> Vector, Free, Bits,
        [
            gpu("2.X.8.Z NOT", "-6X--S", "v", "v")
        ],
        "result = ~a",
        "The bits that the operand has not set, component by component.";
    Or "OR" "Bitwise or" (Vector, Vector) -> Vector, Free, Bits,
        [
            gpu("2.X.8.Z OR", "-6X--S", "v", "v,v")
        ],
        "result = a | b",
        "The bits that either operand has set, component by component.";
    Pk64 "PK64" "Pack two words" (Vector) -> Vector, LongDestination, Pack,
        [
            gpu5("2.X.8.Z PK64", "XX---F", "v", "v")
        ],
        "result.xz = a.x | a.y << 32; result.yw = a.z | a.w << 32",
        "Puts the bits of pairs of 32-bit components together into 64-bit ones, which UP64 takes apart again."
        => "LONG TEMP pair; PK64 pair, {a}; UP64 {r}, pair;";
    Round "ROUND" "Round to nearest" (Vector) -> Vector, Free, Arithmetic,
        [
            gpu("2.X.8.Z ROUND", "66XXXF", "v", "vf")
        ],
        "result = round(a)",
        "The whole number nearest to each component, the even one of two: -1.7 gives -2 and 2.5 gives 2. The operand is a float; S and U make an integer of the result, of which the lowest bits are kept where it is too large.";
    Sad "SAD" "Sum of absolute differences" (Vector, Vector, Vector) -> Vector, Free, Arithmetic,
        [
            gpu("2.X.8.Z SAD", "-6X--S", "vu", "v,v,vu")
        ],
        "result = |a - b| + c",
        "Adds the distance between the first two integer operands, signed or unsigned, to the third one. That and the result are unsigned in any case.";
    Shl "SHL" "Shift left" (Vector, Scalar) -> Vector, Free, Bits,
        [
            gpu("2.X.8.Z SHL", "-6X--S", "v", "v,s")
        ],
        "result = a << b",
        "Moves the bits of each component up by the one scalar; zeros come in. A count below 0 or not below the number of bits is undefined by the text; here it gives 0.";
    Shr "SHR" "Shift right" (Vector, Scalar) -> Vector, Free, Bits,
        [
            gpu("2.X.8.Z SHR", "-6X--S", "v", "v,s")
        ],
        "result = a >> b",
        "Moves the bits of each component down by the one scalar. With S the sign comes in, with U zeros do. A count below 0 or not below the number of bits is undefined by the text; here nothing is left but what comes in.";
    Tgall "TGALL" "Test all of a thread group" (Vector) -> Vector, Free, Group,
        [
            gpu5("2.X.8.Z TGALL", "XXXX-F", "v", "v")
        ],
        "result = a is not zero in all active invocations of the group",
        "True in each component that is other than zero in all the invocations that execute the instruction together: those of the 2x2 quad of a fragment, elsewhere the invocation alone. True is 1.0, -1 or all ones as the type is, false is 0.";
    Tgany "TGANY" "Test any of a thread group" (Vector) -> Vector, Free, Group,
        [
            gpu5("2.X.8.Z TGANY", "XXXX-F", "v", "v")
        ],
        "result = a is not zero in any active invocation of the group",
        "True in each component that is not zero in one or more of the invocations that execute the instruction together: those of the 2x2 quad of a fragment, elsewhere the invocation alone. True is 1.0, -1 or all ones as the type is, false is 0.";
    Tgeq "TGEQ" "Test a thread group for equality" (Vector) -> Vector, Free, Group,
        [
            gpu5("2.X.8.Z TGEQ", "XXXX-F", "v", "v")
        ],
        "result = a is the same in all active invocations of the group",
        "True in each component that has one value in all the invocations that execute the instruction together: those of the 2x2 quad of a fragment, elsewhere the invocation alone. True is 1.0, -1 or all ones as the type is, false is 0.";
    Trunc "TRUNC" "Round toward zero" (Vector) -> Vector, Free, Arithmetic,
        [
            gpu("2.X.8.Z TRUNC", "66XXXF", "v", "vf")
        ],
        "result = trunc(a)",
        "The whole part of each component: -1.7 gives -1 and 3.7 gives 3. The operand is a float; S and U make an integer of the result, of which the lowest bits are kept where it is too large.";
    Up64 "UP64" "Unpack two words" (Vector) -> Vector, LongSource, Pack,
        [
            gpu5("2.X.8.Z UP64", "XXXX-F", "v", "v")
        ],
        "result = (a.x & 0xFFFFFFFF, a.x >> 32, a.y & 0xFFFFFFFF, a.y >> 32)",
        "Takes the bits of the first two 64-bit components apart into four 32-bit ones, the low half of each first. PK64 puts them together again."
        => "LONG TEMP pair; PK64 pair, {a}; UP64 {r}, pair;";
    Xor "XOR" "Bitwise exclusive or" (Vector, Vector) -> Vector, Free, Bits,
        [
            gpu("2.X.8.Z XOR", "-6X--S", "v", "v,v")
        ],
        "result = a ^ b",
        "The bits that one of the operands has set and the other has not, component by component.";
    Ldc "LDC" "Load from a parameter buffer" (Vector) -> Vector, Free, Memory,
        [
            memory("2.X.8.Z LDC", "--XX--", "v", "v").extended(),
            memory4("2.X.8.Z LDC", "--XX--", "v", "v").of("NV_parameter_buffer_object2")
        ],
        "result = components at a",
        "Reads components of the type and number that the storage modifier says from a program parameter buffer, at the byte that the index of the CBUFFER variable says. Components that the modifier does not have are 0. Swizzle and signs are applied to what was read. The byte must be a multiple of the size of what is read. Components outside the buffer read 0."
        => "CBUFFER block[] = { program.buffer[0] }; LDC.F32X4 {r}, block[0];";
    Load "LOAD" "Load from memory" (Scalar) -> Vector, Free, Memory,
        [
            memory("2.X.8.Z LOAD", "--XX--", "v", "su").extended().caches(),
            memory4("2.X.8.Z LOAD", "--XX--", "v", "su").of("NV_shader_buffer_load")
        ],
        "result = components at address a",
        "Reads components of the type and number that the storage modifier says from the address in the operand, an unsigned integer of 64 bits. Components that the modifier does not have are 0. The address must be a multiple of the size of what is read and lie in a buffer that is resident for reading; whatever it does not hold reads 0."
        => "{pointer} LOAD.F32X4 {r}, {at};";
    Store "STORE" "Store to memory" (Vector, Scalar) -> None, Free, Memory,
        [
            memory("2.X.8.Z STORE", "------", "", "v,su").extended().caches()
        ],
        "components at address b = a",
        "Writes components of the type and number that the storage modifier says to the address in the second operand, an unsigned integer of 64 bits. The address must be a multiple of the size of what is written, and all of it must lie in a buffer that is resident for writing; otherwise nothing is stored. Each invocation stores once, helpers and discarded fragments never."
        => "{pointer} STORE.F32X4 {a}, {at}; MOV {r}, {a};";
    Atom "ATOM" "Atomic memory operation" (Vector, Scalar) -> Vector, Free, Memory,
        [
            memory("2.X.8.Z ATOM", "--X---", "s", "v,su").atomic()
        ],
        "result.x = value at address b; value at address b = operation(value, a)",
        "Reads one value from the address in the second operand, combines it with x of the first (CSWAP: stores y where the value equals x) and writes it back, with nobody else in between. The result is what memory held before, in x; y, z and w are undefined (here 0). The address must be a multiple of the size of the value and lie in a buffer that is resident for reading and writing. Helpers and discarded fragments change nothing and get 0."
        => "UINT TEMP before; {pointer} ATOM.ADD.U32 before.x, {3, 0, 0, 0}, {at}; I2F.U {r}, before.x;";
    Loadim "LOADIM" "Image load" (Vector, ImageUnit, ImageTarget) -> Vector, Free, Memory,
        [
            image("2.X.8.Z LOADIM", "--X---", "v", "vi").storing().caches()
        ],
        "result = bits of texel a of the image",
        "Reads the texel of the image on the unit whose place the operand says: signed integers along as many axes as the target has, z the layer or face, and w the sample of multisample targets. The bits are not converted: the storage modifier says what they are, and must have the size of the format that the unit has. Components that the modifier does not have are 0, 0 and 1. A texel that there is not, and an image that cannot be read so, gives 0."
        => "LOADIM.F32 {r}, {1, 1}, image[0], 2D;";
    Storeim "STOREIM" "Image store" (ImageUnit, Vector, Vector, ImageTarget) -> None, Free, Memory,
        [
            image("2.X.8.Z STOREIM", "-----F", "", "v,vi").storing().caches().converting()
        ],
        "texel b of the image = a",
        "Writes the first operand to the texel of the image on the unit whose place the second one says, signed integers. With F, S or U, or without a modifier, the values are converted to the format of the unit; a storage modifier stores the bits as they are and must have the size of the format. What does not fit, and a texel that there is not, stores nothing. Each invocation stores once, helpers and discarded fragments never."
        => "STOREIM.F32 image[0], {a}, {1, 1}, 2D; MOV {r}, {a};";
    Atomim "ATOMIM" "Atomic image operation" (Vector, Vector, ImageUnit, ImageTarget) -> Vector, Free, Memory,
        [
            image("2.X.8.Z ATOMIM", "--X---", "s", "v,vi").atomic32()
        ],
        "result.x = texel b of the image; texel b = operation(texel b, a)",
        "Reads the texel of the image on the unit whose place the second operand says, combines it with x of the first (CSWAP: stores y where the texel equals x) and writes it back, with nobody else in between. The unit has a format of 32 bits a texel. The result is what was there before, in x; y, z and w are undefined (here 0). Helpers and discarded fragments change nothing and get 0."
        => "UINT TEMP before; ATOMIM.ADD.U32 before.x, {3, 0, 0, 0}, {1, 1}, image[0], 2D; I2F.U {r}, before.x;";
    Membar "MEMBAR" "Memory barrier" () -> None, Free, Memory,
        [
            gpu5("2.X.8.Z MEMBAR", "------", "", "").bare()
        ],
        "nothing",
        "Has all that the invocation has read and written in memory done before what it reads and writes from here on."
        => "{pointer} STORE.F32X4 {a}, {at}; MEMBAR; LOAD.F32X4 {r}, {at};";
    Emit "EMIT" "Emit a vertex" () -> None, Free, Emit,
        [
            gpu_gp("2.X.8.Z EMIT", "------", "", "").bare()
        ],
        "vertex = results; results = undefined",
        "Adds a vertex to the primitive that is being made, with what the results hold. The results are undefined then, so each has to be written again for the next vertex. Vertices beyond the declared number are not emitted."
        => "MOV {r}, {a};";
    Emits "EMITS" "Emit a vertex to a stream" (Scalar) -> None, Free, Emit,
        [
            gpu5_gp("2.X.8.Z EMITS", "-X---S", "", "s")
        ],
        "vertex of stream a = results; results = undefined",
        "Adds a vertex to the vertex stream that the operand, a signed integer, says, with what the results hold. The results are undefined then. A stream that there is not gets nothing."
        => "MOV {r}, {a}; {write} {results} EMITS 0;";
    Endprim "ENDPRIM" "End the primitive" () -> None, Free, Emit,
        [
            gpu_gp("2.X.8.Z ENDPRIM", "------", "", "").bare()
        ],
        "begin a new primitive",
        "Ends the primitive that is being made and begins another of the same type. It emits no vertex, and the results stay as they are."
        => "MOV {r}, {a}; {write} ENDPRIM;";
}
