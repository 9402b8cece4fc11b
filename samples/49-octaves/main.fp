!!ARBfp1.0
OPTION NV_fragment_program2;
# Clouds from six octaves of noise, added in a loop over texture coordinate sets.
#
# LOOP has three numbers: the count, the start of A0.x, and its step.
# fragment.texcoord[A0.x] is then a different set in each iteration: the only array of inputs.

ATTRIB sight = fragment.texcoord[7];
PARAM octaves = program.local[1];           # (6, 0, 1)
PARAM weather = program.local[2];           # x: amount of cloud, y: how much the octaves shrink
PARAM sun = { 0.30, 0.14, -0.94 };
PARAM shift = { 0.055, -0.10 };             # on the clouds' plane, towards the sun
TEMP sum, amp, n, at, c, sky, t;

MOV sum, 0.0;
MOV amp, 0.5;
LOOP octaves;
    # TXP divides by q. The second lookup is a bit nearer to the sun: less cloud there means light here.
    TXP n, fragment.texcoord[A0.x], texture[0], 2D;
    MAD sum.x, n.x, amp.x, sum.x;
    MOV at, fragment.texcoord[A0.x];
    MAD at.xy, shift, at.w, at;
    TXP n, at, texture[0], 2D;
    MAD sum.y, n.x, amp.x, sum.y;
    ADD sum.z, sum.z, amp.x;
    MUL amp.x, amp.x, weather.y;
ENDLOOP;

# The mean of the octaves, whatever their number.
MAX sum.z, sum.z, 0.001;
DIV sum.xy, sum, sum.z;

# The sky: from gold at the horizon to blue above, and the sun's glow.
NRM at.xyz, sight;
ABS t.x, at.y;
MUL_SAT t.x, t.x, 2.4;
POW t.x, t.x, 0.7;
LRP sky.xyz, t.x, { 0.16, 0.30, 0.58 }, { 0.98, 0.74, 0.52 };
DP3_SAT t.y, at, sun;
POW t.z, t.y, 26.0;
MAD sky.xyz, t.z, { 0.50, 0.32, 0.12 }, sky;
POW t.z, t.y, 900.0;
MAD sky.xyz, t.z, { 1.2, 1.0, 0.7 }, sky;

MOVC t.w, sight.y;
IF GT.w;
    # Clouds: how dense, how lit.
    ADD c.w, sum.x, weather.x;
    MAD_SAT c.w, c.w, 3.6, -1.55;
    SUB t.x, sum.x, sum.y;
    MAD_SAT t.x, t.x, 4.2, 0.52;
    MAD t.z, c.w, -0.22, 1.0;
    MUL t.x, t.x, t.z;
    LRP c.xyz, t.x, { 1.12, 0.98, 0.86 }, { 0.34, 0.32, 0.44 };
    POW t.z, t.y, 12.0;
    MAD c.xyz, t.z, { 0.30, 0.18, 0.06 }, c;
    # Far away they drown in the haze.
    MAD_SAT t.z, sight.y, 6.0, -0.15;
    MUL c.w, c.w, t.z;
    LRP sky.xyz, c.w, c, sky;
ELSE;
    # The sea: q is below 0 there, and the same octaves are waves. They glitter under the sun.
    SUB t.x, sum.x, sum.y;
    MUL c.xyz, sky, { 0.34, 0.46, 0.62 };
    MAD c.xyz, t.x, { 1.6, 1.3, 1.1 }, c;
    SUB t.y, at.x, 0.28;
    MUL t.y, t.y, t.y;
    MUL t.y, t.y, -26.0;
    EX2 t.y, t.y;
    MAD_SAT t.x, t.x, 9.0, -0.05;
    MUL t.y, t.y, t.x;
    MAD c.xyz, t.y, { 1.3, 0.9, 0.5 }, c;
    MAD_SAT t.z, sight.y, -14.0, 0.0;
    LRP sky.xyz, t.z, c, sky;
ENDIF;
MOV_SAT result.color.rgb, sky;
MOV result.color.a, 1.0;
END
