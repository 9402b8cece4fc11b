!!FP1.0
# Light, computed for every pixel.
#
# LIT turns two dot products and an exponent into three factors:
#   in:  x = normal . light      y = normal . half-way vector      w = exponent
#   out: x = 1 (ambient)         y = diffuse                       z = specular
# and leaves surfaces that face away dark.

DECLARE clock = {0};
DECLARE surface = {0.10, 0.42, 0.60};
DECLARE lamp = {1.0, 0.93, 0.82};
DECLARE sky = {0.16, 0.18, 0.30};
DECLARE gloss = {40};                # the exponent
DECLARE shine = {0.8};               # strength of the highlight

# R0: the surface normal. Interpolation shortens it, so normalize it again:
# divide by the square root of its dot product with itself.
DP3R R0.w, f[TEX1], f[TEX1];
RSQR R0.w, R0.w;
MULR R0.xyz, f[TEX1], R0.w;

# R1: direction to the eye, length 1.
DP3R R1.w, f[TEX5], f[TEX5];
RSQR R1.w, R1.w;
MULR R1.xyz, f[TEX5], R1.w;

# R2: direction to the lamp, which circles above the eye.
MOVR R2.w, clock.x;
MULR R2.w, R2.w, 0.7;
SINR R2.x, R2.w;
COSR R2.z, R2.w;
MOVR R2.y, 0.8;
DP3R R2.w, R2, R2;
RSQR R2.w, R2.w;
MULR R2.xyz, R2, R2.w;

# R3: half way between lamp and eye. A highlight is where the normal points there.
ADDR R3.xyz, R1, R2;
DP3R R3.w, R3, R3;
RSQR R3.w, R3.w;
MULR R3.xyz, R3, R3.w;

# The three inputs of LIT, then LIT.
DP3R R4.x, R0, R2;
DP3R R4.y, R0, R3;
MOVR R4.w, gloss.x;
LITR R5, R4;

# Put it together: (sky + lamp * diffuse) * surface + lamp * specular.
MOVR R6.xyz, sky;
MADR R7.x, R0.y, 0.5, 0.5;           # more sky from above
MULR R6.xyz, R6, R7.x;
MADR R6.xyz, R5.y, lamp, R6;
MULR R6.xyz, R6, surface;
MULR R5.z, R5.z, shine.x;
MADR_SAT o[COLR].xyz, R5.z, lamp, R6;
MOVR o[COLR].w, 1.0;
END
