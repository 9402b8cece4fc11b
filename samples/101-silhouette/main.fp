!!NVfp4.0
# Ink or paper: the geometry program decides.

PARAM ink = program.local[0];
PARAM paper = program.local[1];
TEMP t;

MOV t.x, fragment.attrib[0].x;
LRP result.color.xyz, t.x, ink, paper;
MOV result.color.w, 1;
END
