!!ARBfp1.0
# Refused: The disc should be orange inside and dark outside.
OPTION NV_fragment_program2;
TEMP at, d;

# The square of the distance from the middle.
MAD at, fragment.texcoord[0], 2.0, -1.0;
MUL d.xy, at, at;
ADD d.x, d.x, d.y;

SUBC d.y, d.x, 0.64;
IF LT.x;
MOV result.color, { 0.95, 0.55, 0.15, 1 };
ELSE;
MOV result.color, { 0.1, 0.1, 0.2, 1 };
ENDIF;
END
