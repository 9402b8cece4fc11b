!!NVfp5.0
# Feedback: each frame is the one before, rotated, shrunk and faded, with three lights and a frame on top.

IMAGE canvas = image[0];                    # this frame, for the next one
PARAM clock = program.local[0];             # x: seconds, y, z: size of the picture
PARAM lens = program.local[1];              # x: rotation, y: size, z: fade
PARAM hues[3] = { { 1.0, 0.42, 0.12 }, { 0.10, 0.62, 1.0 }, { 0.86, 0.24, 0.92 } };
TEMP size, p, q, old, light, color, t;
INT TEMP texel, n;

RCP size.x, clock.y;
RCP size.y, clock.z;
MAD p.xy, fragment.position, size, -0.5;

# The place of this point in the frame before.
COS t.x, lens.x;
SIN t.y, lens.x;
MUL q.x, p.x, t.x;
MAD q.x, p.y, t.y, q.x;
MUL q.y, p.y, t.x;
MAD q.y, -p.x, t.y, q.y;
RCP t.z, lens.y;
MAD q.xy, q, t.z, 0.5;
TEX old, q, texture[0], 2D;

# It fades, and its colours go round a little.
MUL color.xyz, old, lens.z;
MAD color.xyz, color.yzxx, 0.012, color;

# Three moving lights.
MOV.S n.x, 0;
REP.S 3;
    I2F.S t.x, n.x;
    MAD t.y, clock.x, 0.9, t.x;
    MAD t.y, t.x, 1.3, t.y;
    COS q.x, t.y;
    MUL t.y, t.y, 1.37;
    SIN q.y, t.y;
    MAD q.xy, q, -0.3, p;
    DP2 t.z, q, q;
    MUL t.z, t.z, -700.0;
    EX2 t.z, t.z;
    MUL light.xyz, hues[n.x], t.z;
    MAX color.xyz, color, light;
    ADD.S n.x, n.x, 1;
ENDREP;

# And a frame around everything.
MAX t.x, |p.x|, |p.y|;
SUB t.x, t.x, 0.44;
MUL t.x, t.x, t.x;
MUL t.x, t.x, -90000.0;
EX2 t.x, t.x;
MUL light.xyz, { 0.30, 0.36, 0.62, 0.0 }, t.x;
MAX color.xyz, color, light;
MOV color.w, 1.0;

# Keep it, as 16-bit floats: STOREIM without a modifier converts to the format of the image.
FLR.S texel, fragment.position;
STOREIM canvas, color, texel, 2D;
MOV result.color, color;
END
