!!FP1.0
# Refused: Pixels in one column should be equal.
# Eight pairs of stripes from left to right.
MUL R0.x, f[TEX0].z, 8.0;
FRC R0.x, R0.x;
SLT R0.x, R0.x, 0.5;
MOV o[COLR], R0.x;
END
