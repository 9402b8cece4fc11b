!!NVfp4.0
# Metal: it mirrors a sky, a horizon and a dark floor.

PARAM metal = program.local[0];
TEMP n, v, r, c, t;

NRM n.xyz, fragment.texcoord[0];
NRM v.xyz, fragment.texcoord[1];
DP3.CC t.x, n, v;
MOV n.xyz (GT.x), -n;                       # within the goblet
RFL r.xyz, n, -v;

MAD_SAT t.y, r.y, 3.5, 0.5;                 # above the horizon
MAD t.z, r.y, 0.5, 0.55;
MUL c.xyz, { 0.95, 0.97, 1.0 }, t.z;
LRP c.xyz, t.y, c, { 0.42, 0.34, 0.30 };
DP3_SAT t.w, r, { 0.42, 0.62, 0.66 };
POW t.w, t.w, 40.0;
ADD c.xyz, c, t.w;
MUL result.color.xyz, c, metal;
MOV result.color.w, 1;
END
