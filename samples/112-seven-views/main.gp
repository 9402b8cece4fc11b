!!NVgp5.0
# Each triangle is drawn seven times in one pass: an invocation for each layer. Layers 0 to 5 are the faces of a cube around the
# mirror, for the next frame; layer 6 is the view of the eye.

PRIMITIVE_IN TRIANGLES;
INVOCATIONS 7;
PRIMITIVE_OUT TRIANGLE_STRIP;
VERTICES_OUT 3;

PARAM mvp[4] = { state.matrix.mvp };
# s, t and the axis of each face, as in CUBE lookups.
PARAM faces[18] = {
  { 0, 0, -1, 0 }, { 0, -1, 0, 0 }, { 1, 0, 0, 0 },
  { 0, 0, 1, 0 }, { 0, -1, 0, 0 }, { -1, 0, 0, 0 },
  { 1, 0, 0, 0 }, { 0, 0, 1, 0 }, { 0, 1, 0, 0 },
  { 1, 0, 0, 0 }, { 0, 0, -1, 0 }, { 0, -1, 0, 0 },
  { 1, 0, 0, 0 }, { 0, -1, 0, 0 }, { 0, 0, 1, 0 },
  { -1, 0, 0, 0 }, { 0, -1, 0, 0 }, { 0, 0, -1, 0 }
};
ATTRIB world = vertex.position;
ATTRIB normal = vertex.attrib[0];
TEMP p, q;
INT TEMP n, row;

MOV.S n.x, primitive.invocation.x;
MUL.S row.x, n.x, 3;
SEQ.S.CC n.y, n.x, 6;
MOV q.x, normal[0].w;
SEQ.F q.x, q.x, 0;
IF EQ.y;
  # The mirror does not see itself.
  SNE.F.CC q.y, q.x, 0;
  RET (NE.y);
ENDIF;

MOV.S n.z, 0;
REP.S {3};
  MOV p, world[n.z];
  SEQ.S.CC n.y, n.x, 6;
  IF NE.y;
    DP4 result.position.x, mvp[0], p;
    DP4 result.position.y, mvp[1], p;
    DP4 result.position.z, mvp[2], p;
    DP4 result.position.w, mvp[3], p;
  ELSE;
    # A camera of 90 degrees needs no more than this. Its near plane is at 0.5, its far plane at 20.
    DP3 result.position.x, faces[row.x], p;
    DP3 result.position.y, faces[row.x + 1], p;
    DP3 q.w, faces[row.x + 2], p;
    MAD result.position.z, q.w, 1.0512821, -1.0256410;
    MOV result.position.w, q.w;
  ENDIF;
  MOV.S result.layer.x, n.x;
  MOV result.attrib[0], normal[n.z];
  MOV result.attrib[1], p;
  EMIT;
  ADD.S n.z, n.z, 1;
ENDREP;
END
