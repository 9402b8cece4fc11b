!!FP1.0
# A program can replace the depth that the depth test sees: write o[DEPR].z.
#
# Right of the moving line the depth is inverted, 1 - z. There the FARTHEST surface wins: you
# look through the front of the knot at the back of its inside. f[WPOS] is the pixel's place in the
# window: x and y in pixels, z the depth it would have had, w = 1 / distance.

DECLARE clock = {0, 512};            # x: seconds, y: width of the picture
DECLARE cut = {0.5, 0.32, 0};        # x: middle of the path of the line, y: how far it moves, z: added to all depths
DECLARE near_colour = {1.0, 0.78, 0.35};
DECLARE far_colour = {0.15, 0.20, 0.62};

# The line, in pixels: (x + y * sin(time)) * width.
SINR R0.x, clock.x;
MULR R0.x, R0.x, cut.y;
ADDR R0.x, R0.x, cut.x;
MULR R0.x, R0.x, clock.y;

# Depth: unchanged on the left, inverted on the right.
SUBRC R0.y, f[WPOS].x, R0.x;         # cc.y > 0 on the right
MOVR R1.z, f[WPOS].z;
SUBR R1.w, 1.0, R1.z;
MOVR R1.z (GT.y), R1.w;
ADDR R1.z, R1.z, cut.z;
MOVR o[DEPR].z, R1.z;                # only z matters

# Colour by distance, f[FOGC].x being the distance from the eye: 2.0 is near, 4.4 far.
MADR_SAT R2.x, f[FOGC].x, 0.4, -0.8;
MOVR R3.xyz, near_colour;
LRPR R3.xyz, R2.x, far_colour, R3;

# Light from the eye, on either side of the surface: by the absolute value.
DP3R R4.w, f[TEX1], f[TEX1];
RSQR R4.w, R4.w;
MULR R4.xyz, f[TEX1], R4.w;
DP3R R5.w, f[TEX5], f[TEX5];
RSQR R5.w, R5.w;
MULR R5.xyz, f[TEX5], R5.w;
DP3RC R6.x, R4, R5;                  # cc.x < 0: this is the inside
MADR R6.y, |R6.x|, 0.8, 0.2;
MULR R3.xyz, R3, R6.y;

# Stripes mark the inside.
MULR R7.x, f[TEX0].x, 96.0;
FRCR R7.x, R7.x;
SGER R7.x, R7.x, 0.5;
MADR R7.x, R7.x, 0.45, 0.55;
MULR R3.xyz (LT.x), R3, R7.x;

# The line itself glows on the surface that it passes.
MULR R8.x, R0.y, 0.08;
MULR R8.x, R8.x, -R8.x;
EX2R R8.x, R8.x;
MADR R3.xyz, R8.x, {0.55, 0.50, 0.40}, R3;
MOVR_SAT o[COLR].xyz, R3;
MOVR o[COLR].w, 1.0;
END
