!!NVfp4.0
# One texel, and nothing but that texel: TXF reads a texture by row and column. A mosaic with stones of five sizes.

PARAM clock = program.local[0];
PARAM wall = program.local[1];              # x: how fast the sizes change, y: light on the stones
INT TEMP at, level, size;
TEMP place, wave, stone, color, t;

# TXQ returns the size of the picture in texels.
MOV.S size, 0;
TXQ size.xy, size, texture[0], 2D;
I2F t.xy, size;
MUL place.xy, fragment.texcoord[0], t;
TRUNC.S at.xy, place;

# Squares of 64 x 64 texels choose a level of the picture: 1 to 5. Waves go over them.
SHR.S level.xy, at, 6;
I2F wave.xy, level;
MUL t.x, clock.x, wall.x;
MAD t.y, wave.x, 0.9, t.x;
MAD t.z, wave.y, 0.8, -t.x;
SIN t.y, t.y;
COS t.z, t.z;
ADD t.y, t.y, t.z;
MAD t.y, t.y, 1.15, 3.4;
TRUNC.S at.w, t.y;
MAX.S at.w, at.w, 1;
MIN.S at.w, at.w, 5;

# On that level the texel's place is halved once for each level. The fourth component is the level itself.
SHR.S at.xy, at, at.w;
TXF color, at, texture[0], 2D;

# Where in the stone? Its side is 2 to the power of the level.
SHL.S size.x, 1, at.w;
I2F t.x, size.x;
RCP t.x, t.x;
MUL place.xy, place, t.x;
FRC stone.xy, place;
SUB stone.xy, stone, 0.5;

# A stone with round edges: the light comes from the upper left.
ABS t.yz, stone.xxyy;
MAX t.w, t.y, t.z;
SUB t.yz, t, 0.30;
MAX t.yz, t, 0.0;
MUL t.yz, t, t;
ADD t.y, t.y, t.z;
MAD_SAT t.y, t.y, -26.0, 1.05;
SUB t.z, stone.y, stone.x;
MUL t.z, t.z, wall.y;
MUL t.w, t.w, t.w;
MUL t.w, t.w, 4.0;
MAD t.z, t.z, t.w, 1.0;
MUL t.z, t.z, t.y;
MAD result.color.xyz, color, t.z, 0.02;
MOV result.color.w, 1.0;
END
