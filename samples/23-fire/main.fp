!!FP1.0
# Fire: one noise texture read five times.
#
# Noise at several sizes added up, each half as strong as the one before, looks like smoke and
# flames ("fractal" noise). The small sizes rise faster than the large, and one lookup pushes the
# coordinates of the next, so that the flames lick.

DECLARE clock = {0};
DECLARE flame = {0.9, 1.3, 0.55};    # x: speed, y: height, z: strength of the warp
DECLARE ember = {0.95, 0.18, 0.03};
DECLARE heart = {1.0, 0.78, 0.28};

MOVR R0, f[TEX0];
MULR R1.w, R0.w, clock.x;
MULR R1.w, R1.w, flame.x;            # how far the flames have risen

# A slow, large noise that pushes sideways, more at the top. Noise is 0..1 about 0.5.
MULR R2.xy, R0, {0.6, 0.35};
MADR R2.y, R1.w, -0.22, R2.y;
TEX R3, R2, TEX0, 2D;
ADDR R3.xy, R3, -0.5;
MULR R3.xy, R3, flame.z;
MULR R3.xy, R3, R0.y;
MADR R4.xy, R3, {0.9, 0.5}, R0;      # the pushed point

# Three sizes. The channels of the texture hold different noises.
MULR R5.xy, R4, {0.9, 0.45};
MADR R5.y, R1.w, -0.35, R5.y;
TEX R6, R5, TEX0, 2D;
MULR R5.xy, R4, {1.9, 1.0};
MADR R5.y, R1.w, -0.62, R5.y;
TEX R7, R5, TEX0, 2D;
MULR R5.xy, R4, {3.7, 2.1};
MADR R5.y, R1.w, -1.05, R5.y;
TEX R8, R5, TEX0, 2D;
MOVR R9.x, R6.x;
MOVR R9.y, R7.y;
MOVR R9.z, R8.z;
DP3R R9.w, R9, {0.56, 0.30, 0.20};   # about 0.53 on average

# The shape: hottest at the bottom in the middle, nothing at the top. The noise eats into it.
ADDR R10.x, R4.x, -0.5;
MULR R10.x, R10.x, R10.x;
MULR R10.y, R4.y, flame.y;
MADR R10.x, R10.x, 3.2, R10.y;
SUBR R10.x, 1.02, R10.x;             # 1 in the embers, falling
MADR R10.x, R9.w, 1.9, R10.x;
ADDR_SAT R10.x, R10.x, -1.05;        # the heat, 0 to 1

# Heat to colour: black, ember, heart, white. Three ramps laid over one another.
MADR_SAT R11.x, R10.x, 2.4, 0.0;
MADR_SAT R11.y, R10.x, 1.9, -0.45;
MADR_SAT R11.z, R10.x, 1.9, -0.95;
MULR R11.x, R11.x, R11.x;
MULR R12.xyz, R11.x, ember;
LRPR R12.xyz, R11.y, heart, R12;
LRPR R12.xyz, R11.z, {1.0, 0.97, 0.88}, R12;

# Smoke: a dark red haze above.
SUBR R13.x, 1.0, R0.y;
MULR R13.x, R13.x, R9.w;
MADR R12.xyz, R13.x, {0.13, 0.05, 0.06}, R12;

# Sparks: rare bright grains of the finest noise that fly up fast.
MULR R14.xy, R4, {2.6, 1.6};
MADR R14.y, R1.w, -1.4, R14.y;
TEX R15, R14, TEX0, 2D;
MULR R15.x, R15.x, R15.y;
MADR_SAT R15.x, R15.x, 14.0, -6.6;
SUBR R15.y, 1.0, R0.y;
MULR R15.x, R15.x, R15.y;
MADR R12.xyz, R15.x, heart, R12;
MOVR_SAT o[COLR].xyz, R12;
MOVR o[COLR].w, 1.0;
END
