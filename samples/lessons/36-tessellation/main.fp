!!FP1.0
MOV R0, f[TEX0];
MAD o[COLR].xyz, R0, 0.6, 0.2;
MOV o[COLR].w, 1.0;
END
