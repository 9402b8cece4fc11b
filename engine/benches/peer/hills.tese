#version 450 compatibility
// hills.nvtep5
layout(quads, equal_spacing, ccw) in;
uniform vec4 local;
layout(location = 0) out vec2 coordinate;
layout(location = 1) out vec3 normal;

void main() {
    vec4 low = mix(gl_in[0].gl_Position, gl_in[1].gl_Position, gl_TessCoord.x);
    vec4 high = mix(gl_in[2].gl_Position, gl_in[3].gl_Position, gl_TessCoord.x);
    vec4 p = mix(low, high, gl_TessCoord.y);
    vec2 w = vec2(p.x * 7 + local.x, p.y * 5);
    vec2 s = sin(w), c = cos(w);
    float height = s.x * c.y;
    normal = normalize(vec3(c.x * c.y * -0.84, 1, s.x * s.y * 0.6));
    coordinate = gl_TessCoord.xy;
    gl_Position = vec4(p.x, p.y * 0.6 + height * 0.12, p.y - height * 0.2, p.w);
}
