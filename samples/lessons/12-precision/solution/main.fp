!!FP1.0
# A copy, because an instruction that reads f[TEX0] computes with 32 bits whatever its suffix.
MOVR R1.x, f[TEX0].x;
MULR R0, R1.x, 8.0;
FRCR o[COLR], R0;
END
