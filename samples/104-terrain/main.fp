!!NVfp4.0
# Grass, rock on slopes, snow on heights; haze in the distance.

TEMP n, c, t;

NRM n.xyz, fragment.texcoord[1];
MUL t.x, fragment.texcoord[2].x, 3.2;
ADD_SAT t.x, t.x, -1.5;                     # snow
SUB t.y, 0.86, n.y;
MUL_SAT t.y, t.y, 5;                        # rock
MOV c.xyz, { 0.30, 0.42, 0.20 };
LRP c.xyz, t.x, { 0.95, 0.96, 1.0 }, c;
LRP c.xyz, t.y, { 0.40, 0.36, 0.33 }, c;

DP3_SAT t.z, n, { 0.55, 0.62, -0.56 };
MAD t.z, t.z, 0.9, 0.25;
MUL c.xyz, c, t.z;

MUL t.w, fragment.fogcoord.x, -0.55;
EX2_SAT t.w, t.w;
LRP result.color.xyz, t.w, c, { 0.72, 0.80, 0.90 };
MOV result.color.w, 1;
END
