!!FP1.0
MAD_SAT R0.x, f[TEX0].x, 4.0, -1.5;
MUL R0.x, R0.x, 0.5;
ADD o[COLR], -R0.x, 1.0;
END
