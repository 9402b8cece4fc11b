#version 450 compatibility
// pass.arbvp for fragment shaders.
layout(location = 0) in vec3 position;
layout(location = 8) in vec2 coordinate;
out vec2 texcoord;
void main() {
    gl_Position = vec4(position, 1.0);
    texcoord = coordinate;
}
