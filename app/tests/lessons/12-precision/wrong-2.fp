!!FP1.0
# Refused: Neither 8 nor `8 * x` fits in the range of `X`.
MULX R0, f[TEX0].x, 8.0;
FRCR o[COLR], R0;
END
