#version 450 compatibility
// gather.nvfp5
uniform sampler2D image;
in vec2 texcoord;
out vec4 color;

void main() {
    vec2 at = texcoord * 256.0 - 0.5;
    vec2 corner = floor(at);
    vec4 f;
    f.xy = at - corner;
    f.zw = 1.0 - f.xy;
    corner = (corner + 1.0) * 0.00390625;
    vec4 squared = f * f;
    vec4 inner = ((f * 3.0 - 6.0) * squared + 4.0) * 0.16666667;
    vec4 outer = squared * f * 0.16666667;
    vec4 wx = vec4(outer.z, inner.x, inner.z, outer.x);
    vec4 wy = vec4(outer.w, inner.y, inner.w, outer.y);
    vec4 a = textureGatherOffset(image, corner, ivec2(-1, -1));
    vec4 b = textureGatherOffset(image, corner, ivec2(1, -1));
    vec4 c = textureGatherOffset(image, corner, ivec2(-1, 1));
    vec4 d = textureGatherOffset(image, corner, ivec2(1, 1));
    float below = dot(a * wx.xyyx + b * wx.zwwz, wy.yyxx);
    float above = dot(c * wx.xyyx + d * wx.zwwz, wy.wwzz);
    color = vec4(vec3(below + above), 1.0);
}
