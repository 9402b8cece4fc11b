!!FP1.0
# Refused: Multiply the colour by the factor that the second instruction computes.
# R1.w: 1 in the middle, 0 at the left and right rim.
MAD R0.x, f[TEX0].x, 2.0, -1.0;
ADD R1.w, -|R0.x|, 1.0;

# The colour.
TEX R1, f[TEX0], TEX0, 2D;
MUL o[COLR].xyz, R1, R0.x;
MOV o[COLR].w, 1.0;
END
