!!ARBfp1.0
# Painted porcelain under the GL's light 0.

ATTRIB st = fragment.texcoord[0];
ATTRIB away = fragment.texcoord[1];
ATTRIB spot = fragment.texcoord[2];
ATTRIB still = fragment.texcoord[3];        # where the vertex was before the dance
PARAM paint = program.local[0];
PARAM shine = state.material.shininess;
PARAM waves = { 37.699112, 18.849556, 25.132741 };   # whole turns around the vase: no seam
TEMP n, v, l, h, c, ink;

DP3 n.w, away, away;
RSQ n.w, n.w;
MUL n.xyz, away, n.w;
DP3 v.w, spot, spot;
RSQ v.w, v.w;
MUL v.xyz, spot, -v.w;
SUB l.xyz, state.light[0].position, spot;
DP3 l.w, l, l;
RSQ l.w, l.w;
MUL l.xyz, l, l.w;
ADD h.xyz, l, v;
DP3 h.w, h, h;
RSQ h.w, h.w;
MUL h.xyz, h, h.w;

# Blue bands with a wavy edge, on the vase at rest: the paint dances along.
MUL c.xyz, st.x, waves;
SIN c.x, c.x;
SIN c.y, c.y;
COS c.z, c.z;
MAD ink.x, c.x, 0.020, still.y;
MAD ink.y, c.y, 0.045, still.y;
MAD ink.z, c.z, 0.035, still.y;
ADD ink.xyz, ink, { 0.62, 0.10, -0.42 };
ABS ink.xyz, ink;
SUB ink.xyz, { 0.070, 0.030, 0.045 }, ink;
MAX ink.x, ink.x, ink.y;
MAX ink.x, ink.x, ink.z;
MUL c.w, c.x, c.x;                          # a row of leaves
ADD ink.w, still.y, -0.16;
ABS ink.w, ink.w;
MAD c.w, c.w, 0.10, -0.035;
SUB ink.y, c.w, ink.w;
MAX ink.x, ink.x, ink.y;
MUL_SAT ink.x, ink.x, 130.0;

TEX c, st, texture[0], 2D;
MUL c, c, c;
MAD c, c, 0.35, 0.65;
LRP c.rgb, ink.x, paint, c;

DP3 l.x, n, l;
DP3 l.y, n, h;
MOV l.w, shine.x;
MAD l.z, n.y, 0.20, 0.80;
LIT h, l;
MUL ink.rgb, l.z, state.lightmodel.scenecolor;
MAD ink.rgb, h.y, state.lightprod[0].diffuse, ink;
MUL c.rgb, c, ink;
MAD_SAT result.color.rgb, h.z, state.lightprod[0].specular, c;
MOV result.color.a, 1.0;
END
