!!FP1.0
MUL R0.xy, f[TEX0], {3, 2};
TEX o[COLR], R0, TEX0, 2D;
END
