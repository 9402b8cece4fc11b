!!FP1.0
MUL R2.x, f[TEX0].x, 8.0;
FRC o[COLR], R2.x;
END
