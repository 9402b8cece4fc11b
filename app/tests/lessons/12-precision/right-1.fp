!!FP1.0
MOVH H1.x, f[TEX0].x;
MULH H1.x, H1.x, 8.0;
FRCH o[COLR], H1.x;
END
