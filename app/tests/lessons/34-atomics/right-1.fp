!!NVfp5.0
TEMP value;
UINT TEMP bright, before;
LONG UINT TEMP address;

PK64.U address.x, program.local[0];

# Bright is what is at 0.375 or above.
MOV value, fragment.attrib[0].x;
SGE.F value.y, value.x, 0.375;
TRUNC.U bright.x, value.y;

MUL.U bright.x, bright.x, 4;
ADD.U64 address.x, address.x, bright.x;
ATOM.ADD.U32 before.x, 1, address.x;
MOV result.color, value.x;
END
