!!NVfp5.0
SUBROUTINETYPE Shade { matt, glossy };
SUBROUTINETYPE Tile { brick, wave };
SUBROUTINE Shade shade = program.subroutine[0];
SUBROUTINE Tile tiles[3] = { program.subroutine[1..3] };
TEMP color;

main:
CALI shade;
CALI tiles[0];
CALI tiles[1];
CALI tiles[2];
MOV result.color, color;
RET;

matt SUBROUTINENUM(0):
MOV color, 0.5;
RET;

glossy SUBROUTINENUM(1):
MOV color, 1;
RET;

brick SUBROUTINENUM(2):
MUL color, color, 0.5;
RET;

wave SUBROUTINENUM(3):
MUL color, color, 0.25;
RET;
END
