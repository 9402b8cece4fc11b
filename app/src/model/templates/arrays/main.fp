!!FP1.0
# The vertices' colours, interpolated.
MOV o[COLR], f[COL0];
END
