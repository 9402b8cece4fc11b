!!NVgp4.0
# A point becomes a square that faces the eye, upright: a strip of two triangles.

PRIMITIVE_IN POINTS;
PRIMITIVE_OUT TRIANGLE_STRIP;
VERTICES_OUT 4;

PARAM mvp[4] = { state.matrix.mvp };
PARAM view[4] = { state.matrix.modelview };
TEMP p, right, half, t;
INT TEMP i;

# The direction to the right is the first row of the matrix from world to eye space.
MOV right.xyz, view[0];
MOV right.y, 0;
MUL half.x, vertex[0].attrib[0].y, 0.34;    # half as wide as a third of its height

# The corners in the order of a strip: 0 lower left, 1 lower right, 2 upper left, 3 upper right.
MOV.S i.x, 0;
REP.S {4};
  AND.S i.y, i.x, 1;
  SHR.S i.z, i.x, 1;
  I2F t.xy, i.yzzz;
  MAD t.z, t.x, 2, -1;                      # -1 to the left, 1 to the right
  MUL t.z, t.z, half.x;
  MAD p.xyz, right, t.z, vertex[0].position;
  MUL t.w, t.y, vertex[0].attrib[0].y;
  ADD p.y, p.y, t.w;
  MUL t.w, t.y, vertex[0].attrib[0].x;      # the top bends with the wind
  ADD p.x, p.x, t.w;
  MOV p.w, 1;
  DP4 result.position.x, mvp[0], p;
  DP4 result.position.y, mvp[1], p;
  DP4 result.position.z, mvp[2], p;
  DP4 result.position.w, mvp[3], p;
  MOV result.texcoord[0].xy, t;
  MOV result.attrib[0], vertex[0].attrib[0];
  EMIT;
  ADD.S i.x, i.x, 1;
ENDREP;
END
