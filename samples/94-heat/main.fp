!!NVfp5.0
# Every fragment counts itself, visible or not. The last triangle shows the counts in false colours.

ATTRIB shade = fragment.attrib[0];          # colour of a tree
FLAT INT ATTRIB kind = fragment.attrib[1];  # 0: the map
PARAM clock = program.local[0];
PARAM map = program.local[1];               # x: where it begins, y: how far that sways, z: counts of the scale
PARAM heat[6] = { { 0.05, 0.04, 0.16 }, { 0.30, 0.10, 0.42 }, { 0.72, 0.19, 0.40 },
                  { 0.96, 0.44, 0.26 }, { 0.99, 0.76, 0.36 }, { 1.0, 0.98, 0.86 } };
INT TEMP n;
UINT TEMP pixel, count;
LONG UINT TEMP memory, at;
TEMP color, box, t;

main:
# The counter of this pixel.
PK64.U memory, program.local[2];
FLR.U pixel.xy, fragment.position;
FLR.U pixel.z, clock.y;
MAD.U pixel.x, pixel.y, pixel.z, pixel.x;
MAD.U64 at.x, pixel.x, 4, memory.x;

MOV.S.CC n.x, kind.x;
IF NE.x;
    # One more. The depth test comes after the program: rejected fragments have already run.
    ATOM.ADD.U32 count.x, 1, at.x;

    MOV result.color.xyz, shade;
    MOV result.color.w, 1.0;
ELSE;
    # The map covers the right of the picture; the forest stays visible on the left.
    RCP t.x, clock.y;
    MUL box.x, fragment.position.x, t.x;
    RCP t.x, clock.z;
    MUL box.y, fragment.position.y, t.x;
    MUL t.x, clock.x, 0.4;
    SIN t.x, t.x;
    MAD t.x, t.x, map.y, map.x;
    SUB box.z, box.x, t.x;
    KIL box.z;
    LOAD.U32 count.x, at.x;
    I2F.U t.x, count.x;
    RCP t.y, map.z;
    MUL.SAT box.w, t.x, t.y;
    CAL colors;
    # The border.
    SLT.CC t.x, box.z, 0.004;
    MOV color.xyz (NE.x), { 1.0, 1.0, 1.0 };
    # The legend: a scale with a mark at each quarter.
    MAD t.xy, box, { 10.0, 2.5, 0.0, 0.0 }, { -8.9, -1.4, 0.0, 0.0 };
    SUB t.zw, t.xxxy, 0.5;
    MOV box.y, t.y;
    SLT t.z, |t.z|, 0.22;
    SLT t.w, |t.w|, 0.5;
    MUL.CC t.z, t.z, t.w;
    IF NE.z;
        MOV box.w, box.y;
        CAL colors;
        MUL t.x, box.y, 4.0;
        FRC t.x, t.x;
        SLT.CC t.x, t.x, 0.03;
        MOV color.xyz (NE.x), { 0.05, 0.04, 0.16 };
    ENDIF;
    MOV result.color.xyz, color;
    MOV result.color.w, 1.0;
ENDIF;
RET;

# color: the colour for box.w, which is from 0 to 1.
colors:
    MUL t.x, box.w, 4.999;
    FLR.S n.x, t.x;
    FRC t.x, t.x;
    ADD.S n.y, n.x, 1;
    MOV color, heat[n.y];
    LRP color.xyz, t.x, color, heat[n.x];
    RET;
END
