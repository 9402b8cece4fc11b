!!FP1.0
MAD o[COLR].xyz, f[TEX0].x, 0.5, 0.25;
END
