!!NVfp5.0
# A histogram. Each fragment of the first quad counts itself: ATOM.ADD. The second quad draws the counts.

ATTRIB place = fragment.attrib[0];
PARAM clock = program.local[0];
PARAM film = program.local[1];              # x: exposure, y: how far it sways, z: how fast, w: how heights grow
TEMP color, count, height, edge, t;
UINT TEMP bin, red, green, blue, n;
LONG UINT TEMP memory, at;

# x: where the counters are, y: where the greatest of them is. An address has 64 bits, so two parameters make one.
PK64.U memory, program.local[2];

MOV.U.CC n.x, primitive.id.x;
IF EQ.x;
    # The picture at this exposure.
    MUL t.x, clock.x, film.z;
    SIN t.x, t.x;
    MAD t.x, t.x, film.y, film.x;
    EX2 t.x, t.x;
    TEX color, place, texture[0], 2D;
    MUL color.xyz, color, t.x;
    MUL color.xyz, color, -1.442695;
    EX2 color.x, color.x;                   # 1 - exp(-c): highlights bend before they burn
    EX2 color.y, color.y;
    EX2 color.z, color.z;
    SUB color.xyz, 1.0, color;
    MUL.SAT color.xyz, color, 1.22;

    # A counter for each component. Four bytes each: that turns counter numbers into addresses.
    MUL t.xyz, color, 63.99;
    FLR.U bin.xyz, t;
    ADD.U bin.xyz, bin, { 0, 64, 128, 0 };
    MAD.U64 at.x, bin.x, 4, memory.x;
    MAD.U64 at.y, bin.y, 4, memory.x;
    MAD.U64 at.z, bin.z, 4, memory.x;

    # One more. Nothing comes in between reading and writing, so no count is lost. The result is the previous value,
    # always in x.
    ATOM.ADD.U32 red.x, 1, at.x;
    ATOM.ADD.U32 green.x, 1, at.y;
    ATOM.ADD.U32 blue.x, 1, at.z;

    # The greatest count so far. Nearly black and white do not take part: the trees would dwarf all the rest.
    MAX.U n.x, red, green;
    MAX.U n.x, n.x, blue;
    MAX t.w, color.x, color.y;
    MAX t.w, t.w, color.z;
    SGT t.x, t.w, 0.14;
    SLT t.y, t.w, 0.99;
    MUL.CC t.x, t.x, t.y;
    IF NE.x;
        ATOM.MAX.U32 n.x, n.x, memory.y;
    ENDIF;
    MOV result.color.xyz, color;
    MOV result.color.w, 1.0;
ELSE;
    # The panel: the number of this column, and its count.
    MUL t.x, place.x, 64.0;
    FRC edge.w, t.x;
    FLR.U bin.x, t.x;
    MIN.U bin.x, bin.x, 63;
    MAD.U64 at.x, bin.x, 4, memory.x;
    ADD.U64 at.y, at.x, 256;
    ADD.U64 at.z, at.x, 512;
    LOAD.U32 red.x, at.x;
    LOAD.U32 green.x, at.y;
    LOAD.U32 blue.x, at.z;
    LOAD.U32 n.x, memory.y;
    I2F.U count.x, red.x;
    I2F.U count.y, green.x;
    I2F.U count.z, blue.x;
    I2F.U count.w, n.x;

    # Heights from 0 to 1.
    RCP t.w, count.w;
    MUL count.xyz, count, t.w;
    MAX count.xyz, count, 0.0000001;
    POW height.x, count.x, film.w;
    POW height.y, count.y, film.w;
    POW height.z, count.z, film.w;

    # Light adds up where columns overlap. Their tops are soft by a pixel, and there are gaps.
    MUL height.xyz, height, 0.94;
    SUB height.xyz, height, place.y;
    DDY t.y, place.y;
    RCP t.y, |t.y|;
    MAD.SAT edge.xyz, height, t.y, 0.5;
    SLT edge.w, edge.w, 0.86;
    MUL edge.xyz, edge, edge.w;
    MUL color.xyz, edge.x, { 0.74, 0.17, 0.20 };
    MAD color.xyz, edge.y, { 0.10, 0.56, 0.28 }, color;
    MAD color.xyz, edge.z, { 0.12, 0.22, 0.52 }, color;
    MAD t.z, place.y, 0.25, 0.75;
    MUL color.xyz, color, t.z;

    # Glass behind them, with lines at each quarter of the brightness.
    MAX edge.w, edge.x, edge.y;
    MAX edge.w, edge.w, edge.z;
    MUL t.x, place.x, 4.0;
    ADD t.x, t.x, 0.5;
    FRC t.x, t.x;
    SUB t.x, t.x, 0.5;
    DDX t.w, place.x;
    MUL t.w, t.w, 2.0;
    SLT t.x, |t.x|, t.w;
    MUL t.x, t.x, 0.12;
    ADD t.xyz, t.x, { 0.045, 0.035, 0.08 };
    LRP result.color.xyz, edge.w, color, t;
    MAD result.color.w, edge.w, 0.18, 0.78;
ENDIF;
END
