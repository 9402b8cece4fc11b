!!FP1.0
ADD o[COLR], f[TEX0].yxzw, 0.0;
END
