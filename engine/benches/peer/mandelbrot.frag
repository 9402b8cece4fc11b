#version 450 compatibility
// mandelbrot.arbfp
in vec2 texcoord;
out vec4 color;

void main() {
    vec2 c = texcoord * vec2(3.0, 2.4) + vec2(-2.2, -1.2);
    vec2 z = vec2(0.0);
    float n = 0.0;
    for (int round = 0; round < 255; round++) {
        vec3 t = z.xyx * z.xyy;
        if (t.x + t.y - 4.0 > 0.0) {
            break;
        }
        z = vec2(t.x - t.y, t.z) * vec2(1.0, 2.0) + c;
        n += 1.0;
    }
    vec3 shown = n * vec3(0.0039215686, 0.02, 0.11);
    color = vec4(shown.x, fract(shown.yz), 1.0);
}
