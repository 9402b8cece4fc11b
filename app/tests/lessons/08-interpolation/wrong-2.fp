!!FP1.0
# Refused: The fragment program doubles the mixture that arrives in `f[COL0]`.
MOV o[COLR], f[TEX0];
END
