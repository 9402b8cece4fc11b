!!NVfp4.0
# The upper half of a product gives a random number from 0 to n - 1: the colour of a tile. Truchet's tiles, which turn now and then.

PARAM clock = program.local[0];
PARAM floor = program.local[1];             # x: tiles across, y: turns a second
PARAM palette[5] = { { 0.93, 0.38, 0.28 }, { 0.97, 0.71, 0.27 }, { 0.16, 0.62, 0.56 },
                     { 0.15, 0.29, 0.45 }, { 0.55, 0.24, 0.44 } };
UINT TEMP cell, h, dice;
TEMP place, color, t, turn;

MUL place.xy, fragment.texcoord[0], floor.x;
FRC place.zw, place.xyxy;
TRUNC.U cell.xy, place;
SUB place.zw, place, 0.5;

# 32 random bits for the tile.
MAD.U h.x, cell.x, 0x9E3779B1, cell.y;
MUL.U h.x, h.x, 0x85EBCA6B;
SHR.U h.y, h.x, 15;
XOR.U h.x, h.x, h.y;
MUL.U h.x, h.x, 0x846CA68B;
SHR.U h.y, h.x, 16;
XOR.U h.x, h.x, h.y;

# Read as a fraction of 2^32, the hash is a number from 0 to 1. Times 5 it is one from 0 to 5, and its whole part is
# the bits above the lower 32: MUL.HI.
MUL.HI.U dice.x, h.x, 5;
# The rest below is as random as before, and gives the next number.
MUL.U h.y, h.x, 5;
MUL.HI.U dice.y, h.y, 4;
MUL.U h.z, h.y, 4;
SHR.U h.w, h.z, 8;
I2F.U t.x, h.w;
MUL t.x, t.x, 0.000000059604645;            # 2^-24

# Quarter turns: each tile begins at its own moment and turns quickly, then rests.
MAD t.y, clock.x, floor.y, t.x;
FLR t.z, t.y;
FRC t.y, t.y;
MAD_SAT t.y, t.y, 4.0, -3.0;
MUL t.w, t.y, t.y;
MAD t.x, t.y, -2.0, 3.0;
MAD t.z, t.w, t.x, t.z;
I2F.U t.w, dice.y;
ADD t.z, t.z, t.w;
MUL t.z, t.z, 1.5707963;
COS turn.x, t.z;
SIN turn.y, t.z;
MUL turn.zw, turn.xyxy, place.wzwz;         # (cos * v, sin * u)
MUL t.xy, turn, place.zwzw;                 # (cos * u, sin * v)
SUB place.x, t.x, t.y;
ADD place.y, turn.z, turn.w;

# Two quarter circles around opposite corners: the nearer corner counts.
ADD t.x, place.x, place.y;
SUB.CC t.x, t.x, 0.0;
MOV t.zw, { 0.0, 0.0, 0.5, 0.5 };
MOV t.zw (LT.x), -0.5;
SUB t.xy, place, t.zwzw;
DP2 t.x, t, t;
MAX t.x, t.x, 0.000001;
RSQ t.y, t.x;
MUL t.x, t.x, t.y;
SUB t.z, t.x, 0.5;

# A ribbon with a light edge, on the tile's colour.
MUL color.xyz, palette[dice.x], 0.9;
MAD t.w, |t.z|, -1.6, 1.0;
MUL color.xyz, color, t.w;
MAD_SAT t.y, |t.z|, -60.0, 9.6;
LRP color.xyz, t.y, { 0.99, 0.95, 0.86 }, color;
MAD_SAT t.y, |t.z|, -60.0, 6.0;
LRP color.xyz, t.y, { 0.10, 0.11, 0.16 }, color;
MAD_SAT t.y, |t.z|, -60.0, 1.9;
LRP color.xyz, t.y, { 0.96, 0.78, 0.38 }, color;
MOV result.color.xyz, color;
MOV result.color.w, 1.0;
END
