#version 450 compatibility
// interpolate.arbfp
layout(location = 0) in vec2 coordinate;
layout(location = 1) in vec3 normal;
layout(location = 0) out vec4 color;

void main() {
    color = vec4(normal * 0.5 + 0.5, coordinate.x);
}
