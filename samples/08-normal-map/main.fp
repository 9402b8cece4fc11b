!!FP1.0
# Normal mapping: a texture holds the direction of the surface.
#
# Each texel of the map is a direction relative to the surface: x along its tangent (where the
# texture's s grows), y along its bitangent (t grows), z straight out. The mesh provides those three
# in f[TEX3], f[TEX4] and f[TEX1]; a sum of the three gives the direction in the world.

DECLARE clock = {0};
DECLARE bump = {1.0, 6.0, 2.0};      # x: depth of the relief, y, z: repeats around and across
DECLARE lamp = {1.0, 0.90, 0.76};

MULR R0.xy, f[TEX0], bump.yzyz;
TEX R1, R0, TEX0, 2D;                # colour
TEX R2, R0, TEX1, 2D;                # direction, packed into 0..1

# Unpack to -1..1 and scale the sideways part.
MADR R2.xyz, R2, 2.0, -1.0;
MULR R2.xy, R2, bump.x;

# To world space. An instruction may read only one attribute, so this takes three.
MULR R3.xyz, f[TEX3], R2.x;
MADR R3.xyz, f[TEX4], R2.y, R3;
MADR R3.xyz, f[TEX1], R2.z, R3;
DP3R R3.w, R3, R3;
RSQR R3.w, R3.w;
MULR R3.xyz, R3, R3.w;

# The lamp moves in a circle; the eye stays in place.
SINR R4.x, clock.x;
COSR R4.z, clock.x;
MOVR R4.y, 0.9;
DP3R R4.w, R4, R4;
RSQR R4.w, R4.w;
MULR R4.xyz, R4, R4.w;
DP3R R5.w, f[TEX5], f[TEX5];
RSQR R5.w, R5.w;
MADR R5.xyz, f[TEX5], R5.w, R4;      # eye direction + lamp direction: the half-way vector
DP3R R5.w, R5, R5;
RSQR R5.w, R5.w;
MULR R5.xyz, R5, R5.w;

DP3R R6.x, R3, R4;
DP3R R6.y, R3, R5;
MOVR R6.w, 24.0;
LITR R7, R6;

# Mortar is dull, bricks shine a little: the red channel separates them well enough.
MADR R8.x, R3.y, 0.10, 0.16;         # light from the sky
MADR R8.xyz, R7.y, lamp, R8.x;
MULR R8.xyz, R8, R1;
MULR R7.z, R7.z, 0.22;
MADR_SAT o[COLR].xyz, R7.z, lamp, R8;
MOVR o[COLR].w, 1.0;
END
