!!ARBfp1.0
# Polished metal: a mirror shows every wrong normal.

ATTRIB away = fragment.texcoord[0];
ATTRIB view = fragment.texcoord[1];
PARAM metal = program.local[0];
PARAM sun = { -0.36, 0.48, -0.80 };
TEMP n, v, r, c;

DP3 n.w, away, away;
RSQ n.w, n.w;
MUL n.xyz, away, n.w;
DP3 v.w, view, view;
RSQ v.w, v.w;
MUL v.xyz, view, v.w;

# The mirrored line of sight: 2 (n . v) n - v. !!FP1.0 has RFL for it, plain ARB programs do not.
DP3 n.w, n, v;
ADD r.w, n.w, n.w;
MAD r.xyz, n, r.w, -v;
TEX c, r, texture[0], CUBE;

# Metal tints what it mirrors, less so at grazing angles. The exponent is a constant's component:
# plain ARB programs require a name.
SUB_SAT r.w, 1.0, n.w;
POW r.w, r.w, { 4.0 }.x;
LRP v.rgb, r.w, 1.0, metal;
MUL c.rgb, c, v;
DP3_SAT n.w, r, sun;
POW n.w, n.w, { 200.0 }.x;
MAD_SAT result.color.rgb, n.w, { 1.0, 0.9, 0.7 }, c;
MOV result.color.a, 1.0;
END
