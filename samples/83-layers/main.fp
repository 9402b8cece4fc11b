!!NVfp4.0
# Ink in water. An array texture has layers, and a lookup reads just one of them: the program itself blends
# between two layers.

PARAM clock = program.local[0];
PARAM flow = program.local[1];              # x: layers a second, y: size, z: how far the water is stirred, w: how dark the ink
TEMP place, time, layer_at, stir, ink, next, color, t;
INT TEMP layer;

# The current layer in time, the next one, and the fraction between them. There are eight: the
# ninth would be the eighth once more, so the lowest three bits go round.
MUL time.x, clock.x, flow.x;
FLR time.y, time.x;
SUB time.z, time.x, time.y;
TRUNC.S layer.x, time.y;
ADD.S layer.y, layer.x, 1;
ADD.S layer.z, layer.x, 4;
ADD.S layer.w, layer.x, 5;
AND.S layer, layer, 7;
I2F layer_at, layer;

# A smooth way from 0 to 1, so that nothing jerks where a layer begins.
MAD t.x, time.z, -2.0, 3.0;
MUL t.x, t.x, time.z;
MUL time.z, t.x, time.z;

# The currents: two components of noise, from layers half the way round.
MUL place.xy, fragment.texcoord[0], flow.y;
MAD place.y, clock.x, -0.015, place.y;
MOV place.z, layer_at.z;
TEX stir, place, texture[0], ARRAY2D;
MOV place.z, layer_at.w;
TEX next, place, texture[0], ARRAY2D;
LRP stir, time.z, next, stir;
SUB stir, stir, 0.5;
MAD place.xy, stir, flow.z, place;

# The ink, carried along.
MOV place.z, layer_at.x;
TEX ink, place, texture[0], ARRAY2D;
MOV place.z, layer_at.y;
TEX next, place, texture[0], ARRAY2D;
LRP ink, time.z, next, ink;

# Thick where the noise is high, and in threads where it passes one half.
SUB t.x, ink.z, 0.5;
ABS t.x, t.x;
MAD.SAT t.x, t.x, -9.0, 1.0;
MUL t.x, t.x, t.x;
MAD.SAT t.y, ink.x, 3.2, -1.35;
MUL.SAT t.y, t.y, flow.w;
LRP color.xyz, t.y, { 0.06, 0.05, 0.22 }, { 0.93, 0.95, 0.90 };
MUL t.z, ink.y, t.y;
LRP color.xyz, t.z, { 0.75, 0.10, 0.35 }, color;
MUL t.x, t.x, 0.55;
LRP color.xyz, t.x, { 0.10, 0.42, 0.62 }, color;
MOV color.w, 1.0;
MOV result.color, color;
END
