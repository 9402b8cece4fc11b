!!FP1.0
MOV R0.x, f[TEX0].x;
MUL R0.x, R0.x, 2.0;
ADD R0.x, R0.x, -1.0;
MAX R1.x, R0.x, -R0.x;
MUL R1.x, R1.x, -1.0;
ADD o[COLR], R1.x, 1.0;
END
