!!FP1.0
# The Mandelbrot set with no loop and no branch.
#
# Square a point, add c, again and again; points that stay near 0 belong to the set. The same six
# instructions appear 28 times. A pixel that has escaped must stop counting, and the
# condition code does that: once cc.x is LT, "SUBRC RC.x (GE.x)" may not even change cc.x any more.
# It stays LT to the end, and every write marked (GE.x) is off.

DECLARE clock = {0, 1};              # x: seconds, y: width / height
DECLARE view = {-0.6, 0, 1.25};      # x, y: middle of the picture, z: half its height
DECLARE julia = {0};                 # 0: Mandelbrot; 1: the Julia set of a moving point

# R0.xy: the point z. R3.xy: the addend c.
MADR R0.xy, f[TEX0], 2.0, -1.0;
MULR R0.x, R0.x, clock.y;
MULR R0.xy, R0, view.z;
ADDR R0.xy, R0, view;
MOVR R2.x, clock.x;
MULR R2.x, R2.x, 0.3;
SINR R3.y, R2.x;
COSR R3.x, R2.x;
MULR R3.xy, R3, 0.7885;
LRPR R3.xy, julia.x, R3, R0;
MOVR R0.z, 0.0;                      # number of steps that it stayed

MULR R1.xyz, R0.xyxw, R0.xyyw;       # x*x, y*y, x*y   (1)
ADDR R0.w, R1.x, R1.y;
SUBRC RC.x (GE.x), 16.0, R0.w;       # LT, and for good, once |z| > 4
ADDR R0.z (GE.x), R0.z, 1.0;
SUBR R1.x, R1.x, R1.y;
MADR R0.xy (GE.x), R1.xzzz, {1, 2}, R3;

MULR R1.xyz, R0.xyxw, R0.xyyw;       # (2)
ADDR R0.w, R1.x, R1.y;
SUBRC RC.x (GE.x), 16.0, R0.w;
ADDR R0.z (GE.x), R0.z, 1.0;
SUBR R1.x, R1.x, R1.y;
MADR R0.xy (GE.x), R1.xzzz, {1, 2}, R3;

MULR R1.xyz, R0.xyxw, R0.xyyw;       # (3)
ADDR R0.w, R1.x, R1.y;
SUBRC RC.x (GE.x), 16.0, R0.w;
ADDR R0.z (GE.x), R0.z, 1.0;
SUBR R1.x, R1.x, R1.y;
MADR R0.xy (GE.x), R1.xzzz, {1, 2}, R3;

MULR R1.xyz, R0.xyxw, R0.xyyw;       # (4)
ADDR R0.w, R1.x, R1.y;
SUBRC RC.x (GE.x), 16.0, R0.w;
ADDR R0.z (GE.x), R0.z, 1.0;
SUBR R1.x, R1.x, R1.y;
MADR R0.xy (GE.x), R1.xzzz, {1, 2}, R3;

MULR R1.xyz, R0.xyxw, R0.xyyw;       # (5)
ADDR R0.w, R1.x, R1.y;
SUBRC RC.x (GE.x), 16.0, R0.w;
ADDR R0.z (GE.x), R0.z, 1.0;
SUBR R1.x, R1.x, R1.y;
MADR R0.xy (GE.x), R1.xzzz, {1, 2}, R3;

MULR R1.xyz, R0.xyxw, R0.xyyw;       # (6)
ADDR R0.w, R1.x, R1.y;
SUBRC RC.x (GE.x), 16.0, R0.w;
ADDR R0.z (GE.x), R0.z, 1.0;
SUBR R1.x, R1.x, R1.y;
MADR R0.xy (GE.x), R1.xzzz, {1, 2}, R3;

MULR R1.xyz, R0.xyxw, R0.xyyw;       # (7)
ADDR R0.w, R1.x, R1.y;
SUBRC RC.x (GE.x), 16.0, R0.w;
ADDR R0.z (GE.x), R0.z, 1.0;
SUBR R1.x, R1.x, R1.y;
MADR R0.xy (GE.x), R1.xzzz, {1, 2}, R3;

MULR R1.xyz, R0.xyxw, R0.xyyw;       # (8)
ADDR R0.w, R1.x, R1.y;
SUBRC RC.x (GE.x), 16.0, R0.w;
ADDR R0.z (GE.x), R0.z, 1.0;
SUBR R1.x, R1.x, R1.y;
MADR R0.xy (GE.x), R1.xzzz, {1, 2}, R3;

MULR R1.xyz, R0.xyxw, R0.xyyw;       # (9)
ADDR R0.w, R1.x, R1.y;
SUBRC RC.x (GE.x), 16.0, R0.w;
ADDR R0.z (GE.x), R0.z, 1.0;
SUBR R1.x, R1.x, R1.y;
MADR R0.xy (GE.x), R1.xzzz, {1, 2}, R3;

MULR R1.xyz, R0.xyxw, R0.xyyw;       # (10)
ADDR R0.w, R1.x, R1.y;
SUBRC RC.x (GE.x), 16.0, R0.w;
ADDR R0.z (GE.x), R0.z, 1.0;
SUBR R1.x, R1.x, R1.y;
MADR R0.xy (GE.x), R1.xzzz, {1, 2}, R3;

MULR R1.xyz, R0.xyxw, R0.xyyw;       # (11)
ADDR R0.w, R1.x, R1.y;
SUBRC RC.x (GE.x), 16.0, R0.w;
ADDR R0.z (GE.x), R0.z, 1.0;
SUBR R1.x, R1.x, R1.y;
MADR R0.xy (GE.x), R1.xzzz, {1, 2}, R3;

MULR R1.xyz, R0.xyxw, R0.xyyw;       # (12)
ADDR R0.w, R1.x, R1.y;
SUBRC RC.x (GE.x), 16.0, R0.w;
ADDR R0.z (GE.x), R0.z, 1.0;
SUBR R1.x, R1.x, R1.y;
MADR R0.xy (GE.x), R1.xzzz, {1, 2}, R3;

MULR R1.xyz, R0.xyxw, R0.xyyw;       # (13)
ADDR R0.w, R1.x, R1.y;
SUBRC RC.x (GE.x), 16.0, R0.w;
ADDR R0.z (GE.x), R0.z, 1.0;
SUBR R1.x, R1.x, R1.y;
MADR R0.xy (GE.x), R1.xzzz, {1, 2}, R3;

MULR R1.xyz, R0.xyxw, R0.xyyw;       # (14)
ADDR R0.w, R1.x, R1.y;
SUBRC RC.x (GE.x), 16.0, R0.w;
ADDR R0.z (GE.x), R0.z, 1.0;
SUBR R1.x, R1.x, R1.y;
MADR R0.xy (GE.x), R1.xzzz, {1, 2}, R3;

MULR R1.xyz, R0.xyxw, R0.xyyw;       # (15)
ADDR R0.w, R1.x, R1.y;
SUBRC RC.x (GE.x), 16.0, R0.w;
ADDR R0.z (GE.x), R0.z, 1.0;
SUBR R1.x, R1.x, R1.y;
MADR R0.xy (GE.x), R1.xzzz, {1, 2}, R3;

MULR R1.xyz, R0.xyxw, R0.xyyw;       # (16)
ADDR R0.w, R1.x, R1.y;
SUBRC RC.x (GE.x), 16.0, R0.w;
ADDR R0.z (GE.x), R0.z, 1.0;
SUBR R1.x, R1.x, R1.y;
MADR R0.xy (GE.x), R1.xzzz, {1, 2}, R3;

MULR R1.xyz, R0.xyxw, R0.xyyw;       # (17)
ADDR R0.w, R1.x, R1.y;
SUBRC RC.x (GE.x), 16.0, R0.w;
ADDR R0.z (GE.x), R0.z, 1.0;
SUBR R1.x, R1.x, R1.y;
MADR R0.xy (GE.x), R1.xzzz, {1, 2}, R3;

MULR R1.xyz, R0.xyxw, R0.xyyw;       # (18)
ADDR R0.w, R1.x, R1.y;
SUBRC RC.x (GE.x), 16.0, R0.w;
ADDR R0.z (GE.x), R0.z, 1.0;
SUBR R1.x, R1.x, R1.y;
MADR R0.xy (GE.x), R1.xzzz, {1, 2}, R3;

MULR R1.xyz, R0.xyxw, R0.xyyw;       # (19)
ADDR R0.w, R1.x, R1.y;
SUBRC RC.x (GE.x), 16.0, R0.w;
ADDR R0.z (GE.x), R0.z, 1.0;
SUBR R1.x, R1.x, R1.y;
MADR R0.xy (GE.x), R1.xzzz, {1, 2}, R3;

MULR R1.xyz, R0.xyxw, R0.xyyw;       # (20)
ADDR R0.w, R1.x, R1.y;
SUBRC RC.x (GE.x), 16.0, R0.w;
ADDR R0.z (GE.x), R0.z, 1.0;
SUBR R1.x, R1.x, R1.y;
MADR R0.xy (GE.x), R1.xzzz, {1, 2}, R3;

MULR R1.xyz, R0.xyxw, R0.xyyw;       # (21)
ADDR R0.w, R1.x, R1.y;
SUBRC RC.x (GE.x), 16.0, R0.w;
ADDR R0.z (GE.x), R0.z, 1.0;
SUBR R1.x, R1.x, R1.y;
MADR R0.xy (GE.x), R1.xzzz, {1, 2}, R3;

MULR R1.xyz, R0.xyxw, R0.xyyw;       # (22)
ADDR R0.w, R1.x, R1.y;
SUBRC RC.x (GE.x), 16.0, R0.w;
ADDR R0.z (GE.x), R0.z, 1.0;
SUBR R1.x, R1.x, R1.y;
MADR R0.xy (GE.x), R1.xzzz, {1, 2}, R3;

MULR R1.xyz, R0.xyxw, R0.xyyw;       # (23)
ADDR R0.w, R1.x, R1.y;
SUBRC RC.x (GE.x), 16.0, R0.w;
ADDR R0.z (GE.x), R0.z, 1.0;
SUBR R1.x, R1.x, R1.y;
MADR R0.xy (GE.x), R1.xzzz, {1, 2}, R3;

MULR R1.xyz, R0.xyxw, R0.xyyw;       # (24)
ADDR R0.w, R1.x, R1.y;
SUBRC RC.x (GE.x), 16.0, R0.w;
ADDR R0.z (GE.x), R0.z, 1.0;
SUBR R1.x, R1.x, R1.y;
MADR R0.xy (GE.x), R1.xzzz, {1, 2}, R3;

MULR R1.xyz, R0.xyxw, R0.xyyw;       # (25)
ADDR R0.w, R1.x, R1.y;
SUBRC RC.x (GE.x), 16.0, R0.w;
ADDR R0.z (GE.x), R0.z, 1.0;
SUBR R1.x, R1.x, R1.y;
MADR R0.xy (GE.x), R1.xzzz, {1, 2}, R3;

MULR R1.xyz, R0.xyxw, R0.xyyw;       # (26)
ADDR R0.w, R1.x, R1.y;
SUBRC RC.x (GE.x), 16.0, R0.w;
ADDR R0.z (GE.x), R0.z, 1.0;
SUBR R1.x, R1.x, R1.y;
MADR R0.xy (GE.x), R1.xzzz, {1, 2}, R3;

MULR R1.xyz, R0.xyxw, R0.xyyw;       # (27)
ADDR R0.w, R1.x, R1.y;
SUBRC RC.x (GE.x), 16.0, R0.w;
ADDR R0.z (GE.x), R0.z, 1.0;
SUBR R1.x, R1.x, R1.y;
MADR R0.xy (GE.x), R1.xzzz, {1, 2}, R3;

MULR R1.xyz, R0.xyxw, R0.xyyw;       # (28)
ADDR R0.w, R1.x, R1.y;
SUBRC RC.x (GE.x), 16.0, R0.w;
ADDR R0.z (GE.x), R0.z, 1.0;

# Whole counts make bands. How far the last step overshot makes them smooth:
# count + 1 - log2(log2(|z|^2) / 4); R0.w has been |z|^2 since the point escaped.
MAXR R4.x, R0.w, 1.1;
LG2R R4.x, R4.x;
MULR R4.x, R4.x, 0.25;
LG2R R4.x, R4.x;
SUBR R4.x, R0.z, R4.x;

# Colours that travel outwards.
MULR R4.x, R4.x, 0.34;
MOVR R2.x, clock.x;
MADR R4.x, R2.x, -0.5, R4.x;
ADDR R5.xyz, R4.x, {3.3, 4.0, 4.9};
COSR R5.x, R5.x;
COSR R5.y, R5.y;
COSR R5.z, R5.z;
MADR R5.xyz, R5, 0.5, 0.5;

# The set itself, where cc.x never became LT: black with a glimmer of |z|.
MULR R6.xyz, R0.w, {0.03, 0.05, 0.12};
MOVR R5.xyz (GE.x), R6;
MOVR_SAT o[COLR].xyz, R5;
MOVR o[COLR].w, 1.0;
END
