!!FP1.0
MOV o[COLR], {0, 0, 1, 1};
ADDC R0.x, f[TEX0].x, -0.5;
MOV o[COLR] (GE.x), {1, 0, 0, 1};
END
