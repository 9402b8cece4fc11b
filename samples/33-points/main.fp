!!FP1.0
# One star: a round glow. Across a point sprite, f[TEX0] runs from 0 to 1 each way.

DECLARE tint = {1.0, 1.0, 1.0};

MADR R0.xy, f[TEX0], 2.0, -1.0;
MULR R0.zw, R0.xyxy, R0.xyxy;
ADDR R0.z, R0.z, R0.w;               # distance from the middle, squared
SUBR_SAT R1.x, 1.0, R0.z;            # 0 at the rim, so that the square's corners stay dark
MULR R0.w, R0.z, -6.0;
EX2R R1.y, R0.w;
MULR R1.x, R1.x, R1.y;
MULR R2.xyz, f[COL0], R1.x;
MULR o[COLR].xyz, R2, tint;
MOVR o[COLR].w, 1.0;
END
