!!NVfp5.0
TEMP value;
UINT TEMP bright, old;
LONG UINT TEMP address;

PK64.U address.x, program.local[0];

# Bright means 0.375 or above.
MOV value, fragment.attrib[0].x;
SGE.F value.y, value.x, 0.375;
TRUNC.U bright.x, value.y;

MAD.U64 address.x, bright.x, 4, address.x;
ATOM.ADD.U32 old.x, 1, address.x;
MOV result.color, value.x;
END
