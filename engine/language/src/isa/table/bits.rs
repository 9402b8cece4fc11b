//! Rows of the instruction table: comparisons, logic, shifts, bit fields and packing. [`super`] turns the
//! rows into the table.

macro_rules! bits {
    (($next:path) $($rest:tt)*) => {
        $next! { $($rest)*
        Seq "SEQ" "Set on equal" (Vector, Vector) -> Vector, Free, Compare,
            Computes(|semantics| set_on(semantics, Kernel::Seq, Kernel::SeqOrNan)), [
                fp1("3.11.5.28", RHXCS),
                vp2("2.14.3.29").computes("result = a == b ? 1.0 : 0.0; where a NaN on either side gives NaN").reads("Compares for equality: gives 1.0 where the components are equal, else 0.0. Both zeros are equal. A NaN on either side gives NaN."),
                arb_fp_nv("3.11.5.37", RHXCS),
                arb_vp_nv2("2.14.5.35"),
                gpu("2.X.8.Z SEQ", "66XXXF", "v", "v,v").computes("result = a == b ? TRUE : FALSE").reads("Compares for equality: gives TRUE where the components are equal, else FALSE. TRUE is 1.0 for floats and all ones for integers; FALSE is 0. Both zeros are equal. NaN equals nothing, not even itself.")
            ],
            "result = a == b ? 1.0 : 0.0",
            "Compares for equality: gives 1.0 where the components are equal, else 0.0. Both zeros are equal. NaN equals nothing, not even itself."
            readings [NAN_PROPAGATES, NAN_COMPARES];
        Sfl "SFL" "Set on false" (Vector, Vector) -> Vector, Free, Compare,
            Computes(all(Kernel::Zero)), [
                fp1("3.11.5.29", RHXCS),
                vp2("2.14.3.30"),
                arb_fp_nv("3.11.5.38", RHXCS),
                arb_vp_nv2("2.14.5.36"),
                gpu("2.X.8.Z SFL", "66XXXF", "v", "v,v").computes("result = FALSE").reads("Sets every component to 0. The grammar requires two operands, but their values do not matter.")
            ],
            "result = 0.0",
            "Sets every component to 0.0. The grammar requires two operands, but their values do not matter.";
        Sge "SGE" "Set on greater or equal" (Vector, Vector) -> Vector, Free, Compare,
            Computes(|semantics| set_on(semantics, Kernel::Sge, Kernel::SgeOrNan)), [
                fp1("3.11.5.30", RHXCS),
                vp1("2.14.3.31").computes("result = a >= b ? 1.0 : 0.0; where a NaN on either side gives NaN").reads("Compares two vectors: gives 1.0 where the first component is greater than or equal to the second, else 0.0. A NaN on either side gives NaN."),
                arb_fp("3.11.5.24", RHXCS),
                arb_vp("2.14.5.23"),
                gpu("2.X.8.Z SGE", "66XXXF", "v", "v,v").computes("result = a >= b ? TRUE : FALSE").reads("Compares two vectors: gives TRUE where the first component is greater than or equal to the second, else FALSE. TRUE is 1.0 for floats and all ones for integers; FALSE is 0. Any comparison with NaN is false.")
            ],
            "result = a >= b ? 1.0 : 0.0",
            "Compares two vectors: gives 1.0 where the first component is greater than or equal to the second, else 0.0. Any comparison with NaN is false."
            readings [NAN_PROPAGATES, NAN_COMPARES];
        Sgt "SGT" "Set on greater" (Vector, Vector) -> Vector, Free, Compare,
            Computes(|semantics| set_on(semantics, Kernel::Sgt, Kernel::SgtOrNan)), [
                fp1("3.11.5.31", RHXCS),
                vp2("2.14.3.32").computes("result = a > b ? 1.0 : 0.0; where a NaN on either side gives NaN").reads("Compares two vectors: gives 1.0 where the first component is greater than the second, else 0.0. A NaN on either side gives NaN."),
                arb_fp_nv("3.11.5.39", RHXCS),
                arb_vp_nv2("2.14.5.37"),
                gpu("2.X.8.Z SGT", "66XXXF", "v", "v,v").computes("result = a > b ? TRUE : FALSE").reads("Compares two vectors: gives TRUE where the first component is greater than the second, else FALSE. TRUE is 1.0 for floats and all ones for integers; FALSE is 0. Any comparison with NaN is false.")
            ],
            "result = a > b ? 1.0 : 0.0",
            "Compares two vectors: gives 1.0 where the first component is greater than the second, else 0.0. Any comparison with NaN is false."
            readings [NAN_PROPAGATES, NAN_COMPARES];
        Sle "SLE" "Set on less or equal" (Vector, Vector) -> Vector, Free, Compare,
            Computes(|semantics| set_on(semantics, Kernel::Sle, Kernel::SleOrNan)), [
                fp1("3.11.5.33", RHXCS),
                vp2("2.14.3.34").computes("result = a <= b ? 1.0 : 0.0; where a NaN on either side gives NaN").reads("Compares two vectors: gives 1.0 where the first component is less than or equal to the second, else 0.0. A NaN on either side gives NaN."),
                arb_fp_nv("3.11.5.40", RHXCS),
                arb_vp_nv2("2.14.5.39"),
                gpu("2.X.8.Z SLE", "66XXXF", "v", "v,v").computes("result = a <= b ? TRUE : FALSE").reads("Compares two vectors: gives TRUE where the first component is less than or equal to the second, else FALSE. TRUE is 1.0 for floats and all ones for integers; FALSE is 0. Any comparison with NaN is false.")
            ],
            "result = a <= b ? 1.0 : 0.0",
            "Compares two vectors: gives 1.0 where the first component is less than or equal to the second, else 0.0. Any comparison with NaN is false."
            readings [NAN_PROPAGATES, NAN_COMPARES];
        Slt "SLT" "Set on less" (Vector, Vector) -> Vector, Free, Compare,
            Computes(|semantics| set_on(semantics, Kernel::Slt, Kernel::SltOrNan)), [
                fp1("3.11.5.34", RHXCS),
                vp1("2.14.3.35").computes("result = a < b ? 1.0 : 0.0; where a NaN on either side gives NaN").reads("Compares two vectors: gives 1.0 where the first component is less than the second, else 0.0. A NaN on either side gives NaN."),
                arb_fp("3.11.5.26", RHXCS),
                arb_vp("2.14.5.24"),
                gpu("2.X.8.Z SLT", "66XXXF", "v", "v,v").computes("result = a < b ? TRUE : FALSE").reads("Compares two vectors: gives TRUE where the first component is less than the second, else FALSE. TRUE is 1.0 for floats and all ones for integers; FALSE is 0. Any comparison with NaN is false.")
            ],
            "result = a < b ? 1.0 : 0.0",
            "Compares two vectors: gives 1.0 where the first component is less than the second, else 0.0. Any comparison with NaN is false."
            readings [NAN_PROPAGATES, NAN_COMPARES];
        Sne "SNE" "Set on not equal" (Vector, Vector) -> Vector, Free, Compare,
            Computes(|semantics| set_on(semantics, Kernel::Sne, Kernel::SneOrNan)), [
                fp1("3.11.5.35", RHXCS),
                vp2("2.14.3.36").computes("result = a != b ? 1.0 : 0.0; where a NaN on either side gives NaN").reads("Compares for inequality: gives 1.0 where the components differ, else 0.0. Both zeros are equal (the special case in the specification is a slip). A NaN on either side gives NaN."),
                arb_fp_nv("3.11.5.41", RHXCS),
                arb_vp_nv2("2.14.5.40"),
                gpu("2.X.8.Z SNE", "66XXXF", "v", "v,v").computes("result = a != b ? TRUE : FALSE").reads("Compares for inequality: gives TRUE where the components differ, else FALSE. TRUE is 1.0 for floats and all ones for integers; FALSE is 0. Both zeros are equal. NaN differs from everything, including itself.")
            ],
            "result = a != b ? 1.0 : 0.0",
            "Compares for inequality: gives 1.0 where the components differ, else 0.0. Both zeros are equal (the special case in the specification is a slip). NaN differs from everything, including itself."
            readings [
                Reading::new(Languages::FP1.or(Languages::VP2), "Special-case rule 4 says that -0.0 != +0.0 is true. That is a slip: zeros compare equal, so SNE gives 0.0."),
                NAN_PROPAGATES,
                NAN_COMPARES
            ];
        Str "STR" "Set on true" (Vector, Vector) -> Vector, Free, Compare,
            Computes(all(Kernel::One)), [
                fp1("3.11.5.36", RHXCS),
                vp2("2.14.3.38"),
                arb_fp_nv("3.11.5.42", RHXCS),
                arb_vp_nv2("2.14.5.42"),
                gpu("2.X.8.Z STR", "66XXXF", "v", "v,v").computes("result = TRUE").reads("Sets every component to true: 1.0 for floats, all ones for integers. The grammar requires two operands, but their values do not matter.")
            ],
            "result = 1.0",
            "Sets every component to 1.0. The grammar requires two operands, but their values do not matter.";
        Cmp "CMP" "Choose by sign" (Vector, Vector, Vector) -> Vector, Free, Compare,
            Computes(|semantics| each(selected(semantics), EACH_3)), [
                arb_fp_before_nv2("3.11.5.3"),
                arb_fp_late("3.11.5.3", CS),
                gpu("2.X.8.Z CMP", "66XXXF", "v", "v,v,v").reads("Selects the second operand where the first is negative, else the third, component by component. Zeros of either sign, NaN and unsigned integers are not negative.")
            ],
            "result = a < 0 ? b : c",
            "Selects the second operand where the first is negative, else the third, component by component. Zeros of either sign and NaN are not negative.";
        And "AND" "Bitwise and" (Vector, Vector) -> Vector, Free, Bits,
            Computes(each(Kernel::And, EACH_2)), [
                gpu("2.X.8.Z AND", "-6X--S", "v", "v,v")
            ],
            "result = a & b",
            "Computes the bitwise AND of two vectors, component by component: the bits set in both operands.";
        Bfe "BFE" "Bit field extract" (Vector, Vector) -> Vector, Free, Bits,
            Computes(each(Kernel::Bfe, FIELD_2)), [
                gpu5("2.X.8.Z BFE", "-XX--S", "v", "v,v")
            ],
            "result = bits a.y to a.y + a.x - 1 of b",
            "Extracts a bit field from each component of b: a.x bits, starting at bit a.y, moved down to bit 0. With S the highest bit of the field is its sign and fills the remaining bits; with U they become zeros. A width of 0 gives 0. A field that does not fit in the 32 bits is undefined (0 in Shadestep).";
        Bfi "BFI" "Bit field insert" (Vector, Vector, Vector) -> Vector, Free, Bits,
            Computes(each(Kernel::Bfi, FIELD_3)), [
                gpu5("2.X.8.Z BFI", "-XX--S", "v", "v,v,v")
            ],
            "result = c with bits a.y to a.y + a.x - 1 replaced by the lowest a.x bits of b",
            "Inserts a bit field into each component of c: the low a.x bits of b replace the bits of c from bit a.y on. A field that does not fit in the 32 bits is undefined (0 in Shadestep).";
        Bfr "BFR" "Bit field reverse" (Vector) -> Vector, Free, Bits,
            Computes(each(Kernel::Bfr, EACH_1)), [
                gpu5("2.X.8.Z BFR", "-XX--S", "v", "v")
            ],
            "result = the bits of a from the last to the first",
            "Reverses the order of the 32 bits of each component: the lowest bit becomes the highest.";
        Btc "BTC" "Bit count" (Vector) -> Vector, Free, Bits,
            Computes(each(Kernel::Btc, EACH_1)), [
                gpu5("2.X.8.Z BTC", "-XX--S", "v", "v")
            ],
            "result = number of bits set in a",
            "Counts the bits that are set in each component.";
        Btfl "BTFL" "Find the lowest bit" (Vector) -> Vector, Free, Bits,
            Computes(each(Kernel::Btfl, EACH_1)), [
                gpu5("2.X.8.Z BTFL", "-XX--S", "v", "v")
            ],
            "result = number of the lowest bit set in a, all ones for 0",
            "Finds the lowest set bit of each component and returns its number, 0 to 31. The value 0 gives all ones, which is -1 as a signed integer.";
        Btfm "BTFM" "Find the highest bit" (Vector) -> Vector, Free, Bits,
            Computes(each(Kernel::Btfm, EACH_1)), [
                gpu5("2.X.8.Z BTFM", "-XX--S", "v", "v")
            ],
            "result = number of the highest bit of a that is not the sign, all ones if there is none",
            "Finds the highest set bit of each component and returns its number. For a negative signed integer it finds the highest clear bit instead. If there is none, as for 0 and the signed integer -1, the result is all ones.";
        Not "NOT" "Bitwise not" (Vector) -> Vector, Free, Bits,
            Computes(each(Kernel::Not, EACH_1)), [
                gpu("2.X.8.Z NOT", "-6X--S", "v", "v")
            ],
            "result = ~a",
            "Inverts all bits of each component.";
        Or "OR" "Bitwise or" (Vector, Vector) -> Vector, Free, Bits,
            Computes(each(Kernel::Or, EACH_2)), [
                gpu("2.X.8.Z OR", "-6X--S", "v", "v,v")
            ],
            "result = a | b",
            "Computes the bitwise OR of two vectors, component by component: the bits set in either operand.";
        Shl "SHL" "Shift left" (Vector, Scalar) -> Vector, Free, Bits,
            Computes(each(Kernel::ShiftLeft, BY_SCALAR)), [
                gpu("2.X.8.Z SHL", "-6X--S", "v", "v,s")
            ],
            "result = a << b",
            "Shifts the bits of each component left by one scalar and fills with zeros. A shift by a negative count, or by the number of bits or more, is undefined in the specification and gives 0 in Shadestep.";
        Shr "SHR" "Shift right" (Vector, Scalar) -> Vector, Free, Bits,
            Computes(each(Kernel::ShiftRight, BY_SCALAR)), [
                gpu("2.X.8.Z SHR", "-6X--S", "v", "v,s")
            ],
            "result = a >> b",
            "Shifts the bits of each component right by one scalar. S fills with the sign bit, U with zeros. A shift by a negative count, or by the number of bits or more, is undefined in the specification and leaves only fill bits in Shadestep.";
        Xor "XOR" "Bitwise exclusive or" (Vector, Vector) -> Vector, Free, Bits,
            Computes(each(Kernel::Xor, EACH_2)), [
                gpu("2.X.8.Z XOR", "-6X--S", "v", "v,v")
            ],
            "result = a ^ b",
            "Computes the bitwise exclusive OR of two vectors, component by component: the bits set in exactly one operand.";
        Pk2h "PK2H" "Pack two halves" (Vector) -> Replicated, WideDestination, Pack,
            Computes(replicated(Kernel::Pk2h, XY)), [
                fp1("3.11.5.20", NONE),
                arb_fp_nv("3.11.5.32", NONE).reads("Converts x and y to 16-bit floats and packs them into every 32-bit component, x in the low half. The destination must not be a SHORT variable. Unpack that variable directly with UP2H: its bits are meaningless as a float, and arithmetic would flush or change them."),
                gpu("2.X.8.Z PK2H", "XX---F", "s", "vf").reads("Converts x and y to 16-bit floats and packs them into every component, x in the low half. The destination must not be a SHORT variable. With U or S the result is an integer. As a float, its bits are meaningless, and arithmetic would flush or change them. UP2H unpacks it.")
            ],
            "result.xyzw = fp16bits(a.x) | fp16bits(a.y) << 16",
            "Converts x and y to 16-bit floats and packs them into every 32-bit component, x in the low half. The destination must be an R register, o[COLR] or o[DEPR]. Unpack that register directly with UP2H: its bits are meaningless as a float, and arithmetic would flush or change them."
            readings [RC_IS_WIDE];
        Pk2us "PK2US" "Pack two unsigned shorts" (Vector) -> Replicated, WideDestination, Pack,
            Computes(replicated(Kernel::Pk2us, XY)), [
                fp1("3.11.5.21", NONE),
                arb_fp_nv("3.11.5.33", NONE),
                gpu("2.X.8.Z PK2US", "XX---F", "s", "vf")
            ],
            "result.xyzw = short(a.x) | short(a.y) << 16; where short(v) = round(65535*clamp(v, 0, 1))",
            "Clamps x and y to [0,1], scales them to 16-bit unsigned integers and packs both into every 32-bit component, x in the low half. The destination must have 32-bit components. UP2US reverses the packing."
            readings [RC_IS_WIDE];
        Pk4b "PK4B" "Pack four signed bytes" (Vector) -> Replicated, WideDestination, Pack,
            Computes(replicated(Kernel::Pk4b, XYZW)), [
                fp1("3.11.5.22", NONE),
                arb_fp_nv("3.11.5.34", NONE),
                gpu("2.X.8.Z PK4B", "XX---F", "s", "vf")
            ],
            "result.xyzw = byte(a.x) | byte(a.y) << 8 | byte(a.z) << 16 | byte(a.w) << 24; where byte(v) = round(127*clamp(v, -128/127, 1) + 128)",
            "Clamps each component to [-128/127, 1], scales it to a byte (128 represents zero) and packs the four bytes into every 32-bit component, x lowest. The destination must have 32-bit components. UP4B reverses the packing."
            readings [RC_IS_WIDE];
        Pk4ub "PK4UB" "Pack four unsigned bytes" (Vector) -> Replicated, WideDestination, Pack,
            Computes(replicated(Kernel::Pk4ub, XYZW)), [
                fp1("3.11.5.23", NONE),
                arb_fp_nv("3.11.5.35", NONE),
                gpu("2.X.8.Z PK4UB", "XX---F", "s", "vf")
            ],
            "result.xyzw = byte(a.x) | byte(a.y) << 8 | byte(a.z) << 16 | byte(a.w) << 24; where byte(v) = round(255*clamp(v, 0, 1))",
            "Clamps each component to [0,1], scales it to an unsigned byte and packs the four bytes into every 32-bit component, x lowest. The destination must have 32-bit components. UP4UB reverses the packing."
            readings [RC_IS_WIDE];
        Up2h "UP2H" "Unpack two halves" (Scalar) -> Vector, WideSource, Pack,
            Computes(of_x([Kernel::Up2hLow, Kernel::Up2hHigh, Kernel::Up2hLow, Kernel::Up2hHigh])), [
                fp1("3.11.5.41", CS),
                arb_fp_nv("3.11.5.43", CS),
                gpu("2.X.8.Z UP2H", "XXXX-F", "vf", "s")
            ],
            "result = (half(a, 0), half(a, 16), half(a, 0), half(a, 16)); where half(v, n) is the fp16 number in bits n to n + 15 of v",
            "Splits the 32 bits of the operand into two 16-bit floats: the low half in x and z, the high half in y and w. The operand must have 32-bit components."
            => "PK2H {b}.x, {a}; UP2H {r}, {b}.x;";
        Up2us "UP2US" "Unpack two unsigned shorts" (Scalar) -> Vector, WideSource, Pack,
            Computes(of_x([Kernel::Up2usLow, Kernel::Up2usHigh, Kernel::Up2usLow, Kernel::Up2usHigh])), [
                fp1("3.11.5.42", CS),
                arb_fp_nv("3.11.5.44", CS),
                gpu("2.X.8.Z UP2US", "XXXX-F", "vf", "s")
            ],
            "result = (short(a, 0)/65535, short(a, 16)/65535, short(a, 0)/65535, short(a, 16)/65535); where short(v, n) is the number in bits n to n + 15 of v",
            "Splits the 32 bits of the operand into two unsigned 16-bit fractions: the low half in x and z, the high half in y and w. The operand must have 32-bit components."
            => "PK2US {b}.x, {a}; UP2US {r}, {b}.x;";
        Up4b "UP4B" "Unpack four signed bytes" (Scalar) -> Vector, WideSource, Pack,
            Computes(of_x([Kernel::Up4b0, Kernel::Up4b1, Kernel::Up4b2, Kernel::Up4b3])), [
                fp1("3.11.5.43", CS),
                arb_fp_nv("3.11.5.45", CS),
                gpu("2.X.8.Z UP4B", "XXXX-F", "vf", "s")
            ],
            "result = ((byte(a, 0) - 128)/127, (byte(a, 8) - 128)/127, (byte(a, 16) - 128)/127, (byte(a, 24) - 128)/127); where byte(v, n) is the number in bits n to n + 7 of v",
            "Splits the 32 bits of the operand into four bytes, x lowest. Byte 128 represents 0.0 and 255 represents 1.0. The operand must have 32-bit components."
            => "PK4B {b}.x, {a}; UP4B {r}, {b}.x;";
        Up4ub "UP4UB" "Unpack four unsigned bytes" (Scalar) -> Vector, WideSource, Pack,
            Computes(of_x([Kernel::Up4ub0, Kernel::Up4ub1, Kernel::Up4ub2, Kernel::Up4ub3])), [
                fp1("3.11.5.44", CS),
                arb_fp_nv("3.11.5.46", CS),
                gpu("2.X.8.Z UP4UB", "XXXX-F", "vf", "s")
            ],
            "result = (byte(a, 0)/255, byte(a, 8)/255, byte(a, 16)/255, byte(a, 24)/255); where byte(v, n) is the number in bits n to n + 7 of v",
            "Splits the 32 bits of the operand into four unsigned byte fractions, x lowest. The operand must have 32-bit components."
            => "PK4UB {b}.x, {a}; UP4UB {r}, {b}.x;";
        Pk64 "PK64" "Pack two words" (Vector) -> Vector, LongDestination, Pack,
            Computes(each(Kernel::Pack64, [XY, ZW, XY, ZW])), [
                gpu5("2.X.8.Z PK64", "XX---F", "v", "v")
            ],
            "result.xz = a.x | a.y << 32; result.yw = a.z | a.w << 32",
            "Joins the bits of two 32-bit components into each 64-bit component, low half first. UP64 splits them again."
            => "LONG TEMP pair; PK64 pair, {a}; UP64 {r}, pair;";
        Up64 "UP64" "Unpack two words" (Vector) -> Vector, LongSource, Pack,
            Computes(UNPACK_64), [
                gpu5("2.X.8.Z UP64", "XXXX-F", "v", "v")
            ],
            "result = (a.x & 0xFFFFFFFF, a.x >> 32, a.y & 0xFFFFFFFF, a.y >> 32)",
            "Splits the bits of the first two 64-bit components into four 32-bit ones, low half first. PK64 joins them again."
            => "LONG TEMP pair; PK64 pair, {a}; UP64 {r}, pair;";
        }
    };
}

pub(crate) use bits;
