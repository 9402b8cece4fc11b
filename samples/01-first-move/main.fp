!!FP1.0
# The smallest useful program, and a little more.
#
# A program runs once for every pixel. It reads its inputs from the f[...] registers,
# works in the R registers, and writes its colour to o[COLR]: x is red, y green, z blue, w alpha.

# f[COL0] is the colour interpolated for this pixel. By default it is (s, t, 1 - s, 1):
# red grows to the right, green upwards, blue to the left.
MOV R0, f[COL0];

# A swizzle picks components in any order, and may repeat them: R1 = (blue, red, green, alpha).
MOV R1, R0.zxyw;

# A write mask names the components to write; the others keep their values. Masks are always in
# the order x, y, z, w. Here green replaces the blue channel.
MOV R1.z, R0.y;

# One component with no mask on the left fills all written components: this would be a grey picture.
MOV R2, R0.y;

# A quarter of the grey, and three quarters of the colour.
LRP R1.xyz, 0.25, R2, R1;

MOV o[COLR], R1;
END
