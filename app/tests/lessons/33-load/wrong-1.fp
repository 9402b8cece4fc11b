!!NVfp5.0
# Refused: Each column should have its own colour
TEMP at;
UINT TEMP column;
LONG UINT TEMP address;

# Where the palette is.
PK64.U address.x, program.local[0];

# Which of eight columns.
MUL at.x, fragment.attrib[0].x, 8.0;
TRUNC.U column.x, at.x;

ADD.U64 address.x, address.x, column.x;
LOAD.F32X4 result.color, address.x;
END
