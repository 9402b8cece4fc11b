!!FP1.0
MOV o[COLR], {1, 0, 0, 1};
END
