!!FP1.0
# Refused: Set `tint` on the tab Scene or in Inputs. The scene gives no value to `tint`.
DECLARE tint = {0.2, 0.6, 1, 1};
MUL o[COLR], f[TEX0].x, tint;
END
