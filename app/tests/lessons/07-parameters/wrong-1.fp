!!FP1.0
# Refused: The product should follow `tint`
DECLARE tint = {1, 1, 1, 1};
MUL o[COLR], f[TEX0].x, {0.2, 0.6, 1, 1};
END
