!!NVfp4.0
# Sorting in an array of registers. Each row of the picture has done one more pass than the row below it.

PARAM clock = program.local[0];
PARAM deck = program.local[1];              # x: seconds for each deck
TEMP cards[16];
INT TEMP i, n;
TEMP h, place, color, t;

MUL place, fragment.texcoord[0], { 16.0, 17.0, 0.0, 0.0 };
TRUNC.S n.xy, place;
RCP t.x, deck.x;
MUL t.x, clock.x, t.x;
TRUNC.S n.z, t.x;

# Deal: a hash of the place and the number of the deck.
MOV.S i.x, 0;
REP 16.0;
    MAD.S h.x, n.z, 16, i.x;
    ADD.S h.x, h.x, 1;
    MUL.S h.x, h.x, 0x2C1B3C6D;
    SHR.U h.y, h.x, 15;
    XOR.S h.x, h.x, h.y;
    MUL.S h.x, h.x, 0x297A2D39;
    SHR.U h.x, h.x, 24;
    I2F cards[i.x], h.x;
    ADD.S i.x, i.x, 1;
ENDREP;

# As many passes as the row's number: neighbours in the wrong order change places.
I2F t.y, n.y;
REP t.y;
    MOV.S i.x, 0;
    REP 15.0;
        SGT.CC t.z, cards[i.x].x, cards[i.x + 1].x;
        IF NE.z;
            MOV t.w, cards[i.x].x;
            MOV cards[i.x], cards[i.x + 1];
            MOV cards[i.x + 1], t.w;
        ENDIF;
        ADD.S i.x, i.x, 1;
    ENDREP;
ENDREP;

# This column's card.
MUL t.x, cards[n.x].x, 0.00390625;
ADD color, t.x, { 0.0, 0.33, 0.67, 0.0 };
MUL color, color, 6.2831853;
COS color.x, color.x;
COS color.y, color.y;
COS color.z, color.z;
MAD color.xyz, color, 0.42, 0.55;
FRC place.xy, place;
SUB place.xy, place, 0.5;
ABS place.xy, place;
MAX place.x, place.x, place.y;
SLT t.y, place.x, 0.46;
MUL color.xyz, color, t.y;
MOV color.w, 1.0;
MOV result.color, color;
END
