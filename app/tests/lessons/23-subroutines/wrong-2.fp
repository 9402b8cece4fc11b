!!ARBfp1.0
# Refused: The instructions of `lamp` should appear only once.
OPTION NV_fragment_program2;
TEMP place, tint, light, t;

# Adds a spot at place, in tint, to light.
lamp:
SUB t, fragment.texcoord[0], place;
DP2 t.x, t, t;
SUBC t.y, t.x, 0.09;
RET (GE.y);
MUL t.y, t.y, -11.0;
MUL t.y, t.y, t.y;
MAD light.xyz, tint, t.y, light;
RET;

main:
MOV light, 0.05;
MOV place, { 0.3, 0.3, 0, 0 };
MOV tint, { 1, 0.3, 0.2, 0 };
CAL lamp;
MOV place, { 0.7, 0.3, 0, 0 };
MOV tint, { 0.2, 0.9, 0.3, 0 };
SUB t, fragment.texcoord[0], place;
DP2 t.x, t, t;
SUBC t.y, t.x, 0.09;
MUL t.y, t.y, -11.0;
MUL t.y, t.y, t.y;
MAD light.xyz (LT.y), tint, t.y, light;
MOV place, { 0.5, 0.7, 0, 0 };
MOV tint, { 0.3, 0.4, 1, 0 };
CAL lamp;
MOV result.color, light;
END
