!!NVfp5.0
# Pictures in a word: BFE extracts bits from an integer, BFI inserts them. Fifteen bits draw a creature.

PARAM clock = program.local[0];
PARAM fleet = program.local[1];             # x: creatures across, y: speed, z: which fleet
PARAM hues[4] = { { 0.35, 0.95, 0.55 }, { 0.98, 0.42, 0.62 }, { 0.38, 0.72, 1.0 }, { 1.0, 0.80, 0.30 } };
TEMP cell, h, bits, place, color, t;        # without a type: integers of both kinds, and numbers

# A black sky with a slow glow, as a background for the fleet.
MUL t.x, fragment.texcoord[0].y, 3.0;
MAD t.x, clock.x, 0.4, t.x;
SIN t.x, t.x;
MAD t.x, t.x, 0.35, 0.65;
MUL color.xyz, t.x, { 0.05, 0.04, 0.12 };

# The fleet moves sideways in steps, a row to the left, a row to the right.
MUL place.xy, fragment.texcoord[0], fleet.x;
FLR t.y, place.y;
MUL t.z, t.y, 0.5;
FRC t.z, t.z;
MAD t.z, t.z, -4.0, 1.0;
MUL t.w, clock.x, fleet.y;
FLR t.w, t.w;
MUL t.w, t.w, 0.125;
MAD place.x, t.w, t.z, place.x;
FLR.S cell.xy, place;
FRC place.xy, place;

# Its 32 bits.
TRUNC.S cell.z, fleet.z;
MAD.U h.x, cell.x, 0x9E3779B1, cell.y;
MAD.U h.x, cell.z, 0xC2B2AE35, h.x;
MUL.U h.x, h.x, 0x85EBCA6B;
SHR.U h.y, h.x, 15;
XOR.U h.x, h.x, h.y;
MUL.U h.x, h.x, 0x846CA68B;
SHR.U h.y, h.x, 16;
XOR.U h.x, h.x, h.y;

# A square of 7 x 7, of which the outermost is empty: 5 x 5 are the creature.
MUL place.zw, place.xyxy, 7.0;
FLR.S bits.xy, place.zwzw;
SUB.S bits.xy, bits, 1;
FRC place.zw, place;

# Left and right are the same: column 3 is column 1, column 4 is column 0.
SUB.S bits.z, 4, bits.x;
MIN.S bits.z, bits.x, bits.z;

# BFI: all have eyes. Row 3 is bits 9 to 11; binary 101 goes in there: outer and middle column lit, holes between them.
BFI.U h.x, { 3, 9, 0, 0 }, 5, h.x;
# And legs that move: bits 0 to 2, every other step.
MUL t.x, clock.x, fleet.y;
FLR.S bits.w, t.x;
ADD.S bits.w, bits.w, cell.x;
AND.S.CC bits.w, bits.w, 1;
BFI.U h.x (EQ.w), { 3, 0, 0, 0 }, 1, h.x;
BFI.U h.x (NE.w), { 3, 0, 0, 0 }, 2, h.x;

# BFE: one bit, at 3 * row + column; then two bits for the colour.
MAD.S bits.w, bits.y, 3, bits.z;
MOV.S t.x, 1;
MAX.S t.y, bits.w, 0;
BFE.U h.y, t, h.x;
BFE.U h.z, { 2, 16, 0, 0 }, h.x;

# Inside of the 5 x 5?
MIN.S t.z, bits.z, bits.y;
SUB.S t.w, 4, bits.y;
MIN.S t.z, t.z, t.w;
SGE.S t.z, t.z, 0;
AND.U.CC h.y, h.y, t.z;
IF NE.y;
    # A pixel of it, as a screen of old would show it.
    SUB t.xy, place.zwzw, 0.5;
    DP2 t.x, t, t;
    MAD_SAT t.x, t.x, -1.5, 1.0;
    MAD t.y, place.y, 0.5, 0.55;
    MUL t.x, t.x, t.y;
    MUL color.xyz, hues[h.z], t.x;
ENDIF;
MOV result.color.xyz, color;
MOV result.color.w, 1.0;
END
