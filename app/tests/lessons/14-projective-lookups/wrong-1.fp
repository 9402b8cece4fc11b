!!FP1.0
# Refused: The bricks should get smaller towards the top.
# x: left and right of the middle, y: along the road.
ADD R0.x, f[TEX0].x, -0.5;
MOV R0.y, 1.0;
# How far below the horizon.
ADD R0.w, -f[TEX0].y, 1.05;
TXP o[COLR], f[TEX0], TEX0, 2D;
END
