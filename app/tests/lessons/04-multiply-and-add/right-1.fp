!!FP1.0
MAD o[COLR], 0.5, f[TEX0].xxxx, {0.25, 0.25, 0.25, 0.25};
END
