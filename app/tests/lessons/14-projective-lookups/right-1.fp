!!FP1.0
# x: left and right of the middle, y: along the road.
ADD R0.x, f[TEX0].x, -0.5;
MOV R0.y, 1.0;
# How far below the horizon.
ADD R0.w, -f[TEX0].y, 1.05;
TXP R1, R0, TEX0, 2D;
MOV o[COLR], R1;
END
