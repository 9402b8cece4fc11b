!!FP1.0
# TEX looks up a texture at (x, y); TXP divides by w first: (x/w, y/w). That division is what makes
# a beam: it spreads with the distance from the lamp, like the light of a slide projector.

DECLARE clock = {0};
DECLARE swing = {0.5, 0.35};         # x: angle to each side in radians, y: speed
DECLARE lens = {1.9, 3.0, 0.9};      # x: how narrow the beam is, y: distance of the lamp, z: brightness

# The surface's own colour.
MULR R0.xy, f[TEX0], {4, 2};
TEX R1, R0, TEX0, 2D;

# The lamp swings around the y axis. R2.x = sine, R2.y = cosine of its angle.
MOVR R2.z, clock.x;
MULR R2.z, R2.z, swing.y;
SINR R2.z, R2.z;
MULR R2.z, R2.z, swing.x;
SINR R2.x, R2.z;
COSR R2.y, R2.z;

# The surface point as the lamp sees it: R3.x right, R3.y up, R3.w forward distance.
MOVR R4, f[TEX2];
MULR R3.x, R4.x, R2.y;
MADR R3.x, R4.z, -R2.x, R3.x;
MULR R3.z, R4.x, R2.x;
MADR R3.z, R4.z, R2.y, R3.z;
MOVR R3.y, R4.y;
ADDR R3.w, -R3.z, lens.y;

# Slide coordinates: 0 to 1 across the beam AFTER the division by w, hence 0.5 * w here.
MULR R3.xy, R3, lens.x;
MADR R3.xy, R3.w, 0.5, R3;
TXP R5, R3, TEX1, 2D;                # outside the slide: the border, black

# The light falls only on surfaces that face the lamp. Its direction is (sin, 0, cos).
MOVR R6.xyz, R2.xxyw;
MOVR R6.y, 0.0;
DP3R R7.w, f[TEX1], f[TEX1];
RSQR R7.w, R7.w;
MULR R7.xyz, f[TEX1], R7.w;
DP3R_SAT R6.x, R7, R6;
MULR R5.xyz, R5, R6.x;
MULR R5.xyz, R5, lens.z;
ADDR R5.xyz, R5, R5;

# A dim room: a little light from above.
MADR R6.y, R7.y, 0.07, 0.10;
ADDR R5.xyz, R5, R6.y;
MULR_SAT o[COLR].xyz, R1, R5;
MOVR o[COLR].w, 1.0;
END
