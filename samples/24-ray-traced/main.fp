!!FP1.0
# No mesh here: the program finds the surface behind each pixel by itself.
#
# A ray leaves the eye. If it meets the ball it starts again from there in the mirrored direction;
# then, either way, it ends on the floor or in the sky. Without loops that is one bounce. The
# code for floor and sky comes only once, because the program chooses the ray, not the code.

DECLARE clock = {0, 1, 0.5, 0.5};    # seconds, width / height, mouse x and y
DECLARE sun = {0.55, 0.45, -0.55};
DECLARE tile_a = {0.86, 0.80, 0.70};
DECLARE tile_b = {0.16, 0.17, 0.22};
DECLARE ball = {1.0, 0.93, 0.80};

# The ball hops: its middle is (0, |sin(2.4 t)| * 0.5, 0), its radius 1, the floor is y = -1.
MOVR R0.w, clock.x;
MULR R0.w, R0.w, 2.4;
SINR R0.w, R0.w;
MOVR R0.xyz, 0.0;
MULR R0.y, |R0.w|, 0.5;

# The direction through this pixel.
MADR R1.xy, f[TEX0], 2.0, -1.0;
MULR R1.x, R1.x, clock.y;
ADDR R1.y, R1.y, -0.22;
MOVR R1.z, -2.0;
DP3R R1.w, R1, R1;
RSQR R1.w, R1.w;
MULR R1.xyz, R1, R1.w;

# The eye circles the ball, and the direction turns with it: R3 = (sin, cos).
MOVR R2, clock;
MADR R2.w, R2.x, 0.25, R2.z;
SINR R3.x, R2.w;
COSR R3.y, R2.w;
MULR R4.x, R1.x, R3.y;
MADR R4.x, R1.z, R3.x, R4.x;
MULR R4.z, R1.z, R3.y;
MADR R4.z, R1.x, -R3.x, R4.z;
MOVR R4.y, R1.y;                     # R4: the direction
MULR R5.xz, R3.xxyy, 4.4;
MOVR R5.y, 0.55;                     # R5: where the ray starts

# Does it hit the ball? Solve |start + t * direction - middle| = 1 for t.
SUBR R6.xyz, R5, R0;
DP3R R6.w, R6, R4;                   # b
DP3R R7.x, R6, R6;
ADDR R7.x, R7.x, -1.0;               # c
MADR R7.yz, R6.w, R6.w, -R7.x;       # b*b - c: negative if it misses
MAXR R7.w, R7.y, 0.000001;
RSQR R7.x, R7.w;
MULR R7.x, R7.x, R7.w;               # its square root
ADDR R7.x, -R6.w, -R7.x;             # t
MADR R8.xyz, R4, R7.x, R5;           # the hit point
SUBR R9.xyz, R8, R0;                 # the normal there
RFLR R10.xyz, R9, -R4;               # the mirrored direction
DP3R_SAT R9.w, R9, -R4;              # head-on 1, edge-on 0

# From now on cc.y is GE for a hit and LT for a miss; nothing below changes it.
MOVRC RC.y, R7.y;
MOVR R5.xyz (GE.y), R8;
MOVR R4.xyz (GE.y), R10;

# The sky in that direction.
TEX R11, R4, TEX0, CUBE;

# The floor: t = (-1 - start.y) / direction.y, only where the ray goes down. cc.z < 0 there.
ADDRC R12.z, R4.y, 0.012;
MINR R12.x, R4.y, -0.012;
RCPR R12.x, R12.x;
ADDR R12.y, R5.y, 1.0;
MULR R12.x, R12.x, -R12.y;
MADR R13.xyz, R4, R12.x, R5;         # the point on the floor

# Tiles: the sum of the whole parts is even or odd.
FLRR R14.xz, R13;
ADDR R14.x, R14.x, R14.z;
MULR R14.x, R14.x, 0.5;
FRCR R14.x, R14.x;
ADDR R14.x, R14.x, R14.x;            # 0 or 1
MULR R14.y, R12.x, -0.11;
EX2R R14.y, R14.y;                   # far tiles melt together
ADDR R14.x, R14.x, -0.5;
MADR R14.x, R14.x, R14.y, 0.5;
MOVR R15.xyz, tile_a;
LRPR R15.xyz, R14.x, tile_b, R15;

# The ball's shadow: how far does a ray from here to the sun pass from the middle?
MOVR R16.xyz, sun;
DP3R R16.w, R16, R16;
RSQR R16.w, R16.w;
MULR R16.xyz, R16, R16.w;
SUBR R17.xyz, R13, R0;
DP3R R17.w, R17, R16;
DP3R R18.x, R17, R17;
MADR R18.x, R17.w, -R17.w, R18.x;    # the square of that distance
MADR_SAT R18.x, R18.x, 1.6, -0.95;   # a soft edge
MADR R18.x, R18.x, 0.68, 0.32;
MULR R15.xyz, R15, R18.x;

# A dark spot where it nearly touches, and the haze of the distance.
MULR R17.xz, R17, R17;
ADDR R17.x, R17.x, R17.z;
MADR_SAT R17.x, R17.x, 0.5, 0.45;
MULR R15.xyz, R15, R17.x;
LRPR R15.xyz, R14.y, R15, {0.62, 0.56, 0.50};
MOVR R11.xyz (LT.z), R15;

# The reflection takes the colour of the ball head-on and is pure edge-on; the sun adds a highlight.
SUBR R9.w, 1.0, R9.w;
MULR R19.x, R9.w, R9.w;
MULR R19.x, R19.x, R9.w;
MOVR R20.xyz, ball;
LRPR R20.xyz, R19.x, 1.0, R20;
MADR R20.w, R19.x, 0.35, 0.65;
MULR R20.xyz, R20, R20.w;
MULR R20.xyz, R20, R11;
DP3R_SAT R21.x, R10, R16;
ADDR R21.x, R21.x, 0.0001;
POWR R21.x, R21.x, 90.0;
MADR R20.xyz, R21.x, {1.0, 0.93, 0.75}, R20;
MOVR R11.xyz (GE.y), R20;

MOVR_SAT o[COLR].xyz, R11;
MOVR o[COLR].w, 1.0;
END
