!!NVgp4.0
PRIMITIVE_IN POINTS;
PRIMITIVE_OUT TRIANGLE_STRIP;
VERTICES_OUT 4;
PARAM size = { 0.15, 0.15, 0, 0 };
TEMP at;

MOV at, vertex[0].position;

SUB result.position, at, size;                          # lower left
MOV result.color, { 0.9, 0.4, 0.2, 1 };
EMIT;
MAD result.position, size, { 1, -1, 0, 0 }, at;         # lower right
MOV result.color, { 0.9, 0.7, 0.2, 1 };
EMIT;
MAD result.position, size, { -1, 1, 0, 0 }, at;         # upper left
MOV result.color, { 0.3, 0.5, 0.9, 1 };
EMIT;
MAD result.position, size, { 1, 1, 0, 0 }, at;
MOV result.color, { 0.9, 0.9, 0.9, 1 };
EMIT;
ENDPRIM;
END
