!!NVfp5.0
# Four flags of one addition: x runs to the right, y upwards, both through all 32-bit integers.

PARAM clock = program.local[0];
PARAM show = program.local[1];              # x: 0 for a sum, 1 for a difference; y: how much the operands drift
INT TEMP a, sum;
TEMP place, color, mark;

# -2^31 at the left and bottom edge, 2^31 - 1 at the right and top one.
MOV place, fragment.texcoord[0];
MUL place.z, clock.x, show.y;
ADD place.x, place.x, place.z;
MAD place.y, place.z, -0.6, place.y;
FRC place.xy, place;
SUB place.xy, place, 0.5;
MUL place.xy, place, 4294967296.0;
FLR.S a.xy, place;

MOV color, { 0.10, 0.11, 0.14, 1.0 };
SLT.CC1 mark.x, show.x, 0.5;
IF NE1.x;
    ADD.S.CC0 sum.x, a.x, a.y;
ELSE;
    SUB.S.CC0 sum.x, a.x, a.y;
ENDIF;

# One colour for each flag, added up. SF and CF and OF test a flag each; EQ the zero flag.
ADD color.x (SF0.x), color.x, 0.20;
ADD color.z (SF0.x), color.z, 0.34;
ADD color.y (CF0.x), color.y, 0.38;
ADD color.x (OF0.x), color.x, 0.60;

# The farther from zero, the brighter; waves run through the sum towards greater ones.
I2F mark.y, sum.x;
MUL mark.y, mark.y, 0.00000000046566129;    # 2^-31
MAD mark.z, clock.x, -2.5, 0.0;
MAD mark.z, mark.y, 50.265482, mark.z;
SIN mark.z, mark.z;
MAD mark.z, mark.z, 0.24, 0.86;
MAD mark.y, |mark.y|, 0.80, 0.45;
MUL mark.y, mark.y, mark.z;
MUL color.xyz, color, mark.y;
MOV result.color, color;
END
