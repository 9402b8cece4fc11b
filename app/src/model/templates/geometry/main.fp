!!NVfp4.0
# The geometry program computes one light value for each triangle.
PARAM color = program.local[0];
MUL result.color.xyz, color, fragment.attrib[0].x;
MOV result.color.w, 1.0;
END
