!!FP1.0
# A mirror needs two instructions: RFL finds the reflected direction, TEX ... CUBE looks it up.
#
# RFL takes the axis first (the normal, of any length) and then the direction to reflect. Its result
# has no w, so a write mask without w is required: RFL R2 alone does not load.

DECLARE clock = {0};
DECLARE metal = {0.95, 0.90, 0.82};
DECLARE head_on = {0.55};            # how much is reflected when seen head-on
DECLARE fresnel = {5};               # how sharply that rises to 1 at the edges

# The normal, scratched by slow waves that travel over the metal. sin(9 * position + time) each way.
MOVR R4.x, clock.x;
MADR R0.xyz, f[TEX2], 9.0, R4.x;
SINR R0.x, R0.x;
SINR R0.y, R0.y;
SINR R0.z, R0.z;
MADR R0.xyz, R0.yzxw, 0.07, f[TEX1];
DP3R R0.w, R0, R0;
RSQR R0.w, R0.w;
MULR R0.xyz, R0, R0.w;

# f[TEX5] points from the surface to the eye: the very direction to reflect.
MOVR R1.xyz, f[TEX5];
RFLR R2.xyz, R0, R1;
TEX R3, R2, TEX0, CUBE;

# A mirror is brighter at its edges: seen edge-on, everything reflects.
# reflectance = head_on + (1 - head_on) * (1 - normal . eye) ^ fresnel
DP3R R1.w, R1, R1;
RSQR R1.w, R1.w;
MULR R1.xyz, R1, R1.w;
DP3R_SAT R4.x, R0, R1;
SUBR R4.x, 1.0, R4.x;
ADDR R4.x, R4.x, 0.00001;            # POW of exactly 0 is fine, but rounding may go below
POWR R4.x, R4.x, fresnel.x;
MOVR R5.x, head_on.x;
LRPR R4.x, R4.x, 1.0, R5.x;

# Head-on the metal tints what it reflects, edge-on it does not.
MOVR R6.xyz, metal;
LRPR R6.xyz, R4.x, 1.0, R6;
MULR R3.xyz, R3, R6;
MULR R3.xyz, R3, R4.x;
MULR_SAT o[COLR].xyz, R3, 1.35;
MOVR o[COLR].w, 1.0;
END
