!!NVfp5.0
# The colour of a blade: warm at the hub, cold outside. The rasteriser handles its edges: it counts the covered samples of each pixel.

CENTROID ATTRIB blade = fragment.attrib[0]; # x: from the hub to the tip, y: which blade
TEMP color, t;

MAD.SAT t.x, blade.x, 1.1, -0.05;
LRP color.xyz, t.x, { 0.26, 0.56, 1.0, 1.0 }, { 1.0, 0.62, 0.24, 1.0 };
MUL t.y, blade.y, 6.2831853;
COS t.y, t.y;
MAD t.y, t.y, 0.14, 0.86;
MUL result.color.xyz, color, t.y;
MOV result.color.w, 1.0;
END
