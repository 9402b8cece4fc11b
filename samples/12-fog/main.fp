!!FP1.0
# Fog: a few instructions replace a stage of OpenGL's fixed-function pipeline.
#
# f[FOGC].x is the distance from the eye. Exponential fog keeps 2^-(density * distance)^2 of
# the surface colour and adds the fog colour for the rest. The camera is INSIDE the torus.

DECLARE clock = {0};
DECLARE fog = {0.62, 0.70, 0.78};
DECLARE density = {1.6};
DECLARE speed = {0.25};

# The bricks move towards the eye. s goes around the ring: 12 repeats; t around the tube: 5.
MOVR R0.z, clock.x;
MULR R0.z, R0.z, speed.x;
MULR R0.xy, f[TEX0], {12, 5};
ADDR R0.x, R0.x, R0.z;
TEX R1, R0, TEX0, 2D;
TEX R2, R0, TEX1, 2D;
MADR R2.xyz, R2, 2.0, -1.0;

# The world normal, flipped to this side of the wall, with the relief.
MULR R3.xyz, f[TEX3], R2.x;
MADR R3.xyz, f[TEX4], R2.y, R3;
MADR R3.xyz, f[TEX1], -R2.z, R3;
DP3R R3.w, R3, R3;
RSQR R3.w, R3.w;
MULR R3.xyz, R3, R3.w;

# A torch at the eye: light from the eye, fading with the square of the distance.
DP3R R4.w, f[TEX5], f[TEX5];
RSQR R4.x, R4.w;
MULR R4.xyz, f[TEX5], R4.x;
DP3R_SAT R5.x, R3, R4;
MADR R5.y, R4.w, 14.0, 1.0;
RCPR R5.y, R5.y;
MULR R5.x, R5.x, R5.y;
MULR R5.xyz, R5.x, {2.2, 1.75, 1.2};
ADDR R5.xyz, R5, {0.10, 0.12, 0.15};
MULR R1.xyz, R1, R5;

# The fog factor: 1 near, 0 far.
MULR R6.x, f[FOGC].x, density.x;
MULR R6.x, R6.x, -R6.x;
EX2R_SAT R6.x, R6.x;

# LRP's first operand is the weight of the SECOND: 1 keeps the wall, 0 gives fog.
LRPR R1.xyz, R6.x, R1, fog;
MOVR_SAT o[COLR].xyz, R1;
MOVR o[COLR].w, 1.0;
END
