!!NVfp5.0
# A round spark: bright in the middle, nothing at the rim.
TEMP t;
MAD t.xy, fragment.pointcoord, 2, -1;
DP2 t.x, t, t;
SUB_SAT t.x, 1, t.x;
MUL t.y, t.x, t.x;
MUL t.x, t.y, t.y;
MAD t.x, t.x, t.x, t.y;                     # a core in a glow
MUL result.color.xyz, fragment.color, t.x;
MOV result.color.w, 1;
END
