!!FP1.0
# One instruction: four numbers go to the output colour.
MOV o[COLR], {0, 0, 1, 1};
END
