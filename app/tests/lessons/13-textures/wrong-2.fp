!!FP1.0
# Refused: Three times across
TEX R0, f[TEX0], TEX0, 2D;
MUL o[COLR], R0, {3, 2};
END
