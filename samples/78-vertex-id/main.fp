!!NVfp4.0
# The colour that the vertex program has chosen.
MOV result.color, fragment.color;
END
