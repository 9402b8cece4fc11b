!!NVfp4.0
TEMP at;
INT TEMP cell, bit;

# Column and row, 0 to 7.
MUL at, fragment.texcoord[0], 8.0;
TRUNC.S cell, at;

AND.S bit.xy, cell, 1;
SNE.S bit.x, bit.x, bit.y;
AND.S bit.x, bit.x, 1;
I2F result.color, bit.x;
END
