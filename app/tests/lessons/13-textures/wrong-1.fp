!!FP1.0
# Refused: Three times across: x of the coordinate goes from 0 to 3.
MUL R0.xy, f[TEX0], {2, 3};
TEX o[COLR], R0, TEX0, 2D;
END
