!!FP1.0
# Lamps that fade with the distance.
#
# DST and a dot product serve this purpose. From d*d and 1/d, DST builds (1, d, d*d, 1/d); DP3 with
# (constant, linear, quadratic) then gives the divisor for the light. The same twenty lines appear
# three times: this language has no loops.

DECLARE clock = {0};
DECLARE attenuation = {1, 1.5, 22};  # constant, linear, quadratic
DECLARE red = {1.0, 0.28, 0.12};
DECLARE green = {0.25, 1.0, 0.40};
DECLARE blue = {0.25, 0.42, 1.0};

# A wall, seen straight on: R0 = position, the wall itself is z = 0.
MOVR R0, f[TEX0];
MULR R1.xy, R0, 2.0;
TEX R2, R1, TEX0, 2D;
TEX R3, R1, TEX1, 2D;
MADR R3.xyz, R3, 2.0, -1.0;
DP3R R3.w, R3, R3;
RSQR R3.w, R3.w;
MULR R3.xyz, R3, R3.w;               # R3: normal, facing the eye along z

MOVR R10.x, clock.x;
MULR R9.xyz, R2, {0.05, 0.05, 0.08}; # R9 collects the light; a trace of it is everywhere

# --- The red lamp. It wanders on two sines, a little in front of the wall.
MULR R4.zw, R10.x, {0, 0, 0.9, 1.3};
SINR R4.x, R4.z;
COSR R4.y, R4.w;
MADR R4.xy, R4, 0.36, 0.5;
MOVR R4.z, 0.16;
SUBR R5.xyz, R4, R0;                 # from the wall to the lamp
DP3R R5.w, R5, R5;                   # d*d
RSQR R6.x, R5.w;                     # 1/d
MULR R5.xyz, R5, R6.x;
DSTR R7, R5.w, R6.x;                 # (1, d, d*d, 1/d)
DP3R R7.x, R7, attenuation;
RCPR R7.x, R7.x;
DP3R_SAT R7.y, R3, R5;               # facing the lamp?
MULR R7.x, R7.x, R7.y;
MULR R8.xyz, R2, red;
MADR R9.xyz, R8, R7.x, R9;
MULR R7.z, R5.w, -900.0;             # the lamp itself, a bright spot
MADR R7.z, R4.z, 144.0, R7.z;
EX2R R7.z, R7.z;
MADR R9.xyz, R7.z, red, R9;

# --- The green lamp. It wanders on two sines, a little in front of the wall.
MULR R4.zw, R10.x, {0, 0, -1.1, 0.8};
SINR R4.x, R4.z;
COSR R4.y, R4.w;
MADR R4.xy, R4, 0.36, 0.5;
MOVR R4.z, 0.16;
SUBR R5.xyz, R4, R0;                 # from the wall to the lamp
DP3R R5.w, R5, R5;                   # d*d
RSQR R6.x, R5.w;                     # 1/d
MULR R5.xyz, R5, R6.x;
DSTR R7, R5.w, R6.x;                 # (1, d, d*d, 1/d)
DP3R R7.x, R7, attenuation;
RCPR R7.x, R7.x;
DP3R_SAT R7.y, R3, R5;               # facing the lamp?
MULR R7.x, R7.x, R7.y;
MULR R8.xyz, R2, green;
MADR R9.xyz, R8, R7.x, R9;
MULR R7.z, R5.w, -900.0;             # the lamp itself, a bright spot
MADR R7.z, R4.z, 144.0, R7.z;
EX2R R7.z, R7.z;
MADR R9.xyz, R7.z, green, R9;

# --- The blue lamp. It wanders on two sines, a little in front of the wall.
MULR R4.zw, R10.x, {0, 0, 0.7, -1.7};
SINR R4.x, R4.z;
COSR R4.y, R4.w;
MADR R4.xy, R4, 0.36, 0.5;
MOVR R4.z, 0.16;
SUBR R5.xyz, R4, R0;                 # from the wall to the lamp
DP3R R5.w, R5, R5;                   # d*d
RSQR R6.x, R5.w;                     # 1/d
MULR R5.xyz, R5, R6.x;
DSTR R7, R5.w, R6.x;                 # (1, d, d*d, 1/d)
DP3R R7.x, R7, attenuation;
RCPR R7.x, R7.x;
DP3R_SAT R7.y, R3, R5;               # facing the lamp?
MULR R7.x, R7.x, R7.y;
MULR R8.xyz, R2, blue;
MADR R9.xyz, R8, R7.x, R9;
MULR R7.z, R5.w, -900.0;             # the lamp itself, a bright spot
MADR R7.z, R4.z, 144.0, R7.z;
EX2R R7.z, R7.z;
MADR R9.xyz, R7.z, blue, R9;

ADDR R9.xyz, R9, R9;
MOVR_SAT o[COLR].xyz, R9;
MOVR o[COLR].w, 1.0;
END
