!!NVfp5.0
# A wall of lights. Its text is a buffer of numbers, one for each letter; the shape of a letter is 64 bits in a texel.

PARAM clock = program.local[0];
PARAM wall = program.local[1];              # x: lights across, y: lights a second, z: afterglow
PARAM hues[8] = { { 1.0, 0.66, 0.14 }, { 0.45, 1.0, 0.28 }, { 1.0, 0.30, 0.22 }, { 0.34, 0.80, 1.0 },
                  { 1.0, 0.66, 0.14 }, { 1.0, 0.42, 0.70 }, { 0.62, 0.60, 1.0 }, { 1.0, 0.93, 0.72 } };
INT TEMP light, line, letter, n;
UINT TEMP rows;
TEMP place, glow, color, t;

# Which light, and where in it. Line 0 is the uppermost: eight lights each, of which seven are letters.
MUL place.xy, fragment.texcoord[0], wall.x;
TRUNC.S light.xy, place;
FRC place.xy, place;
I2F.S t.x, light.y;
SUB t.x, wall.x, t.x;
SUB t.x, t.x, 1.0;
TRUNC.S light.y, t.x;
SHR.S line.x, light.y, 3;
AND.S line.x, line.x, 7;
AND.S line.y, light.y, 7;

# Each line travels at its own speed, one light at a time; between two steps the previous light still glows.
I2F.S t.x, line.x;
MAD t.x, t.x, 0.13, 1.0;
MUL t.x, t.x, wall.y;
MUL t.x, t.x, clock.x;
TRUNC.S light.w, t.x;
FRC t.y, t.x;
ADD.S light.z, light.x, light.w;
CAL lit;
MOV glow.x, t.w;
SUB.S light.z, light.z, 1;
CAL lit;
SUB t.z, 1.0, t.y;
MUL t.z, t.z, wall.z;
MAD glow.x, t.w, t.z, glow.x;
MIN glow.x, glow.x, 1.0;

# A lamp: a bright middle, a glass rim, a halo where it is lit.
SUB place.xy, place, 0.5;
DP2 place.z, place, place;
MAD_SAT t.x, place.z, -14.0, 1.75;
MUL t.x, t.x, t.x;
MUL t.z, place.z, -9.0;
EX2 t.z, t.z;
MOV.S n.x, line.x;
MOV color, hues[n.x];
MAD t.w, glow.x, 1.25, 0.07;
MUL t.y, t.x, t.w;
MUL t.w, t.z, glow.x;
MAD t.y, t.w, 0.42, t.y;
MAD color.xyz, color, t.y, { 0.018, 0.020, 0.028 };
# White hot in the middle.
MAD_SAT t.x, place.z, -22.0, 1.0;
MUL t.x, t.x, glow.x;
MAD color.xyz, t.x, 0.38, color;
MOV result.color.xyz, color;
MOV result.color.w, 1.0;
RET;

# t.w: whether the light in column light.z of its line is lit.
lit:
    # A letter takes six columns, of which the last stays dark.
    DIV.S letter.x, light.z, 6;
    MOD.S letter.y, light.z, 6;
    AND.S letter.x, letter.x, 31;
    # The letter: the buffer has 32 for each line. Its texels have no filter, no level and no edge.
    MAD.S n.x, line.x, 32, letter.x;
    TXF.S n.x, n, texture[1], BUFFER;
    # Its shape: one texel, of its 64 bits the eight of the row, and of these the one of the column.
    MOV.S n.yzw, 0;
    TXF.U rows.xy, n, texture[0], 2D;
    AND.S.CC letter.z, line.y, 4;
    MOV.U rows.x (NE.z), rows.y;
    AND.S letter.w, line.y, 3;
    MAD.S letter.w, letter.w, 8, letter.y;
    SHR.U.NTC rows.x, rows.x, letter.w;     # the count is signed on purpose: no type check
    AND.U rows.x, rows.x, 1;
    I2F.U t.w, rows.x;
    RET;
END
