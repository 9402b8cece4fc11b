!!FP1.0
# A texture, repeated scale.x times and multiplied by tint.
DECLARE tint = {1, 0.85, 0.6, 1};
DECLARE scale = {2, 0, 0, 1};
MULR R0, f[TEX0], scale.x;
TEX R1, R0, TEX0, 2D;
MULR o[COLR], R1, tint;
END
