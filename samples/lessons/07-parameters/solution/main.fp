!!FP1.0
DECLARE tint = {1, 1, 1, 1};
MUL o[COLR], f[TEX0].x, tint;
END
