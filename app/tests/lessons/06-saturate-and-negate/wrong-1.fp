!!FP1.0
# Refused: At the right end the ramp should be clamped to 1.
MAD R0, f[TEX0].x, 4.0, -1.5;
MAD_SAT o[COLR], -R0, 0.5, 1.0;
END
