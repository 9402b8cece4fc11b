!!FP1.0
DECLARE tint = {1, 1, 1, 1};
MUL o[COLR], tint, f[TEX0].xxxx;
END
