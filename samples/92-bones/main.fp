!!NVfp5.0
# Clay in soft light.

ATTRIB place = fragment.attrib[0];
ATTRIB side = fragment.attrib[1];
FLAT INT ATTRIB who = fragment.attrib[2];   # x: number, y: 0 for a shadow
PARAM hues[7] = { { 0.88, 0.36, 0.26 }, { 0.93, 0.60, 0.24 }, { 0.36, 0.55, 0.48 }, { 0.27, 0.42, 0.60 },
                  { 0.80, 0.46, 0.52 }, { 0.55, 0.44, 0.62 }, { 0.90, 0.76, 0.46 } };
INT TEMP n;
TEMP normal, eye, color, t;

MOV.S.CC n.xy, who;
IF EQ.y;
    MOV color.xyz, { 0.80, 0.71, 0.66 };
ELSE;
    NRM normal.xyz, side;
    SUB eye.xyz, { 0.0, 3.7, 7.0 }, place;
    NRM eye.xyz, eye;

    # A lamp from the upper left, the sky from above, the ground from below.
    DP3 t.x, normal, { -0.66, 0.62, 0.42 };
    MAD.SAT t.x, t.x, 0.62, 0.38;
    MUL t.x, t.x, t.x;
    MAD t.y, normal.y, 0.5, 0.5;
    LRP t.yzw, t.y, { 0.0, 0.28, 0.32, 0.42 }, { 0.0, 0.30, 0.22, 0.17 };
    MAD t.xyz, t.x, { 1.02, 0.95, 0.84 }, t.yzww;
    MUL color.xyz, hues[n.x], t;

    # A rim of light; feet are darker, so that they stand on the ground.
    DP3.SAT t.x, normal, eye;
    SUB t.x, 1.0, t.x;
    MUL t.x, t.x, t.x;
    MUL t.x, t.x, t.x;
    MAD color.xyz, t.x, { 0.38, 0.34, 0.30 }, color;
    MAD.SAT t.x, place.y, 1.2, 0.72;
    MUL color.xyz, color, t.x;
ENDIF;
MOV result.color.xyz, color;
MOV result.color.w, 1.0;
END
