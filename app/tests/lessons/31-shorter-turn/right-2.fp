!!FP1.0
MOV R2, {1.6, 1.2, -1.2, 1.6};
X2D R0.xy, {0.25, 0.5}, f[TEX0], R2;
TEX o[COLR], R0, TEX0, 2D;
END
