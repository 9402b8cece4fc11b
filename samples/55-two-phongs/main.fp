!!ARBfp1.0
OPTION NV_fragment_program2;
# Phong's light twice: left of the line in plain !!ARBfp1.0, right of it with NVIDIA's option.
#
# NRM normalizes a vector, RFL reflects one, and after an instruction with C you can test its result at once.

PARAM clock = program.local[0];         # x: seconds, y: width
PARAM look = program.local[1];          # x: where the line is, 0 to 1; y: the exponent
PARAM lamp = program.local[2];
PARAM colour = program.local[3];
ATTRIB away = fragment.texcoord[1];     # the normal
ATTRIB spot = fragment.texcoord[2];     # the surface point
ATTRIB view = fragment.texcoord[5];     # to the eye
TEMP n, l, v, r, c, side;

# How many pixels right of the line this one is; a whole number of steps of x.
MUL side.x, clock.y, look.x;
SUBC side.x, fragment.position.x, side.x;

IF LT.x;
    # The ARB's way: a length is a DP3 and an RSQ, a mirror image DP3, ADD and MAD.
    DP3 n.w, away, away;
    RSQ n.w, n.w;
    MUL n.xyz, away, n.w;
    SUB l.xyz, lamp, spot;
    DP3 l.w, l, l;
    RSQ l.w, l.w;
    MUL l.xyz, l, l.w;
    DP3 v.w, view, view;
    RSQ v.w, v.w;
    MUL v.xyz, view, v.w;
    DP3 r.w, n, v;
    ADD r.w, r.w, r.w;
    MAD r.xyz, n, r.w, -v;
    # LIT needs only its numbers in the right places.
    DP3 c.x, n, l;
    DP3 c.y, r, l;
    MOV c.w, look.y;
    LIT c, c;
ELSE;
    # NVIDIA's way. If the lamp is behind the surface, this ends early: CMP would compute everything first.
    NRM n.xyz, away;
    SUB l.xyz, lamp, spot;
    NRM l.xyz, l;
    NRM v.xyz, view;
    MOV c, { 1.0, 0.0, 0.0, 1.0 };
    DP3C c.y, n, l;
    IF GT.y;
        RFL r.xyz, n, v;
        DP3_SAT r.w, r, l;
        POW c.z, r.w, look.y;
    ELSE;
        MOV c.y, 0.0;
    ENDIF;
ENDIF;

MUL r.xyz, colour, 0.10;
MAD r.xyz, colour, c.y, r;
MAD r.xyz, c.z, { 0.9, 0.85, 0.75 }, r;

# The line itself, a pixel to each side.
ADDC side.x, |side.x|, -1.0;
ADD r.xyz (LE.x), r, { 0.25, 0.30, 0.32 };
MOV result.color.xyz, r;
MOV result.color.w, 1.0;
END
