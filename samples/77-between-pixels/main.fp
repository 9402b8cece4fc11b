!!NVfp5.0
# IPAO: an attribute away from the middle of the pixel. Sixteen places in each pixel make edges soft.

PARAM clock = program.local[0];
PARAM net = program.local[1];               # x: place of the border, y: how far it sways, z: checks
ATTRIB place = fragment.texcoord[0];
TEMP st, sum, offset, light, t;
INT TEMP cell, n;

MUL light.x, clock.x, 0.5;

# How many places: one left of the border, four by four right of it.
RCP t.x, clock.y;
MUL t.x, fragment.position.x, t.x;
MUL t.y, clock.x, 0.6;
SIN t.y, t.y;
MAD t.y, t.y, net.y, net.x;
SUB.CC1 t.w, t.x, t.y;
MOV.S n.x, 1;
MOV.S n.x (GT1.w), 16;

MOV.S n.y, 0;
MOV sum, 0.0;
REP.S n.x;
    # Number n.y of sixteen: its row and column, in quarters of a pixel. A single one is in the middle.
    AND.S cell.x, n.y, 3;
    SHR.S cell.y, n.y, 2;
    I2F offset.xy, cell;
    MAD offset.xy, offset, 0.25, -0.375;
    MOV offset.xy (LE1.w), 0.0;
    IPAO st, place, offset;

    # Checks of two colours that change along the ground, and move towards the eye.
    MUL st.xy, st, net.z;
    ADD st.y, st.y, light.x;
    FLR.S cell.xy, st;
    ADD.S cell.z, cell.x, cell.y;
    AND.S.CC0 cell.z, cell.z, 1;
    I2F t.xy, cell;
    MUL t.z, t.y, 0.37;
    MAD t.z, t.x, 0.21, t.z;
    ADD offset.xyz, t.z, { 0.0, 1.4, 3.4 };
    COS offset.x, offset.x;
    COS offset.y, offset.y;
    COS offset.z, offset.z;
    MAD offset.xyz, offset, 0.32, 0.64;
    MOV offset.xyz (EQ0.z), { 0.05, 0.04, 0.11 };
    ADD sum.xyz, sum, offset;
    ADD.S n.y, n.y, 1;
ENDREP;
I2F t.x, n.x;
RCP t.x, t.x;
MUL sum.xyz, sum, t.x;

# The farther, the more of the evening. Position.w is 1 over the distance.
MAD_SAT t.x, fragment.position.w, 2.2, -0.12;
LRP sum.xyz, t.x, sum, { 0.86, 0.50, 0.42 };
SLT.CC0 t.y, |t.w|, 0.003;
MOV sum.xyz (NE0.y), { 0.98, 0.96, 1.0 };
MOV result.color.xyz, sum;
MOV result.color.w, 1.0;
END
