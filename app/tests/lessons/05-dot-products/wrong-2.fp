!!FP1.0
# Refused: Each of the three colours needs its own weight.
DP3 R0.x, f[COL0], {0.30, 0.59, 0.11};
MOV o[COLR], R0;
END
