!!ARBfp1.0
# Northern lights over a lake, in the language that all graphics vendors agreed on.
#
# A !!FP1.0 program has numbered registers. An ARB program declares variables with names:
# ATTRIB for inputs, PARAM for values that stay the same, TEMP for intermediate values, OUTPUT for
# results. There are no suffixes R, H or X, and the components of a colour can be r, g, b, a.

ATTRIB place = fragment.texcoord[0];    # (0, 0) is the lower left corner, (1, 1) the upper right
OUTPUT shown = result.color;

PARAM clock = program.local[0];         # x: seconds
PARAM low = program.local[1];           # colour at the lower hem of the lights
PARAM high = program.local[2];          # and at their upper end
PARAM form = program.local[3];          # x: the water line, y: height of the hem, z: folds, w: brightness
PARAM freq = { 5.0, 11.0, 43.0, 97.0 }; # how often four waves repeat across the picture
PARAM drift = { 0.40, -0.55, 1.10, -1.70 };
PARAM zenith = { 0.01, 0.02, 0.08 };
PARAM horizon = { 0.05, 0.12, 0.20 };
PARAM rock = { 0.010, 0.014, 0.022 };

TEMP p, wave, d, sky;

# p: the place, with y from the water line. Below it, x swings: ripples, larger towards the eye.
SUB p, place, { 0.5 };
SUB p.y, place.y, form.x;
MUL d.x, p.y, 150.0;
MAD d.x, clock.x, 2.5, d.x;
MAD d.x, p.x, 23.0, d.x;                # slanted, or all of them would swing together
SIN d.x, d.x;
MIN d.y, p.y, 0.0;
MUL d.x, d.x, d.y;
MAD p.x, d.x, 0.045, p.x;
ABS p.y, p.y;                           # the lake mirrors the sky

# Four sines, slow and fast. A vector holds all four; SIN takes one number at a time.
MUL wave, drift, clock.x;
MAD wave, p.x, freq, wave;
SIN wave.x, wave.x;
SIN wave.y, wave.y;
SIN wave.z, wave.z;
SIN wave.w, wave.w;

# d.x: how far above the hem of the curtain. The slow sines move the hem, the fast ones make rays:
# DPH is a sum of three products and the fourth number of the second operand.
DP3 d.x, wave, { 0.070, 0.035, 0.006 };
MAD d.x, d.x, -form.z, p.y;
SUB d.x, d.x, form.y;
DPH d.z, wave.zwxy, { 0.22, 0.16, 0.10, 0.52 };

# Upwards the light fades slowly, downwards at once. CMP takes its second operand where the first
# is below 0, else the third.
MUL d.y, d.x, -6.0;
MUL d.w, d.x, 60.0;
CMP d.y, d.x, d.w, d.y;
EX2 d.y, d.y;
MUL d.y, d.y, d.z;
MUL d.y, d.y, form.w;

# From the hem's colour to the upper one, on top of the night sky.
MUL_SAT d.w, d.x, 3.2;
LRP wave, d.w, high, low;
LRP sky, p.y, zenith, horizon;
MAD sky.rgb, wave, d.y, sky;

# The shore. An ALIAS is a second name for a variable; the program no longer needs d.
ALIAS ridge = d;
PARAM hills = { 9.0, 23.0, 61.0, 0.0 };
MAD ridge, p.x, hills, { 1.0, 4.0, 2.0, 0.0 };
SIN ridge.x, ridge.x;
SIN ridge.y, ridge.y;
SIN ridge.z, ridge.z;
DP3 ridge.x, ridge, { 0.035, 0.018, 0.006 };
ADD ridge.x, ridge.x, 0.075;
SUB ridge.x, p.y, ridge.x;
CMP sky.rgb, -ridge.x, sky, rock;

# The water takes some of the light.
SGE ridge.y, place.y, form.x;
MAD ridge.y, ridge.y, 0.38, 0.62;
MUL shown.rgb, sky, ridge.y;
MOV shown.a, 1.0;
END
