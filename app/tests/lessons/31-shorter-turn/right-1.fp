!!FP1.0
DEFINE turn = {1.6, 1.2, -1.2, 1.6};
DEFINE move = {0.25, 0.5, 0, 0};
MOV R1, move;
X2D R0, R1, f[TEX0], turn;
TEX o[COLR], R0, TEX0, 2D;
END
