!!ARBfp1.0
OPTION NV_fragment_program2;
# Light through coloured windows: on the floor, and in the air.
#
# A room: the floor is y = 0, the wall with three windows z = 0, and the eye is before it. The sun is
# behind the wall. The program computes the place of the wall through which the sun reaches each
# point. The farther the wall, the larger the part of the window that a point sees, and the more its
# picture blurs. That is a level of detail for TXL.

ATTRIB place = fragment.texcoord[0];
PARAM clock = program.local[0];             # x: seconds, y: width / height
PARAM air = program.local[1];               # x: softness, y: how much the air shows
PARAM steps = program.local[2];             # through the air
PARAM eye = { 0.0, 1.55, 5.6, 1.0 };
PARAM sill = { 0.72, 1.0, 2.45 };           # half width of a window, its sill, where the arch begins
PARAM warm = { 1.45, 1.32, 1.12 };
TEMP d, p, sun, q, e, s, c, sum, t;

main:
# The line of sight, normalized, and the direction to the sun, which sways.
MAD d.xy, place, 2.0, -1.0;
MUL d.x, d.x, clock.y;
MAD d.xy, d, { 0.52, 0.52 }, { 0.0, -0.15 };
MOV d.z, -1.0;
NRM d.xyz, d;
MUL t.x, clock.x, 0.21;
SIN t.x, t.x;
MAD sun.x, t.x, 0.30, 0.10;
MOV sun.y, 0.80;
MOV sun.z, -1.0;

# How far to the wall, and to the floor? Upwards there is no floor, and every line meets the wall.
DIV t.x, -eye.z, d.z;
MIN t.z, d.y, -0.0001;
DIV t.y, -eye.y, t.z;
SUBC t.z, t.y, t.x;
IF LT.z;
    # The floor: slabs of marble. Here the sun arrives.
    MAD p.xyz, d, t.y, eye;
    MUL q.xy, p.xzzz, 0.42;
    MUL q.w, t.y, 0.12;
    TXL c, q, texture[1], 2D;
    MUL q.xy, p.xzzz, 0.7;
    FRC q.xy, q;
    SUB q.xy, q, 0.5;
    MAX q.z, |q.x|, |q.y|;
    SUBC q.z, q.z, 0.488;
    MUL c.xyz (GT.z), c, 0.55;
    CAL light;
    MAD s.xyz, s, 1.9, { 0.085, 0.080, 0.105 };
    MUL sum.xyz, c, s;
    MOV t.w, t.y;
ELSE;
    # The wall: seen from inside, it has its back to the sun. Only the glass lets light through.
    MAD p.xyz, d, t.x, eye;
    MOV q.xyz, p;
    MOV e.w, 0.012;
    CAL window;
    MUL c.xy, p, 0.5;
    MOV c.zw, 0.0;
    TXL c, c, texture[1], 2D;
    MUL c.xyz, c, { 0.070, 0.066, 0.088 };
    MAD sum.xyz, s, 1.1, c;
    MOV t.w, t.x;
ENDIF;

# The air on the way. Dust catches the light at every step; the first step's length differs from
# pixel to pixel, or there would be rings.
RCP d.w, steps.x;
MUL d.w, d.w, t.w;
DP2 e.x, place, { 12.9898, 78.233 };
SIN e.x, e.x;
MUL e.x, e.x, 437.5;
FRC e.x, e.x;
MUL e.x, e.x, d.w;
MAD p.xyz, d, e.x, eye;
MUL d.xyz, d, d.w;
MOV c, 0.0;
REP steps;
    CAL light;
    ADD c.xyz, c, s;
    ADD p.xyz, p, d;
ENDREP;
MUL d.w, d.w, air.y;
MAD sum.xyz, c, d.w, sum;
MOV_SAT result.color.rgb, sum;
MOV result.color.a, 1.0;
RET;

# The sunlight that gets to p, into s. On the line to the sun, where is the wall? sun.z is -1, so the way
# there is p.z times sun.
light:
MAD q.xyz, sun, p.z, p;
MAD e.w, p.z, air.x, 0.02;

# Light through the wall at q, blurred by e.w. Three windows: x is relative to the middle
# of the nearest.
window:
MAD t.z, q.x, 0.46, 0.5;
FLR t.z, t.z;
MIN t.z, t.z, 1.0;
MAX t.z, t.z, -1.0;
MAD q.x, t.z, -2.1739, q.x;

# A pointed arch is where two circles overlap. e.x: the distance of q inside it.
ADD e.x, |q.x|, sill.x;
SUB e.y, q.y, sill.z;
MAX e.y, e.y, 0.0;
DP2 e.z, e, e;
RSQ e.x, e.z;
MUL e.x, e.x, e.z;
MAD e.x, sill.x, 2.0, -e.x;
SUB e.y, q.y, sill.y;
MIN e.x, e.x, e.y;
RCP e.y, e.w;
MADC_SAT e.x, e.x, e.y, 0.5;
MOV s, 0.0;
IF GT.x;
    # Inside: the glass. Its picture at a level of detail: 512 texels are 2.6 high.
    SUB q.y, q.y, sill.y;
    MUL e.z, e.w, 190.0;
    LG2 q.w, e.z;
    MAD q.xy, q, 0.385, { 0.5, 0.0 };
    TXL s, q, texture[0], 2D;
    MUL s.xyz, s, s;
    # Lead between the panes: lozenges, as soft as the rest.
    MUL e.yz, q.xxyy, { 0.0, 9.0, 6.0 };
    ADD q.x, e.y, e.z;
    SUB q.y, e.y, e.z;
    FRC q.xy, q;
    SUB q.xy, q, 0.5;
    MAX q.x, |q.x|, |q.y|;
    SUB q.x, 0.465, q.x;
    MAD e.y, e.w, 2.2, 0.03;
    RCP e.y, e.y;
    MAD_SAT q.x, q.x, e.y, 0.5;
    MAD q.x, q.x, 0.82, 0.18;
    MUL e.x, e.x, q.x;
    MUL s.xyz, s, e.x;
    MUL s.xyz, s, warm;
ENDIF;
RET;
END
