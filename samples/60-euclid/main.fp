!!NVfp4.0
# The oldest algorithm: Euclid's, for the greatest common divisor, on a pixel's two coordinates.

PARAM clock = program.local[0];
PARAM field = program.local[1];             # x: cells across, y: cells a second
UINT TEMP a, rounds;
TEMP place, color, t;

# Which cell, and where in it. The field moves.
MUL t.x, clock.x, field.y;
MUL place.xy, fragment.texcoord[0], field.x;
MAD place.xy, t.x, { 1.0, 0.618 }, place;
TRUNC.U a.xy, place;
ADD.U a.xy, a, 1;
FRC place.zw, place.xyxy;

# (a, b) becomes (b, a mod b), until the remainder is 0. Then a is the divisor.
MOV.U rounds.x, 0;
REP;
    MOV.U.CC a.z, a.y;
    BRK (EQ.z);
    MOD.U a.y, a.x, a.y;
    MOV.U a.x, a.z;
    ADD.U rounds.x, rounds.x, 1;
ENDREP;

# Colour by the number of iterations, brightness by the divisor: where it is 1 no smaller cell hides this one.
I2F.U t.x, rounds.x;
I2F.U t.y, a.x;
MAD t.z, t.x, 0.095, 0.05;
MAD t.z, clock.x, -0.04, t.z;
ADD color.xyz, t.z, { 0.02, 0.32, 0.62 };
MUL color.xyz, color, 6.2831853;
COS color.x, color.x;
COS color.y, color.y;
COS color.z, color.z;
MAD color.xyz, color, 0.45, 0.55;
RCP t.w, t.y;
MAD t.w, t.w, 0.95, 0.05;
MUL color.xyz, color, t.w;

# Each cell a bead.
SUB place.zw, place, 0.5;
DP2 t.x, place.zwzw, place.zwzw;
MAD_SAT t.x, t.x, -3.4, 1.0;
MUL result.color.xyz, color, t.x;
MOV result.color.w, 1.0;
END
