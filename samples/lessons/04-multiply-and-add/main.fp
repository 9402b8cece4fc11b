!!FP1.0
MUL o[COLR], f[TEX0].x, 0.5;
END
