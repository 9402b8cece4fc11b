!!FP1.0
# Refused: Pixel (64, 64) is (255, 128, 0, 1) and should be (1, 0.5, 0, 1)
MOV o[COLR], {255, 128, 0, 1};
END
