!!NVfp5.0
# Refused: Each pixel should add one to its counter
TEMP value;
UINT TEMP bright, old;
LONG UINT TEMP address;

PK64.U address.x, program.local[0];

# Bright is what is at 0.375 or above.
MOV value, fragment.attrib[0].x;
SGE.F value.y, value.x, 0.375;
TRUNC.U bright.x, value.y;

ATOM.ADD.U32 old.x, 1, address.x;
MOV result.color, value.x;
END
