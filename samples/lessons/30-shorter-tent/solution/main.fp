!!FP1.0
MAD R0.x, f[TEX0].x, 2.0, -1.0;
ADD o[COLR], 1.0, -|R0.x|;
END
