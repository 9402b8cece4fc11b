!!FP1.0
# Refused: Pixel (32, 96) is (0.2539, 0.7539, 0.5, 0)
MOV R0.xyz, f[TEX0];
MOV R0.z, 0.5;
MOV o[COLR], R0;
END
