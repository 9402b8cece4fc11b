!!FP1.0
# Refused: Set `tint` on the Scene tab or in Inputs. The scene sets no value for `tint`.
DECLARE tint = {0.2, 0.6, 1, 1};
MUL o[COLR], f[TEX0].x, tint;
END
