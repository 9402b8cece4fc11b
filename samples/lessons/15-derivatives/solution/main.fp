!!FP1.0
# R1.x: square of the distance from the middle, times 6 for six rings.
MAD R0.xy, f[TEX0], 2.0, -1.0;
MUL R0.xy, R0, R0;
ADD R1.x, R0.x, R0.y;
MUL R1.x, R1.x, 6.0;

# R1.z: distance to the nearest line between two rings, 0 to 0.5.
FRC R1.y, R1.x;
ADD R1.y, R1.y, -0.5;
ADD R1.z, -|R1.y|, 0.5;

DDX R2.x, R1.x;
DDY R2.y, R1.x;
ADD R2.z, |R2.x|, |R2.y|;
RCP R2.z, R2.z;
MUL_SAT R1.w, R1.z, R2.z;
MOV o[COLR], R1.w;
END
