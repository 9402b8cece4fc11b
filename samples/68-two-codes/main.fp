!!NVfp4.0
# Two condition codes at once: one for vertical threads, one for horizontal ones. A tartan in the wind.

PARAM clock = program.local[0];
PARAM cloth = program.local[1];             # x: patterns across, y: how much it waves
PARAM middle = { 0.50, 0.50, 0.14, 0.86 };  # of four stripes in the pattern, and half their widths
PARAM half = { 0.22, 0.035, 0.05, 0.05 };
TEMP p, wave, up, across, color, t;
INT TEMP thread;

# The cloth waves: where it slopes, the pattern shifts and the light changes.
MAD p.xy, fragment.texcoord[0], cloth.x, { 0.13, 0.41 };
MUL t.xy, clock.x, { 1.7, 1.1 };
MAD t.x, p.x, 3.1, -t.x;
MAD t.x, p.y, 1.4, t.x;
MAD t.y, p.y, 2.3, t.y;
MAD t.y, p.x, -1.7, t.y;
SIN wave.x, t.x;
COS wave.y, t.y;
MUL wave.zw, wave.xyxy, cloth.y;
MAD p.xy, wave.zwzw, 0.5, p;

# Four stripes each way: code 0 is LT where a vertical thread has the colour of the stripe, code 1 the same for horizontal threads.
FRC t.xy, p;
SUB up, t.x, middle;
SUB across, t.y, middle;
SUB.CC0 up, |up|, half;
SUB.CC1 across, |across|, half;

# Both codes stay unchanged during the choice of colours.
MOV up, { 0.07, 0.16, 0.22 };
MOV up.xyz (LT0.x), { 0.62, 0.09, 0.12 };
MOV up.xyz (LT0.y), { 0.98, 0.82, 0.36 };
MOV up.xyz (LT0.z), { 0.92, 0.90, 0.82 };
MOV up.xyz (LT0.w), { 0.10, 0.38, 0.28 };
MOV across, { 0.07, 0.16, 0.22 };
MOV across.xyz (LT1.x), { 0.62, 0.09, 0.12 };
MOV across.xyz (LT1.y), { 0.98, 0.82, 0.36 };
MOV across.xyz (LT1.z), { 0.92, 0.90, 0.82 };
MOV across.xyz (LT1.w), { 0.10, 0.38, 0.28 };

# A twill: over two, under two, one further in each row.
MUL t.xy, p, 48.0;
FLR.S thread.xy, t;
FRC t.xy, t;
ADD.S thread.z, thread.x, thread.y;
AND.S.CC0 thread.z, thread.z, 2;            # code 0 is reused, code 1 still has the stripes
MOV color.xyz, across;
MOV color.xyz (EQ0.z), up;
MOV t.z, t.y;
MOV t.z (EQ0.z), t.x;

# Each thread is round, and the light comes from the left.
SUB t.z, t.z, 0.5;
MUL t.z, t.z, t.z;
MAD t.z, t.z, -1.8, 1.05;
MAD t.w, wave.x, 0.22, 0.85;
MAD t.w, wave.y, 0.16, t.w;
MUL t.z, t.z, t.w;
MUL result.color.xyz, color, t.z;
MOV result.color.w, 1.0;
END
