!!ARBfp1.0
OPTION NV_fragment_program2;
PARAM rounds = program.local[0];        # 8
TEMP sum, mean, at;

MOV sum.x, 0.0;

# Eight numbers that start at x.
MOV at.x, fragment.texcoord[0].x;
REP rounds;
    ADD sum.x, sum.x, at.x;
    MUL at.x, at.x, 0.98;
ENDREP;
MUL mean.x, sum.x, 0.125;
MOV sum.x, 0.0;

# Eight numbers that start at y.
MOV at.x, fragment.texcoord[0].y;
REP rounds;
    ADD sum.x, sum.x, at.x;
    MUL at.x, at.x, 0.98;
ENDREP;
MUL mean.y, sum.x, 0.125;

MOV mean.zw, { 0, 0, 0.2, 1 };
MOV result.color, mean;
END
