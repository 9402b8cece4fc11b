!!NVfp5.0
# Memory: each pixel keeps a number from frame to frame. A moving light raises it, and it fades.
PARAM clock = program.local[0];             # x: seconds, yz: mouse position, w: 1 while pressed
PARAM look = program.local[1];              # x: share left after a frame, y: width of the light
ATTRIB place = fragment.texcoord[0];        # from 0 to 1 across the picture
INT TEMP cell;
LONG UINT TEMP memory, at;
TEMP glow, spot, t;

# The address of this pixel's number: four bytes each, 256 per row. Two components hold one address.
PK64.U memory, program.local[2];
MUL t.xy, place, 255.99;
TRUNC.S cell.xy, t;
MAD.S cell.x, cell.y, 256, cell.x;
MAD.U64.NTC at.x, cell.x, 4, memory.x;
LOAD.F32 glow.x, at.x;

# The light moves in a figure of eight, or follows the mouse while it is pressed.
MUL t.xy, clock.x, { 1.3, 2.6 };
SIN spot.x, t.x;
SIN spot.y, t.y;
MAD spot.xy, spot, { 0.36, 0.26 }, 0.5;
SGT.CC t.x, clock.w, 0.0;
MOV spot.xy (NE.x), clock.yzyz;

# Brightness: 1 at the centre of the light, and less farther away.
ADD spot.xy, place, -spot;
DP2 spot.z, spot, spot;
MUL spot.w, look.y, look.y;
ADD spot.z, spot.z, spot.w;
RCP spot.z, spot.z;
MUL.SAT spot.z, spot.z, spot.w;
MUL glow.x, glow.x, look.x;
MAX glow.x, glow.x, spot.z;
STORE.F32 glow, at.x;

# From night blue to white.
LRP result.color.xyz, glow.x, { 1.0, 0.92, 0.7 }, { 0.03, 0.05, 0.12 };
MOV result.color.w, 1.0;
END
