!!FP1.0
DEFINE weights = {0.3, 0.59, 0.11, 0};
MOV R1, f[COL0];
DP3 R2.x, weights, R1;
MOV o[COLR], R2.x;
END
