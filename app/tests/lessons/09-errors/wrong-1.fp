!!FP1.0
# Refused: Everything else should be correct. All programs load without errors.
MOV R0, f[COL0];
ADD o[COLR], f[TEX0], f[TEX0].yxzw;
END
