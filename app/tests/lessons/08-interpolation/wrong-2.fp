!!FP1.0
# Refused: The fragment program should double the mixture in `f[COL0]`.
MOV o[COLR], f[TEX0];
END
