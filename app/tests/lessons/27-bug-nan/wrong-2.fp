!!FP1.0
# Refused: The left half should mirror the right half.
# -1 to 1 across the picture.
MAD_SAT R0.x, f[TEX0].x, 2.0, -1.0;
POW R1.x, R0.x, 0.6;
MUL R1.x, R1.x, 1.0;
MOV o[COLR], R1.x;
END
