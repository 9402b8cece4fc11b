!!FP1.0
# Refused: `MAD` does both at once.
MUL R0, f[TEX0].x, 0.5;
ADD o[COLR], R0, 0.25;
END
