!!NVfp5.0
TEMP at;
UINT TEMP column;
LONG UINT TEMP address;

# Where the palette is.
PK64.U address.x, program.local[0];

# Which of eight columns.
MUL at.x, fragment.attrib[0].x, 8.0;
TRUNC.U column.x, at.x;

MUL.U column.x, column.x, 16;
ADD.U64 address.y, column.x, address.x;
LOAD.F32X4 result.color, address.y;
END
