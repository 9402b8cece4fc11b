!!FP1.0
# A normal's components go from -1 to 1.
MAD o[COLR], f[TEX0], 0.5, 0.5;
END
