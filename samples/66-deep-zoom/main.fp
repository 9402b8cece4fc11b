!!NVfp5.0
# The Mandelbrot set, close: 24-bit numbers left of the line, 53-bit numbers right of it.

PARAM clock = program.local[0];
PARAM lens = program.local[1];              # x: deepest zoom as a power of two, y: speed, z: most iterations
LONG TEMP c, z, zz, d, centre;
TEMP place, f, ff, color, t, depth;

# How deep: back and forth between 1 and 2^lens.x.
MAD t.x, clock.x, lens.y, 1.6;
COS t.x, t.x;
MAD t.x, t.x, -0.5, 0.5;
MUL depth.x, t.x, lens.x;
EX2 depth.y, -depth.x;
SUB place.xy, fragment.texcoord[0], 0.5;
SLT.CC0 t.z, place.x, 0.0;
MUL place.xy, place, 2.0;
MUL place.xy, place, depth.y;

# The middle is the root of c^3 + 2c^2 + 2c + 2 in which three spiral arms meet, however close. Constants have 32 bits:
# PK64 makes two 64-bit numbers from four words, the lower one first.
MOV.U t.xy, { 0x88762281, 0xBFB9E173 };     # -0.10109636384562216
MOV.U ff.xy, { 0x2B30FFB4, 0x3FEE99E6 };    # 0.9562865108091416
MOV.U t.w, ff.y;
MOV.U f.x, ff.x;
MOV.U f.y, t.w;
MOV.U ff.xy, t;
MOV.U ff.zw, f.xyxy;
PK64.F centre, ff;

# The same place for both kinds of number.
CVT.F64.F32 d.xy, place;
ADD.F64 c.xy, centre, d;
CVT.F32.F64 f.xy, centre;
ADD f.xy, f, place;

MOV.S t.w, 0;
IF NE0.z;
    # z = z*z + c in single precision.
    MOV ff.xy, f;
    REP lens.z;
        MUL t.xy, ff, ff;
        ADD depth.z, t.x, t.y;
        SUB.CC1 depth.w, depth.z, 64.0;
        BRK (GT1.w);
        MUL depth.w, ff.x, ff.y;
        SUB ff.x, t.x, t.y;
        ADD ff.x, ff.x, f.x;
        MAD ff.y, depth.w, 2.0, f.y;
        ADD.S t.w, t.w, 1;
    ENDREP;
ELSE;
    # The same in double precision.
    MOV.F64 z.xy, c;
    REP lens.z;
        MUL.F64 zz.xy, z, z;
        ADD.F64 d.x, zz.x, zz.y;
        SUB.F64.CC1 d.z, d.x, 64.0;
        BRK (GT1.z);
        MUL.F64 d.y, z.x, z.y;
        SUB.F64 z.x, zz.x, zz.y;
        ADD.F64 z.x, z.x, c.x;
        ADD.F64 d.y, d.y, d.y;
        ADD.F64 z.y, d.y, c.y;
        ADD.S t.w, t.w, 1;
    ENDREP;
    CVT.F32.F64 depth.z, d.x;
ENDIF;

# Colour by the number of iterations, smoothed by the length of the last step; points that never left are dark.
I2F t.x, t.w;
SUB.CC1 t.y, t.x, lens.z;
MAX t.z, depth.z, 1.1;
LG2 t.z, t.z;
LG2 t.z, t.z;
SUB t.x, t.x, t.z;
MUL t.x, t.x, 0.21;
ADD color.xyz, t.x, { 5.2, 6.0, 0.8 };
COS color.x, color.x;
COS color.y, color.y;
COS color.z, color.z;
MAD color.xyz, color, 0.48, 0.50;
MOV color.xyz (GE1.y), { 0.02, 0.02, 0.05 };
# A line between the halves.
SUB t.y, fragment.texcoord[0].x, 0.5;
SLT.CC1 t.y, |t.y|, 0.002;
MOV color.xyz (NE1.y), { 0.9, 0.9, 0.95 };
MOV result.color.xyz, color;
MOV result.color.w, 1.0;
END
