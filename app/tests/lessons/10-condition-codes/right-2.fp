!!FP1.0
SUBC R1, f[TEX0].x, 0.5;
MOV R0, {1, 0, 0, 1};
MOV R0.xz (LT), {0, 0, 1, 1};
MOV o[COLR], R0;
END
