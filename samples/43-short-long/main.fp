!!ARBfp1.0
OPTION NV_fragment_program;
# A record on its turntable: grooves to the left in 16 bits, to the right in 32.
#
# The option brings back features of !!FP1.0: condition codes, and a choice of precision. Here the
# variable has one: SHORT for 16 bits in each component, LONG for 32. An instruction without a suffix
# works at the precision of its destination.

ATTRIB place = fragment.texcoord[0];
PARAM clock = program.local[0];          # x: time, y: width / height, z, w: mouse and its button
PARAM show = program.local[1];           # x: where left ends, y: speed
PARAM disc = program.local[3];           # x: grooves, y: the number at the spindle
PARAM paper = program.local[2];          # colour of the label
PARAM lamp = { 0.80, 0.60, 0.0 };        # where the light comes from, seen from above
PARAM fill = { -0.69, 0.72, 0.0 };       # and a weaker one
PARAM black = { 0.020, 0.020, 0.026 };
PARAM table = { 0.30, 0.19, 0.12 };

LONG TEMP p, r, c, groove, fan;
SHORT TEMP coarse;
LONG TEMP fine;

# p: from the spindle. r.x: how far; fan.xy: in which direction.
MAD p, place, 2.0, -1.0;
MUL p.x, p.x, clock.y;
MUL r.y, p.x, p.x;
MAD r.y, p.y, p.y, r.y;
MAX r.y, r.y, 0.0001;
RSQ r.z, r.y;
MUL r.x, r.y, r.z;
MUL fan.xy, p, r.z;

# The groove's slope: a sine of a number that grows with the radius, and with the time that the record
# has been played. A 16-bit float has 11 bits of precision: between 2048 and 4096 it counts in twos.
MAD fine.x, clock.x, show.y, disc.y;
MAD fine.x, r.x, disc.x, fine.x;
SIN fine.y, fine.x;
MOV coarse.x, fine.x;                    # the same number in 16 bits
SIN coarse.y, coarse.x;

# One on each side of the line. A held mouse button moves the line: MOVC sets the
# condition code, (GT.y) writes only where the button is down.
MOV fine.w, show.x;
MOVC c.y, clock.w;
MOV fine.w (GT.y), clock.z;
SUBC c.z, place.x, fine.w;
MOV groove.x, fine.y;
MOV groove.x (LT.z), coarse.y;

# Light on grooves: they lean outwards or inwards, so each shines where its own slope faces the lamp,
# and all together make two fans across the record.
DP3 fan.z, fan.xyyy, lamp;
MUL fan.w, fan.z, fan.z;
POW fan.w, fan.w, 14.0;
DP3 fan.z, fan.xyyy, fill;
MUL fan.z, fan.z, fan.z;
POW fan.z, fan.z, 16.0;
MAD groove.y, groove.x, 0.5, 0.5;
MUL groove.z, groove.y, groove.y;
MAD fan.w, fan.z, 0.9, fan.w;
MUL fan.w, fan.w, groove.z;

# A fan's colours run along the radius, as on anything with fine lines.
MAD p.xyz, r.x, 9.0, { 0.0, 1.0, 2.1 };
COS p.x, p.x;
COS p.y, p.y;
COS p.z, p.z;
MAD p.xyz, p, 0.22, 0.62;
MAD c.xyz, p, fan.w, black;
MAD c.xyz, groove.y, 0.018, c;

# From here on conditions add one layer after another: the gap between two songs, the label, the hole.
SUB groove.w, r.x, 0.64;
SUBC groove.w, |groove.w|, 0.012;
MUL c.xyz (LT.w), c, 0.45;
SUBC groove.w, r.x, 0.34;
MUL c.xyz (LT.w), paper, 0.9;

# The label has a ring in four parts, so that you see it turn. X2D is a matrix of 2 by 2.
MUL fine.z, clock.x, 3.49;
SIN p.y, fine.z;
COS p.x, fine.z;
SWZ p, p, x, -y, y, x;
X2D fan.xy, { 0.0, 0.0 }, fan, p;
MUL fan.z, fan.x, fan.y;
SUB groove.z, r.x, 0.24;
SUBC groove.z, |groove.z|, 0.035;
MAD c.xyz (LT.z), fan.z, 0.6, c;
SUBC groove.w, r.x, 0.04;
MOV c.xyz (LT.w), { 0.75, 0.74, 0.70 };

# Outside of it the turntable.
SUBC groove.w, r.x, 0.94;
MUL p.x, r.x, -0.35;
ADD p.x, p.x, 1.25;
MUL c.xyz (GT.w), table, p.x;

# The line between the precisions.
SUB r.w, place.x, fine.w;
SUBC r.w, |r.w|, 0.0015;
MOV c.xyz (LT.w), { 0.9, 0.8, 0.4 };
MOV_SAT result.color.rgb, c;
MOV result.color.a, 1.0;
END
