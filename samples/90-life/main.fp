!!NVfp5.0
# Conway's game of life. It reads this generation and writes the next: two buffers that swap roles.

ATTRIB place = fragment.attrib[0];
PARAM mouse = program.local[0];             # x, y: where it is, z: whether it is down
PARAM look = program.local[1];              # x: frames a generation, y: how round, z: how large
PARAM hues[4] = { { 1.0, 0.95, 0.74 }, { 1.0, 0.60, 0.42 }, { 0.76, 0.40, 0.72 }, { 0.26, 0.60, 0.74 } };
LONG UINT TEMP memory, now, next, at;
INT TEMP clock, cell, beside, pen, value, life, n;
TEMP p, color, glow, t;

# The clock, and which of the buffers is which in this generation.
PK64.U at, program.local[3];
LOAD.S32X2 clock, at.x;
PK64.U memory, program.local[2];
MOV.U64 now.x, memory.x;
MOV.U64 next.x, memory.y;
AND.S.CC n.x, clock.x, 1;
IF NE.x;
    MOV.U64 now.x, memory.y;
    MOV.U64 next.x, memory.x;
ENDIF;

# The cell of this fragment. Rows count from the top.
MUL p.xy, place, 64.0;
FLR.S cell.xy, p;
SUB.S cell.y, 63, cell.y;
FRC p.xy, p;
MAD.S n.x, cell.y, 64, cell.x;
MAD.U64.NTC at.x, n.x, 4, now.x;
LOAD.S32 value.x, at.x;

# A pen: where the mouse is down, five cells come to life.
MUL t.xy, mouse, 64.0;
FLR.S pen.xy, t;
SUB.S pen.y, 63, pen.y;
SUB.S pen.xy, pen, cell;
ABS.S pen.xy, pen;
ADD.S pen.z, pen.x, pen.y;
SLE.S pen.z, pen.z, 1;
SGT.CC t.x, mouse.x, 0.0;
MOV.S pen.z (EQ.x), 0;
SGT.CC t.x, mouse.z, 0.0;
MOV.S pen.w, 0;
MOV.S pen.w (NE.x), pen.z;

# One fragment of each cell plays: the lower left one, which borders other cells there. It does so in the
# first frame of a generation, and where the pen is.
DDX p.z, place.x;
DDY p.w, place.y;
MUL p.zw, p, 64.0;                          # the size of a fragment, in cells
SLT t.y, p.x, p.z;
SLT t.z, p.y, p.w;
MUL.CC0 t.y, t.y, t.z;
SUB.S.CC1 n.x, clock.y, 1;
MOV.S n.x (NE1.x), pen.w;
MOV.S n.x (EQ1.x), 1;
MOV.S n.x (EQ0.y), 0;
MOV.S.CC n.x, n.x;
IF NE.x;
    # Count the living around. The world has no edge: it wraps around.
    MOV.S life.x, 0;
    MOV.S n.zw, -1;
    REP 9.0;
        ADD.S beside.xy, cell, n.zwzw;
        AND.S beside.xy, beside, 63;
        MAD.S n.x, beside.y, 64, beside.x;
        MAD.U64.NTC at.x, n.x, 4, now.x;
        LOAD.S32 beside.x, at.x;
        SGT.S n.x, beside.x, 0;
        SUB.S life.x, life.x, n.x;          # true is -1
        ADD.S n.z, n.z, 1;
        SGT.S.CC n.x, n.z, 1;
        MOV.S n.z (NE.x), -1;
        ADD.S n.w (NE.x), n.w, 1;
    ENDREP;

    # Three with itself: alive. Four with itself: as it was. Otherwise dead.
    SGT.S life.y, value.x, 0;
    SUB.S.CC0 n.x, life.x, 3;
    SUB.S.CC1 n.x, life.x, 4;
    MOV.S life.z, 0;
    MOV.S life.z (EQ1.x), life.y;
    MOV.S life.z (EQ0.x), -1;
    MOV.S.CC n.x, pen.w;
    MOV.S life.z (NE.x), -1;

    # Either kind of number grows older, up to 9.
    MAX.S life.x, value.x, 0;
    ADD.S life.x, life.x, 1;
    MIN.S life.x, life.x, 9;
    MIN.S life.y, value.x, 0;
    SUB.S life.y, life.y, 1;
    SGE.S.CC n.x, life.y, -9;
    MOV.S life.y (EQ.x), 0;
    SNE.S.CC n.x, value.x, 0;
    MOV.S life.y (EQ.x), 0;
    MOV.S.CC life.z, life.z;
    MOV.S life.x (EQ.z), life.y;
    MAD.S n.x, cell.y, 64, cell.x;
    MAD.U64.NTC at.x, n.x, 4, next.x;
    STORE.S32 life.x, at.x;
ENDIF;

RCP glow.w, p.z;

# How far this generation is: newborn cells grow, dying ones shrink.
I2F.S t.x, clock.y;
RCP t.y, look.x;
MUL.SAT t.x, t.x, t.y;
I2F.S t.z, value.x;
MOV t.w, 0.0;
SUB.CC0 t.y, t.z, 1.0;
SEQ.CC1 t.y, t.z, -1.0;
MOV t.w (GT0.y), 1.0;
MOV t.w (EQ0.y), t.x;
SUB t.y, 1.0, t.x;
MOV t.w (NE1.y), t.y;

# A square with round corners, soft by a pixel.
MUL glow.x, t.w, look.z;
MUL glow.y, glow.x, look.y;
MUL glow.y, glow.y, 2.0;
SUB p.xy, p, 0.5;
SUB glow.z, glow.x, glow.y;
SUB p.xy, |p|, glow.z;
MAX p.xy, p, 0.0;
DP2 p.z, p, p;
MAX p.z, p.z, 0.0000001;
RSQ p.w, p.z;
MUL p.w, p.w, p.z;
SUB p.w, glow.y, p.w;
MAD.SAT p.w, p.w, glow.w, 0.5;
SGT t.y, t.w, 0.02;
MUL p.w, p.w, t.y;

# The young are warm, the old are calm.
MAX glow.x, t.z, 1.0;
SUB glow.x, glow.x, 1.0;
ADD glow.x, glow.x, t.x;
MUL glow.x, glow.x, 0.40;
MIN glow.x, glow.x, 2.999;
FLR.S n.x, glow.x;
FRC glow.y, glow.x;
ADD.S n.y, n.x, 1;
MIN.S n.y, n.y, 3;
LRP color.xyz, glow.y, hues[n.y], hues[n.x];

# The ground still glows where a cell has just died.
SUB glow.x, t.x, t.z;
MAD.SAT glow.x, glow.x, -0.1, 1.1;
SLT glow.y, t.z, 0.0;
MUL glow.x, glow.x, glow.y;
MUL glow.x, glow.x, glow.x;
MAD glow.xyz, glow.x, { 0.16, 0.055, 0.20 }, { 0.045, 0.045, 0.095 };

# The cells of the pen have a shaded outline.
MOV.S.CC n.x, pen.z;
ADD glow.xyz (NE.x), glow, 0.06;
LRP result.color.xyz, p.w, color, glow;
MOV result.color.w, 1.0;
END
