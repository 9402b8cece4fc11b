!!FP1.0
# PK... squeezes several numbers into the 32 bits of one component; UP... takes them out again.
#
#   upper left   PK4UB: four bytes, 0 to 1           upper right  PK4B: four signed bytes, -1 to 1
#   lower left   PK2US: two 16-bit fractions         lower right  PK2H: two 16-bit floats
#
# Each tile shows the picture after the round trip, and right of the sweeping line the loss,
# much enlarged. Packed bits are meaningless as a number: look at R2 in the hexadecimal view.

DECLARE clock = {0};
DECLARE gain = {255};                # how much the loss is enlarged
DECLARE sweep = {0.5};               # how far the line sweeps

# Four tiles. R0 = coordinates in the tile, R1 = which tile, through the sign of x and y.
MULR R0.xy, f[TEX0], 2.0;
FRCR R0.xy, R0;
ADDR R1.xy, f[TEX0], -0.5;

# A picture with more than 8 bits: the texture times a smooth light. Alpha: that light itself.
TEX R2, R0, TEX0, 2D;
MADR R3.xy, R0, 2.0, -1.0;
MULR R3.xy, R3, R3;
ADDR R3.x, R3.x, R3.y;
MADR R3.x, R3.x, -0.3, 1.0;
MULR R4.xyz, R2, R3.x;
MOVR R4.w, R3.x;                     # R4: the original

# Four in one: all of R4 goes into R2.x, and comes back.
PK4UB R2.x, R4;
UP4UB R5, R2.x;
PK4B R2.y, R4;
UP4B R6, R2.y;

# Two in one: x and y of the operand. A swizzle brings z and w there for the second half.
PK2US R2.z, R4;
PK2US R2.w, R4.zwzw;
UP2US R7.xy, R2.z;
UP2US R7.zw, R2.w;
PK2H R2.z, R4;
PK2H R2.w, R4.zwzw;
UP2H R8.xy, R2.z;
UP2H R8.zw, R2.w;

# Choose by tile: cc.x < 0 on the left, cc.y < 0 below.
MOVRC RC.xy, R1;
MOVR R9, R5;                         # upper left
MOVR R9 (GE.x), R6;                  # right
MOVR R10, R7;                        # lower left
MOVR R10 (GE.x), R8;                 # right
MOVR R9 (LT.y), R10;

# The loss, enlarged.
SUBR R11, R9, R4;
MULR R11, |R11|, gain.x;

# The line sweeps to and fro over each tile.
MOVR R12.x, clock.x;
SINR R12.x, R12.x;
MULR R12.x, R12.x, sweep.x;
MADR R12.x, R12.x, 0.8, 0.5;
SUBRC R12.z, R0.x, R12.x;            # cc.z > 0 right of it
MOVR R9.xyz (GT.z), R11;

# Lines: the sweeping one and the cross between the tiles.
ADDRC R12.z, |R12.z|, -0.005;
MOVR R9.xyz (LT.z), 1.0;
ADDRC RC.xy, |R1|, -0.003;
MOVR R9.xyz (LT.x), 0.0;
MOVR R9.xyz (LT.y), 0.0;
MOVR_SAT o[COLR].xyz, R9;
MOVR o[COLR].w, 1.0;
END
