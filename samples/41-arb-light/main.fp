!!ARBfp1.0
# OpenGL's own lighting equation, for every pixel, with the state of OpenGL's own commands.
#
# state.light[n] is a light, state.material the material, and state.lightprod[n] their product,
# computed once, not for every pixel. state.lightmodel.scenecolor is the light without any lamp.

ATTRIB away = fragment.texcoord[0];     # the normal
ATTRIB spot = fragment.texcoord[1];     # the surface point; the eye is at 0
PARAM scene = state.lightmodel.scenecolor;
PARAM shine = state.material.shininess;
TEMP n, v, l, h, c, total;

DP3 n.w, away, away;
RSQ n.w, n.w;
MUL n.xyz, away, n.w;
DP3 v.w, spot, spot;
RSQ v.w, v.w;
MUL v.xyz, spot, -v.w;                  # to the eye
MOV total, scene;

# Light 0. Its w is 1: a position. l: unit vector to it; l.w: one over the distance.
SUB l.xyz, state.light[0].position, spot;
DP3 c.w, l, l;
RSQ l.w, c.w;
MUL l.xyz, l, l.w;

# The fade: DST gives (1, d, d * d, 1 / d), the attenuation holds a factor for each of the three.
DST h, c.w, l.w;
DP3 h.x, h, state.light[0].attenuation;
RCP c.w, h.x;

# LIT takes the two cosines and the exponent.
ADD h.xyz, l, v;
DP3 h.w, h, h;
RSQ h.w, h.w;
MUL h.xyz, h, h.w;
DP3 c.x, n, l;
DP3 c.y, n, h;
MOV h.w, c.w;
MOV c.w, shine.x;
LIT c, c;
MUL c, c, h.w;
MAD total.rgb, c.y, state.lightprod[0].diffuse, total;
MAD total.rgb, c.z, state.lightprod[0].specular, total;
MAD total.rgb, h.w, state.lightprod[0].ambient, total;

# Light 1. w = 0: a direction, and it does not fade.
PARAM moon = state.light[1].position;
DP3 l.w, moon, moon;
RSQ l.w, l.w;
MUL l.xyz, moon, l.w;
ADD h.xyz, l, v;
DP3 h.w, h, h;
RSQ h.w, h.w;
MUL h.xyz, h, h.w;
DP3 c.x, n, l;
DP3 c.y, n, h;
MOV c.w, shine.x;
LIT c, c;
MAD total.rgb, c.y, state.lightprod[1].diffuse, total;
MAD total.rgb, c.z, state.lightprod[1].specular, total;

# Light 2: a position again.
SUB l.xyz, state.light[2].position, spot;
DP3 c.w, l, l;
RSQ l.w, c.w;
MUL l.xyz, l, l.w;
DST h, c.w, l.w;
DP3 h.x, h, state.light[2].attenuation;
RCP c.w, h.x;
ADD h.xyz, l, v;
DP3 h.w, h, h;
RSQ h.w, h.w;
MUL h.xyz, h, h.w;
DP3 c.x, n, l;
DP3 c.y, n, h;
MOV h.w, c.w;
MOV c.w, shine.x;
LIT c, c;
MUL c, c, h.w;
MAD total.rgb, c.y, state.lightprod[2].diffuse, total;
MAD total.rgb, c.z, state.lightprod[2].specular, total;

# Some light on the rim, beyond the equation.
DP3_SAT c.x, n, v;
SUB c.x, 1.0, c.x;
MUL c.x, c.x, c.x;
MUL c.x, c.x, c.x;
MAD_SAT result.color.rgb, c.x, { 0.10, 0.14, 0.26 }, total;
MOV result.color.a, state.material.diffuse.a;
END
