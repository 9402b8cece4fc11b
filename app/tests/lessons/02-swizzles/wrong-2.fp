!!FP1.0
# Refused: Blue has to stay 0 and alpha 1.
MOV o[COLR], f[TEX0].yxzz;
END
