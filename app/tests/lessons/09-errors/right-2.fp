!!FP1.0
MAD o[COLR], f[TEX0], f[COL0].x, f[COL0].y;
END
