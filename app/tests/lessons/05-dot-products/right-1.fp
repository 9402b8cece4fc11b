!!FP1.0
DP3 o[COLR], f[COL0], {0.30, 0.59, 0.11};
END
