!!ARBfp1.0
# One picture, turned four ways and inked four ways.
#
# An ordinary operand may reorder its components and change all signs at once. SWZ can do more: each
# component of the result is one of x, y, z, w, or 0, or 1, with its own sign.

ATTRIB place = fragment.texcoord[0];
PARAM clock = program.local[0];
PARAM look = program.local[1];           # x: how much of the picture, y: drift, z: frame, w: plain colours
TEMP p, right, up, at, ink, other, c;

# p: from -1 to 1 in both directions.
MAD p, place, 2.0, -1.0;

# Four quadrants, four turns: (x, y), (-x, y), (x, -y), (-x, -y). Each turns the corner to the middle,
# and neighbours meet without a seam. Also s + 1 and t + 1, since SWZ can put a 1 where it likes.
SWZ at, p, x, y, 0, 1;
SWZ other, p, -x, y, 0, 1;
CMP at, p.x, other, at;
SWZ other, at, x, -y, 0, 1;
CMP at, p.y, other, at;

# The four corners sway to and fro over the picture.
MUL right.x, clock.x, look.y;
SIN right.x, right.x;
COS up.x, right.x;
MAD at.x, at.x, look.x, 0.08;
MAD at.y, at.y, look.x, 0.12;
MAD at.x, right.x, 0.14, at.x;
MAD at.y, up.x, 0.10, at.y;
TEX c, at, texture[0], 2D;

# Letters for colours. The same components under other names, for people who think in paint.
SWZ ink, c, b, r, g, 1;                  # right above: moonlight
SWZ other, c, r, b, g, 1;                # left above: orchids
CMP ink, p.x, other, ink;

# Below: negatives. -r and 1 in one instruction would be two instructions elsewhere.
SWZ other, c, -g, -b, -r, 1;
ADD other.rgb, other, 1.0;               # right below: 1 - g, 1 - b, 1 - r
SWZ right, c, -b, -r, -r, 1;
ADD right.rgb, right, { 1.0, 0.86, 1.0 };
CMP other, p.x, right, other;
CMP ink, p.y, other, ink;

# Back to the picture's own colours, as far as the slider says.
LRP ink.rgb, look.w, c, ink;

# A thin frame between the four, and a soft vignette.
ABS right, p;
MIN right.z, right.x, right.y;
MAX right.w, right.x, right.y;
MAD_SAT right.z, right.z, 160.0, -look.z;
MUL ink.rgb, ink, right.z;
MUL right.w, right.w, right.w;
MUL right.w, right.w, right.w;
MAD right.w, right.w, -0.35, 1.0;
MUL result.color.rgb, ink, right.w;
MOV result.color.a, ink.a;
END
