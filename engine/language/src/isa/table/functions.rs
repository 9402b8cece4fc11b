//! Rows of the instruction table: approximated scalar functions, dot products and other vector helpers.
//! [`super`] turns the rows into the table.

macro_rules! functions {
    (($next:path) $($rest:tt)*) => {
        $next! { $($rest)*
        Cos "COS" "Cosine" (Scalar) -> Replicated, Free, Function,
            Computes(replicated(Kernel::Cos, X)), [
                fp1("3.11.5.2", RHCS),
                vp2("2.14.3.8"),
                arb_fp("3.11.5.4", RHCS),
                arb_vp_nv2("2.14.5.32"),
                gpu("2.X.8.Z COS", "X-XXXF", "s", "s")
            ],
            "result.xyzw = cos(a)",
            "Computes the cosine of an angle in radians, in all four components. The error stays below 2^-22 for angles from 0 to 2 PI and grows slowly outside that range. Zero gives exactly 1.0; infinities and NaN give NaN.";
        Ex2 "EX2" "Power of two" (Scalar) -> Replicated, Free, Function,
            Computes(replicated(Kernel::Ex2, X)), [
                fp1("3.11.5.8", RHCS),
                vp2("2.14.3.13"),
                arb_fp("3.11.5.9", RHCS),
                arb_vp("2.14.5.8"),
                gpu("2.X.8.Z EX2", "X-XXXF", "s", "s")
            ],
            "result.xyzw = 2^a",
            "Raises 2 to the power of the operand, in all four components. The error is below 2^-22, relative to the power of two at or below the result. Zero gives exactly 1.0, -INF gives 0.0 and +INF stays +INF.";
        Exp "EXP" "Power of two, approximate" (Scalar) -> Vector, Free, Function,
            Computes(four([Kernel::ExpWhole, Kernel::Fraction, Kernel::Ex2, Kernel::One], [X, X, X, &[]])), [
                vp1("2.14.3.14"),
                arb_vp("2.14.5.9")
            ],
            "result = (2^floor(a), a - floor(a), 2^a, 1)",
            "Approximates 2^a in parts: x is the power of two at or below the result, y the fraction left over, z the result itself, and w is 1. The specification promises only 11 bits of z (Shadestep computes it in full precision). For more accuracy, multiply x by your own function of y."
            readings [EXACT_PARTS];
        Lg2 "LG2" "Logarithm to base 2" (Scalar) -> Replicated, Free, Function,
            Computes(replicated(Kernel::Lg2, X)), [
                fp1("3.11.5.12", RHCS),
                vp2("2.14.3.17"),
                arb_fp("3.11.5.12", RHCS).reads(LG2_PROSE),
                arb_vp("2.14.5.12").reads(LG2_PROSE),
                gpu("2.X.8.Z LG2", "X-XXXF", "s", "s").reads(LG2_PROSE)
            ],
            "result.xyzw = log2(a)",
            "Computes the logarithm to base 2, in all four components, with an error below 2^-22. Either zero gives -INF, and a negative operand gives NaN. LG2 does not take the operand's absolute value.";
        Log "LOG" "Logarithm to base 2, approximate" (Scalar) -> Vector, Free, Function,
            Computes(four([Kernel::LogExponent, Kernel::LogMantissa, Kernel::LogOfMagnitude, Kernel::One], [X, X, X, &[]])), [
                vp1("2.14.3.19"),
                arb_vp("2.14.5.14")
            ],
            "result = (floor(log2|a|), |a| / 2^floor(log2|a|), log2|a|, 1)",
            "Approximates the logarithm of the absolute value in parts: x is the exponent, y the mantissa in [1, 2), z the logarithm itself, and w is 1. The specification promises only 11 bits of z (Shadestep computes it in full precision)."
            readings [EXACT_PARTS];
        Pow "POW" "Power" (Scalar, Scalar) -> Replicated, Free, Function,
            Computes(replicated(Kernel::Pow, X_X)), [
                fp1("3.11.5.24", RHCS),
                arb_fp("3.11.5.20", RHCS),
                arb_vp("2.14.5.20"),
                gpu("2.X.8.Z POW", "X-XXXF", "s", "s,s")
            ],
            "result.xyzw = 2^(b * log2(a))",
            "Raises the first operand to the power of the second, as LG2, MUL and EX2 would. A negative base therefore always gives NaN, and so does 0^0."
            readings [Reading::new(Languages::FP1, "The result is exactly EX2(b * LG2(a)). If a listed special case disagrees (infinity to a negative power), the definition wins.")];
        Rcc "RCC" "Reciprocal, clamped" (Scalar) -> Replicated, Free, Function,
            Computes(replicated(Kernel::Rcc, X)), [
                vp1_1("2.14.3.25"),
                arb_vp_nv2("2.14.5.33"),
                gpu("2.X.8.Z RCC", "X-XXXF", "s", "s")
            ],
            "result.xyzw = sign(1/a) * clamp(|1/a|, 2^-64, 2^64)",
            "Divides 1 by the operand and clamps the magnitude between 2^-64 and 2^64. The result is never zero or infinite, so that later products do not overflow. NaN stays NaN."
            readings [Reading::new(Languages::VP1, "Special-case rule 7 applies to operands below -2^64. The printed -2^-64 is a slip.")];
        Rcp "RCP" "Reciprocal" (Scalar) -> Replicated, Free, Function,
            Computes(replicated(Kernel::Rcp, X)), [
                fp1("3.11.5.25", RHCS),
                vp1("2.14.3.26"),
                arb_fp("3.11.5.21", RHCS),
                arb_vp("2.14.5.21"),
                gpu("2.X.8.Z RCP", "6-XXXF", "s", "s")
            ],
            "result.xyzw = 1 / a",
            "Divides 1 by the operand and gives the result in all four components, accurate to at least 22 bits. Zeros give infinities of the same sign, and infinities give zeros.";
        Rsq "RSQ" "Reciprocal square root" (Scalar) -> Replicated, Free, Function,
            Computes(|semantics| replicated(inverse_root(semantics), X)), [
                fp1("3.11.5.27", RHCS),
                vp1("2.14.3.28"),
                arb_fp("3.11.5.22", RHCS).computes(RSQ_FORMULA).reads(RSQ_PROSE),
                arb_vp("2.14.5.22").computes(RSQ_FORMULA).reads(RSQ_PROSE),
                gpu("2.X.8.Z RSQ", "6-XXXF", "s", "s").reads(RSQ_PROSE_GPU)
            ],
            "result.xyzw = 1 / sqrt(a)",
            "Divides 1 by the square root of the operand and gives the result in all four components, accurate to at least 22 bits. A negative operand gives NaN (RSQ does not take the absolute value), +0.0 gives +INF and -0.0 gives -INF."
            readings [Reading::new(Languages::FP1.or(Languages::VP1), "The printed error bound is relative to 1/sqrt(x).")];
        Sin "SIN" "Sine" (Scalar) -> Replicated, Free, Function,
            Computes(replicated(Kernel::Sin, X)), [
                fp1("3.11.5.32", RHCS),
                vp2("2.14.3.33"),
                arb_fp("3.11.5.25", RHCS),
                arb_vp_nv2("2.14.5.38"),
                gpu("2.X.8.Z SIN", "X-XXXF", "s", "s")
            ],
            "result.xyzw = sin(a)",
            "Computes the sine of an angle in radians, in all four components. The error stays below 2^-22 for angles from 0 to 2 PI and grows slowly outside that range. Zeros keep their sign; infinities and NaN give NaN.";
        Scs "SCS" "Sine and cosine" (Scalar) -> Vector, Free, Function,
            Computes(four([Kernel::Cos, Kernel::Sin, Kernel::Undefined, Kernel::Undefined], [X, X, &[], &[]])), [
                arb_fp_before_nv2("3.11.5.23"),
                arb_fp_late("3.11.5.23", RHCS),
                gpu("2.X.8.Z SCS", "X-XXXF", "v", "s")
            ],
            "result.xy = (cos(a), sin(a))",
            "Computes the cosine (in x) and the sine (in y) of an angle in radians from -PI to PI. The specification leaves other angles undefined; Shadestep computes them too. z and w are undefined (0 in Shadestep).";
        Dp3 "DP3" "Dot product of 3" (Vector, Vector) -> Replicated, Free, Vector,
            Computes(replicated(Kernel::Dp3, DOT_3)), [
                fp1("3.11.5.5", RHXCS),
                vp1("2.14.3.9").reads(DP3_PROSE),
                arb_fp_plain("3.11.5.5").reads(DP3_PROSE),
                arb_fp_from_nv1("3.11.5.5", RHXCS),
                arb_vp("2.14.5.4").reads(DP3_PROSE),
                gpu("2.X.8.Z DP3", "X-XXXF", "s", "v,v").reads(DP3_PROSE)
            ],
            "result.xyzw = a.x*b.x + a.y*b.y + a.z*b.z",
            "Sums the products of x, y and z, in all four components. The sum runs from left to right, and each product and sum is rounded to the instruction's precision. With X the sum is exact and rounded once."
            readings [LEFT_TO_RIGHT];
        Dp4 "DP4" "Dot product of 4" (Vector, Vector) -> Replicated, Free, Vector,
            Computes(replicated(Kernel::Dp4, DOT_4)), [
                fp1("3.11.5.6", RHXCS),
                vp1("2.14.3.10").reads(DP4_PROSE),
                arb_fp_plain("3.11.5.6").reads(DP4_PROSE),
                arb_fp_from_nv1("3.11.5.6", RHXCS),
                arb_vp("2.14.5.5").reads(DP4_PROSE),
                gpu("2.X.8.Z DP4", "X-XXXF", "s", "v,v").reads(DP4_PROSE)
            ],
            "result.xyzw = a.x*b.x + a.y*b.y + a.z*b.z + a.w*b.w",
            "Sums the products of x, y, z and w, in all four components. The sum runs from left to right, and each step is rounded to the instruction's precision. With X the sum is exact and rounded once."
            readings [LEFT_TO_RIGHT];
        Dph "DPH" "Homogeneous dot product" (Vector, Vector) -> Replicated, Free, Vector,
            Computes(replicated(Kernel::Dph, &[(0, 0), (1, 0), (0, 1), (1, 1), (0, 2), (1, 2), (1, 3)])), [
                vp1_1("2.14.3.11"),
                arb_fp("3.11.5.7", RHXCS),
                arb_vp("2.14.5.6"),
                gpu("2.X.8.Z DPH", "X-XXXF", "s", "v,v")
            ],
            "result.xyzw = a.x*b.x + a.y*b.y + a.z*b.z + b.w",
            "Computes a dot product with the first operand's w taken as 1.0, as for a point with three components and a plane or a matrix row. The sum runs from left to right, and each step is rounded."
            readings [LEFT_TO_RIGHT];
        Dst "DST" "Distance vector" (Vector, Vector) -> Vector, Free, Vector,
            Computes(DISTANCE), [
                fp1("3.11.5.7", RHCS),
                vp1("2.14.3.12"),
                arb_fp("3.11.5.8", RHCS),
                arb_vp("2.14.5.7"),
                gpu("2.X.8.Z DST", "X-XXXF", "v", "v,v")
            ],
            "result = (1, a.y*b.y, a.z, b.w)",
            "Builds the vector (1, d, d*d, 1/d) from (-, d*d, d*d, -) and (-, 1/d, -, 1/d). A dot product with three attenuation factors then gives the attenuation of a light.";
        Lit "LIT" "Light coefficients" (Vector) -> Vector, Free, Vector,
            Computes(|semantics| light(semantics)), [
                fp1("3.11.5.13", RHCS),
                vp1("2.14.3.18").computes(LIT_FORMULA).reads(LIT_PROSE),
                arb_fp("3.11.5.13", RHCS).computes(LIT_FORMULA).reads(LIT_PROSE),
                arb_vp("2.14.5.13").computes(LIT_FORMULA).reads(LIT_PROSE),
                gpu("2.X.8.Z LIT", "X-XXXF", "v", "v").computes(LIT_FORMULA).reads(LIT_PROSE)
            ],
            "result = (1, max(a.x,0), a.x > 0 ? max(a.y,0)^a.w : 0, 1)",
            "Computes lighting factors from a diffuse dot product in x, a specular dot product in y and an exponent in w: ambient in x (always 1), diffuse in y and specular in z. Specular is zero where the surface faces away from the light. The power follows the rules of POW, so 0^0 gives NaN."
            readings [
                Reading::new(Languages::VP1.or(Languages::ARB_VP).or(Languages::ARB_FP), "The exponent is clamped to the largest fp32 number below 128 and to its negative."),
                Reading::new(Languages::VP1.or(Languages::ARB_VP).or(Languages::ARB_FP), "Any number to the power 0 is 1.0, including 0 and +INF.")
            ];
        Rfl "RFL" "Reflection vector" (Vector, Vector) -> Vector, NoW, Vector,
            Computes(REFLECT), [
                fp1("3.11.5.26", RHCS),
                arb_fp_nv("3.11.5.36", RHCS),
                gpu("2.X.8.Z RFL", "X-XXXF", "v", "v,v").reads("Reflects the second operand (a direction) about the first (an axis of any length). w is undefined (0 in Shadestep), but a program may write it.")
            ],
            "result.xyz = 2*(a.x*b.x + a.y*b.y + a.z*b.z)/(a.x*a.x + a.y*a.y + a.z*a.z)*a - b",
            "Reflects the second operand (a direction) about the first (an axis of any length). Only x, y and z exist: a write mask with w does not load, and neither does a missing mask.";
        X2d "X2D" "2D coordinate transform" (Vector, Vector, Vector) -> Vector, Free, Vector,
            Computes(TRANSFORM), [
                fp1("3.11.5.45", RHCS),
                arb_fp_nv("3.11.5.47", RHCS),
                gpu("2.X.8.Z X2D", "X-XXXF", "v", "v,v,v")
            ],
            "result.xz = a.x + b.x*c.x + b.y*c.y; result.yw = a.y + b.x*c.z + b.y*c.w",
            "Multiplies x and y of the second operand by the 2x2 matrix in the third and adds the 2D vector in the first. It is made for displacing texture coordinates. The sum runs from left to right.";
        Dp2 "DP2" "Dot product of 2" (Vector, Vector) -> Replicated, Free, Vector,
            Computes(replicated(Kernel::Dp2, &[(0, 0), (1, 0), (0, 1), (1, 1)])), [
                arb_fp_nv2("3.11.5.49", RHXCS),
                gpu("2.X.8.Z DP2", "X-XXXF", "s", "v,v").reads("Sums the products of x and y, in all four components. Each product and the sum are rounded.")
            ],
            "result.xyzw = a.x*b.x + a.y*b.y",
            "Sums the products of x and y, in all four components. Each product and the sum are rounded to the instruction's precision. With X the sum is exact and rounded once.";
        Dp2a "DP2A" "Dot product of 2 and add" (Vector, Vector, Vector) -> Replicated, Free, Vector,
            Computes(replicated(Kernel::Dp2a, &[(0, 0), (1, 0), (0, 1), (1, 1), (2, 0)])), [
                arb_fp_nv2("3.11.5.50", RHXCS),
                gpu("2.X.8.Z DP2A", "X-XXXF", "s", "v,v,v").reads("Sums the products of x and y and adds x of the third operand, in all four components. The sum runs from left to right, and each step is rounded.")
            ],
            "result.xyzw = a.x*b.x + a.y*b.y + c.x",
            "Sums the products of x and y and adds x of the third operand, in all four components. The sum runs from left to right, and each step is rounded to the instruction's precision. With X the sum is exact and rounded once.";
        Nrm "NRM" "Normalize" (Vector) -> Vector, Free, Vector,
            Computes(NORMALIZE), [
                arb_fp_nv2("3.11.5.51", RHCS),
                gpu("2.X.8.Z NRM", "X-XXXF", "v", "v")
            ],
            "result.xyz = a / sqrt(a.x*a.x + a.y*a.y + a.z*a.z)",
            "Scales the vector (x, y, z) to length 1. The components are multiplied by the reciprocal square root of the sum of their squares, and each step is rounded. The zero vector gives NaN. w is undefined (0 in Shadestep).";
        Xpd "XPD" "Cross product" (Vector, Vector) -> Vector, Free, Vector,
            Computes(CROSS), [
                arb_fp_before_nv2("3.11.5.29"),
                arb_fp_late("3.11.5.29", RHCS),
                arb_vp("2.14.5.27"),
                gpu("2.X.8.Z XPD", "X-XXXF", "v", "v,v")
            ],
            "result.xyz = (a.y*b.z - a.z*b.y, a.z*b.x - a.x*b.z, a.x*b.y - a.y*b.x)",
            "Computes the cross product of the first three components: a vector at right angles to both operands. Each product and difference is rounded. w is undefined (0 in Shadestep).";
        }
    };
}

pub(crate) use functions;
