!!FP1.0
# Refused: The fragment program has 3 instructions. At most 2 are allowed.
MAD R0.x, f[TEX0].x, 2.0, -1.0;
ADD R0.x, -|R0.x|, 1.0;
MOV o[COLR], R0.x;
END
