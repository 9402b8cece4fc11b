//! Rows of the instruction table: arithmetic and moves.

macro_rules! arithmetic {
    ($next:ident! $($rest:tt)*) => {
        $next! { $($rest)*
        Abs "ABS" "Absolute value" (Vector) -> Vector, Free, Arithmetic,
            [
                vp1_1("2.14.3.1").only(Languages::VP1_1.without(Languages::VP2)).reads("Clears the sign of each component; NaN stays NaN."),
                vp2("2.14.3.1"),
                arb_fp_plain("3.11.5.1").reads("Clears the sign of each component; NaN stays NaN. With OPTION NV_fragment_program any operand can be written |a| instead."),
                arb_fp_from_nv1("3.11.5.1", RHXCS),
                arb_vp_plain("2.14.5.1").reads("Clears the sign of each component; NaN stays NaN. With OPTION NV_vertex_program2 any operand can be written |a| instead."),
                arb_vp_from_nv2("2.14.5.1"),
                gpu("2.X.8.Z ABS", "66XXXF", "v", "v")
            ],
            "result = |a|",
            "Clears the sign of each component; NaN stays NaN. Any operand can be written |a| instead.";
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
                arb_fp_plain("3.11.5.18").reads("Copies the operand."),
                arb_fp_from_nv1("3.11.5.18", RHXCS).reads("Copies the operand, converted to the instruction's precision and then to the destination's."),
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
        Ssg "SSG" "Set sign" (Vector) -> Vector, Free, Arithmetic,
            [
                vp2("2.14.3.37"),
                arb_vp_nv2("2.14.5.41"),
                gpu("2.X.8.Z SSG", "6-XXXF", "v", "v")
            ],
            "result = a > 0 ? 1.0 : a < 0 ? -1.0 : 0.0; where NaN gives NaN",
            "1.0 above zero, -1.0 below, 0.0 for either zero; NaN stays NaN.";
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
        Div "DIV" "Divide by a scalar" (Vector, Scalar) -> Vector, Free, Arithmetic,
            [
                arb_fp_nv2("3.11.5.48", RHCS),
                gpu("2.X.8.Z DIV", "66XXXF", "v", "v,s").reads("Divides each component by the one scalar: floats correctly rounded, integers towards zero. An integer divided by zero gives all ones here; the text leaves it undefined.")
            ],
            "result = a / b",
            "Divides each component by the one scalar, correctly rounded. It need not equal RCP and MUL. Zero divided by zero and infinity by infinity give NaN.";
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
        Ceil "CEIL" "Ceiling" (Vector) -> Vector, Free, Arithmetic,
            [
                gpu("2.X.8.Z CEIL", "66XXXF", "v", "vf")
            ],
            "result = ceil(a)",
            "The smallest whole number not below each component: -1.7 gives -1 and 3.7 gives 4. The operand is a float; S and U make an integer of the result, of which the lowest bits are kept where it is too large.";
        Cvt "CVT" "Convert" (Vector) -> Vector, NoSigns, Arithmetic,
            [
                gpu5("2.X.8.Z CVT", "--XX--", "v", "v").converts()
            ],
            "result = convert(a)",
            "Converts each component from the second format of the name to the first. A value that the first format does not have is rounded: ROUND (the default), CEIL, FLR or TRUNC chooses the direction. An integer that is too large keeps its lowest bits; with SAT it becomes the nearest integer of the format. NaN and infinities as integers are undefined by the text; here NaN gives 0, an infinity the end of the integers."
            => "INT TEMP whole; CVT.S32.F32.FLR whole, {a}; I2F.S {r}, whole;";
        I2f "I2F" "Integer to float" (Vector) -> Vector, Free, Arithmetic,
            [
                gpu("2.X.8.Z I2F", "-6X--S", "vf", "v")
            ],
            "result = float(a)",
            "The float nearest to each integer component, the even one of two.";
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
        Trunc "TRUNC" "Round toward zero" (Vector) -> Vector, Free, Arithmetic,
            [
                gpu("2.X.8.Z TRUNC", "66XXXF", "v", "vf")
            ],
            "result = trunc(a)",
            "The whole part of each component: -1.7 gives -1 and 3.7 gives 3. The operand is a float; S and U make an integer of the result, of which the lowest bits are kept where it is too large.";
        }
    };
}
