!!NVfp5.0
# Rule 30: sixty-four cells live in one register of 64 bits. Each row of the picture is one generation older.

PARAM clock = program.local[0];
PARAM rules = program.local[1];             # x: number of the rule, y: generations a second
LONG TEMP row, left, right, next, none, one;
INT TEMP rule;
TEMP n, place, color, t;

# Which cell of which generation. The picture scrolls: its lowest row is the youngest that has begun.
MUL place, fragment.texcoord[0], { 64.0, 64.0, 0.0, 0.0 };
MUL place.z, clock.x, rules.y;
TRUNC.S n.xy, place;
TRUNC.S n.z, place.z;
SUB.S n.y, 63, n.y;
ADD.S n.y, n.y, n.z;
TRUNC.S rule.x, rules.x;

# One living cell in the middle at the start, and again every 128 generations.
AND.S n.y, n.y, 127;
MOV.U64 one, 1;
SHL.U64 row.x, one.x, 32;
I2F t.y, n.y;
REP t.y;
    # The neighbours, around the ends.
    SHL.U64 left.x, row.x, 1;
    SHR.U64 left.y, row.x, 63;
    OR.U64 left.x, left.x, left.y;
    SHR.U64 right.x, row.x, 1;
    SHL.U64 right.y, row.x, 63;
    OR.U64 right.x, right.x, right.y;
    # All eight cases of left, middle and right, for all 64 cells at once: a case counts where the rule has its bit.
    MOV.U64 next.x, 0;
    MOV.S n.w, 0;
    REP 8.0;
        SHR.S rule.y, rule.x, n.w;
        AND.S.CC rule.y, rule.y, 1;
        IF NE.y;
            MOV.U64 none.x, row.x;
            AND.S.CC rule.z, n.w, 2;
            NOT.U64 none.x (EQ.z), none.x;
            MOV.U64 none.y, left.x;
            AND.S.CC rule.z, n.w, 4;
            NOT.U64 none.y (EQ.z), none.y;
            MOV.U64 none.z, right.x;
            AND.S.CC rule.z, n.w, 1;
            NOT.U64 none.z (EQ.z), none.z;
            AND.U64 none.x, none.x, none.y;
            AND.U64 none.x, none.x, none.z;
            OR.U64 next.x, next.x, none.x;
        ENDIF;
        ADD.S n.w, n.w, 1;
    ENDREP;
    MOV.U64 row.x, next.x;
ENDREP;

# The bit of this column.
SUB.S n.x, 63, n.x;
SHR.U64 row.x, row.x, n.x;
AND.U64 row.x, row.x, one;
CVT.F32.U64 t.x, row;
FRC place.xy, place;
SUB place.xy, place, 0.5;
ABS place.xy, place;
MAX place.x, place.x, place.y;
SLT t.z, place.x, 0.44;
MUL t.x, t.x, t.z;
# Hues by age: the living are warm where the generation is young.
MUL t.y, fragment.texcoord[0].y, 2.4;
ADD color.xyz, t.y, { 0.2, 2.0, 3.6 };
COS color.x, color.x;
COS color.y, color.y;
COS color.z, color.z;
MAD color.xyz, color, 0.38, 0.62;
LRP color.xyz, t.x, color, { 0.07, 0.06, 0.12 };
MOV color.w, 1.0;
MOV result.color, color;
END
