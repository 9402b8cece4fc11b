!!FP1.0
# What the vertex program wrote, interpolated.
MOV o[COLR], f[COL0];
END
