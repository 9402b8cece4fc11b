!!FP1.0
# Refused: At this pixel, `8 * x` is 6.28125.
MOVR R1.x, f[TEX0].x;
MULX R0, R1.x, 8.0;
FRCH o[COLR], R0;
END
