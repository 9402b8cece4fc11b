!!FP1.0
# Refused: Orange is full red and half green. Pixel (64, 64) is (1, 0.5, 0, 0)
MOV o[COLR], {1, 0.5, 0, 0};
END
