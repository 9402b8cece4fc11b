!!FP1.0
# Refused: The left half should be blue.
MOV o[COLR], {1, 0, 0, 1};
SUB R0.x, f[TEX0].x, 0.5;
MOV o[COLR] (LT.x), {0, 0, 1, 1};
END
