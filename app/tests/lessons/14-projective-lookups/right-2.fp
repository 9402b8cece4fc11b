!!FP1.0
MOV R1, f[TEX0];
ADD R0.x, R1.x, -0.5;
ADD R0.w, 1.05, -R1.y;
MOV R0.y, 1.0;
TXP o[COLR], R0, TEX0, 2D;
END
