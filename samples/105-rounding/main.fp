!!NVfp4.0
# A lamp, and its mirror image in the stone.

TEMP n, h, c;
NRM n.xyz, fragment.texcoord[0];
DP3_SAT c.x, n, { 0.48, 0.64, 0.60 };
DP3_SAT c.y, n, { 0.26, 0.35, 0.90 };
POW c.y, c.y, 60.0;
MAD c.x, c.x, 0.8, 0.2;
MUL h.xyz, { 0.62, 0.28, 0.42 }, c.x;
MAD result.color.xyz, { 0.9, 0.85, 0.8 }, c.y, h;
MOV result.color.w, 1;
END
