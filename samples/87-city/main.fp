!!NVfp5.0
# Night over the city. Each window gets a random number from the number of its house and its own place.

FLAT INT ATTRIB side = fragment.attrib[0];  # x: which house, yzw: where this side looks
ATTRIB place = fragment.attrib[1];          # xyz, w: height of the house
ATTRIB wall = fragment.attrib[2];           # xy: on this side, z: half the width
PARAM clock = program.local[0];
PARAM town = program.local[1];              # x: floors a unit, y: lit, z: changes
PARAM lamps[4] = { { 1.0, 0.78, 0.42 }, { 1.0, 0.90, 0.70 }, { 0.70, 0.86, 1.0 }, { 1.0, 0.60, 0.34 } };
TEMP cell, color, t, glow;
INT TEMP n, house;
UINT TEMP h;

MOV.S house, side;
SEQ.S.CC n.x, house.x, 0;
IF NE.x;
    # The ground: streets with lamps, a grid of soft lights.
    FRC cell.xy, place.xzxz;
    SUB cell.xy, cell, 0.5;
    DP2 cell.z, cell, cell;
    MUL t.x, cell.z, -70.0;
    EX2 t.x, t.x;
    ABS cell.xy, cell;
    MIN cell.w, cell.x, cell.y;
    MUL t.y, cell.w, -30.0;
    EX2 t.y, t.y;
    MUL glow.xyz, t.x, { 1.25, 0.78, 0.34 };
    # Headlights travel along the streets.
    ADD t.z, place.x, place.z;
    MAD t.z, clock.x, 0.9, t.z;
    FRC t.z, t.z;
    SUB t.z, t.z, 0.5;
    MUL t.w, t.z, t.z;
    MUL t.w, t.w, -160.0;
    EX2 t.w, t.w;
    MUL t.w, t.w, t.y;
    MAD glow.xyz, t.w, { 0.85, 0.80, 0.62 }, glow;
    MAD color.xyz, t.y, { 0.10, 0.075, 0.06 }, { 0.035, 0.04, 0.065 };
    ADD color.xyz, color, glow;
ELSE;
    # Which window: four across, as many floors as the house is high.
    MUL cell.x, wall.x, 4.0;
    MUL cell.y, place.y, town.x;
    FLR.S n.xy, cell;
    FRC cell.zw, cell.xyxy;
    # A random number: the house, the side, the window.
    MAD.S n.z, house.y, 3, house.w;
    MAD.S n.w, house.x, 61, n.z;
    MAD.S n.w, n.w, 97, n.x;
    MAD.S n.w, n.w, 89, n.y;
    MOV.U.NTC h.x, n.w;                     # the same bits, unsigned
    MUL.U h.x, h.x, 0x9E3779B1;
    SHR.U h.y, h.x, 15;
    XOR.U h.x, h.x, h.y;
    MUL.U h.x, h.x, 0x85EBCA6B;
    SHR.U h.y, h.x, 13;
    XOR.U h.x, h.x, h.y;
    AND.U h.y, h.x, 0xFFFF;
    I2F.U t.x, h.y;
    MUL t.x, t.x, 0.0000152587890625;       # 2^-16
    # Lights go on and off, each at its own time.
    SHR.U h.z, h.x, 16;
    AND.U h.z, h.z, 255;
    I2F.U t.y, h.z;
    MUL t.y, t.y, 0.0245;
    MAD t.y, clock.x, town.z, t.y;
    SIN t.y, t.y;
    MAD t.x, t.y, 0.16, t.x;
    SUB t.x, town.y, t.x;
    MUL_SAT t.x, t.x, 9.0;
    # The frame around the glass.
    SUB cell.zw, cell, 0.5;
    ABS cell.zw, cell;
    MAD_SAT cell.z, cell.z, -14.0, 4.6;
    MAD_SAT cell.w, cell.w, -14.0, 4.2;
    MUL cell.z, cell.z, cell.w;
    SHR.U h.w, h.x, 24;
    AND.U h.w, h.w, 3;
    MUL glow.xyz, lamps[h.w], cell.z;
    MUL glow.xyz, glow, t.x;
    # The walls: moonlight from one side, the glow of the street below.
    I2F.S t.xyz, house.yzwy;
    DP3 t.w, t, { -0.42, 0.55, 0.62 };
    MAX t.w, t.w, 0.0;
    MAD color.xyz, t.w, { 0.075, 0.095, 0.17 }, { 0.030, 0.036, 0.062 };
    MUL t.z, place.y, -2.6;
    EX2 t.z, t.z;
    MAD color.xyz, t.z, { 0.20, 0.12, 0.05 }, color;
    MAD color.xyz, cell.z, { 0.018, 0.024, 0.045 }, color;
    # A roof has no windows; high ones have a lamp that blinks.
    SGT.S.CC n.x, house.z, 0;
    MOV glow.xyz (NE.x), 0.0;
    SUB t.xy, wall, 0.5;
    DP2 t.x, t, t;
    MUL t.x, t.x, -90.0;
    EX2 t.x, t.x;
    I2F.S t.y, house.x;
    MAD t.y, clock.x, 2.6, t.y;
    SIN t.y, t.y;
    MUL_SAT t.y, t.y, 3.0;
    MAD_SAT t.z, place.w, 2.0, -2.8;
    MUL t.x, t.x, t.y;
    MUL t.x, t.x, t.z;
    MUL glow.xyz (NE.x), t.x, { 1.6, 0.18, 0.12 };
    ADD color.xyz, color, glow;
ENDIF;

# Mist hides distant houses.
DP3 t.x, place, place;
MAD_SAT t.x, t.x, 0.0135, -0.35;
LRP result.color.xyz, t.x, { 0.035, 0.045, 0.11 }, color;
MOV result.color.w, 1.0;
END
