!!NVfp5.0
# Lights the sphere and draws the patch edges, where one of the patch coordinates is near 0.
ATTRIB normal = fragment.attrib[0];
ATTRIB at = fragment.attrib[1];
TEMP n, edge, color;

NRM n.xyz, normal;
DP3.SAT n.w, n, { 0.48, 0.64, 0.6 };
MIN edge.x, at.x, at.y;
MIN edge.x, edge.x, at.z;
MUL.SAT edge.x, edge.x, 24.0;
LRP color.xyz, edge.x, { 0.94, 0.52, 0.28 }, { 1.0, 0.94, 0.8 };
ADD n.w, n.w, 0.12;
MUL result.color.xyz, color, n.w;
MOV result.color.w, 1.0;
END
