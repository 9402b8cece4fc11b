!!NVfp5.0
# Bits: counts those that differ between the pixel's column and row, with BTC.
PARAM clock = program.local[0];             # x: seconds
UINT TEMP cell;
TEMP t;

MUL t.xy, fragment.texcoord[0], 128.0;
MAD t.x, clock.x, 8.0, t.x;
TRUNC.U cell.xy, t;
XOR.U cell.z, cell.x, cell.y;
AND.U cell.z, cell.z, 127;
BTC.U cell.z, cell.z;

# From dark for no bits to bright for all seven.
I2F.U t.z, cell.z;
MUL t.z, t.z, 0.142857;
LRP result.color.xyz, t.z, { 1.0, 0.82, 0.46 }, { 0.16, 0.06, 0.32 };
MOV result.color.w, 1.0;
END
