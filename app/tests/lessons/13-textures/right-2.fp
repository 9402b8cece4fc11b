!!FP1.0
MUL R1.x, f[TEX0].x, 3.0;
ADD R1.y, f[TEX0].y, f[TEX0].y;
TEX o[COLR], R1, TEX0, 2D;
END
