!!NVfp4.0
# Integers: finds which of 8 by 8 tiles the pixel is in, and makes every other tile bright.
PARAM clock = program.local[0];             # x: seconds
ATTRIB place = fragment.texcoord[0];        # from 0 to 1 across the picture
INT TEMP tile;
TEMP color, t;

# The integer part, and the lowest bit of x XOR y. CC makes the instruction set the condition code.
MUL t.xy, place, 8.0;
TRUNC.S tile.xy, t;
XOR.S tile.z, tile.x, tile.y;
AND.S.CC tile.z, tile.z, 1;
MOV color, { 0.12, 0.28, 0.44, 1.0 };
MOV color (NE.z), { 0.98, 0.74, 0.32, 1.0 };

# A wave of light moves across the tiles.
ADD.S tile.w, tile.x, tile.y;
I2F t.z, tile.w;
MAD t.z, t.z, 0.6, clock.x;
SIN t.z, t.z;
MAD t.z, t.z, 0.25, 0.75;
MUL result.color.xyz, color, t.z;
MOV result.color.w, 1.0;
END
