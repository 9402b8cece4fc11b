!!ARBfp1.0
# Refused: Different lines should run inside and outside. No branch skips anything: pixel (64, 64) and pixel (2, 2) run the same instructions.
OPTION NV_fragment_program2;
TEMP at, d;

# The square of the distance from the middle.
MAD at, fragment.texcoord[0], 2.0, -1.0;
MUL d.xy, at, at;
ADD d.x, d.x, d.y;

SUBC d.y, d.x, 0.64;
IF LT.y;
ELSE;
ENDIF;
MOV result.color, { 0.95, 0.55, 0.15, 1 };
MOV result.color (GE.y), { 0.1, 0.1, 0.2, 1 };
END
