!!NVfp5.0
# A wheel of fragments that count themselves. Warm sails count with three instructions, which is a race; cold ones with one.

ATTRIB place = fragment.attrib[0];
PARAM clock = program.local[0];             # x: seconds, y, z: size of the picture
TEMP p, color, full, t;
UINT TEMP n, count;
LONG UINT TEMP memory, at;

PK64.U memory, program.local[1];
ADD.U64 at.x, memory.x, 4;

MOV.U.CC n.x, primitive.id.x;
IF EQ.x;
    # Where on the wheel: eight sails that turn.
    SUB p.xy, place, { 0.5, 0.56 };
    COS t.x, clock.x;
    SIN t.y, clock.x;
    MUL t.z, p.x, t.x;
    MAD t.z, p.y, t.y, t.z;
    MUL t.w, p.y, t.x;
    MAD t.w, -p.x, t.y, t.w;
    DP2 p.z, p, p;
    RSQ p.w, p.z;
    MUL t.zw, t, p.w;                       # the direction, turned
    MUL t.x, t.z, t.w;
    MUL t.x, t.x, 2.0;                      # sin(2a)
    MUL t.y, t.w, t.w;
    MAD t.y, t.y, -2.0, 1.0;                # cos(2a)
    MUL t.x, t.x, t.y;
    MUL t.x, t.x, 2.0;                      # sin(4a)
    MUL p.w, p.w, p.z;                      # how far from the hub
    MOV color, { 0.060, 0.056, 0.088, 1.0 };
    SUB.CC0 t.z, p.w, 0.385;
    SUB.CC1 t.w, p.w, 0.075;
    MOV.U n.y, 0;
    MOV.U n.y (LT0.z), 1;
    MOV.U n.y (LT1.w), 0;
    MOV.U.CC n.y, n.y;
    IF NE.y;
        SGE.CC t.z, t.x, 0.0;
        IF NE.z;
            # The race: between the load and the store another fragment may load the same number, and one count is lost.
            LOAD.U32 count, memory.x;
            ADD.U count.x, count, 1;
            STORE.U32 count, memory.x;
            LRP color.xyz, p.w, { 1.0, 0.66, 0.20 }, { 0.86, 0.24, 0.12 };
        ELSE;
            # The fix: reading, adding and writing in one step.
            ATOM.ADD.U32 count.x, 1, at.x;
            LRP color.xyz, p.w, { 0.30, 0.74, 1.0 }, { 0.12, 0.30, 0.72 };
        ENDIF;
        MUL.SAT t.y, |t.x|, 6.0;
        LRP color.xyz, t.y, color, { 0.060, 0.056, 0.088, 1.0 };
    ENDIF;
    MOV result.color, color;
ELSE;
    # Two gauges, one over the other: the count, relative to half the area of the wheel.
    MOV color, { 0.10, 0.095, 0.14, 1.0 };
    MUL full.x, clock.y, clock.z;
    MUL full.x, full.x, 0.2255;
    SUB.CC0 t.x, place.y, 0.5;
    LOAD.U32 n, at.x;
    LOAD.U32 count, memory.x;
    MOV.U n.x (GT0.x), count.x;
    I2F.U t.y, n.x;
    RCP t.z, full.x;
    MUL t.y, t.y, t.z;
    SUB t.w, place.x, t.y;
    SLT.CC1 t.w, t.w, 0.0;
    MOV p, { 0.30, 0.68, 1.0, 1.0 };
    MOV p (GT0.x), { 1.0, 0.56, 0.18, 1.0 };
    MOV color (NE1.w), p;
    FRC t.w, place.y;
    MUL t.w, t.w, 2.0;
    FRC t.w, t.w;
    SUB t.w, t.w, 0.5;
    SGT.CC t.w, |t.w|, 0.40;
    MOV color (NE.w), { 0.060, 0.056, 0.088, 1.0 };
    MOV result.color, color;
ENDIF;
END
