!!FP1.0
DEFINE turn = {1.6, 1.2, -1.2, 1.6};
DEFINE move = {0.25, 0.5, 0, 0};
MOV R1, f[TEX0];
MOV R2, turn;
MUL R0.x, R1.x, R2.x;
MAD R0.x, R1.y, R2.y, R0.x;
MUL R0.y, R1.x, R2.z;
MAD R0.y, R1.y, R2.w, R0.y;
MOV R3, move;
ADD R0.xy, R0, R3;
TEX o[COLR], R0, TEX0, 2D;
END
