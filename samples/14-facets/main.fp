!!FP1.0
# Which way does this triangle face? The neighbouring pixels know.
#
# The world position changes along the surface. Its derivative along x and its derivative along y
# both lie in the triangle's plane; their cross product is its normal. The mesh needs none:
# every facet shows, because within a triangle the derivatives do not change.

DECLARE clock = {0, 512};            # x: seconds, y: width of the picture
DECLARE split = {0.5};               # left of it, use the smooth normals of the mesh
DECLARE shallow = {0.10, 0.55, 0.75};
DECLARE inner = {0.30, 0.08, 0.55};

DDXR R0.xyz, f[TEX2];
DDYR R1.xyz, f[TEX2];

# Cross product: a.yzx * b.zxy - a.zxy * b.yzx, two instructions thanks to swizzles.
MULR R2.xyz, R0.yzxw, R1.zxyw;
MADR R2.xyz, R0.zxyw, -R1.yzxw, R2;
DP3R R2.w, R2, R2;
RSQR R2.w, R2.w;
MULR R2.xyz, R2, R2.w;

# The smooth normal, for comparison.
DP3R R3.w, f[TEX1], f[TEX1];
RSQR R3.w, R3.w;
MULR R3.xyz, f[TEX1], R3.w;

# Which side of the split is this? Window x is in pixels.
MOVR R4.x, clock.y;
MULR R4.x, R4.x, split.x;
SUBRC R4.y, f[WPOS].x, R4.x;
MOVR R2.xyz (LT.y), R3;

# To the eye.
DP3R R5.w, f[TEX5], f[TEX5];
RSQR R5.w, R5.w;
MULR R5.xyz, f[TEX5], R5.w;

# A gem: the sky in the facets, and a colour that depends on how they are turned.
RFLR R6.xyz, R2, R5;
TEX R7, R6, TEX0, CUBE;
DP3R R8.x, R2, R5;
SUBR_SAT R8.y, 1.0, R8.x;
MULR R8.z, R8.y, R8.y;               # edge-on

# A light that runs over the facets, to bring out their angles.
MOVR R9.w, clock.x;
SINR R9.x, R9.w;
COSR R9.z, R9.w;
MOVR R9.y, 0.6;
DP3R R9.w, R2, R9;
MADR_SAT R9.w, R9.w, 0.55, 0.40;
MOVR R10.xyz, shallow;
LRPR R10.xyz, R8.y, inner, R10;
MULR R10.xyz, R10, R9.w;
MADR R8.z, R8.z, 0.75, 0.18;
MADR R10.xyz, R7, R8.z, R10;
POWR R9.w, R9.w, 9.0;
MADR R10.xyz, R9.w, 0.5, R10;

# A thin line at the split.
ADDRC R4.z, |R4.y|, -0.8;
MOVR R10.xyz (LT.z), 1.0;
MOVR_SAT o[COLR].xyz, R10;
MOVR o[COLR].w, 1.0;
END
