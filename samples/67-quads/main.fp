!!NVfp5.0
# Where four neighbours agree: fragments run four at a time, and TGALL, TGANY and TGEQ test the whole group.

PARAM clock = program.local[0];
PARAM shape = program.local[1];             # x: bands, y: speed
TEMP place, d, color, t;

# Three drops on their ways; each has a field that falls off with the distance, and the fields add up.
MUL t, clock.x, { 1.0, 0.7, -0.8, 1.3 };
MUL t, t, shape.y;
COS d.x, t.x;
SIN d.y, t.y;
COS d.z, t.z;
SIN d.w, t.w;
MAD d, d, 0.30, 0.5;
SUB place.xy, fragment.texcoord[0], d;
DP2 t.x, place, place;
SUB place.xy, fragment.texcoord[0], d.zwzw;
DP2 t.y, place, place;
SUB place.xy, fragment.texcoord[0], d.wxwx;
DP2 t.z, place, place;
ADD t.xyz, t, 0.004;
RCP t.x, t.x;
RCP t.y, t.y;
RCP t.z, t.z;
DP3 d.x, t, { 0.020, 0.014, 0.016 };

# Bands of the field. On which band is a pixel, and do all four of the group agree?
LG2 t.x, d.x;
MUL t.x, t.x, shape.x;
FLR d.y, t.x;
TGEQ.CC d.z, d.y;
MAD t.x, d.y, 0.55, clock.x;
ADD color.xyz, t.x, { 4.1, 5.0, 0.3 };
COS color.x, color.x;
COS color.y, color.y;
COS color.z, color.z;
MAD color.xyz, color, 0.38, 0.60;
MUL color.xyz (EQ.z), color, 0.30;

# Inside of the drops? White where all four are, orange where some are and some are not.
SGE d.w, d.x, 1.0;
TGALL t.x, d.w;
TGANY t.y, d.w;
MAD d.xyz, color, 0.35, { 0.66, 0.64, 0.58 };
LRP color.xyz, t.x, d, color;
SUB.CC1 t.w, t.y, t.x;
MOV color.xyz (NE1.w), { 1.0, 0.45, 0.12 };
MOV result.color.xyz, color;
MOV result.color.w, 1.0;
END
