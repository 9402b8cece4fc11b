!!ARBfp1.0
OPTION ARB_fog_exp2;
# The ground under the light of the waves. The code below does nothing about fog: the option above
# adds it after the program, with the density and the colour from the GL.

ATTRIB own = fragment.texcoord[0];
ATTRIB beam = fragment.texcoord[1];
ATTRIB away = fragment.texcoord[2];
ATTRIB spot = fragment.texcoord[3];
PARAM clock = program.local[0];
PARAM light = program.local[1];             # x: how bright, y: how fine
PARAM up[3] = { state.matrix.modelview.invtrans.row[0..2] };
TEMP n, a, b, c, t;

DP3 n.w, away, away;
RSQ n.w, n.w;
MUL n.xyz, away, n.w;
MOV a.x, up[0].y;
MOV a.y, up[1].y;
MOV a.z, up[2].y;
DP3 n.w, n, a;                              # how much it faces up

# Sand below, rock where it is steep.
TEX c, own, texture[0], 2D;
TEX b, own, texture[1], 2D;
MAD_SAT t.x, n.w, 2.6, -1.0;
MAD t.y, b.x, 0.5, 0.75;
LRP a.rgb, t.x, { 1.00, 0.90, 0.66 }, { 0.50, 0.47, 0.44 };
MUL c.rgb, c, a;
MUL c.rgb, c, t.y;

# Caustics: two noises drift against each other; where their sum is half there is a bright line.
MUL t.xy, beam, light.y;
MUL t.zw, clock.x, { 0.0, 0.0, 0.023, 0.031 };
ADD a.xy, t, t.zwzw;
TEX a, a, texture[1], 2D;
MUL t.xy, t, 1.31;
SUB b.xy, t, t.wzwz;
TEX b, b, texture[1], 2D;
ADD a.xy, a, b;
SUB a.xy, a, 1.0;
ABS a.xy, a;
MAD_SAT a.xy, a, -2.6, 1.0;
MUL a.xy, a, a;
MUL a.xy, a, a;
MUL a.xy, a, a;
MAX a.x, a.x, a.y;

# They come from above, and fade with depth.
MAD_SAT t.x, n.w, 1.2, -0.1;
MUL a.x, a.x, t.x;
MUL a.x, a.x, light.x;
MAD_SAT t.y, spot.y, 0.22, 0.35;
MAD t.z, n.w, 0.50, 0.42;
MUL t.z, t.z, t.y;
MAD t.z, a.x, 0.9, t.z;
MUL b.rgb, t.z, { 0.85, 1.0, 0.98 };
MUL_SAT result.color.rgb, c, b;
MOV result.color.a, 1.0;
END
