!!ARBfp1.0
OPTION NV_fragment_program2;
# The Mandelbrot set with a loop that can be left, and with hills.
#
# REP repeats the block up to ENDREP. A parameter gives the count: 255 at most. BRK
# leaves when its condition holds. Each pixel leaves in its own iteration; the others continue.
#
# Besides z, the loop keeps the change of z with c. Their quotient points uphill and gives the light.

ATTRIB place = fragment.texcoord[0];
PARAM clock = program.local[0];         # x: seconds, y: width / height, z: height in pixels
PARAM view = program.local[1];          # x, y: where to look
PARAM zoom = program.local[4];          # x: speed, y: how far to go in, as a power of 2
PARAM steps = program.local[2];         # x: maximum count
PARAM tint = program.local[3];
PARAM sun = { 0.55, 0.55, 0.63 };

TEMP c, z, dz, t, u, n;

# Closer and away again: the scale is a power of 2, so the pace is even.
MUL t.x, clock.x, zoom.x;
COS t.x, t.x;
MAD t.x, t.x, -0.5, -0.5;
MUL t.x, t.x, zoom.y;
EX2 t.x, t.x;
MUL t.x, t.x, 1.25;
DIV n.w, t.x, clock.z;                  # half a pixel, at this scale
MAD c.xy, place, 2.0, -1.0;
MUL c.x, c.x, clock.y;
MAD c.xy, c, t.x, view;

MOV z, 0.0;
MOV dz, 0.0;
MOV n.x, 0.0;
REP steps;
    # Has it escaped? t = (x * x, y * y, x * y), and u.w > 0 where |z| is above 32.
    MUL t.xyz, z.xyxw, z.xyyw;
    ADD u.w, t.x, t.y;
    SUBC u.w, u.w, 1024.0;
    BRK (GT.w);

    # dz = 2 * z * dz + 1
    MUL u, z.xxyy, dz.xyyx;
    SUB dz.x, u.x, u.z;
    ADD dz.y, u.y, u.w;
    MAD dz.xy, dz, 2.0, { 1.0, 0.0 };

    # z = z * z + c
    SUB t.x, t.x, t.y;
    MAD z.xy, t.xzzz, { 1.0, 2.0 }, c;
    ADD n.x, n.x, 1.0;
ENDREP;

# One more test shows how the loop ended: after a BRK the code is GT.
DP2 t.w, z, z;
SUBC u.w, t.w, 1024.0;
IF GT.w;
    # How far is the set? About |z| * ln |z| / |dz|. Less than a pixel: then details are too fine to show.
    LG2 t.x, t.w;
    DP2 u.x, dz, dz;
    RSQ u.y, u.x;
    RSQ u.z, t.w;
    MUL u.z, u.z, t.w;
    MUL u.y, u.y, u.z;
    MUL u.y, u.y, t.x;
    MUL u.y, u.y, 0.17;
    DIV_SAT c.w, u.y, n.w;

    # Smooth counting: n + 1 - log2(log2(|z|) / 5).
    MUL t.x, t.x, 0.1;
    LG2 t.x, t.x;
    SUB n.x, n.x, t.x;
    MUL n.x, n.x, 0.09;
    MAD n.yzw, n.x, { 0.0, 6.2831, 6.2831, 6.2831 }, { 0.0, 3.4, 4.1, 4.9 };
    COS n.y, n.y;
    COS n.z, n.z;
    COS n.w, n.w;
    MAD n, n, 0.42, 0.52;
    MUL n.yzw, n, tint.wxyz;

    # Uphill is z / dz, that is z times the mirrored dz, but for the length. Scaled first, since
    # dz has grown huge by now.
    MAX u.x, |dz.x|, |dz.y|;
    DIV dz.xy, dz, u.x;
    DP2 u.x, z, dz;
    MUL u.y, z.x, dz.y;
    MAD u.y, z.y, dz.x, -u.y;
    MOV u.z, 0.0;
    NRM u.xyz, u;
    MOV u.z, 0.85;
    DP3 u.x, u, sun;
    MUL_SAT u.x, u.x, 0.90;
    MAD u.x, u.x, 1.05, 0.24;
    MUL n.yzw, n, u.x;
    LRP result.color.rgb, c.w, n.yzww, { 0.95, 0.78, 0.50 };
ELSE;
    # Inside. z wanders about; where it ends up gives a faint glow.
    DP2 t.x, z, z;
    MUL result.color.rgb, t.x, { 0.02, 0.035, 0.09 };
ENDIF;
MOV result.color.a, 1.0;
END
