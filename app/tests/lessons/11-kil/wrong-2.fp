!!FP1.0
# Refused: Discard only the fragments outside the disc.
# -1 to 1 across the picture.
MAD R0.xy, f[TEX0], 2.0, -1.0;
MUL R1.xy, R0, R0;
ADD R1.x, R1.x, R1.y;
SUBC R1.y, 0.64, R1.x;
KIL GE;
MOV o[COLR], {0.2, 0.8, 0.5, 1};
END
