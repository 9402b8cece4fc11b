!!FP1.0
# x of TEX0 grows to the right, y upwards.
MOV o[COLR], f[TEX0].yxzw;
END
