!!NVfp5.0
# An array of textures, indexed at run time: each patch of a quilt chooses its cloth.

TEXTURE cloth[4] = { texture[0..3] };
PARAM clock = program.local[0];
PARAM quilt = program.local[1];             # x: patches across, y: changes a second
PARAM dyes[6] = { { 1.25, 0.75, 0.62 }, { 0.70, 0.95, 1.15 }, { 1.20, 1.05, 0.60 },
                  { 0.75, 1.10, 0.80 }, { 1.15, 0.80, 1.10 }, { 1.10, 1.05, 1.00 } };
TEMP place, edge, color, st, t, h;          # h is read as integers of both kinds

# Which patch, and where in it. Each half, on either side of the diagonal, is a separate patch.
MUL place.xy, fragment.texcoord[0], quilt.x;
FRC place.zw, place.xyxy;
FLR.S h.xy, place;
SUB t.x, place.z, place.w;
AND.S.CC0 h.z, h.x, 1;
ADD t.y, place.z, place.w;
SUB t.y, t.y, 1.0;
MOV t.x (NE0.z), t.y;
SGE t.z, t.x, 0.0;
TRUNC.S h.z, t.z;

# Each triangle at its own moment: a hash of its number and of the time.
MAD.U h.w, h.x, 0x9E3779B1, h.y;
MAD.U h.w, h.z, 0xC2B2AE35, h.w;
MUL.U h.w, h.w, 0x85EBCA6B;
SHR.U h.x, h.w, 15;
XOR.U h.w, h.w, h.x;
AND.U h.x, h.w, 255;
I2F.U t.y, h.x;
MUL t.y, t.y, 0.00390625;
MAD t.y, clock.x, quilt.y, t.y;
TRUNC.U h.y, t.y;
FRC t.y, t.y;
MAD.U h.w, h.y, 0x9E3779B1, h.w;
MUL.U h.w, h.w, 0x846CA68B;
SHR.U h.x, h.w, 16;
XOR.U h.w, h.w, h.x;
MUL.HI.U h.x, h.w, 4;                       # which of four cloths
MUL.U h.y, h.w, 4;
MUL.HI.U h.y, h.y, 6;                       # which of six dyes

# One lookup for all: h.x chooses the unit cloth[h.x]. w is the level, the same for all patches.
MUL st.xy, place, 0.45;
MOV st.w, 0.6;
TXL color, st, cloth[h.x], 2D;
MUL color.xyz, color, dyes[h.y];

# It pops up when it changes, and is sewn on at its edges.
SUB edge.xy, place.zwzw, 0.5;
SUB edge.xy, 0.5, |edge|;
MIN edge.x, edge.x, edge.y;
MUL edge.y, |t.x|, 0.7071;
MIN edge.x, edge.x, edge.y;
MUL_SAT edge.z, edge.x, 9.0;
MAD edge.z, edge.z, 0.5, 0.55;
MUL color.xyz, color, edge.z;
MAD_SAT t.y, t.y, -7.0, 1.0;
MUL t.y, t.y, t.y;
MAD color.xyz, t.y, 0.45, color;
SUB edge.w, edge.x, 0.075;
MAD_SAT edge.w, |edge.w|, -90.0, 1.6;
ADD t.z, place.x, place.y;
SUB t.w, place.x, place.y;
MUL t.zw, t, 9.0;
FRC t.zw, t;
SUB t.zw, t, 0.5;
MUL t.z, t.z, t.w;
SGE t.z, t.z, 0.0;
MUL edge.w, edge.w, t.z;
LRP result.color.xyz, edge.w, { 0.98, 0.95, 0.86 }, color;
MOV result.color.w, 1.0;
END
