!!NVfp5.0
# Which level of a texture would a lookup take? LOD computes it without a lookup.

PARAM clock = program.local[0];
PARAM show = program.local[1];              # x: strength of the colours, y: how often the picture repeats
TEMP st, level, hue, color, n, t;

MUL st.xy, fragment.texcoord[0], show.y;
MUL st.xy, st, { 6.0, 1.0 };
MAD st.x, clock.x, 0.08, st.x;
TEX color, st, texture[0], 2D;

# x: the level for the filter, y: the level from the derivatives, before it is clamped to the existing ones.
LOD level, st, texture[0], 2D;

# A hue for each level, in steps: red is the largest picture, violet a small one.
FLR t.x, level.y;
FRC t.y, level.y;
MAD hue.xyz, t.x, 1.05, { 0.0, 4.2, 2.1 };
COS hue.x, hue.x;
COS hue.y, hue.y;
COS hue.z, hue.z;
MAD hue.xyz, hue, 0.5, 0.5;

# A bright line where one level gives way to the next; derivatives of the level keep it even.
DDX t.z, level.y;
DDY t.w, level.y;
MAX t.z, |t.z|, |t.w|;
MAX t.z, t.z, 0.0001;
MIN t.z, t.z, 0.25;
MIN t.w, t.y, 0.5;
SUB t.y, 1.0, t.y;
MIN t.w, t.w, t.y;
DIV t.w, t.w, t.z;
MAD_SAT t.w, t.w, -0.6, 1.2;

# Light from the camera's side.
NRM n.xyz, fragment.texcoord[1];
DP3 n.w, n, { 0.36, 0.48, 0.80 };
MAD_SAT n.w, n.w, 0.6, 0.42;
LRP t.xyz, show.x, hue, 1.0;
DP3 color.w, color, { 0.5, 0.8, 0.4 };
LRP color.xyz, show.x, color.w, color;
MUL color.xyz, color, t;
MUL color.xyz, color, n.w;
MUL t.x, t.w, show.x;
MAD result.color.xyz, t.x, 0.45, color;
MOV result.color.w, 1.0;
END
