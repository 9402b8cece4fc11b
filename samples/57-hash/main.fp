!!NVfp4.0
# Random numbers that are the same in every frame: a hash. It generates the houses of a city, their lights and the stars.

PARAM clock = program.local[0];
PARAM city = program.local[1];              # x: houses across, y: windows that are lit, z: changes a second, w: speed
UINT TEMP cell, h;
TEMP place, house, window, light, color, t;

main:
# The sky: dusk at the horizon, and a star in one of 200 cells.
MOV place, fragment.texcoord[0];
MUL t.x, clock.x, city.w;
MAD place.x, t.x, 0.12, place.x;
MUL_SAT t.y, place.y, 1.25;
LRP color.xyz, t.y, { 0.02, 0.03, 0.10 }, { 0.62, 0.26, 0.22 };
MUL t.zw, place.xxxy, 90.0;
TRUNC.U cell.xy, t.zwzw;
MOV.U cell.z, 7;
CAL hash;
SUB.CC t.x, light.x, 0.995;
MUL t.z, light.y, place.y;
ADD color.xyz (GE.x), color, t.z;

# Three rows of houses, from the farthest to the nearest: house.w is 1, 2, 3.
MOV house.w, 0.0;
REP 3.0;
    ADD house.w, house.w, 1.0;
    # Houses are wider, and go by faster, the nearer they are.
    MUL t.x, clock.x, city.w;
    MUL t.x, t.x, house.w;
    MAD t.x, t.x, 0.3, fragment.texcoord[0].x;
    ADD t.z, 4.0, -house.w;
    MAD t.z, t.z, 0.35, 0.65;
    MUL t.z, t.z, city.x;
    MAD house.x, t.x, t.z, 64.0;
    # How tall is this one? A hash of its number and of the row's.
    TRUNC.U cell.x, house.x;
    TRUNC.U cell.z, house.w;
    MOV.U cell.y, 0;
    CAL hash;
    MAD t.y, house.w, -0.15, 0.70;
    MAD t.w, light.x, 0.30, t.y;
    SUB t.w, t.w, 0.12;
    SUB.CC t.y, t.w, fragment.texcoord[0].y;
    IF GE.y;
        # A wall: the nearer, the darker. A gap between two houses is left as it is.
        MUL_SAT t.z, house.w, 0.34;
        LRP color.xyz, t.z, { 0.012, 0.014, 0.030 }, { 0.30, 0.13, 0.17 };
        # Its windows: five across; which one, and where in it.
        RCP t.z, house.w;
        MUL window.y, fragment.texcoord[0].y, 62.0;
        MUL window.y, window.y, t.z;
        MAD window.x, house.x, 5.0, 0.0;
        TRUNC.U cell.xy, window;
        FRC window.zw, window.xyxy;
        # Every few seconds a window may change, each at its own moment: time is part of the hash.
        CAL hash;
        MAD t.z, clock.x, city.z, light.x;
        TRUNC.U h.w, t.z;
        ADD.U cell.z, cell.z, h.w;
        CAL hash;
        # Lit or not: eight bits. How warm and how bright: eight others.
        SLT t.z, light.x, city.y;
        SUB window.zw, window, 0.5;
        MAX window.z, |window.z|, |window.w|;
        SLT window.w, window.z, 0.30;
        MUL t.z, t.z, window.w;
        LRP window.xyz, light.y, { 1.0, 0.74, 0.34 }, { 0.70, 0.86, 1.0 };
        MAD t.w, light.z, 0.65, 0.35;
        MUL t.z, t.z, t.w;
        MAD color.xyz, window, t.z, color;
    ENDIF;
ENDREP;
MOV result.color.xyz, color;
MOV result.color.w, 1.0;
RET;

# 32 random bits in h.x from the three integers of cell; then three numbers from 0 to 1 in light, eight bits each.
# Multiply by an odd number, fold the high bits down, again and again. Products keep their low 32 bits.
hash:
MAD.U h.x, cell.x, 0x9E3779B1, cell.y;
MUL.U h.x, h.x, 0x85EBCA6B;
MAD.U h.x, cell.z, 0xC2B2AE35, h.x;
SHR.U h.y, h.x, 16;
XOR.U h.x, h.x, h.y;
MUL.U h.x, h.x, 0x7FEB352D;
SHR.U h.y, h.x, 15;
XOR.U h.x, h.x, h.y;
MUL.U h.x, h.x, 0x846CA68B;
SHR.U h.y, h.x, 16;
XOR.U h.x, h.x, h.y;
AND.U h.y, h.x, 0xFF;
I2F.U light.x, h.y;
SHR.U h.y, h.x, 8;
AND.U h.y, h.y, 0xFF;
I2F.U light.y, h.y;
SHR.U h.y, h.x, 24;
I2F.U light.z, h.y;
MUL light.xyz, light, 0.00390625;
RET;
END
