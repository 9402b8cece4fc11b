!!NVgp5.0
# The next state of a particle. It goes to vertex stream 1, which transform feedback records and the next frame reads; the visible
# point goes to stream 0. A particle that emits nothing to stream 1 is gone, one that emits more has children.

PRIMITIVE_IN POINTS;
PRIMITIVE_OUT POINTS;
VERTICES_OUT 50;

PARAM mvp[4] = { state.matrix.mvp };
PARAM now = program.local[0];               # number of the frame, height of the picture
PARAM law = program.local[1];               # seconds of a frame, gravity, drag, seconds between shells
PARAM look = program.local[2];              # size of a spark, sparks of a shell, how fast they fly, how long they glow

TEMP place, move, t, dice, child, color;
UINT TEMP seed;
INT TEMP n, kind;

MOV place, vertex[0].attrib[0];
MOV move, vertex[0].attrib[1];
# The kind is before the point: 0 a mortar, 1 a shell, 2 a spark. The colour is after it.
TRUNC.S kind.x, move.w;
# A separate seed for each particle in each frame.
TRUNC.U seed.x, now.x;
MAD.U seed.x, seed.x, 7919, primitive.id.x;
MAD.U seed.x, seed.x, 747796405, 2891336453;

SUB place.w, place.w, law.x;
SEQ.S.CC n.x, kind.x, 0;
IF NE.x;
  # A mortar stays, and fires when its time is up.
  SLE.F.CC t.x, place.w, 0;
  IF NE.x;
    CAL roll;
    MOV child.xyz, place;
    MAD child.w, dice.x, 0.35, 0.95;
    MAD t.xz, dice.yyzz, 0.9, -0.45;
    MAD t.y, dice.w, 0.55, 2.25;
    MOV result.attrib[0], child;
    MOV result.attrib[1].xyz, t;
    CAL roll;
    MAD result.attrib[1].w, dice.x, 0.999, 1;
    EMITS 1;
    MAD place.w, dice.y, law.w, law.w;
  ENDIF;
  MOV result.attrib[0], place;
  MOV result.attrib[1], move;
  EMITS 1;
  RET;
ENDIF;

# Everything else falls, slowed by the air.
MAD move.y, -law.y, law.x, move.y;
MUL t.x, law.z, law.x;
SUB t.x, 1, t.x;
MUL move.xyz, move, t.x;
MAD place.xyz, move, law.x, place;
SLE.F.CC t.x, place.w, 0;
IF NE.x;
  # A spark goes out. A shell bursts.
  SEQ.S.CC n.x, kind.x, 2;
  RET (NE.x);
  TRUNC.S n.y, look.y;
  MIN.S n.y, n.y, 48;
  REP.S n.y;
    CAL roll;
    # Any direction: a height between -1 and 1, and an angle around.
    MAD t.y, dice.x, 2, -1;
    MAD t.w, -t.y, t.y, 1;
    RSQ t.x, t.w;
    MUL t.w, t.w, t.x;
    MUL t.z, dice.y, 6.2831853;
    COS t.x, t.z;
    SIN t.z, t.z;
    MUL t.xz, t, t.w;
    MAD t.w, dice.z, 0.25, 0.85;
    MUL t.w, t.w, look.z;
    MOV result.attrib[0].xyz, place;
    MAD dice.w, dice.w, 0.6, 0.7;
    MUL result.attrib[0].w, dice.w, look.w;
    MAD result.attrib[1].xyz, t, t.w, move;
    FRC t.x, move.w;
    ADD result.attrib[1].w, t.x, 2;
    EMITS 1;
  ENDREP;
  RET;
ENDIF;

MOV result.attrib[0], place;
MOV result.attrib[1], move;
EMITS 1;

# A shell leaves a spark behind in every other frame: gold, and short-lived.
SEQ.S.CC n.x, kind.x, 1;
IF NE.x;
  TRUNC.S n.y, now.x;
  AND.S.CC n.y, n.y, 1;
  IF EQ.y;
    CAL roll;
    MOV result.attrib[0].xyz, place;
    MAD result.attrib[0].w, dice.x, 0.25, 0.25;
    MAD t.xyz, dice.yzwy, 0.3, -0.15;
    MAD result.attrib[1].xyz, move, 0.1, t;
    MOV result.attrib[1].w, 2.1;
    EMITS 1;
  ENDIF;
ENDIF;

# The visible point: its size depends on the distance, and it fades with its remaining time.
MOV t.xyz, place;
MOV t.w, 1;
DP4 result.position.x, mvp[0], t;
DP4 result.position.y, mvp[1], t;
DP4 result.position.z, mvp[2], t;
DP4 t.w, mvp[3], t;
MOV result.position.w, t.w;
RCP t.w, t.w;
MUL t.x, look.x, now.y;
MUL result.pointsize.x, t.x, t.w;
# A colour from its place in the rainbow.
FRC t.x, move.w;
ADD t.xyz, t.x, { 0, 0.667, 0.333, 0 };
FRC t.xyz, t;
MAD t.xyz, t, 6, -3;
ADD_SAT color.xyz, |t|, -1;
MUL_SAT t.w, place.w, 1.6;
MAD color.xyz, color, 0.75, 0.25;
MUL result.color.xyz, color, t.w;
MOV result.color.w, 1;
EMITS 0;
RET;

# Four random numbers, each from 0 to less than 1.
roll:
MAD.U seed.x, seed.x, 1664525, 1013904223;
SHR.U seed.y, seed.x, 8;
I2F.U dice.x, seed.y;
MAD.U seed.x, seed.x, 1664525, 1013904223;
SHR.U seed.y, seed.x, 8;
I2F.U dice.y, seed.y;
MAD.U seed.x, seed.x, 1664525, 1013904223;
SHR.U seed.y, seed.x, 8;
I2F.U dice.z, seed.y;
MAD.U seed.x, seed.x, 1664525, 1013904223;
SHR.U seed.y, seed.x, 8;
I2F.U dice.w, seed.y;
MUL dice, dice, 0.000000059604645;
RET;
END
