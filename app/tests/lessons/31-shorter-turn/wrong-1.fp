!!FP1.0
# Refused: The picture should not change.
DEFINE turn = {1.6, 1.2, -1.2, 1.6};
DEFINE move = {0.25, 0.5, 0, 0};
MOV R1, turn;
X2D R0, f[TEX0], move, R1;
TEX o[COLR], R0, TEX0, 2D;
END
