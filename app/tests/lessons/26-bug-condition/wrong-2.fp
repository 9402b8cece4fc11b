!!FP1.0
# Refused: There should also be a vertical bar.
# R0: how far it is from the middle, minus half the width of a bar.
ADD R0.xy, f[TEX0], -0.5;
SUBC R0.xy, |R0|, 0.125;

MOV R1, {0.1, 0.15, 0.3, 1};
MOV R1 (LT), 1.0;
MOV o[COLR], R1;
END
