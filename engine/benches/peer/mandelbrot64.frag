#version 450 compatibility
// mandelbrot64.nvfp5
in vec2 texcoord;
out vec4 color;

void main() {
    dvec2 c = dvec2(texcoord * vec2(3.0, 2.4) + vec2(-2.2, -1.2));
    dvec2 z = c;
    float n = 0.0;
    for (int round = 0; round < 255; round++) {
        dvec2 t = z * z;
        if (t.x + t.y - 4.0lf > 0.0lf) {
            break;
        }
        z = dvec2(t.x - t.y + c.x, z.x * z.y * 2.0lf + c.y);
        n += 1.0;
    }
    vec3 shown = n * vec3(0.0039215686, 0.02, 0.11);
    color = vec4(shown.x, fract(shown.yz), 1.0);
}
