!!ARBfp1.0
OPTION NV_fragment_program2;
# Four lamps, one subroutine.
#
# CAL jumps to a label and RET returns. There are no arguments: all variables are global, so the caller
# sets the orbit and colour of the lamp before the call. Arrays cannot help here: a fragment program
# can read its arrays only at fixed places.

ATTRIB st = fragment.texcoord[0];
ATTRIB away = fragment.texcoord[1];
ATTRIB spot = fragment.texcoord[2];
ATTRIB along = fragment.texcoord[3];
ATTRIB across = fragment.texcoord[4];
ATTRIB view = fragment.texcoord[5];
PARAM clock = program.local[0];
PARAM look = program.local[1];               # x, y: how often the relief repeats, z: its depth
PARAM orbits[4] = { program.env[0..3] };
PARAM shine = state.material.shininess;
TEMP orbit, colour;                          # the arguments of lamp
TEMP total, n, v, l, h, t;

# One lamp's light, added to total.
lamp:
MAD t.w, orbit.w, clock.x, orbit.z;
SIN l.x, t.w;
COS l.z, t.w;
MUL l.xz, l, orbit.x;
MOV l.y, orbit.y;
SUB l.xyz, l, spot;
DP3 t.z, l, l;                               # the square of the distance
NRM l.xyz, l;
DP3C t.x, n, l;
RET (LE.x);                                  # it shines on the other side: nothing more to do
ADD h.xyz, l, v;
NRM h.xyz, h;
DP3_SAT t.y, n, h;
POW t.y, t.y, shine.x;
MAD t.z, t.z, 2.6, 0.25;
DIV t.xy, t, t.z;
MUL h.xyz, t.y, state.material.specular;
MAD h.xyz, t.x, { 0.46, 0.44, 0.48 }, h;
MAD total.xyz, h, colour, total;
RET;

# A unit normal with relief, into n.
relief:
MUL t.xy, st, look;
TEX n, t, texture[0], 2D;
MAD n.xyz, n, 2.0, -1.0;
MUL n.xy, n, look.z;
MUL t.xyz, along, n.x;
MAD t.xyz, across, n.y, t;
MAD n.xyz, away, n.z, t;
NRM n.xyz, n;
RET;

# Execution starts here, wherever the label is.
main:
CAL relief;
NRM v.xyz, view;
MAD total.xyz, n.y, 0.012, { 0.024, 0.022, 0.030 };

MOV orbit, orbits[0];
MOV colour, state.light[0].diffuse;
CAL lamp;
MOV orbit, orbits[1];
MOV colour, state.light[1].diffuse;
CAL lamp;
MOV orbit, orbits[2];
MOV colour, state.light[2].diffuse;
CAL lamp;
MOV orbit, orbits[3];
MOV colour, state.light[3].diffuse;
CAL lamp;

# Bright light whitens: x / (x + a) rather than a hard end.
ADD t.xyz, total, 0.30;
RCP t.x, t.x;
RCP t.y, t.y;
RCP t.z, t.z;
MUL total.xyz, total, t;
MUL_SAT result.color.rgb, total, 1.6;
MOV result.color.a, 1.0;
END
