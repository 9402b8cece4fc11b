!!NVfp4.0
# The colour from the vertex program.
MOV result.color, fragment.color;
END
