!!FP1.0
# Refused: The program should normalize any light.
DECLARE surface = {0.9, 0.5, 0.2, 1};
DECLARE light = {2, 2, 1, 0};

# R0: the normal, 1 long.
DP3 R0.w, f[TEX1], f[TEX1];
RSQ R0.w, R0.w;
MUL R0.xyz, f[TEX1], R0.w;

# How far it faces the light.
MOV R1, light;
MUL R1.xyz, R1, 0.333333;
DP3_SAT R2.x, R0, R1;
MUL o[COLR], surface, R2.x;
END
