!!FP1.0
MOV o[COLR], f[TEX0];
MOV o[COLR].z, {0, 0, 0.5, 0};
END
