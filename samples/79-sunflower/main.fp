!!NVfp5.0
# fragment.pointcoord: the place of this pixel in its point, from 0 to 1 each way. A floret with six petals.

ATTRIB kind = fragment.attrib[0];
TEMP p, color, t;

# From the middle: -1 to 1, and y upwards.
MAD p.xy, fragment.pointcoord, { 2.0, -2.0 }, { -1.0, 1.0 };
DP2 p.z, p, p;
MAX p.z, p.z, 0.00001;
RSQ p.w, p.z;
MUL p.z, p.z, p.w;                          # the radius
MUL t.xy, p, p.w;                           # the direction

# Six petals: the real part of (x + iy)^6, from squares and products.
MUL t.z, t.x, t.x;
MUL t.w, t.y, t.y;
SUB t.z, t.z, t.w;                          # cos 2a
MUL t.w, t.z, t.z;
MAD t.w, t.w, 4.0, -3.0;
MUL t.w, t.w, t.z;                          # cos 6a = 4 cos^3 2a - 3 cos 2a
MAD t.x, t.w, 0.17, 0.80;

# Outside there is nothing.
SUB t.y, t.x, p.z;
KIL t.y;

# Light from above, a dark rim, a spot in the middle.
MAD_SAT t.z, t.y, 4.5, 0.35;
MAD t.w, p.y, 0.28, 0.82;
MUL t.z, t.z, t.w;
MUL color.xyz, kind, t.z;
MAD_SAT t.w, p.z, -9.0, 2.6;
MUL t.w, t.w, 0.75;
LRP color.xyz, t.w, { 0.30, 0.10, 0.05 }, color;
MOV result.color.xyz, color;
MOV result.color.w, 1.0;
END
