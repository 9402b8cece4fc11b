!!FP1.0
# Refused: `KIL` should discard the fragments in the corners. At pixel (2, 2), the program writes a colour.
# -1 to 1 across the picture.
MAD R0.xy, f[TEX0], 2.0, -1.0;
MUL R1.xy, R0, R0;
ADD R1.x, R1.x, R1.y;
SUBC R1.y, 0.64, R1.x;
MOV o[COLR], {0.2, 0.8, 0.5, 1};
MOV o[COLR] (LT.y), {0.1, 0.1, 0.12, 1};
END
