!!NVfp4.0
# The mirror shows the six faces from the frame before; this program paints everything else.
PARAM eye = program.local[0];
PARAM light = program.local[1];
ATTRIB place = fragment.attrib[1];
TEMP n, v, c, t;

DP3 t.x, fragment.attrib[0], fragment.attrib[0];
RSQ t.x, t.x;
MUL n.xyz, fragment.attrib[0], t.x;

ADD.CC t.x, fragment.attrib[0].w, -0.5;
IF LT.x;
  # The direction from the eye, reflected.
  SUB v.xyz, place, eye;
  DP3 t.x, v, v;
  RSQ t.x, t.x;
  MUL v.xyz, v, t.x;
  DP3 t.y, v, n;
  MUL t.z, t.y, -2;
  MAD v.xyz, n, t.z, v;
  TEX c, v, texture[0], CUBE;
  # Weaker where you look straight at it, and a tint of silver.
  ADD_SAT t.y, t.y, 1;
  MUL t.z, t.y, t.y;
  MUL t.z, t.z, t.y;
  MAD t.z, t.z, 0.35, 0.65;
  MUL c.xyz, c, t.z;
  MAD result.color.xyz, { 0.9, 0.97, 1 }, c, { 0.02, 0.025, 0.03 };
  MOV result.color.w, 1;
  RET;
ENDIF;

ADD.CC t.x, fragment.attrib[0].w, -6.5;
IF GT.x;
  # The sky: bands of latitude and longitude, lighter towards the top.
  DP3 t.x, place, place;
  RSQ t.x, t.x;
  MUL v.xyz, place, t.x;
  MAD t.y, v.y, 0.5, 0.5;
  LRP c.xyz, t.y, { 0.30, 0.50, 0.78 }, { 0.13, 0.10, 0.16 };
  MUL t.xz, v.xyzw, 6;
  MUL t.w, v.y, 6;
  FRC t.x, t.x;
  FRC t.z, t.z;
  FRC t.w, t.w;
  SLT t.x, t.x, 0.035;
  SLT t.z, t.z, 0.035;
  SLT t.w, t.w, 0.035;
  ADD t.x, t.x, t.z;
  ADD_SAT t.x, t.x, t.w;
  MAD c.xyz, t.x, { 0.22, 0.18, 0.12 }, c;
  MOV result.color.xyz, c;
  MOV result.color.w, 1;
  RET;
ENDIF;

# A ball in its own colour.
MUL t.x, fragment.attrib[0].w, 0.1666667;
ADD t.xyz, t.x, { 0, 0.667, 0.333, 0 };
FRC t.xyz, t;
MAD t.xyz, t, 6, -3;
ADD_SAT c.xyz, |t|, -1;
MAD c.xyz, c, 0.8, 0.2;
DP3_SAT t.x, n, light;
MAD t.x, t.x, 0.75, 0.25;
MUL result.color.xyz, c, t.x;
MOV result.color.w, 1;
END
