!!FP1.0
# Refused: does not load. Line 5: the constants of an instruction
DEFINE turn = {1.6, 1.2, -1.2, 1.6};
DEFINE move = {0.25, 0.5, 0, 0};
X2D R0, move, f[TEX0], turn;
TEX o[COLR], R0, TEX0, 2D;
END
