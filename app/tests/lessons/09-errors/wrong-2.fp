!!FP1.0
# Refused: Loading also fails for another reason.
MOV R0, f[COL0]
ADD o[COLR], f[TEX0], f[COL0];
END
