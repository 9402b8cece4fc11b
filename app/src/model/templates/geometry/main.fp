!!NVfp4.0
# One light for the whole of a triangle, as the geometry program has worked it out.
PARAM color = program.local[0];
MUL result.color.xyz, color, fragment.attrib[0].x;
MOV result.color.w, 1.0;
END
