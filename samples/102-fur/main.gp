!!NVgp5.0
# One geometry program, run 24 times for each triangle: invocation n makes the n-th shell around the body, a little further
# out. The fragment program keeps only the hairs of each shell.

INVOCATIONS 24;
PRIMITIVE_IN TRIANGLES;
PRIMITIVE_OUT TRIANGLE_STRIP;
VERTICES_OUT 3;

PARAM mvp[4] = { state.matrix.mvp };
PARAM world[4] = { state.matrix.modelview.invtrans };
PARAM clock = program.local[0];
PARAM coat = program.local[1];              # x: length, y: how far hairs hang, z: wind
ATTRIB place = vertex.position;
ATTRIB normal = vertex.attrib[0];
ATTRIB st = vertex.texcoord[0];
TEMP p, t, h;
INT TEMP i;

# 0 at the skin, 1 at the tips.
I2F h.x, primitive.invocation.x;
MUL h.x, h.x, 0.04347826;
MUL h.y, h.x, h.x;

MOV.S i.x, 0;
REP.S {3};
  MUL t.x, coat.x, h.x;
  MAD p.xyz, normal[i.x], t.x, place[i.x];
  # Tips hang, and the wind goes through them in waves.
  MAD p.y, h.y, -coat.y, p.y;
  MAD t.y, place[i.x].y, 5, clock.x;
  MAD t.y, clock.x, 1.3, t.y;
  SIN t.y, t.y;
  MUL t.y, t.y, coat.z;
  MAD p.x, t.y, h.y, p.x;
  MOV p.w, 1;
  DP4 result.position.x, mvp[0], p;
  DP4 result.position.y, mvp[1], p;
  DP4 result.position.z, mvp[2], p;
  DP4 result.position.w, mvp[3], p;
  DP3 result.attrib[0].x, world[0], normal[i.x];
  DP3 result.attrib[0].y, world[1], normal[i.x];
  DP3 result.attrib[0].z, world[2], normal[i.x];
  MOV result.attrib[0].w, h.x;
  MOV result.texcoord[0].xy, st[i.x];
  EMIT;
  ADD.S i.x, i.x, 1;
ENDREP;
END
