!!NVfp5.0
# Four patterns from four instructions on single bits, one in each quarter of the picture.

PARAM clock = program.local[0];
PARAM grid = program.local[1];              # x: bits of each coordinate, y: speed
INT TEMP at, side;
TEMP n, place, color, t;                    # n has no type: it is read as signed and as unsigned integers

# 2^bits cells across each quarter.
TRUNC.S n.x, grid.x;
SHL.S side.x, 1, n.x;
I2F t.x, side.x;
MUL place.xy, fragment.texcoord[0], 2.0;
FRC place.zw, place.xyxy;
FLR place.xy, place;
MUL t.yz, place.xzww, t.x;
TRUNC.S at.x, t.y;
TRUNC.S at.y, t.z;
MUL t.w, clock.x, grid.y;
TRUNC.S at.z, t.w;
MOV color, { 0.0, 0.0, 0.0, 1.0 };

MAD.CC0 t.x, place.y, 2.0, place.x;
SUB.CC0 t, t.x, { 0.0, 1.0, 2.0, 3.0 };
IF EQ0.x;
    # BTC counts ones: here of x AND y, the triangle of Sierpinski in shades.
    ADD.S at.w, at.x, at.z;
    AND.S n.x, at.w, at.y;
    BTC.S n.y, n.x;
    I2F t.x, n.y;
    MUL t.x, t.x, 0.16;
    LRP color.xyz, t.x, { 1.0, 0.83, 0.35 }, { 0.10, 0.07, 0.24 };
ENDIF;
IF EQ0.y;
    # BFR turns a word around: the order of a fast Fourier transform. Only one pixel in each row and column is lit.
    BFR.S n.y, at.x;
    SUB.S n.z, 32, n.x;
    SHR.U n.y, n.y, n.z;
    SUB.S n.w, at.y, n.y;
    ABS.S n.w, n.w;
    I2F t.x, n.w;
    MUL t.x, t.x, -0.9;
    EX2 t.x, t.x;
    LRP color.xyz, t.x, { 0.55, 0.95, 1.0 }, { 0.03, 0.07, 0.13 };
ENDIF;
IF EQ0.z;
    # BTFL finds the lowest one: how often a number can be halved. A ruler, walking.
    ADD.S at.w, at.x, at.z;
    ADD.S at.w, at.w, 1;
    BTFL.S n.y, at.w;
    I2F t.x, n.y;
    MAD t.x, t.x, 0.17, 0.08;
    SUB t.y, t.x, place.w;
    SGE t.y, t.y, 0.0;
    MUL t.z, place.w, 0.9;
    LRP color.xyz, t.z, { 1.0, 0.42, 0.36 }, { 0.45, 0.10, 0.30 };
    MUL color.xyz, color, t.y;
    ADD color.xyz, color, { 0.05, 0.03, 0.06 };
ENDIF;
IF EQ0.w;
    # BFI puts bits between others: x and y interleaved are the place on Morton's curve.
    MOV.S n.w, 0;
    MOV.S n.y, 0;
    REP.S n.x;
        SHL.S side.y, n.y, 1;
        # One bit of x at place 2i, one of y at place 2i + 1.
        SHR.S side.z, at.x, n.y;
        AND.S side.z, side.z, 1;
        SHL.S side.z, side.z, side.y;
        OR.S n.w, n.w, side.z;
        SHR.S side.z, at.y, n.y;
        AND.S side.z, side.z, 1;
        ADD.S side.w, side.y, 1;
        SHL.S side.z, side.z, side.w;
        OR.S n.w, n.w, side.z;
        ADD.S n.y, n.y, 1;
    ENDREP;
    I2F t.x, n.w;
    SHL.S side.y, n.x, 1;
    SHL.S side.y, 1, side.y;
    I2F t.y, side.y;
    RCP t.y, t.y;
    MUL t.x, t.x, t.y;
    MUL t.x, t.x, 3.0;
    MAD t.z, clock.x, -0.4, t.x;
    FRC t.z, t.z;
    LRP color.xyz, t.z, { 0.30, 0.92, 0.62 }, { 0.06, 0.10, 0.30 };
ENDIF;
MOV result.color, color;
END
