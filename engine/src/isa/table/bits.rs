//! Rows of the instruction table: comparisons, and the bits of numbers: logic, shifts, fields, packing.

macro_rules! bits {
    ($next:ident! $($rest:tt)*) => {
        $next! { $($rest)*
        Seq "SEQ" "Set on equal" (Vector, Vector) -> Vector, Free, Compare,
            [
                fp1("3.11.5.28", RHXCS),
                vp2("2.14.3.29").computes("result = a == b ? 1.0 : 0.0; where a NaN on either side gives NaN").reads("1.0 where the components are equal, else 0.0. Both zeros are equal; a NaN on either side gives NaN."),
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
                vp1("2.14.3.31").computes("result = a >= b ? 1.0 : 0.0; where a NaN on either side gives NaN").reads("1.0 where the first operand's component is at or above the second's, else 0.0; a NaN on either side gives NaN."),
                arb_fp("3.11.5.24", RHXCS),
                arb_vp("2.14.5.23"),
                gpu("2.X.8.Z SGE", "66XXXF", "v", "v,v").computes("result = a >= b ? TRUE : FALSE").reads("TRUE where the components compare: the first at or above the second, else FALSE. TRUE is 1.0 of floats and all ones of integers, FALSE is 0. Any comparison with NaN is false.")
            ],
            "result = a >= b ? 1.0 : 0.0",
            "1.0 where the first operand's component is at or above the second's, else 0.0. Any comparison with NaN is false.";
        Sgt "SGT" "Set on greater" (Vector, Vector) -> Vector, Free, Compare,
            [
                fp1("3.11.5.31", RHXCS),
                vp2("2.14.3.32").computes("result = a > b ? 1.0 : 0.0; where a NaN on either side gives NaN").reads("1.0 where the first operand's component is above the second's, else 0.0; a NaN on either side gives NaN."),
                arb_fp_nv("3.11.5.39", RHXCS),
                arb_vp_nv2("2.14.5.37"),
                gpu("2.X.8.Z SGT", "66XXXF", "v", "v,v").computes("result = a > b ? TRUE : FALSE").reads("TRUE where the components compare: the first above the second, else FALSE. TRUE is 1.0 of floats and all ones of integers, FALSE is 0. Any comparison with NaN is false.")
            ],
            "result = a > b ? 1.0 : 0.0",
            "1.0 where the first operand's component is above the second's, else 0.0. Any comparison with NaN is false.";
        Sle "SLE" "Set on less or equal" (Vector, Vector) -> Vector, Free, Compare,
            [
                fp1("3.11.5.33", RHXCS),
                vp2("2.14.3.34").computes("result = a <= b ? 1.0 : 0.0; where a NaN on either side gives NaN").reads("1.0 where the first operand's component is at or below the second's, else 0.0; a NaN on either side gives NaN."),
                arb_fp_nv("3.11.5.40", RHXCS),
                arb_vp_nv2("2.14.5.39"),
                gpu("2.X.8.Z SLE", "66XXXF", "v", "v,v").computes("result = a <= b ? TRUE : FALSE").reads("TRUE where the components compare: the first at or below the second, else FALSE. TRUE is 1.0 of floats and all ones of integers, FALSE is 0. Any comparison with NaN is false.")
            ],
            "result = a <= b ? 1.0 : 0.0",
            "1.0 where the first operand's component is at or below the second's, else 0.0. Any comparison with NaN is false.";
        Slt "SLT" "Set on less" (Vector, Vector) -> Vector, Free, Compare,
            [
                fp1("3.11.5.34", RHXCS),
                vp1("2.14.3.35").computes("result = a < b ? 1.0 : 0.0; where a NaN on either side gives NaN").reads("1.0 where the first operand's component is below the second's, else 0.0; a NaN on either side gives NaN."),
                arb_fp("3.11.5.26", RHXCS),
                arb_vp("2.14.5.24"),
                gpu("2.X.8.Z SLT", "66XXXF", "v", "v,v").computes("result = a < b ? TRUE : FALSE").reads("TRUE where the components compare: the first below the second, else FALSE. TRUE is 1.0 of floats and all ones of integers, FALSE is 0. Any comparison with NaN is false.")
            ],
            "result = a < b ? 1.0 : 0.0",
            "1.0 where the first operand's component is below the second's, else 0.0. Any comparison with NaN is false.";
        Sne "SNE" "Set on not equal" (Vector, Vector) -> Vector, Free, Compare,
            [
                fp1("3.11.5.35", RHXCS),
                vp2("2.14.3.36").computes("result = a != b ? 1.0 : 0.0; where a NaN on either side gives NaN").reads("1.0 where the components differ, else 0.0. Both zeros are equal (the special case printed in the text is a slip); a NaN on either side gives NaN."),
                arb_fp_nv("3.11.5.41", RHXCS),
                arb_vp_nv2("2.14.5.40"),
                gpu("2.X.8.Z SNE", "66XXXF", "v", "v,v").computes("result = a != b ? TRUE : FALSE").reads("TRUE where the components differ, else FALSE. TRUE is 1.0 of floats and all ones of integers, FALSE is 0. Both zeros are equal; NaN differs from everything, itself included.")
            ],
            "result = a != b ? 1.0 : 0.0",
            "1.0 where the components differ, else 0.0. Both zeros are equal (the special case printed in the text is a slip); NaN differs from everything, itself included.";
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
        Cmp "CMP" "Choose by sign" (Vector, Vector, Vector) -> Vector, Free, Compare,
            [
                arb_fp_before_nv2("3.11.5.3"),
                arb_fp_late("3.11.5.3", CS),
                gpu("2.X.8.Z CMP", "66XXXF", "v", "v,v,v").reads("Takes the second operand's component where the first one's is below zero, else the third's. Zeros of either sign and NaN are not below zero, nor is an unsigned integer.")
            ],
            "result = a < 0 ? b : c",
            "Takes the second operand's component where the first one's is below zero, else the third's. Zeros of either sign and NaN are not below zero.";
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
        Xor "XOR" "Bitwise exclusive or" (Vector, Vector) -> Vector, Free, Bits,
            [
                gpu("2.X.8.Z XOR", "-6X--S", "v", "v,v")
            ],
            "result = a ^ b",
            "The bits that one of the operands has set and the other has not, component by component.";
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
        Pk64 "PK64" "Pack two words" (Vector) -> Vector, LongDestination, Pack,
            [
                gpu5("2.X.8.Z PK64", "XX---F", "v", "v")
            ],
            "result.xz = a.x | a.y << 32; result.yw = a.z | a.w << 32",
            "Puts the bits of pairs of 32-bit components together into 64-bit ones, which UP64 takes apart again."
            => "LONG TEMP pair; PK64 pair, {a}; UP64 {r}, pair;";
        Up64 "UP64" "Unpack two words" (Vector) -> Vector, LongSource, Pack,
            [
                gpu5("2.X.8.Z UP64", "XXXX-F", "v", "v")
            ],
            "result = (a.x & 0xFFFFFFFF, a.x >> 32, a.y & 0xFFFFFFFF, a.y >> 32)",
            "Takes the bits of the first two 64-bit components apart into four 32-bit ones, the low half of each first. PK64 puts them together again."
            => "LONG TEMP pair; PK64 pair, {a}; UP64 {r}, pair;";
        }
    };
}
