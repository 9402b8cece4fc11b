!!FP1.0
MOV o[COLR], {0.5, 0.5, 0.5, 1};
END
