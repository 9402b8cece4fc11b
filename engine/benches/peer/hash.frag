#version 450 compatibility
// hash.nvfp5
uniform vec4 local;
in vec2 texcoord;
out vec4 color;

uvec3 pcg(uvec3 v) {
    v = v * 1664525u + 1013904223u;
    v.x += v.y * v.z;
    v.y += v.z * v.x;
    v.z += v.x * v.y;
    v ^= v >> 16u;
    v.x += v.y * v.z;
    v.y += v.z * v.x;
    v.z += v.x * v.y;
    return v;
}

void main() {
    uvec3 v = pcg(pcg(uvec3(gl_FragCoord.xy, local.x * 60.0)));
    v ^= v >> 16u;
    v *= 0x7FEB352Du;
    v ^= v >> 15u;
    v *= 0x846CA68Bu;
    v ^= v >> 16u;
    color = vec4(vec3(v >> 8u) * 0.000000059604644775390625, 1.0);
}
