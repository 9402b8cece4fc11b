!!FP1.0
# Refused: The left half should be blue.
MOV o[COLR], {1, 0, 0, 1};
SUBC R0.x, 0.5, f[TEX0].x;
MOV o[COLR] (LT.x), {0, 0, 1, 1};
END
