#version 450 compatibility
// pass.arbvp for the shaders of other stages.
layout(location = 0) in vec3 position;
layout(location = 2) in vec3 turned;
layout(location = 8) in vec2 given;
layout(location = 0) out vec2 coordinate;
layout(location = 1) out vec3 normal;

void main() {
    gl_Position = vec4(position, 1.0);
    coordinate = given;
    normal = turned;
}
