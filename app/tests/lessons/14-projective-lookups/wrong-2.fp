!!FP1.0
# Refused: The fragment program does not use `TXP` yet.
# x: left and right of the middle, y: along the road.
ADD R0.x, f[TEX0].x, -0.5;
MOV R0.y, 1.0;
# How far below the horizon.
ADD R0.w, -f[TEX0].y, 1.05;
RCP R1.x, R0.w;
MUL R0.xy, R0, R1.x;
TEX o[COLR], R0, TEX0, 2D;
END
