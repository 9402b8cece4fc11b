!!ARBfp1.0
OPTION NV_fragment_program2;
# fragment.texcoord[0] runs from 0 to 1 across the picture; program.local[0] is (time, width, height, 1).
PARAM clock = program.local[0];
TEMP wave;
MAD wave.x, fragment.texcoord[0].x, 20.0, clock.x;
SIN wave.x, wave.x;
MAD wave, wave.x, 0.25, 0.75;
MUL result.color, fragment.texcoord[0], wave;
END
