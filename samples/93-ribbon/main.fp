!!NVfp5.0
# Satin: bright where its threads mirror the lamp, woven edges, a paler back.

ATTRIB place = fragment.attrib[0];          # in eye space
ATTRIB up = fragment.attrib[1];
ATTRIB dye = fragment.attrib[2];            # colour and gloss
ATTRIB along = fragment.attrib[3];          # x: from edge to edge, y: around the ribbon
ATTRIB thread = fragment.attrib[4];
TEMP n, e, h, r, color, t;

NRM n.xyz, up;
NRM e.xyz, -place;
NRM r.xyz, thread;
DP3.CC t.x, n, e;
MOV t.y, 1.0;
MOV t.y (LT.x), -1.0;
MUL n.xyz, n, t.y;

# A lamp above on the left: diffuse light, then the gloss that runs across the threads.
DP3 t.x, n, { -0.45, 0.75, 0.48 };
MAD.SAT t.x, t.x, 0.44, 0.62;
ADD h.xyz, e, { -0.45, 0.75, 0.48 };
NRM h.xyz, h;
DP3 t.z, r, h;
MAD t.z, -t.z, t.z, 1.0;
MAX t.z, t.z, 0.0001;
POW t.z, t.z, 22.0;
DP3.SAT t.w, n, h;
MUL t.z, t.z, t.w;
MUL t.z, t.z, dye.w;

# Front and back, and stripes along the edges.
SLT.CC t.w, t.y, 0.0;
MOV color.xyz, dye;
MAD h.xyz, dye, 0.55, 0.36;
MOV color.xyz (NE.w), h;
SUB t.y, |along.x|, 0.80;
MUL t.y, |t.y|, 14.0;
SUB.SAT t.y, 1.4, t.y;
MAD h.xyz, color, 0.35, 0.62;
LRP color.xyz, t.y, h, color;
MUL color.xyz, color, t.x;
MAD color.xyz, t.z, { 0.42, 0.40, 0.36 }, color;

# Distant parts are dimmer.
MAD.SAT t.x, place.z, 0.20, 1.88;
MUL result.color.xyz, color, t.x;
MOV result.color.w, 1.0;
END
