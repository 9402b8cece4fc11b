!!FP1.0
# Refused: Multiply by the width of the new range
MAD o[COLR], f[TEX0].x, 0.25, 0.5;
END
