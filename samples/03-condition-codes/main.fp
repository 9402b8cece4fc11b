!!FP1.0
# Decisions without branches.
#
# This language cannot jump. Instead an instruction with the suffix C compares its result with zero,
# component by component, and sets the condition code register to LT, EQ or GT. A later instruction
# with (LT.x) after its destination writes only where that component is LT.

DECLARE sun = {0, 0.22, 0.52};     # x, y of the middle, and the radius
DECLARE horizon = {-0.18};
DECLARE sun_low = {1.0, 0.16, 0.46};
DECLARE sun_high = {1.0, 0.86, 0.30};
DECLARE grid = {0.20, 0.90, 1.0};

MADR R0.xy, f[TEX0], 2.0, -1.0;    # -1 to 1 both ways

# The sky: the program paints everything else over it.
MULR_SAT R1.y, f[TEX0].y, 1.2;
LRPR R2.xyz, R1.y, {0.03, 0.02, 0.14}, {0.03, 0.02, 0.14}.zyxw;
MADR R2.xyz, R1.y, -0.04, R2;

# --- The sun. R3.x = distance^2 - radius^2, negative inside.
ADDR R3.xy, R0, -sun;
MULR R3.xy, R3, R3;
ADDR R3.x, R3.x, R3.y;
MOVR R3.z, sun.z;
MADR R3.x, R3.z, -R3.z, R3.x;

# A glow around it, for every pixel.
MULR R3.w, |R3.x|, -4.5;
EX2R R3.w, R3.w;
MULR R3.w, R3.w, 0.55;
MADR R2.xyz, R3.w, sun_low, R2;

# Its own colour, by height.
ADDR R4.y, R0.y, -sun.y;
MADR_SAT R4.y, R4.y, 0.95, 0.5;
MOVR R5.xyz, sun_low;
LRPR R5.xyz, R4.y, sun_high, R5;

# Slits: FRC counts bars that sink with time; they grow wider towards the bottom.
MOVR R6.w, p[0].x;                 # the time
MULR R4.z, R0.y, 8.0;
MADR R4.z, R6.w, 0.5, R4.z;
FRCR R4.z, R4.z;
MADR R4.w, R4.y, 1.55, -0.08;      # the part of each bar that stays
ADDR R4.w, R4.w, -R4.z;            # below zero: in a slit

# MOVC sets the code and RC throws the value away: cc.x = inside the sun?, cc.y = in a slit?
MOVRC RC.x, R3.x;
MOVRC RC.y, R4.w;
MOVR R6.x, 0.0;
MOVR R6.x (LT.x), 1.0;             # 1 inside the disc ...
MOVR R6.x (LT.y), 0.0;             # ... but not in a slit
MOVRC RC.z, R6.x;
MOVR R2.xyz (GT.z), R5;            # paint the sun where the mark is above zero

# --- The ground, below the horizon.
ADDRC R7.y, R0.y, -horizon.x;      # cc.y < 0 on the ground
RCPR R7.z, |R7.y|;                 # how far away: 1 / height below the horizon
MULR R7.x, R0.x, R7.z;             # x seen in perspective
MADR R7.w, R6.w, 1.6, R7.z;      # z runs towards the eye
MULR R8.xy, R7.xwzw, {1.6, 1.1};
FRCR R8.xy, R8;
ADDR R8.xy, |R8|, -0.5;
ADDR R8.xy, |R8|, -0.5;            # 0 on a line, -0.5 between the lines
MULR R8.zw, R7.z, {0, 0, 0.022, 0.030};   # a line's width grows with the distance
ADDR R8.zw, R8, 0.012;
RCPR R8.z, R8.z;
RCPR R8.w, R8.w;
MULR R8.xy, |R8|, R8.zwzw;         # distance from the line in line widths
MULR R8.xy, R8, -R8;
EX2R R8.x, R8.x;
EX2R R8.y, R8.y;
MAXR R8.x, R8.x, R8.y;
MULR R8.y, R7.z, -0.16;            # far lines fade
EX2R R8.y, R8.y;
MULR R8.x, R8.x, R8.y;
MOVR R9.xyz, {0.07, 0.01, 0.13};
MADR R9.xyz, R8.x, grid, R9;
MULR R8.z, |R7.y|, -9.0;           # a band of light along the horizon
EX2R R8.z, R8.z;
MULR R8.z, R8.z, 0.8;
MADR R9.xyz, R8.z, sun_low, R9;
MOVR R2.xyz (LT.y), R9;            # the code set by ADDRC above is still there

MOVR_SAT o[COLR].xyz, R2;
MOVR o[COLR].w, 1.0;
END
