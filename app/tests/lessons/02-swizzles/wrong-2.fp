!!FP1.0
# Refused: Blue should stay 0 and alpha 1.
MOV o[COLR], f[TEX0].yxzz;
END
