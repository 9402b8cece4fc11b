!!FP1.0
# A normal has length 1, so two of its components determine the third. A signed HILO texture stores
# just two, with 16 bits each, and a lookup returns (HI, LO, sqrt(1 - HI^2 - LO^2), 1): the missing
# one is computed after filtering. You need no "times 2 minus 1": the values are already signed.

DECLARE clock = {0, 0.5, 0.5};       # x: seconds, y, z: mouse
DECLARE copper = {0.95, 0.52, 0.30};
DECLARE patina = {0.20, 0.62, 0.52};
DECLARE relief = {1.4};              # depth
DECLARE gloss = {60};                # exponent of the highlight

MOVR R0.xy, f[TEX0];
TEX R1, R0, TEX0, 2D;                # the normal, ready to use
TEX R2, R0, TEX1, 2D;                # the height

# Deepen the relief, and normalize again.
MULR R1.xy, R1, relief.x;
DP3R R1.w, R1, R1;
RSQR R1.w, R1.w;
MULR R1.xyz, R1, R1.w;

# A lamp over the plate: it circles around the mouse.
MOVR R3, clock;
SINR R4.x, R3.x;
COSR R4.y, R3.x;
MADR R4.xy, R4, 0.25, R3.yzzz;
SUBR R4.xy, R4, R0;
MOVR R4.z, 0.32;
DP3R R4.w, R4, R4;
RSQR R5.w, R4.w;
MULR R5.xyz, R4, R5.w;               # to the lamp, length 1

# The eye is straight above: (0, 0, 1). Half way between:
ADDR R6.xyz, R5, {0, 0, 1};
DP3R R6.w, R6, R6;
RSQR R6.w, R6.w;
MULR R6.xyz, R6, R6.w;
DP3R R7.x, R1, R5;
DP3R R7.y, R1, R6;
MOVR R7.w, gloss.x;
LITR R8, R7;

# Light fades with the distance.
MADR R9.x, R4.w, 3.2, 0.35;
RCPR R9.x, R9.x;

# Patina collects in the hollows.
MADR_SAT R10.x, R2.x, -3.4, 1.75;
MOVR R11.xyz, copper;
LRPR R11.xyz, R10.x, patina, R11;
MULR R12.xyz, R11, R8.y;
MULR R12.xyz, R12, R9.x;
MADR R12.xyz, R11, 0.06, R12;

# Bare copper shines in its own colour; patina hardly at all.
SUBR R10.y, 1.0, R10.x;
MADR R10.y, R10.y, 0.9, 0.06;
MULR R10.y, R10.y, R8.z;
MULR R10.y, R10.y, R9.x;
ADDR R13.xyz, copper, R11;
MADR R12.xyz, R10.y, R13, R12;
MOVR_SAT o[COLR].xyz, R12;
MOVR o[COLR].w, 1.0;
END
