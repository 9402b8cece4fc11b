!!FP1.0
# Eight pairs of stripes from left to right.
MUL R0.x, f[TEX0], 8.0;
FRC R0.x, R0.x;
SLT R0.x, R0.x, 0.5;
MOV o[COLR], R0.x;
END
