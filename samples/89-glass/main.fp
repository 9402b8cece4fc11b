!!NVfp5.0
# Glass in any order. A fragment of a glass draws nothing: it adds itself to the list of its pixel. The last quad
# sorts the list of each pixel and blends the glasses.

ATTRIB place = fragment.attrib[0];          # from -1 to 1 on the quad
FLAT ATTRIB glass = fragment.attrib[1];     # colour, and how much it hides
FLAT ATTRIB plane = fragment.attrib[2];     # xyz: where it looks, w: radius
ATTRIB where = fragment.attrib[3];
PARAM clock = program.local[0];
PARAM order = program.local[1];             # x: 1 sorted, 0 as they came
TEMP color, rim, r, t, node;
TEMP list[16];                              # x: colour, y: depth; the farthest first
INT TEMP count, i;
UINT TEMP n, older, pixel;
LONG UINT TEMP memory, at;

# memory.x: heads of the lists, memory.y: nodes. Each pixel has a head: row by row.
PK64.U memory, program.local[2];
FLR.U pixel.xy, fragment.position;
FLR.U pixel.z, clock.y;
MAD.U pixel.x, pixel.y, pixel.z, pixel.x;
MAD.U64 at.x, pixel.x, 4, memory.x;

SGT.CC t.x, plane.w, 0.0;
IF NE.x;
    # A glass is round.
    DP2 rim.x, place, place;
    SUB rim.y, 1.0, rim.x;
    KIL rim.y;

    # Towards the rim it is thicker and hides more. Windows are mirrored in it.
    MUL rim.z, rim.x, rim.x;
    MUL rim.z, rim.z, rim.z;
    MUL rim.z, rim.z, rim.x;
    MAD color.w, rim.z, 0.38, glass.w;
    MAD color.xyz, rim.z, -0.22, 1.0;
    MUL color.xyz, glass, color;
    SUB r.xyz, where, { 0.0, 0.25, 4.1 };
    RFL r.xyz, plane, -r;
    NRM r.xyz, r;
    DP3.SAT t.x, r, { 0.48, 0.72, 0.50 };
    POW t.y, t.x, 24.0;
    MUL t.y, t.y, 0.55;
    MAD color.xyz, t.y, { 1.0, 0.97, 0.9 }, color;
    MAD.SAT color.w, t.y, 0.6, color.w;
    MIN color.xyz, color, 1.0;

    # A free node, and its number: each fragment gets a different one.
    PK64.U at.zw, program.local[3];
    ATOM.ADD.U32 n.x, 1, at.z;
    ADD.U n.x, n.x, 1;
    SLT.U.CC n.y, n.x, 1048576;
    IF NE.y;
        # The head becomes this number, and the previous head is the next node on the list.
        ATOM.EXCH.U32 older.x, n.x, at.x;
        PK4UB node.x, color;
        MOV node.y, fragment.position.z;
        MOV.U node.z, older.x;
        MOV.U node.w, 0;
        MAD.U64 at.y, n.x, 16, memory.y;
        STORE.U32X4 node, at.y;
    ENDIF;
    MOV result.color, color;
ELSE;
    # Light falls through a window, slantwise.
    MUL t.xy, place, 1.15;
    ADD t.z, t.x, t.y;
    MUL t.z, t.z, 1.7;
    FRC t.z, t.z;
    SUB t.z, t.z, 0.5;
    MAD.SAT t.z, |t.z|, 24.0, -5.0;
    MAD.SAT t.w, place.y, 0.5, 0.5;
    LRP color.xyz, t.w, { 0.90, 0.88, 0.86 }, { 0.74, 0.70, 0.76 };
    MAD color.xyz, t.z, { 0.07, 0.06, 0.03 }, color;

    # Along the list, from node to node, until a number is 0. Each is inserted in order among the nodes so far.
    LOAD.U32 n.x, at.x;
    MOV.S count.x, 0;
    REP 16.0;
        MOV.U.CC n.x, n.x;
        BRK (EQ.x);
        MAD.U64 at.y, n.x, 16, memory.y;
        LOAD.U32X4 node, at.y;
        MOV.U n.x, node.z;
        MUL node.y, node.y, order.x;
        SUB.S i.x, count.x, 1;
        REP;
            MOV.S.CC0 i.x, i.x;
            BRK (LT0.x);
            SUB.CC1 t.x, list[i.x].y, node.y;
            BRK (GE1.x);
            MOV list[i.x + 1], list[i.x];
            SUB.S i.x, i.x, 1;
        ENDREP;
        MOV list[i.x + 1], node;
        ADD.S count.x, count.x, 1;
    ENDREP;

    # One over the other, the farthest first.
    MOV.S i.x, 0;
    REP 16.0;
        SUB.S.CC i.y, i.x, count.x;
        BRK (EQ.y);
        UP4UB t, list[i.x].x;
        LRP color.xyz, t.w, t, color;
        ADD.S i.x, i.x, 1;
    ENDREP;
    MOV result.color.xyz, color;
    MOV result.color.w, 1.0;
ENDIF;
END
