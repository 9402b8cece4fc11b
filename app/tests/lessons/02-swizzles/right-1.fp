!!FP1.0
# The swizzle of a temporary would be a second instruction, a mask is free.
MOV o[COLR].xyzw, f[TEX0].yxzw;
END
