!!FP1.0
DECLARE tint = {1, 1, 1, 1};
MOV o[COLR], f[TEX0].x;
END
