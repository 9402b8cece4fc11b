!!FP1.0
# A map with lines of the same thickness everywhere.
#
# DDX and DDY say how much a value changes from a pixel to its neighbour. Distance to a contour line
# divided by that change is the distance IN PIXELS; so the line is a pixel and a half wide,
# with smooth edges, on steep slopes and in flat fields alike.

DECLARE levels = {14};               # how many lines there are from the deepest to the highest point
DECLARE line = {1.3, 0.85};          # x: width in pixels, y: strength
DECLARE paper = {0.97, 0.94, 0.84};
DECLARE sepia = {0.45, 0.24, 0.10};
DECLARE water = {0.55, 0.76, 0.88};

# The land drifts past. Two lookups of different size give it more detail than one has.
MOVR R0.z, p[0].x;
MULR R0.z, R0.z, 0.012;
ADDR R0.xy, f[TEX0], R0.z;
MULR R0.xy, R0, 0.75;
TEX R1, R0, TEX0, 2D;
TEX R2, R0, TEX1, 2D;                # its slope, for shading

# Height in contour steps: R3.x.
MULR R3.x, R1.x, levels.x;

# |d height / d x| + |d height / d y|: how many steps a pixel spans. Never quite zero.
DDXR R4.x, R3.x;
DDYR R4.y, R3.x;
ADDR R4.x, |R4.x|, |R4.y|;
MAXR R4.x, R4.x, 0.002;
RCPR R4.y, R4.x;

# Distance to the nearest whole number, in pixels: |frac(h + 0.5) - 0.5| / span.
ADDR R3.y, R3.x, 0.5;
FRCR R3.y, R3.y;
ADDR R3.y, R3.y, -0.5;
MULR R3.y, |R3.y|, R4.y;
SUBR_SAT R3.z, line.x, R3.y;        # 1 on the line, falling to 0 over one pixel

# The same for every fifth line, drawn twice as thick.
MULR R5.x, R3.x, 0.2;
ADDR R5.y, R5.x, 0.5;
FRCR R5.y, R5.y;
ADDR R5.y, R5.y, -0.5;
MULR R5.y, |R5.y|, R4.y;
MULR R5.y, R5.y, 2.5;                # 5 to get back to steps, halved: twice as thick
SUBR_SAT R5.z, line.x, R5.y;
MAXR R3.z, R3.z, R5.z;
MULR R3.z, R3.z, line.y;

# The ground: paper, greener in the valleys, browner on the heights; water below level 0.3.
MOVR R6.xyz, paper;
ADDR_SAT R7.x, 0.62, -R1.x;
MULR R7.xyz, R7.x, {1.1, 0.45, 1.1};
SUBR R6.xyz, R6, R7;
ADDR_SAT R7.x, R1.x, -0.55;
MULR R7.xyz, R7.x, {0.25, 0.65, 0.95};
SUBR R6.xyz, R6, R7;

# Shade by the slope, lit from the upper left as on every map.
MADR R2.xyz, R2, 2.0, -1.0;
DP3R R8.x, R2, {-0.5, 0.5, 0.71};
MADR R8.x, R8.x, 0.85, 0.42;
MULR R6.xyz, R6, R8.x;

# Lines over land, water over both.
LRPR R6.xyz, R3.z, sepia, R6;
SUBRC R9.x, R1.x, 0.30;
MOVR R6.xyz (LT.x), water;

# A shore line, again one pixel and a half wide by way of the derivative of the height itself.
DDXR R9.y, R1.x;
DDYR R9.z, R1.x;
ADDR R9.y, |R9.y|, |R9.z|;
MAXR R9.y, R9.y, 0.0005;
RCPR R9.y, R9.y;
MULR R9.y, |R9.x|, R9.y;
SUBR_SAT R9.y, 1.6, R9.y;
LRPR R6.xyz, R9.y, {0.10, 0.28, 0.45}, R6;

MOVR_SAT o[COLR].xyz, R6;
MOVR o[COLR].w, 1.0;
END
