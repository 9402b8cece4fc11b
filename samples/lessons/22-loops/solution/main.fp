!!ARBfp1.0
OPTION NV_fragment_program2;
PARAM steps = program.local[0];
TEMP c, z, t;

# The plane, from -2.1 to 0.7 and from -1.4 to 1.4.
MAD c, fragment.texcoord[0], 2.8, { -2.1, -1.4, 0, 0 };
MOV z, 0.0;

REP steps;
    # One iteration: (x, y) becomes (x * x - y * y, 2 * x * y) + c.
    MUL t.xyz, z.xyxw, z.xyyw;
    SUB t.x, t.x, t.y;
    MAD t.y, t.z, 2.0, 0.0;
    ADD z.xy, t, c;
ENDREP;

# White where z is still close to 0.
DP2 t.x, z, z;
SLT result.color, t.x, 4.0;
END
