!!FP1.0
# -1 to 1 across the picture.
MAD R0.xy, f[TEX0], 2.0, -1.0;
MUL R1.xy, R0, R0;
ADD R1.x, R1.x, R1.y;
SUBC R2.x, R1.x, 0.64;
KIL GT.x;
MOV o[COLR], {0.2, 0.8, 0.5, 1};
END
