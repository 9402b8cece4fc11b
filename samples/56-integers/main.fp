!!NVfp4.0
# Whole numbers, bit by bit: the munching squares of 1962.
#
# A register holds 32 bits in each component. The modifier says how an instruction reads them: .F, the default, as a
# floating-point number, .S as a signed and .U as an unsigned integer.

PARAM clock = program.local[0];             # seconds, width, height, 1
PARAM zoom = program.local[1];              # x: cells across, y: speed
INT TEMP at, bits;
TEMP place, color, t;

# From numbers to integers: TRUNC reads a floating-point operand, .S makes the result an integer.
MUL place.xy, fragment.texcoord[0], zoom.x;
MUL place.w, clock.x, zoom.y;
TRUNC.S at.xy, place;
TRUNC.S at.z, place.w;

# The three operations on bits. A literal is an integer here because of the .S.
XOR.S bits.x, at.x, at.y;
AND.S bits.y, at.x, at.y;
OR.S bits.z, at.x, at.y;

# How long ago has the wave passed? It reaches x XOR y at that time, counted on a dial of 128.
SUB.S bits.w, at.z, bits.x;
AND.S bits, bits, 0x7F;

# And back: I2F converts an integer to floating point.
I2F color, bits;
MUL color, color, 0.0078125;

# Hues go around with x AND y; cells that the wave has just passed shine, the others fade.
SUB t.w, 1.0, color.w;
MUL t.z, t.w, t.w;
MUL t.z, t.z, t.z;
MAD t.x, clock.x, 0.03, color.y;
MAD t.x, color.z, 0.55, t.x;
ADD color.xyz, t.x, { 0.60, 0.92, 0.24 };
MUL color.xyz, color, 6.2831853;
COS color.x, color.x;
COS color.y, color.y;
COS color.z, color.z;
MAD color.xyz, color, 0.5, 0.5;
MAD t.w, t.w, 0.42, 0.06;
MUL color.xyz, color, t.w;
MAD result.color.xyz, t.z, { 0.75, 0.62, 0.50 }, color;
MOV result.color.w, 1.0;
END
