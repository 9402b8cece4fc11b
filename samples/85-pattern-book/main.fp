!!NVfp5.0
# Subroutines chosen from outside. Each tile of a wall turns over now and then, and calls the pattern on another page
# of a book. The program does not choose the patterns: the scene does, and the Inputs panel can change them.

# Labels of one type are interchangeable. A caller knows only the type.
SUBROUTINETYPE Pattern { stars, scales, petals, rings, weave, waves, dots };
SUBROUTINETYPE Colours { glaze, indigo, night };

# Variables of a type: an array of eight, from which an index chooses, and one alone.
SUBROUTINE Pattern page[8] = { program.subroutine[0..7] };
SUBROUTINE Colours colours = program.subroutine[8];

PARAM clock = program.local[0];             # x: time, y: width, z: height
PARAM wall = program.local[1];              # x: tiles across, y: turns a second, z: how fast a turn is
TEMP p, tile, turn, q, box, field, color, grout, hue, shade, s, t;
INT TEMP n;

main:
# Which tile, and where in it.
RCP t.x, clock.y;
MUL p.xy, fragment.texcoord[0], wall.x;
MUL t.y, clock.z, t.x;
MUL p.y, p.y, t.y;
FLR tile.xy, p;
SUB p.xy, p, tile;
SUB p.xy, p, 0.5;
MUL t.z, wall.x, t.x;
MUL field.w, t.z, 2.0;                      # the width of a pixel

# Turns move over the wall in waves. turn.x counts them, turn.y goes from 0 to 1 while the tile turns.
MUL t.x, tile.x, 0.13;
MAD t.x, tile.y, -0.09, t.x;
MAD t.x, clock.x, wall.y, t.x;
ADD t.x, t.x, 8.0;
FLR turn.x, t.x;
SUB turn.y, t.x, turn.x;
MUL.SAT turn.y, turn.y, wall.z;
SGE turn.z, turn.y, 0.5;
ADD turn.x, turn.x, turn.z;                 # half way round it shows the next page
MUL t.y, turn.y, 3.14159265;
COS turn.w, t.y;
MAX turn.w, |turn.w|, 0.02;
SIN shade.x, t.y;

# The number of the tile gives random bits: its page, the same for the whole tile.
MAD t.x, tile.y, 61.0, tile.x;
MAD t.x, turn.x, 7.0, t.x;
TRUNC.S n.x, t.x;
MUL.S n.x, n.x, 0x2C1B3C6D;
SHR.S n.y, n.x, 15;
XOR.S n.x, n.x, n.y;
MUL.S n.x, n.x, 0x297A2D39;
SHR.S n.y, n.x, 9;
AND.S n.y, n.y, 255;
I2F hue.x, n.y;
MUL hue.x, hue.x, 0.00390625;
SHR.S n.x, n.x, 18;
AND.S n.x, n.x, 7;

# The place on the tile, from -1 to 1. A tile that turns looks narrow.
RCP t.x, turn.w;
MUL q.x, p.x, t.x;
MOV q.y, p.y;
MUL q.xy, q, 2.0;
MUL field.w, field.w, t.x;

# An index that each pixel computes chooses the variable, and the variable the subroutine. Neighbours may differ.
CALI page[n.x];
RCP t.x, field.w;
RCP t.y, field.y;
MUL t.x, t.x, t.y;
MAD.SAT field.z, field.x, t.x, 0.5;         # ink where the field is positive, soft by a pixel

# All tiles call the same here.
CALI colours;

# A shadow on the wall, and the tile over it.
ADD box.xy, q, { -0.07, 0.10 };
CAL edge;
MAD.SAT t.x, box.w, -5.0, 0.55;
MUL t.x, t.x, t.x;
MAD t.x, t.x, -0.45, 1.0;
MUL grout.xyz, grout, t.x;
MAD t.x, shade.x, -0.55, 1.0;
MUL color.xyz, color, t.x;
MOV box.xy, q;
CAL edge;
RCP t.x, field.w;
MAD.SAT t.y, box.w, -5.0, 0.0;              # a glaze that is thin at the edge
MAD t.y, t.y, 0.22, 0.78;
MUL color.xyz, color, t.y;
MAD.SAT t.x, box.w, -t.x, 0.5;
LRP result.color.xyz, t.x, color, grout;
MOV result.color.w, 1.0;
RET;

# box.w: the distance of box.xy from the edge of a tile with round corners; negative inside.
edge:
SUB box.xy, |box|, 0.74;
MAX box.xy, box, 0.0;
DP2 box.z, box, box;
MAX box.z, box.z, 0.000001;
RSQ box.w, box.z;
MAD box.w, box.w, box.z, -0.18;
RET;

# Patterns: field.x is positive where there is ink, field.y how steep it is.
stars SUBROUTINENUM(0):
MAX t.x, |q.x|, |q.y|;
ADD t.y, |q.x|, |q.y|;
MUL t.y, t.y, 0.70710678;
MIN t.x, t.x, t.y;
MUL t.x, t.x, 2.5;
MAD t.x, clock.x, -0.25, t.x;
MOV field.y, 5.0;
CAL bands;
RET;

scales SUBROUTINENUM(1):
# Circles in rows, each over the row above it: the lowest one around this point is visible.
MUL t.xy, q, 2.0;
MUL t.z, t.y, 2.0;
FLR t.z, t.z;
SUB t.z, t.z, 1.0;
REP 4.0;
    ADD s.x, t.x, t.z;
    MAD s.x, s.x, 0.5, 0.5;
    FRC s.x, s.x;
    MAD s.x, s.x, 2.0, -1.0;
    MAD s.y, t.z, -0.5, t.y;
    DP2 s.z, s, s;
    SUB.CC s.w, s.z, 1.0;
    BRK (LE.w);
    ADD t.z, t.z, 1.0;
ENDREP;
MAX s.z, s.z, 0.000001;
RSQ t.x, s.z;
MUL t.x, t.x, s.z;
MUL t.x, t.x, 3.0;
MOV field.y, 12.0;
CAL bands;
RET;

petals SUBROUTINENUM(2):
# Circles around the corners of each square; petals are where two of them meet.
MUL t.xy, q, 1.5;
FRC t.xy, t;
SUB t.xy, t, 0.5;
ADD t.zw, 0.5, |t.xxxy|;
SUB t.xy, 0.5, |t|;
MUL t, t, t;
ADD t.x, t.x, t.w;
ADD t.y, t.y, t.z;
MIN t.x, t.x, t.y;
RSQ t.y, t.x;
MUL t.x, t.x, t.y;
SIN t.y, clock.x;
MAD t.y, t.y, 0.03, 0.68;
SUB field.x, t.y, t.x;
MOV field.y, 1.5;
RET;

rings SUBROUTINENUM(3):
DP2 t.x, q, q;
MAX t.x, t.x, 0.000001;
RSQ t.y, t.x;
MUL t.x, t.x, t.y;
MUL t.x, t.x, 3.0;
MAD t.x, clock.x, -0.4, t.x;
MOV field.y, 6.0;
CAL bands;
RET;

weave SUBROUTINENUM(4):
# Strips over and under: across in every other square.
MUL t.xy, q, 2.0;
FLR t.zw, t.xxxy;
ADD t.z, t.z, t.w;
MUL t.z, t.z, 0.5;
FRC t.z, t.z;
SUB.CC t.z, t.z, 0.25;
IF GT.z;
    MOV t.x, t.y;
ENDIF;
MUL t.x, t.x, 3.0;
MOV field.y, 12.0;
CAL bands;
RET;

waves SUBROUTINENUM(5):
MUL t.y, q.x, 6.2831853;
MAD t.y, clock.x, 1.3, t.y;
SIN t.y, t.y;
MUL t.x, q.y, 2.5;
MAD t.x, t.y, 0.22, t.x;
MOV field.y, 6.0;
CAL bands;
RET;

dots SUBROUTINENUM(6):
# Dots that breathe.
MUL t.xy, q, 2.0;
FRC t.xy, t;
SUB t.xy, t, 0.5;
DP2 t.x, t, t;
MAX t.x, t.x, 0.000001;
RSQ t.y, t.x;
MUL t.x, t.x, t.y;
ADD t.z, |q.x|, |q.y|;
MAD t.z, t.z, 2.5, -clock.x;
SIN t.z, t.z;
MAD t.z, t.z, 0.10, 0.29;
SUB field.x, t.z, t.x;
MOV field.y, 2.0;
RET;

# Ink and no ink alternate along t.x.
bands:
FRC t.x, t.x;
MAD t.x, t.x, 2.0, -1.0;
SUB field.x, |t.x|, 0.5;
RET;

# Colours: color and grout, of hue.x, the tile's own, and field.z, the ink.
glaze SUBROUTINENUM(16):
ADD t.xyz, hue.x, { 0.0, 0.33, 0.67 };
MUL t.xyz, t, 6.2831853;
COS t.x, t.x;
COS t.y, t.y;
COS t.z, t.z;
MAD color.xyz, t, { 0.30, 0.22, 0.26 }, { 0.60, 0.46, 0.44 };
MAD t.xyz, t, 0.05, { 0.96, 0.92, 0.84 };
LRP color.xyz, field.z, color, t;
MOV grout.xyz, { 0.33, 0.29, 0.27 };
RET;

indigo SUBROUTINENUM(17):
LRP color.xyz, hue.x, { 0.07, 0.13, 0.38 }, { 0.10, 0.42, 0.58 };
LRP color.xyz, field.z, color, { 0.95, 0.94, 0.90 };
MOV grout.xyz, { 0.66, 0.68, 0.70 };
RET;

night SUBROUTINENUM(18):
LRP color.xyz, hue.x, { 0.95, 0.72, 0.32 }, { 0.92, 0.42, 0.46 };
LRP color.xyz, field.z, color, { 0.09, 0.10, 0.22 };
MOV grout.xyz, { 0.04, 0.04, 0.09 };
RET;
END
