!!NVfp4.0
# From violet at the foot to bright ends.
ATTRIB at = fragment.texcoord[0];           # x: along, y: which line, z: which arm, w: facing the eye or away
TEMP c, t;
MUL t.x, at.x, at.x;
MUL t.x, t.x, at.x;
LRP c.xyz, at.x, { 0.20, 0.62, 0.60 }, { 0.26, 0.10, 0.36 };
LRP c.xyz, t.x, { 1.0, 0.92, 0.62 }, c;
MAD t.y, at.w, 0.25, 0.75;
MUL result.color.xyz, c, t.y;
MOV result.color.w, 1;
END
