#version 450 compatibility
// squares.nvgp4
layout(points) in;
layout(triangle_strip, max_vertices = 4) out;
uniform vec4 local;
layout(location = 0) in vec2 coordinates[];
layout(location = 1) in vec3 normals[];
layout(location = 0) out vec2 coordinate;
layout(location = 1) out vec3 normal;

void corner(vec2 place, vec2 told) {
    gl_Position = vec4(gl_in[0].gl_Position.xy + place, gl_in[0].gl_Position.zw);
    coordinate = told;
    normal = normals[0];
    EmitVertex();
}

void main() {
    float angle = coordinates[0].x + local.x;
    vec2 r = vec2(cos(angle), sin(angle)) * coordinates[0].y;
    corner(r, vec2(0, 0));
    corner(vec2(-r.y, r.x), vec2(1, 0));
    corner(vec2(r.y, -r.x), vec2(0, 1));
    corner(-r, vec2(1, 1));
}
