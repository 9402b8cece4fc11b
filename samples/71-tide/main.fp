!!NVfp5.0
# Four texels at a time: TXG gathers them instead of filtering. With a SHADOW target it first compares each with a
# given height: here the tide. The heights of an island are the depths of a texture.

PARAM clock = program.local[0];
PARAM sea = program.local[1];               # x: mean height of the water, y: how much it rises and falls, z: zoom
TEMP place, at, f, dry, wet, land, color, t;
INT TEMP size;

# A part of the map, wandering.
MUL t.xy, clock.x, { 0.11, 0.07 };
SIN t.x, t.x;
COS t.y, t.y;
MUL place.xy, fragment.texcoord[0], sea.z;
MAD place.xy, t, 0.12, place;
MUL t.z, clock.x, 0.9;
SIN t.z, t.z;
MAD place.z, t.z, sea.y, sea.x;

# Four comparisons: 1.0 where the texel is as high as the water or higher. x and y are the upper two of the four
# texels, from left to right, z and w the lower two, from right to left.
TXG dry, place, texture[0], SHADOW2D;

# The place between the four texels gives their weights, as in a filter.
MOV.S size, 0;
TXQ size.xy, size, texture[0], SHADOW2D;
I2F t.xy, size;
MAD at.xy, place, t, -0.5;
FRC f.xy, at;
SUB f.zw, 1.0, f.xyxy;
MUL t.x, f.z, f.y;
MUL t.y, f.x, f.y;
MUL t.z, f.x, f.w;
MUL t.w, f.z, f.w;
DP4 dry.x, dry, t;

# Sixteen texels around this point instead of four: how much of the neighbourhood is dry? That makes the shallows and the foam.
TXG wet, place, texture[0], SHADOW2D, (-3, -3);
DP4 dry.y, wet, 0.0625;
TXG wet, place, texture[0], SHADOW2D, (3, -3);
DP4 t.x, wet, 0.0625;
ADD dry.y, dry.y, t.x;
TXG wet, place, texture[0], SHADOW2D, (-3, 3);
DP4 t.x, wet, 0.0625;
ADD dry.y, dry.y, t.x;
TXG wet, place, texture[0], SHADOW2D, (3, 3);
DP4 t.x, wet, 0.0625;
ADD dry.y, dry.y, t.x;

# The land, by its height; a second unit has the same picture as colours, and its slope is light.
TEX land, place, texture[1], 2D;
SUB t.x, land.x, place.z;
MAD_SAT t.y, land.x, 6.0, -3.3;
LRP color.xyz, t.y, { 0.28, 0.50, 0.20 }, { 0.90, 0.80, 0.56 };
MAD_SAT t.y, land.x, 6.0, -3.9;
LRP color.xyz, t.y, { 0.96, 0.96, 0.98 }, color;
TEX wet, place, texture[1], 2D, (2, 2);
SUB t.y, land.x, wet.x;
MAD t.y, t.y, 7.0, 0.85;
MUL color.xyz, color, t.y;

# The water, by its depth.
MUL_SAT t.x, t.x, -4.5;
LRP wet.xyz, t.x, { 0.02, 0.13, 0.32 }, { 0.12, 0.55, 0.62 };
MAD wet.xyz, dry.y, { 0.55, 0.50, 0.42 }, wet;
LRP result.color.xyz, dry.x, color, wet;
MOV result.color.w, 1.0;
END
