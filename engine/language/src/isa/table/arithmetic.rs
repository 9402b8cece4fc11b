//! Rows of the instruction table: arithmetic and moves. [`super`] turns the rows into the table.

macro_rules! arithmetic {
    (($next:path) $($rest:tt)*) => {
        $next! { $($rest)*
        Abs "ABS" "Absolute value" (Vector) -> Vector, Free, Arithmetic,
            Computes(each(Kernel::Magnitude, EACH_1)), [
                vp1_1("2.14.3.1").only(Languages::VP1_1.without(Languages::VP2)).reads("Clears the sign of each component. NaN stays NaN."),
                vp2("2.14.3.1"),
                arb_fp_plain("3.11.5.1").reads("Clears the sign of each component. NaN stays NaN. With OPTION NV_fragment_program any operand can be written |a| instead."),
                arb_fp_from_nv1("3.11.5.1", RHXCS),
                arb_vp_plain("2.14.5.1").reads("Clears the sign of each component. NaN stays NaN. With OPTION NV_vertex_program2 any operand can be written |a| instead."),
                arb_vp_from_nv2("2.14.5.1"),
                gpu("2.X.8.Z ABS", "66XXXF", "v", "v")
            ],
            "result = |a|",
            "Clears the sign of each component. NaN stays NaN. Any operand can be written |a| instead.";
        Add "ADD" "Add" (Vector, Vector) -> Vector, Free, Arithmetic,
            Computes(each(Kernel::Add, EACH_2)), [
                fp1("3.11.5.1", RHXCS),
                vp1("2.14.3.2"),
                arb_fp("3.11.5.2", RHXCS),
                arb_vp("2.14.5.2"),
                gpu("2.X.8.Z ADD", "66XXXF", "v", "v,v").reads("Adds two vectors component by component. Infinities of opposite sign give NaN, and a NaN operand gives NaN. Integer sums keep their low bits; carry and overflow go to the condition code.")
            ],
            "result = a + b",
            "Adds two vectors component by component. The order of the operands does not matter. Infinities of opposite sign give NaN, and a NaN operand gives NaN.";
        Flr "FLR" "Floor" (Vector) -> Vector, Free, Arithmetic,
            Computes(each(Kernel::Floor, EACH_1)), [
                fp1("3.11.5.9", RHXCS),
                vp2("2.14.3.15"),
                arb_fp("3.11.5.10", RHXCS),
                arb_vp("2.14.5.10"),
                gpu("2.X.8.Z FLR", "66XXXF", "v", "vf").reads("Rounds each component down to a whole number: 2.3 gives 2 and -3.6 gives -4. The operand is a float. With S or U the result is an integer, and one that is too large keeps its low bits.")
            ],
            "result = floor(a)",
            "Rounds each component down to a whole number: 2.3 gives 2.0 and -3.6 gives -4.0. Zeros and infinities keep their sign.";
        Frc "FRC" "Fraction" (Vector) -> Vector, Free, Arithmetic,
            Computes(each(Kernel::Fraction, EACH_1)), [
                fp1("3.11.5.10", RHXCS),
                vp2("2.14.3.16"),
                arb_fp("3.11.5.11", RHXCS),
                arb_vp("2.14.5.11"),
                gpu("2.X.8.Z FRC", "6-XXXF", "v", "v")
            ],
            "result = a - floor(a)",
            "Computes the fraction of each component: the component minus its floor, in [0, 1). The fraction of -1.7 is therefore 0.3. Infinities give NaN.";
        Lrp "LRP" "Linear interpolation" (Vector, Vector, Vector) -> Vector, Free, Arithmetic,
            Computes(each(Kernel::Lrp, EACH_3)), [
                fp1("3.11.5.14", RHXCS),
                arb_fp("3.11.5.14", RHXCS),
                gpu("2.X.8.Z LRP", "X-XXXF", "v", "v,v,v")
            ],
            "result = a*b + (1 - a)*c",
            "Blends between the third operand (weight 0) and the second (weight 1). The first operand is the weight. Note the order: weight 1 selects the colour that comes first.";
        Mad "MAD" "Multiply and add" (Vector, Vector, Vector) -> Vector, Free, Arithmetic,
            Computes(each(Kernel::Mad, EACH_3)), [
                fp1("3.11.5.15", RHXCS),
                vp1("2.14.3.20"),
                arb_fp("3.11.5.15", RHXCS),
                arb_vp("2.14.5.15"),
                gpu("2.X.8.Z MAD", "66XXXF", "v", "v,v,v").reads("Multiplies the first two operands, rounds, then adds the third and rounds again. The operation is never fused. Integer results keep their low bits.")
            ],
            "result = a*b + c",
            "Multiplies the first two operands, rounds, then adds the third and rounds again. The operation is never fused."
            readings [Reading::new(EVERYWHERE, "MAD is a multiply and an add, each rounded, and never fused.")];
        Max "MAX" "Maximum" (Vector, Vector) -> Vector, Free, Arithmetic,
            Computes(each(Kernel::Max, EACH_2)), [
                fp1("3.11.5.16", RHXCS),
                vp1("2.14.3.21"),
                arb_fp("3.11.5.16", RHXCS),
                arb_vp("2.14.5.16"),
                gpu("2.X.8.Z MAX", "66XXXF", "v", "v,v")
            ],
            "result = max(a, b)",
            "Selects the larger of the two operands, component by component. A NaN in either operand gives NaN. +0.0 counts as larger than -0.0, so the order of the operands does not matter."
            readings [NAN_EITHER];
        Min "MIN" "Minimum" (Vector, Vector) -> Vector, Free, Arithmetic,
            Computes(each(Kernel::Min, EACH_2)), [
                fp1("3.11.5.17", RHXCS),
                vp1("2.14.3.22"),
                arb_fp("3.11.5.17", RHXCS),
                arb_vp("2.14.5.17"),
                gpu("2.X.8.Z MIN", "66XXXF", "v", "v,v")
            ],
            "result = min(a, b)",
            "Selects the smaller of the two operands, component by component. A NaN in either operand gives NaN. -0.0 counts as smaller than +0.0, so the order of the operands does not matter."
            readings [NAN_EITHER];
        Mov "MOV" "Move" (Vector) -> Vector, Free, Arithmetic,
            Computes(|semantics| each(moved(semantics), EACH_1)), [
                fp1("3.11.5.18", RHXCS),
                vp1("2.14.3.23").reads("Copies the operand."),
                arb_fp_plain("3.11.5.18").reads("Copies the operand."),
                arb_fp_from_nv1("3.11.5.18", RHXCS).reads("Copies the operand. The value is converted to the instruction's precision, then to the destination's."),
                arb_vp("2.14.5.18").reads("Copies the operand."),
                gpu("2.X.8.Z MOV", "66XXXF", "v", "v").reads("Copies the bits of the operand.")
            ],
            "result = a",
            "Copies the operand. The value is converted to the instruction's precision, then to the destination's. MOVC to RC or HC sets the condition code without changing a register.";
        Mul "MUL" "Multiply" (Vector, Vector) -> Vector, Free, Arithmetic,
            Computes(each(Kernel::Mul, EACH_2)), [
                fp1("3.11.5.19", RHXCS),
                vp1("2.14.3.24"),
                arb_fp("3.11.5.19", RHXCS),
                arb_vp("2.14.5.19"),
                gpu("2.X.8.Z MUL", "66XXXF", "v", "v,v").also(&[Modifier::Data(DataType::S24), Modifier::Data(DataType::U24)]).reads("Multiplies two vectors component by component. Zero times infinity gives NaN. Integer products keep their low half, or with HI (S or U) their high half. S24 and U24 multiply the low 24 bits of each operand.")
            ],
            "result = a * b",
            "Multiplies two vectors component by component. Zero times infinity gives NaN. Zeros and infinities take the sign of the product.";
        Ssg "SSG" "Set sign" (Vector) -> Vector, Free, Arithmetic,
            Computes(each(Kernel::SetSign, EACH_1)), [
                vp2("2.14.3.37"),
                arb_vp_nv2("2.14.5.41"),
                gpu("2.X.8.Z SSG", "6-XXXF", "v", "v")
            ],
            "result = a > 0 ? 1.0 : a < 0 ? -1.0 : 0.0; where NaN gives NaN",
            "Returns the sign of each component: 1.0 for positive, -1.0 for negative, 0.0 for either zero. NaN stays NaN.";
        Sub "SUB" "Subtract" (Vector, Vector) -> Vector, Free, Arithmetic,
            Computes(each(Kernel::Sub, EACH_2)), [
                fp1("3.11.5.37", RHXCS),
                vp1_1("2.14.3.39"),
                arb_fp("3.11.5.27", RHXCS),
                arb_vp("2.14.5.25"),
                gpu("2.X.8.Z SUB", "66XXXF", "v", "v,v").reads("Subtracts the second operand from the first. Integer differences keep their low bits; the carry flag is set if there was no borrow.")
            ],
            "result = a - b",
            "Subtracts the second operand from the first. It equals ADD with the second operand negated.";
        Div "DIV" "Divide by a scalar" (Vector, Scalar) -> Vector, Free, Arithmetic,
            Computes(each(Kernel::Div, BY_SCALAR)), [
                arb_fp_nv2("3.11.5.48", RHCS),
                gpu("2.X.8.Z DIV", "66XXXF", "v", "v,s").reads("Divides each component by one scalar. Float results are correctly rounded; integer results are rounded towards zero. The specification leaves integer division by zero undefined. In Shadestep it gives all ones.")
            ],
            "result = a / b",
            "Divides each component by one scalar, correctly rounded. The result can differ from RCP followed by MUL. Zero divided by zero and infinity divided by infinity give NaN.";
        Swz "SWZ" "Extended swizzle" (ExtendedSwizzle) -> Vector, Free, Arithmetic,
            Computes(|semantics| each(moved(semantics), EACH_1)), [
                arb_fp_before_nv2("3.11.5.28"),
                arb_fp_late("3.11.5.28", RHCS),
                arb_vp("2.14.5.26"),
                gpu("2.X.8.Z SWZ", "X-XXXF", "v", "v")
            ],
            "result = a; where each component of a is x, y, z or w of the register, 0 or 1, with either sign",
            "Builds the result from any components of the operand and the constants 0 and 1, each with its own sign."
            => "SWZ {r}, {a}, y, -x, 1, 0;";
        Ceil "CEIL" "Ceiling" (Vector) -> Vector, Free, Arithmetic,
            Computes(each(Kernel::Ceil, EACH_1)), [
                gpu("2.X.8.Z CEIL", "66XXXF", "v", "vf")
            ],
            "result = ceil(a)",
            "Rounds each component up to a whole number: -1.7 gives -1 and 3.7 gives 4. The operand is a float. With S or U the result is an integer, and one that is too large keeps its low bits.";
        Cvt "CVT" "Convert" (Vector) -> Vector, NoSigns, Arithmetic,
            Converts, [
                gpu5("2.X.8.Z CVT", "--XX--", "v", "v").converts()
            ],
            "result = convert(a)",
            "Converts each component from the second format in the name to the first. ROUND (the default), CEIL, FLR or TRUNC chooses how to round a value that the new format cannot hold exactly. An integer that is too large keeps its low bits, or with SAT becomes the nearest integer of the format. The specification leaves NaN and infinities undefined for integers. In Shadestep NaN gives 0 and an infinity gives the nearest end of the integer range."
            => "INT TEMP whole; CVT.S32.F32.FLR whole, {a}; I2F.S {r}, whole;";
        I2f "I2F" "Integer to float" (Vector) -> Vector, Free, Arithmetic,
            Computes(each(Kernel::FloatFrom, EACH_1)), [
                gpu("2.X.8.Z I2F", "-6X--S", "vf", "v")
            ],
            "result = float(a)",
            "Converts each integer component to the nearest float. Ties go to the even one.";
        Mod "MOD" "Modulus by a scalar" (Vector, Scalar) -> Vector, Free, Arithmetic,
            Computes(each(Kernel::Mod, BY_SCALAR)), [
                gpu("2.X.8.Z MOD", "-6X--S", "v", "v,s")
            ],
            "result = a % b",
            "Computes the remainder of dividing each integer component by one scalar. The specification leaves negative operands and a zero divisor undefined. In Shadestep the remainder has the sign of the dividend, and a zero divisor gives the dividend.";
        MulHi "MUL.HI" "High half of a product" (Vector, Vector) -> Vector, Free, Arithmetic,
            Computes(each(Kernel::MulHigh, EACH_2)), [
                gpu("2.X.8.Z MUL", "-XX---", "v", "v,v")
            ],
            "result = (a * b) >> 32",
            "Multiplies two integers, signed or unsigned, and keeps the high 32 bits of the 64-bit product.";
        Round "ROUND" "Round to nearest" (Vector) -> Vector, Free, Arithmetic,
            Computes(each(Kernel::Round, EACH_1)), [
                gpu("2.X.8.Z ROUND", "66XXXF", "v", "vf")
            ],
            "result = round(a)",
            "Rounds each component to the nearest whole number, ties to even: -1.7 gives -2 and 2.5 gives 2. The operand is a float. With S or U the result is an integer, and one that is too large keeps its low bits.";
        Sad "SAD" "Sum of absolute differences" (Vector, Vector, Vector) -> Vector, Free, Arithmetic,
            Computes(each(Kernel::Sad, EACH_3)), [
                gpu("2.X.8.Z SAD", "-6X--S", "vu", "v,v,vu")
            ],
            "result = |a - b| + c",
            "Adds the absolute difference of the first two integer operands, signed or unsigned, to the third. The third operand and the result are always unsigned.";
        Trunc "TRUNC" "Round towards zero" (Vector) -> Vector, Free, Arithmetic,
            Computes(each(Kernel::Trunc, EACH_1)), [
                gpu("2.X.8.Z TRUNC", "66XXXF", "v", "vf")
            ],
            "result = trunc(a)",
            "Rounds each component towards zero: -1.7 gives -1 and 3.7 gives 3. The operand is a float. With S or U the result is an integer, and one that is too large keeps its low bits.";
        }
    };
}

pub(crate) use arithmetic;
