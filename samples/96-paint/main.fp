!!NVfp5.0
# Clay with paint on it. Fragments under the brush store colour in the image, at their place on the surface.

ATTRIB place = fragment.attrib[0];          # x, y: where on the image, from 0 to 1
ATTRIB facing = fragment.attrib[1];
IMAGE paint = image[0];
PARAM mouse = program.local[0];             # x, y: where it is, z: whether it is down, w: seconds
PARAM window = program.local[1];            # x, y: size of the picture
PARAM brush = program.local[2];             # x: radius in pixels, y: how wet
PARAM toLight = { -0.48, 0.62, 0.62, 0.0 };
TEMP p, spot, held, clay, color, pigment, t, n;
INT TEMP texel;

# While the mouse is up, the brush moves up and down by itself, and the vase turns under it.
MUL t.x, mouse.w, 0.83;
SIN t.y, t.x;
MAD p.y, t.y, 0.24, 0.50;
MUL t.x, mouse.w, 0.31;
SIN t.y, t.x;
MAD p.x, t.y, 0.05, 0.50;
SGT.CC t.z, mouse.z, 0.0;
MOV p.xy (NE.z), mouse;

# How far this fragment is from the brush, in radii.
MUL p.xy, p, window;
SUB p.xy, fragment.position, p;
RCP t.x, brush.x;
MUL p.xy, p, t.x;
DP2 t.w, p, p;

# The pigment changes with the time.
ADD t.xyz, mouse.w, { 0.0, 2.1, 4.2 };
MUL t.xyz, t, 0.55;
COS pigment.x, t.x;
COS pigment.y, t.y;
COS pigment.z, t.z;
MAD pigment.xyz, pigment, 0.36, 0.56;

# The paint so far, and the paint that the brush adds: much in the middle, nothing at its edge.
MUL spot.xy, place, { 0.5, 1.0 };           # the texture goes round the vase twice, the paint once
FRC spot.xy, spot;
TEX held, spot, texture[0], 2D;
SUB.SAT t.w, 1.0, t.w;
MUL t.w, t.w, brush.y;
MUL t.w, t.w, 1.6;
MOV.SAT t.w, t.w;
LRP held.xyz, t.w, pigment, held;
SUB t.x, 1.0, held.w;
MAD held.w, t.x, t.w, held.w;
SGT.CC t.x, t.w, 0.004;
IF NE.x;
    MUL p.xy, spot, { 512.0, 256.0 };
    FLR.S texel, p;
    STOREIM paint, held, texel, 2D;
ENDIF;

# Clay, with a thread of rings, under one lamp.
MUL t.x, place.y, 220.0;
SIN t.x, t.x;
MAD t.x, t.x, 0.025, 1.0;
MUL clay.xyz, { 0.70, 0.50, 0.38 }, t.x;
LRP color.xyz, held.w, held, clay;
DP3 t.x, facing, facing;
RSQ t.x, t.x;
MUL n.xyz, facing, t.x;
DP3 t.y, n, toLight;
MAD.SAT t.z, t.y, 0.5, 0.5;
MUL t.z, t.z, t.z;
MAD color.xyz, color, t.z, 0.0;
MAX t.y, t.y, 0.0;
POW t.y, t.y, 24.0;
MUL t.y, t.y, 0.22;
ADD result.color.xyz, color, t.y;
MOV result.color.w, 1.0;
END
