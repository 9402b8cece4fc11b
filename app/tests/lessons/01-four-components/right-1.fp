!!FP1.0
MOV R0, {1, 0.5, 0, 1};
MOV o[COLR], R0;
END
