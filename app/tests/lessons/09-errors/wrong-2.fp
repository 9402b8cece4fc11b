!!FP1.0
# Refused: There is also another error.
MOV R0, f[COL0]
ADD o[COLR], f[TEX0], f[COL0];
END
