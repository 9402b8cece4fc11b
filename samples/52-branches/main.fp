!!ARBfp1.0
# Wet paint: colour from the vertices, sky from the cube map.

PARAM eye = program.env[0];
PARAM lamp = { 0.48, 0.72, 0.50 };
TEMP n, v, r, c;

DP3 n.w, fragment.texcoord[0], fragment.texcoord[0];
RSQ n.w, n.w;
MUL n.xyz, fragment.texcoord[0], n.w;
SUB v.xyz, eye, fragment.texcoord[1];
DP3 v.w, v, v;
RSQ v.w, v.w;
MUL v.xyz, v, v.w;

DP3 n.w, n, v;
ADD r.w, n.w, n.w;
MAD r.xyz, n, r.w, -v;
TEX c, r, texture[0], CUBE;

# How much is mirrored: little from the front, all along the surface.
SUB_SAT v.w, 1.0, n.w;
MUL r.w, v.w, v.w;
MUL r.w, r.w, r.w;
MAD r.w, r.w, 0.80, 0.10;

DP3 v.x, n, lamp;
MAD_SAT v.x, v.x, 0.62, 0.42;
MUL v.x, v.x, v.x;
MUL v.xyz, fragment.color, v.x;
LRP c.rgb, r.w, c, v;
DP3_SAT n.w, r, lamp;
POW n.w, n.w, { 60.0 }.x;
MAD_SAT result.color.rgb, n.w, { 0.9, 0.85, 0.8 }, c;
MOV result.color.a, 1.0;
END
