!!NVfp4.0
# Stone, darker in the hollows.
TEMP n, c;
NRM n.xyz, fragment.texcoord[0];
DP3_SAT c.x, n, { 0.48, 0.64, 0.60 };
MAD c.x, c.x, 0.85, 0.15;
MAD_SAT c.y, fragment.texcoord[1].x, 1.1, 0.75;
MUL c.x, c.x, c.y;
MUL result.color.xyz, { 0.70, 0.66, 0.58 }, c.x;
MOV result.color.w, 1;
END
