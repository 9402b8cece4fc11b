!!NVfp4.0
# Refused: If both are odd, it should be dark.
TEMP at;
INT TEMP cell, bit;

# Column and row, 0 to 7.
MUL at, fragment.texcoord[0], 8.0;
TRUNC.S cell, at;

OR.S bit.x, cell.x, cell.y;
AND.S bit.x, bit.x, 1;
I2F result.color, bit.x;
END
