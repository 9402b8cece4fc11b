!!FP1.0
DECLARE light = {0, 0, 1, 0};
DECLARE gloss = {16, 16, 16, 16};
DECLARE tint = {1, 1, 1, 1};
DECLARE bump = {1, 1, 1, 1};
MOV R0, light;
MUL R0, R0, gloss;
MUL R0, R0, tint;
MAD R0, R0, bump, R0;
ADD o[COLR], R0, p[0];
END
