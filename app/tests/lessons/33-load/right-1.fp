!!NVfp5.0
TEMP at;
UINT TEMP column;
LONG UINT TEMP address;

# Where the palette is.
PK64.U address.x, program.local[0];

# Which of eight columns.
MUL at.x, fragment.attrib[0].x, 8.0;
TRUNC.U column.x, at.x;

SHL.U column.y, column.x, 4;
ADD.U64 address.x, address.x, column.y;
LOAD.F32X4 result.color, address.x;
END
