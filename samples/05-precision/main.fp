!!FP1.0
# The same sum three times: with 32-bit floats (R), 16-bit floats (H) and 12-bit fixed point (X).
#
# Each computes base + span * d, a number that hardly changes over the picture, and then subtracts
# the base again and stretches the rest to the full range. Rounding loses digits for good, and
# the loss shows as steps. Left third R, middle H, right X.

DECLARE range = {0.5, 0.008};      # x: base, y: span

# d: rings that drift outwards, 0 to 1 and back.
#
# An instruction that reads f[TEXn] (or f[FOGC]) always runs at 32 bits, whatever its suffix. So the
# coordinates go to a register first; only from there on do the suffixes matter.
MADR R0.xy, f[TEX0], 2.0, -1.0;
MULR R0.zw, R0.xyxy, R0.xyxy;
ADDR R0.z, R0.z, R0.w;
MULR R0.z, R0.z, 3.0;
ADDR R0.z, R0.z, -p[0].x;
SINR R0.z, R0.z;
MADR R0.z, R0.z, 0.5, 0.5;

# R1.x = range.x + range.y * d, three times with different suffixes. The destination is always an R
# register: it could hold more, so every step that you see comes from the arithmetic.
MOVR R4.xy, range;
MADR R1.x, R0.z, R4.y, R4.x;
MADH R1.y, R0.z, R4.y, R4.x;
MADX R1.z, R0.z, R4.y, R4.x;

# Undo it in full precision: (value - base) / span.
ADDR R1.xyz, R1, -range.x;
RCPR R2.x, range.y;
MULR R1.xyz, R1, R2.x;

# Choose by third: cc.y < 0 left of 1/3, cc.z > 0 right of 2/3.
MOVR R3.x, R1.y;
ADDRC R2.yz, f[TEX0].x, {0, -0.3333333, -0.6666667};
MOVR R3.x (LT.y), R1.x;
MOVR R3.x (GT.z), R1.z;

# A palette that shows small steps: three cosines, and a little of the plain value.
MULR R3.y, R3.x, 4.2;
ADDR R4.xyz, R3.y, {0.3, 1.2, 2.3};
COSR R4.x, R4.x;
COSR R4.y, R4.y;
COSR R4.z, R4.z;
MADR R4.xyz, R4, 0.42, 0.5;

# Thin white lines between the thirds: |distance| - width, drawn where that is negative.
ADDRC R2.yz, |R2|, -0.004;
MOVR R4.xyz (LT.y), 1.0;
MOVR R4.xyz (LT.z), 1.0;

MOVR o[COLR].xyz, R4;
MOVR o[COLR].w, 1.0;
END
