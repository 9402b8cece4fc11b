!!FP1.0
MOV o[COLR].xw, 1.0;
MOV o[COLR].y, 0.5;
MOV o[COLR].z, 0.0;
END
