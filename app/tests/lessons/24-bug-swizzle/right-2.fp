!!FP1.0
# Eight pairs of stripes from left to right.
MOV R1, f[TEX0].xxxx;
MUL R0.x, R1.x, 8.0;
FRC R0.x, R0.x;
SLT R0.x, R0.x, 0.5;
MOV o[COLR], R0.x;
END
