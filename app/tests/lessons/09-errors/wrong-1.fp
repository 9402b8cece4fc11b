!!FP1.0
# Refused: All else has to be correct. Everything loads.
MOV R0, f[COL0];
ADD o[COLR], f[TEX0], f[TEX0].yxzw;
END
