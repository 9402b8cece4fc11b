!!FP1.0
ADD R1.x, f[TEX0].x, -0.5;
MAD o[COLR], |R1.x|, -2.0, 1.0;
END
