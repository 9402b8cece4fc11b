!!NVfp4.0
# NOPERSPECTIVE: coordinates that run evenly across the screen, not across the surface, as on old consoles.

PARAM clock = program.local[0];
PARAM border = program.local[1];            # x: its place, y: how far it sways, z: checks on a face
ATTRIB right = fragment.attrib[0];
NOPERSPECTIVE ATTRIB wrong = fragment.attrib[1];
TEMP st, color, t;
INT TEMP cell;

RCP t.x, clock.y;
MUL t.x, fragment.position.x, t.x;
MUL t.y, clock.x, 0.7;
SIN t.y, t.y;
MAD t.y, t.y, border.y, border.x;
SUB.CC0 t.x, t.x, t.y;
MOV st.xyz, right;
MOV st.xyz (LT0.x), wrong;

# Checks, and a picture on every other one.
MUL t.zw, st.xxxy, border.z;
FLR.S cell.xy, t.zwzw;
ADD.S cell.z, cell.x, cell.y;
AND.S.CC1 cell.z, cell.z, 1;
FRC t.zw, t;
LRP color.xyz, t.w, { 0.99, 0.72, 0.40 }, { 0.92, 0.36, 0.42 };
SUB t.zw, t, 0.5;
DP2 t.y, t.zwzw, t.zwzw;
MAD_SAT t.y, t.y, -30.0, 3.0;
LRP color.xyz, t.y, { 1.0, 0.93, 0.78 }, color;
MOV color.xyz (NE1.z), { 0.10, 0.20, 0.36 };
MUL color.xyz, color, st.z;

# The border between the two.
SLT.CC1 t.x, |t.x|, 0.004;
MOV color.xyz (NE1.x), { 0.95, 0.95, 1.0 };
MOV result.color.xyz, color;
MOV result.color.w, 1.0;
END
