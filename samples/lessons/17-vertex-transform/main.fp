!!FP1.0
# A normal's components go from -1 to 1.
MAD o[COLR], f[COL0], 0.5, 0.5;
END
