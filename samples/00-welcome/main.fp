!!FP1.0
# Silk in motion.
#
# Layers of sines push a point of the picture around, each push finer than the last. Its final place
# decides the colour, and the change of that from pixel to pixel decides the sheen.
# Click any pixel and step through: R0.xy is the wandering point.

DECLARE clock = {0, 1, 0.5, 0.5};   # time in seconds, width / height, mouse x, mouse y
DECLARE flow = {0.30, 2.0, 1.1};     # x: speed, y: zoom, z: strength of the pushes
DECLARE deep = {0.05, 0.03, 0.18, 1};
DECLARE cloth = {0.85, 0.16, 0.36, 1};
DECLARE glow = {1.0, 0.72, 0.35, 1};

# R0.xy: position, 0 in the middle, -1 to 1 from bottom to top. R2 keeps a copy for the vignette.
MADR R0.xy, f[TEX0], 2.0, -1.0;
MOVR R2.xy, R0;
MULR R0.x, R0.x, clock.y;
MULR R0.xy, R0, flow.y;

# R1.xy: two clocks, one forwards, one back. An instruction may read only one parameter, so
# the time goes to a register first.
MOVR R1.x, clock.x;
MULR R1.x, R1.x, flow.x;
MOVR R1.y, -R1.x;

# A gentle pull by the mouse.
ADDR R1.xy, R1, clock.zwzw;

# First push. R3 = angle, then its sines; flow.z scales them.
MADR R3.xy, R0.yxyx, 1.3, R1;
SINR R3.x, R3.x;
SINR R3.y, R3.y;
MADR R0.xy, R3, flow.z, R0;

# Second push: twice as fine, half as strong. (0.5 is folded into R3 before flow.z comes in.)
MADR R3.xy, R0.yxyx, 2.1, -R1.yxyx;
SINR R3.x, R3.x;
SINR R3.y, R3.y;
MULR R3.xy, R3, 0.60;
MADR R0.xy, R3, flow.z, R0;

# Third push.
MADR R3.xy, R0.yxyx, 3.4, R1;
SINR R3.x, R3.x;
SINR R3.y, R3.y;
MULR R3.xy, R3, 0.35;
MADR R0.xy, R3, flow.z, R0;

# The folds: one slow wave over the final place of the point, and a finer one across it.
ADDR R4.x, R0.x, R0.y;
SINR R4.x, R4.x;
MADR R4.x, R4.x, 0.5, 0.5;           # 0 in the valleys, 1 on the ridges
MADR R4.y, R0.x, 1.7, -R0.y;
COSR R4.y, R4.y;
MADR_SAT R4.y, R4.y, 0.5, 0.5;

# The slope of the folds, in units of the picture's height (p[0].z pixels): a surface normal for free.
DDXR R5.x, R4.x;
DDYR R5.y, R4.x;
MULR R5.xy, R5, -p[0].z;
MULR R5.xy, R5, 0.35;
MOVR R5.z, 1.0;
DP3R R5.w, R5, R5;
RSQR R5.w, R5.w;
MULR R5.xyz, R5, R5.w;
DP3R_SAT R6.x, R5, {-0.48, 0.60, 0.64};   # light from the upper left
POWR R6.y, R6.x, 12.0;

# Colour: from deep to cloth along the folds, towards glow where both waves are high.
MOVR R7, deep;
LRPR R7.xyz, R4.x, cloth, R7;
MULR R4.z, R4.y, R4.y;
MULR R4.z, R4.z, R4.x;
LRPR R7.xyz, R4.z, glow, R7;
MADR R6.z, R6.x, 0.75, 0.45;
MULR R7.xyz, R7, R6.z;
MULR R6.y, R6.y, 0.45;
MADR R7.xyz, R6.y, glow, R7;

# A vignette that darkens the corners.
MULR R2.xy, R2, R2;
ADDR R2.x, R2.x, R2.y;
MADR R2.x, R2.x, -0.22, 1.05;
MULR_SAT o[COLR].xyz, R7, R2.x;
MOVR o[COLR].w, 1.0;
END
