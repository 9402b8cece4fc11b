!!NVfp5.0
# Computed offsets: each block of a glass wall bends the picture behind it by whole texels.

PARAM clock = program.local[0];
PARAM glass = program.local[1];             # x: blocks across, y: how much they bend, z: level of the picture
TEMP p, block, n, color, t;
INT TEMP bend;

# The picture behind the wall drifts.
MUL t.x, clock.x, 0.25;
SIN p.x, t.x;
COS p.y, t.x;
MAD p.xy, p, 0.08, fragment.texcoord[0];
MOV p.w, glass.z;

# Where in its block: -1 to 1. A block is thick in the middle, so it turns the picture around.
MUL block.xy, fragment.texcoord[0], glass.x;
FRC block.zw, block.xyxy;
FLR block.xy, block;
MAD block.zw, block, 2.0, -1.0;

# Waves go through the wall.
MAD t.x, block.x, 0.7, clock.x;
MAD t.y, block.y, 0.6, -clock.x;
SIN t.x, t.x;
SIN t.y, t.y;
ADD t.x, t.x, t.y;
MAD t.x, t.x, 0.25, 0.5;
MUL t.x, t.x, glass.y;

# Whole texels, -8 to 7: more is not allowed. The offset is a register, and a lookup may have any.
MUL t.yz, -block.xzww, t.x;
ROUND.S bend.xy, t.yzzz;
MAX.S bend.xy, bend, -8;
MIN.S bend.xy, bend, 7;
TXL color, p, texture[0], 2D, offset(bend);

# Light on the block: bright to the upper left, dark in the joints.
MUL n.xy, block.zwzw, block.zwzw;
MUL n.xy, n, n;
ADD n.z, n.x, n.y;
MUL n.zw, n.z, { 0.0, 0.0, 1.0, 0.5 };
SUB t.y, block.w, block.z;
MUL t.y, t.y, n.w;
MAD t.y, t.y, 0.35, 1.0;
MUL n.xy, n, n;
MAX n.x, n.x, n.y;
MAD t.z, n.x, -0.85, 1.0;
MUL t.y, t.y, t.z;
ADD t.zw, block, { 0.0, 0.0, 0.42, -0.42 };
DP2 t.z, t.zwzw, t.zwzw;
MAD_SAT t.z, t.z, -14.0, 1.0;
MUL t.z, t.z, 0.35;
MAD color.xyz, color, t.y, t.z;
MAD result.color.xyz, color, { 0.88, 1.0, 0.98 }, { 0.0, 0.015, 0.02 };
MOV result.color.w, 1.0;
END
