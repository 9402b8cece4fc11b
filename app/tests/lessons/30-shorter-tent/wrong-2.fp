!!FP1.0
# Refused: The picture should not change.
MAD R0.x, f[TEX0].x, 2.0, -1.0;
ADD o[COLR], |R0.x|, -1.0;
END
