!!FP1.0
DECLARE tint = {1, 1, 1, 1};
MOV R0, f[TEX0].x;
MUL o[COLR], R0, tint;
END
