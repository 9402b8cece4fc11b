!!FP1.0
# o[COLR] is this pixel's colour; f[TEX0] runs from 0 to 1 across the picture.
MOV o[COLR], f[TEX0];
END
