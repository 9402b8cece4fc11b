!!NVfp4.0
# A flower drawn by arithmetic: petals around a centre, on a stem. Everything else is discarded.

FLAT ATTRIB seed = fragment.attrib[0];
TEMP p, r, t, color;

# The blossom's own coordinates: its centre is high up in the square.
MAD p.xy, fragment.texcoord[0], { 2, 2.94 }, { -1, -2.14 };
DP2 r.x, p, p;
RSQ r.y, r.x;
MUL r.y, r.y, r.x;                          # how far from the centre

# Petals: the radius goes up and down with the angle. cos 5a of cos a, sin a by complex powers.
RCP t.w, r.y;
MUL t.xy, p, t.w;
MUL t.zw, t.xxxx, t.xxxy;                   # c c, c s
MAD r.z, t.z, 2, -1;                        # cos 2a
MUL r.w, t.w, 2;                            # sin 2a
MUL t.z, r.z, r.z;
MAD t.z, t.z, 2, -1;                        # cos 4a
MUL t.w, r.z, r.w;
MUL t.w, t.w, 2;                            # sin 4a
MUL r.z, t.z, t.x;
MAD r.z, -t.w, t.y, r.z;                    # cos 5a
MAD r.w, r.z, 0.16, 0.60;
SUB.CC r.w, r.w, r.y;                       # positive within the petals

# Petals, from a hue of the seed to white.
MUL t.x, seed.z, 6.2831853;
ADD color.xyz, t.x, { 0.0, 4.6, 3.4 };
COS color.x, color.x;
COS color.y, color.y;
COS color.z, color.z;
MAD color.xyz, color, { 0.26, 0.22, 0.24 }, { 0.74, 0.52, 0.64 };
MAD_SAT t.y, r.y, 1.25, 0.12;
MUL color.xyz, color, t.y;

# The centre is yellow.
MOV t.xyz, { 1.0, 0.80, 0.24 };
SLT t.w, r.y, 0.20;
LRP color.xyz, t.w, t, color;

# Below it there is the stem, and where neither is, nothing.
MAD t.x, p.y, 0.03, p.x;
SUB t.y, 0.07, |t.x|;
SGT t.z, p.y, 0.0;
MAD t.y, t.z, -9, t.y;                      # none above the blossom
MAX t.w, r.w, t.y;
KIL t.w;
MAD_SAT t.z, fragment.texcoord[0].y, 0.7, 0.25;
MOV color.w, 1;
MUL t.xyz, { 0.30, 0.62, 0.26 }, t.z;
MOV color.xyz (LE.w), t;
MOV result.color, color;
END
