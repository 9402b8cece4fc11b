!!NVgp4.0
# An outline is an edge between a triangle that faces the eye and one that faces away. A program that sees one triangle
# cannot find it; with adjacency it also sees the third corners of the three neighbours.
#
#     1---2---3        0, 2, 4: the triangle
#      \ / \ /         1, 3, 5: the corners across its edges
#       0---4
#        \ /
#         5

PRIMITIVE_IN TRIANGLES_ADJACENCY;
PRIMITIVE_OUT TRIANGLE_STRIP;
VERTICES_OUT 15;

PARAM picture = program.local[0];
PARAM look = program.local[1];              # x: half the width of a line in pixels
ATTRIB corner = vertex.position;
TEMP p[6];                                  # where the corners are in the picture, in pixels
TEMP a, b, along, t, area;
INT TEMP i, from, to, across;

MOV.S i.x, 0;
REP.S {6};
  RCP t.w, corner[i.x].w;
  MUL t.xyz, corner[i.x], t.w;
  MUL t.xy, t, picture;
  MUL p[i.x].xy, t, 0.5;
  ADD.S i.x, i.x, 1;
ENDREP;

# Twice the area of a triangle in the picture: positive if it is turned to the eye.
SUB a.xy, p[2], p[0];
SUB b.xy, p[4], p[0];
MUL area.x, a.x, b.y;
MAD area.x, -a.y, b.x, area.x;

# The triangle itself becomes paper, which hides the surfaces behind it.
MOV result.position, corner[0];
MOV result.attrib[0].x, 0;
EMIT;
MOV result.position, corner[2];
MOV result.attrib[0].x, 0;
EMIT;
MOV result.position, corner[4];
MOV result.attrib[0].x, 0;
EMIT;
ENDPRIM;

# An edge becomes a line if its triangle faces the eye and the neighbour faces away.
SGT.CC t.x, area.x, 0;
IF NE.x;
  MOV.S from.x, 0;
  REP.S {3};
    ADD.S across.x, from.x, 1;
    ADD.S to.x, from.x, 2;
    SEQ.S i.y, to.x, 6;                     # -1 where it is
    NOT.S i.y, i.y;
    AND.S to.x, to.x, i.y;
    # The neighbour runs along the edge the other way.
    SUB a.xy, p[from.x], p[to.x];
    SUB b.xy, p[across.x], p[to.x];
    MUL area.y, a.x, b.y;
    MAD area.y, -a.y, b.x, area.y;
    SLE.CC t.x, area.y, 0;
    IF NE.x;
      # Half the width to either side, in pixels, and back to clip coordinates.
      DP2 t.w, a, a;
      RSQ t.w, t.w;
      MUL along.xy, a.yxzw, t.w;
      MUL along.x, along.x, -1;
      MUL along.xy, along, look.x;
      RCP t.x, picture.x;
      RCP t.y, picture.y;
      MUL along.xy, along, t;
      MUL along.xy, along, 2;
      MOV along.zw, 0;
      MAD result.position, along, corner[from.x].w, corner[from.x];
      MOV result.attrib[0].x, 1;
      EMIT;
      MAD result.position, -along, corner[from.x].w, corner[from.x];
      MOV result.attrib[0].x, 1;
      EMIT;
      MAD result.position, along, corner[to.x].w, corner[to.x];
      MOV result.attrib[0].x, 1;
      EMIT;
      MAD result.position, -along, corner[to.x].w, corner[to.x];
      MOV result.attrib[0].x, 1;
      EMIT;
      ENDPRIM;
    ENDIF;
    ADD.S from.x, from.x, 2;
  ENDREP;
ENDIF;
END
