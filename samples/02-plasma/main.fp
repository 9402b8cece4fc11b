!!FP1.0
# Plasma: four waves added up, then turned into a colour by three more.
#
# ADD, MUL, MAD (multiply, then add), DP4, SIN, COS and RSQ are all the arithmetic in this program.
# p[0].x is the time in seconds, so the waves travel.

DECLARE waves = {9, 7, 11, 8};           # how many crests: along x, along y, on the diagonal, around
DECLARE colours = {0, 1.1, 2.4, 1.3};    # phase of red, green, blue; w: how often the colours repeat

DEFINE tiny = 0.0001;

# Centre the coordinates: -0.5 to 0.5.
ADDR R0.xy, f[TEX0], -0.5;

# Wave 1 runs along x, wave 2 along y, the other way.
MULR R1.xy, R0, waves;
ADDR R1.x, R1.x, p[0].x;
ADDR R1.y, R1.y, -p[0].x;
SINR R2.x, R1.x;
SINR R2.y, R1.y;

# Wave 3 runs along the diagonal.
ADDR R1.z, R0.x, R0.y;
MULR R1.z, R1.z, waves.z;
ADDR R1.z, R1.z, p[0].x;
SINR R2.z, R1.z;

# Wave 4 spreads from a point that goes round. A length takes a sum of squares and RSQ.
MOVR R3.z, p[0].x;                       # a parameter and a constant: not in one instruction
MULR R3.z, R3.z, 0.7;
SINR R3.x, R3.z;
COSR R3.y, R3.z;
MADR R3.xy, R3, 0.35, R0;
MULR R3.xy, R3, R3;
ADDR R3.x, R3.x, R3.y;
ADDR R3.x, R3.x, tiny;                   # so that the square root is never of zero
RSQR R3.y, R3.x;
MULR R3.x, R3.x, R3.y;                   # d*d / d = d
MULR R3.x, R3.x, waves.w;
ADDR R3.x, R3.x, R3.x;
ADDR R3.x, R3.x, -p[0].x;
SINR R2.w, R3.x;

# Add all four at once: a dot product with (1, 1, 1, 1).
DP4R R4.x, R2, {1, 1, 1, 1};

# Colour: one cosine for each channel, with its own phase.
MULR R4.x, R4.x, colours.w;
ADDR R5.xyz, R4.x, colours;
COSR R5.x, R5.x;
COSR R5.y, R5.y;
COSR R5.z, R5.z;
MADR R5.xyz, R5, 0.5, 0.5;

# A little contrast, and out.
MULR R5.xyz, R5, R5;
MOVR o[COLR].xyz, R5;
MOVR o[COLR].w, 1.0;
END
