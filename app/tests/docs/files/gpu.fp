!!NVfp5.0
MOV result.color, fragment.color;
END
