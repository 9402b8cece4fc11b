!!NVfp4.0
# Refused: A cell should be light if its column or its row is odd.
TEMP at;
INT TEMP cell, bit;

# Column and row, 0 to 7.
MUL at, fragment.texcoord[0], 8.0;
TRUNC.S cell, at;

XOR.S bit.x, cell.x, cell.y;
I2F result.color, bit.x;
END
