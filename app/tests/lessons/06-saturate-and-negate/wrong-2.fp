!!FP1.0
# Refused: At the right end
MAD_SAT R0, f[TEX0].x, 4.0, -1.5;
MAD o[COLR], -R0, 0.5, 0.0;
END
