!!FP1.0
# One instruction: four numbers go to the output colour.
MOV o[COLR], {1, 0.5, 0, 1};
END
