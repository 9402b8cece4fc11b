!!FP1.0
MAD R0, f[TEX0].x, 4.0, -1.5;
MOV_SAT R1, R0;
MAD o[COLR], R1, -0.5, 1.0;
END
