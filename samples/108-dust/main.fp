!!NVfp4.0
# Grains further away are darker.
TEMP t;
MAD_SAT t.x, fragment.position.z, -14, 13.9;
MAD t.x, t.x, 0.6, 0.4;
MUL result.color.xyz, fragment.color, t.x;
MOV result.color.w, 1;
END
