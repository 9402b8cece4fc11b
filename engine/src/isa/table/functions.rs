//! Rows of the instruction table: approximated scalar functions, and dot products and other helpers of vectors.

macro_rules! functions {
    ($next:ident! $($rest:tt)*) => {
        $next! { $($rest)*
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
            "Takes 2^a apart: x is the power of two below, y the fraction left over, z the approximate result, w is 1. Only 11 bits of z are promised (here it has full precision); x times your own function of y can be made as good as you like.";
        Lg2 "LG2" "Logarithm to base 2" (Scalar) -> Replicated, Free, Function,
            [
                fp1("3.11.5.12", RHCS),
                vp2("2.14.3.17"),
                arb_fp("3.11.5.12", RHCS).reads(LG2_PROSE),
                arb_vp("2.14.5.12").reads(LG2_PROSE),
                gpu("2.X.8.Z LG2", "X-XXXF", "s", "s").reads(LG2_PROSE)
            ],
            "result.xyzw = log2(a)",
            "Logarithm to base 2, in all four components, with an error below 2^-22. Either zero gives -INF, anything below zero gives NaN; no absolute value is taken.";
        Log "LOG" "Logarithm to base 2, approximate" (Scalar) -> Vector, Free, Function,
            [
                vp1("2.14.3.19"),
                arb_vp("2.14.5.14")
            ],
            "result = (floor(log2|a|), |a| / 2^floor(log2|a|), log2|a|, 1)",
            "Takes the logarithm of the absolute value apart: x is the exponent, y the mantissa in [1, 2), z the approximate result, w is 1. Only 11 bits of z are promised (here it has full precision).";
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
        Rsq "RSQ" "Reciprocal square root" (Scalar) -> Replicated, Free, Function,
            [
                fp1("3.11.5.27", RHCS),
                vp1("2.14.3.28"),
                arb_fp("3.11.5.22", RHCS).computes(RSQ_FORMULA).reads(RSQ_PROSE),
                arb_vp("2.14.5.22").computes(RSQ_FORMULA).reads(RSQ_PROSE),
                gpu("2.X.8.Z RSQ", "6-XXXF", "s", "s").reads(RSQ_PROSE_GPU)
            ],
            "result.xyzw = 1 / sqrt(a)",
            "One divided by the square root, in all four components, good to 22 bits and more. Below zero gives NaN (no absolute value is taken), +0.0 gives +INF, -0.0 gives -INF.";
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
        Scs "SCS" "Sine and cosine" (Scalar) -> Vector, Free, Function,
            [
                arb_fp_before_nv2("3.11.5.23"),
                arb_fp_late("3.11.5.23", RHCS),
                gpu("2.X.8.Z SCS", "X-XXXF", "v", "s")
            ],
            "result.xy = (cos(a), sin(a))",
            "Cosine in x and sine in y of an angle in radians between -PI and PI. Other angles are undefined by the text; here they are computed all the same. z and w are undefined (here 0).";
        Dp3 "DP3" "Dot product of 3" (Vector, Vector) -> Replicated, Free, Vector,
            [
                fp1("3.11.5.5", RHXCS),
                vp1("2.14.3.9").reads(DP3_PROSE),
                arb_fp_plain("3.11.5.5").reads(DP3_PROSE),
                arb_fp_from_nv1("3.11.5.5", RHXCS),
                arb_vp("2.14.5.4").reads(DP3_PROSE),
                gpu("2.X.8.Z DP3", "X-XXXF", "s", "v,v").reads(DP3_PROSE)
            ],
            "result.xyzw = a.x*b.x + a.y*b.y + a.z*b.z",
            "Sum of the products of x, y and z, in all four components. The sum runs from left to right and each product and sum is rounded to the instruction's precision (X computes exactly and rounds once).";
        Dp4 "DP4" "Dot product of 4" (Vector, Vector) -> Replicated, Free, Vector,
            [
                fp1("3.11.5.6", RHXCS),
                vp1("2.14.3.10").reads(DP4_PROSE),
                arb_fp_plain("3.11.5.6").reads(DP4_PROSE),
                arb_fp_from_nv1("3.11.5.6", RHXCS),
                arb_vp("2.14.5.5").reads(DP4_PROSE),
                gpu("2.X.8.Z DP4", "X-XXXF", "s", "v,v").reads(DP4_PROSE)
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
        Lit "LIT" "Light coefficients" (Vector) -> Vector, Free, Vector,
            [
                fp1("3.11.5.13", RHCS),
                vp1("2.14.3.18").computes(LIT_FORMULA).reads(LIT_PROSE),
                arb_fp("3.11.5.13", RHCS).computes(LIT_FORMULA).reads(LIT_PROSE),
                arb_vp("2.14.5.13").computes(LIT_FORMULA).reads(LIT_PROSE),
                gpu("2.X.8.Z LIT", "X-XXXF", "v", "v").computes(LIT_FORMULA).reads(LIT_PROSE)
            ],
            "result = (1, max(a.x,0), a.x > 0 ? max(a.y,0)^a.w : 0, 1)",
            "From diffuse dot product x, specular dot product y and exponent w makes the factors for ambient (x, always 1), diffuse (y) and specular (z) light. Specular is zero where the surface faces away. The power is POW's, so 0^0 gives NaN.";
        Rfl "RFL" "Reflection vector" (Vector, Vector) -> Vector, NoW, Vector,
            [
                fp1("3.11.5.26", RHCS),
                arb_fp_nv("3.11.5.36", RHCS),
                gpu("2.X.8.Z RFL", "X-XXXF", "v", "v,v").reads("Reflects the second operand (a direction) about the first (an axis, which need not have length 1). w is undefined (here 0); a program may write it.")
            ],
            "result.xyz = 2*(a.x*b.x + a.y*b.y + a.z*b.z)/(a.x*a.x + a.y*a.y + a.z*a.z)*a - b",
            "Reflects the second operand (a direction) about the first (an axis, which need not have length 1). Only x, y and z exist: a write mask with w, or none at all, does not load.";
        X2d "X2D" "2D coordinate transform" (Vector, Vector, Vector) -> Vector, Free, Vector,
            [
                fp1("3.11.5.45", RHCS),
                arb_fp_nv("3.11.5.47", RHCS),
                gpu("2.X.8.Z X2D", "X-XXXF", "v", "v,v,v")
            ],
            "result.xz = a.x + b.x*c.x + b.y*c.y; result.yw = a.y + b.x*c.z + b.y*c.w",
            "Adds to the 2D vector in the first operand the second operand's x and y multiplied by the 2x2 matrix in the third. Made for displacing texture coordinates; the sum runs from left to right.";
        Dp2 "DP2" "Dot product of 2" (Vector, Vector) -> Replicated, Free, Vector,
            [
                arb_fp_nv2("3.11.5.49", RHXCS),
                gpu("2.X.8.Z DP2", "X-XXXF", "s", "v,v").reads("Sum of the products of x and y, in all four components. Each product and the sum are rounded.")
            ],
            "result.xyzw = a.x*b.x + a.y*b.y",
            "Sum of the products of x and y, in all four components. Each product and the sum are rounded to the instruction's precision (X computes exactly and rounds once).";
        Dp2a "DP2A" "Dot product of 2 and add" (Vector, Vector, Vector) -> Replicated, Free, Vector,
            [
                arb_fp_nv2("3.11.5.50", RHXCS),
                gpu("2.X.8.Z DP2A", "X-XXXF", "s", "v,v,v").reads("Sum of the products of x and y plus the third operand's x, in all four components. The sum runs from left to right; each step is rounded.")
            ],
            "result.xyzw = a.x*b.x + a.y*b.y + c.x",
            "Sum of the products of x and y plus the third operand's x, in all four components. The sum runs from left to right and each step is rounded to the instruction's precision (X computes exactly and rounds once).";
        Nrm "NRM" "Normalize" (Vector) -> Vector, Free, Vector,
            [
                arb_fp_nv2("3.11.5.51", RHCS),
                gpu("2.X.8.Z NRM", "X-XXXF", "v", "v")
            ],
            "result.xyz = a / sqrt(a.x*a.x + a.y*a.y + a.z*a.z)",
            "Scales x, y and z to a vector of length 1, by the reciprocal square root of the sum of squares, each step rounded. The null vector gives NaN. w is undefined (here 0).";
        Xpd "XPD" "Cross product" (Vector, Vector) -> Vector, Free, Vector,
            [
                arb_fp_before_nv2("3.11.5.29"),
                arb_fp_late("3.11.5.29", RHCS),
                arb_vp("2.14.5.27"),
                gpu("2.X.8.Z XPD", "X-XXXF", "v", "v,v")
            ],
            "result.xyz = (a.y*b.z - a.z*b.y, a.z*b.x - a.x*b.z, a.x*b.y - a.y*b.x)",
            "The vector at right angles to the first three components of both operands. Each product and difference is rounded. w is undefined (here 0).";
        }
    };
}
