!!NVfp5.0
# Picking. The fragment under the mouse stores the number of its gem, unless a nearer one has done so.

ATTRIB place = fragment.attrib[0];          # xyz, w: how much it glows
FLAT INT ATTRIB number = fragment.attrib[1];
PARAM mouse = program.local[0];             # x, y: where it is, from 0 to 1; z, w: size of the picture
PARAM clock = program.local[1];             # x: number of the frame
INT TEMP n, gem;
UINT TEMP word, old;
LONG UINT TEMP memory, at;
TEMP a, b, normal, eye, color, light, t;

# Is this the pixel where the mouse is?
MOV.S gem.x, number.x;
MUL t.xy, mouse, mouse.zwzw;
FLR t.xy, t;
FLR t.zw, fragment.position.xyxy;
SUB t.xy, t.zwzw, t;
ADD.CC t.x, |t.x|, |t.y|;
IF EQ.x;
    # Depth above, number below: the nearest gem has the smallest word, in any drawing order.
    MUL t.x, fragment.position.z, 16777215.0;
    FLR.U word.x, t.x;
    SHL.U.NTC word.x, word.x, 8;
    OR.U.NTC word.x, word.x, gem.x;
    FLR.S n.x, clock.x;
    ADD.S n.x, n.x, 1;
    MOD.S n.x, n.x, 3;
    PK64.U memory, program.local[2];
    MAD.U64.NTC at.x, n.x, 4, memory.x;
    ATOM.MIN.U32 old.x, word.x, at.x;
ENDIF;

# The true plane of the facet.
DDX a.xyz, place;
DDY b.xyz, place;
XPD normal.xyz, a, b;
DP3 normal.w, normal, normal;
MAX normal.w, normal.w, 0.00000000000001;
RSQ normal.w, normal.w;
MUL normal.xyz, normal, normal.w;
SUB eye.xyz, { 0.0, 0.0, 7.4 }, place;
NRM eye.xyz, eye;
RFL t.xyz, normal, eye;
MOV light.xyz, t;

# Hues by number; some light, some mirrored windows, a rim.
I2F.S t.w, gem.x;
MUL t.w, t.w, 1.3;
MAD t.w, place.y, 0.35, t.w;
ADD color.xyz, t.w, { 0.2, 2.3, 4.1 };
COS color.x, color.x;
COS color.y, color.y;
COS color.z, color.z;
MAD color.xyz, color, { 0.30, 0.24, 0.28 }, { 0.42, 0.33, 0.46 };
DP3 a.x, normal, { -0.42, 0.70, 0.58 };
MAD.SAT a.x, a.x, 0.62, 0.30;
DP3.SAT a.y, light, { -0.35, 0.62, 0.70 };
POW a.y, a.y, 14.0;
DP3.SAT a.z, light, { 0.72, -0.20, 0.66 };
POW a.z, a.z, 6.0;
DP3.SAT a.w, normal, eye;
SUB a.w, 1.0, a.w;
MUL a.w, a.w, a.w;
MUL b.xyz, color, a.x;
MAD b.xyz, a.y, { 0.75, 0.72, 0.66 }, b;
MAD b.xyz, a.z, { 0.16, 0.20, 0.34 }, b;
MAD b.xyz, a.w, color, b;

# Farther gems are dimmer; the picked one shines from within.
MAD.SAT t.x, place.z, 0.42, 0.72;
MUL b.xyz, b, t.x;
ADD color.xyz, color, { 0.25, 0.2, 0.16 };
MAD t.y, a.w, 0.9, 0.35;
MUL t.y, t.y, place.w;
MAD result.color.xyz, color, t.y, b;
MOV result.color.w, 1.0;
END
