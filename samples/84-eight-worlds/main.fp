!!NVfp5.0
# A stone that mirrors eight worlds. Each facet looks into its own cube map: an array of cube maps is one texture, and
# the fourth coordinate chooses one.

PARAM clock = program.local[0];
PARAM glint = program.local[1];             # x: facets that change a second, y: how bright the sky is in it
TEMP normal, eye, ray, world, sky, t;
INT TEMP facet;

# The facet's number, and a step further now and then. Eight cube maps: the lowest three bits choose one.
MUL t.x, clock.x, glint.x;
TRUNC.S facet.y, t.x;
MUL.S facet.x, primitive.id, 5;
ADD.S facet.x, facet.x, facet.y;
AND.S facet.x, facet.x, 7;

# The view in the facet: its own world by four coordinates, the sky around by three.
NRM normal.xyz, fragment.texcoord[1];
NRM eye.xyz, fragment.texcoord[5];
RFL ray.xyz, normal, eye;
I2F ray.w, facet.x;
TEX world, ray, texture[0], ARRAYCUBE;
TEX sky, ray, texture[1], CUBE;

# More of a mirror at the edge, as with glass.
DP3.SAT t.x, normal, eye;
SUB t.x, 1.0, t.x;
MUL t.y, t.x, t.x;
MUL t.y, t.y, t.x;
MAD.SAT t.y, t.y, 0.8, glint.y;
LRP world.xyz, t.y, sky, world;
MAD world.xyz, t.y, 0.15, world;
MOV world.w, 1.0;
MOV result.color, world;
END
