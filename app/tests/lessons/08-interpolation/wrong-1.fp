!!FP1.0
# Refused: The middle of the triangle should be light grey
MUL o[COLR], f[COL0], 3.0;
END
