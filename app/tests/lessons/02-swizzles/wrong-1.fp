!!FP1.0
# Refused: does not load. Line 3: 
MOV o[COLR], f[TEX0].yx;
END
