!!FP1.0
# Refused: Blue should be 0.5.
MOV R0, f[TEX0];
MOV R0.y, 0.5;
MOV o[COLR], R0;
END
