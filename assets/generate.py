#!/usr/bin/env python3
"""Makes every picture and mesh in this folder, and the vertex arrays of samples. Python 3 standard library only.

    python3 assets/generate.py            write everything
    python3 assets/generate.py bricks sky write only the named ones

Nothing here is random: the same script gives the same pixels every time. Pictures are computed in
floating point, top row first, and rounded once to 8 bits. Tiling textures repeat without a seam
because their noise is built on a lattice that wraps.
"""

import math
import os
import struct
import sys
import zlib

HERE = os.path.dirname(os.path.abspath(__file__))
TEXTURES = os.path.join(HERE, "textures")
MESHES = os.path.join(HERE, "meshes")


# ---------------------------------------------------------------- PNG

def _filtered(row, above, step, kind):
    """One scan line after PNG filter `kind` (0 none, 1 sub, 2 up, 4 Paeth)."""
    if kind == 0:
        return bytes(row)
    if kind == 1:
        return bytes((v - (row[i - step] if i >= step else 0)) & 255 for i, v in enumerate(row))
    if kind == 2:
        return bytes((v - above[i]) & 255 for i, v in enumerate(row))
    out = bytearray(len(row))
    for i, v in enumerate(row):
        a = row[i - step] if i >= step else 0
        b = above[i]
        c = above[i - step] if i >= step else 0
        pa, pb, pc = abs(b - c), abs(a - c), abs(a + b - 2 * c)
        predicted = a if pa <= pb and pa <= pc else (b if pb <= pc else c)
        out[i] = (v - predicted) & 255
    return bytes(out)


def write_png(path, width, height, channels, data):
    """Writes 8-bit grey (1), RGB (3) or RGBA (4) `data`, top row first, no ancillary chunks."""
    colour_type = {1: 0, 3: 2, 4: 6}[channels]
    stride = width * channels
    above = bytes(stride)
    lines = []
    for y in range(height):
        row = data[y * stride:(y + 1) * stride]
        best = None
        for kind in (0, 1, 2, 4):
            line = _filtered(row, above, channels, kind)
            cost = sum(v if v < 128 else 256 - v for v in line)
            if best is None or cost < best[0]:
                best = (cost, kind, line)
        lines.append(bytes([best[1]]) + best[2])
        above = row

    def chunk(tag, body):
        return struct.pack(">I", len(body)) + tag + body + struct.pack(">I", zlib.crc32(tag + body))

    header = struct.pack(">IIBBBBB", width, height, 8, colour_type, 0, 0, 0)
    with open(path, "wb") as out:
        out.write(b"\x89PNG\r\n\x1a\n")
        out.write(chunk(b"IHDR", header))
        out.write(chunk(b"IDAT", zlib.compress(b"".join(lines), 9)))
        out.write(chunk(b"IEND", b""))


def to_byte(v):
    return 0 if v <= 0.0 else 255 if v >= 1.0 else int(v * 255.0 + 0.5)


def paint(name, width, height, channels, pixel, folder=TEXTURES):
    """Calls `pixel(x, y)` for every pixel (y downwards), which gives `channels` numbers in [0, 1]."""
    data = bytearray()
    for y in range(height):
        for x in range(width):
            data.extend(map(to_byte, pixel(x, y)))
    path = os.path.join(folder, name)
    write_png(path, width, height, channels, bytes(data))
    print(f"{os.path.relpath(path, HERE)}: {width}x{height}, {os.path.getsize(path)} bytes")


# ---------------------------------------------------------------- small maths

def mix(a, b, t):
    return a + (b - a) * t


def mix3(a, b, t):
    return tuple(p + (q - p) * t for p, q in zip(a, b))


def smooth(lo, hi, v):
    t = min(max((v - lo) / (hi - lo), 0.0), 1.0)
    return t * t * (3.0 - 2.0 * t)


def normalize(v):
    length = math.sqrt(sum(c * c for c in v))
    return tuple(c / length for c in v)


def hash2(x, y, seed):
    """An integer hash of a lattice point: 32 well-mixed bits."""
    h = (x * 0x27D4EB2D + y * 0x165667B1 + seed * 0x9E3779B1) & 0xFFFFFFFF
    h ^= h >> 15
    h = (h * 0x85EBCA6B) & 0xFFFFFFFF
    h ^= h >> 13
    h = (h * 0xC2B2AE35) & 0xFFFFFFFF
    return h ^ (h >> 16)


def unit(x, y, seed):
    """hash2 as a number in [0, 1)."""
    return hash2(x, y, seed) / 4294967296.0


_GRADIENTS = [(math.cos(i * math.pi / 8), math.sin(i * math.pi / 8)) for i in range(16)]


def gradient_noise(x, y, period_x, period_y, seed):
    """Gradient noise in about [-1, 1] that repeats after `period_x`, `period_y` lattice cells."""
    xi, yi = math.floor(x), math.floor(y)
    fx, fy = x - xi, y - yi
    x0, x1 = xi % period_x, (xi + 1) % period_x
    y0, y1 = yi % period_y, (yi + 1) % period_y
    g00 = _GRADIENTS[hash2(x0, y0, seed) & 15]
    g10 = _GRADIENTS[hash2(x1, y0, seed) & 15]
    g01 = _GRADIENTS[hash2(x0, y1, seed) & 15]
    g11 = _GRADIENTS[hash2(x1, y1, seed) & 15]
    u = fx * fx * fx * (fx * (fx * 6 - 15) + 10)
    v = fy * fy * fy * (fy * (fy * 6 - 15) + 10)
    a = g00[0] * fx + g00[1] * fy
    b = g10[0] * (fx - 1) + g10[1] * fy
    c = g01[0] * fx + g01[1] * (fy - 1)
    d = g11[0] * (fx - 1) + g11[1] * (fy - 1)
    top = a + (b - a) * u
    return 1.5 * (top + ((c + (d - c) * u) - top) * v)


def fbm(x, y, period_x, period_y, octaves, seed):
    """Octaves of gradient noise, each twice as fine and half as strong; about [-1, 1]."""
    total, strength = 0.0, 0.55
    for i in range(octaves):
        total += strength * gradient_noise(x, y, period_x, period_y, seed + i * 17)
        x, y, period_x, period_y, strength = x * 2, y * 2, period_x * 2, period_y * 2, strength * 0.5
    return total


def normal_map(name, size, height, strength):
    """RGB = normal * 0.5 + 0.5 of a tiling height field; x to the right, y UP the picture."""
    def pixel(x, y):
        dx = height((x + 1) % size, y) - height((x - 1) % size, y)
        dy = height(x, (y - 1) % size) - height(x, (y + 1) % size)
        n = normalize((-dx * strength, -dy * strength, 1.0))
        return tuple(c * 0.5 + 0.5 for c in n)
    paint(name, size, size, 3, pixel)


# ---------------------------------------------------------------- bricks

BRICK = 256
BRICK_ROWS, BRICK_COLUMNS = 8, 4


def brick_cell(x, y):
    """Which brick a pixel is in, and how far inside it is from the nearest edge, in pixels."""
    row_height = BRICK / BRICK_ROWS
    column_width = BRICK / BRICK_COLUMNS
    wobble = 1.3 * gradient_noise(x / 16.0, y / 16.0, 16, 16, 5)
    row = int(y // row_height)
    shifted = (x + (column_width / 2 if row % 2 else 0)) % BRICK
    column = int(shifted // column_width)
    dx = min(shifted - column * column_width, (column + 1) * column_width - shifted)
    dy = min(y - row * row_height, (row + 1) * row_height - y)
    inner_x, inner_y = 9.0 - dx, 9.0 - dy
    if inner_x > 0 and inner_y > 0:  # rounded corners
        distance = 9.0 - math.hypot(inner_x, inner_y)
    else:
        distance = min(dx, dy)
    return row, column, distance - 2.6 + wobble


_brick_heights = {}


def brick_height(x, y):
    key = y * BRICK + x
    if key not in _brick_heights:
        row, column, inside = brick_cell(x + 0.5, y + 0.5)
        rough = fbm(x / 16.0, y / 16.0, 16, 16, 3, 11)
        tilt = (unit(column, row, 3) - 0.5) * 0.12
        face = smooth(-1.0, 4.0, inside) * (0.9 + tilt + 0.10 * rough)
        _brick_heights[key] = face + 0.10 * fbm(x / 8.0, y / 8.0, 32, 32, 2, 23)
    return _brick_heights[key]


def bricks():
    def pixel(x, y):
        row, column, inside = brick_cell(x + 0.5, y + 0.5)
        body = mix3((0.50, 0.19, 0.13), (0.72, 0.36, 0.22), unit(column, row, 1))
        body = mix3(body, (0.36, 0.17, 0.15), 0.6 * smooth(0.72, 0.95, unit(column, row, 2)))
        grain = fbm(x / 12.8, y / 12.8, 20, 20, 4, 31)
        body = tuple(c * (1.0 + 0.42 * grain) for c in body)
        mortar = 0.62 + 0.16 * fbm(x / 8.0, y / 8.0, 32, 32, 2, 47)
        return mix3((mortar, mortar * 0.96, mortar * 0.89), body, smooth(-0.6, 1.2, inside))
    paint("bricks.png", BRICK, BRICK, 3, pixel)
    normal_map("bricks-normal.png", BRICK, brick_height, 2.2)


# ---------------------------------------------------------------- wood, marble, noise, height

def wood():
    size = 256

    def pixel(x, y):
        board = y // 64
        phase = unit(board, 0, 61)
        bend = fbm(x / 64.0 + 3.7 * board, y / 32.0, 4, 8, 3, 71)
        ring = math.sin((y / 64.0 + phase + 0.10 * bend) * 40.0 + 3.0 * bend)
        fibre = gradient_noise(x / 32.0, y / 1.6, 8, 160, 73)
        tone = 0.5 + 0.32 * ring + 0.24 * fibre
        colour = mix3((0.33, 0.18, 0.09), (0.74, 0.49, 0.27), min(max(tone, 0.0), 1.0))
        colour = tuple(c * (0.82 + 0.30 * phase) for c in colour)
        edge = min(y % 64, 63 - y % 64)
        joint = (x + int(phase * 200)) % size
        gap = min(smooth(0.0, 2.2, edge + 0.6), smooth(0.0, 2.0, min(joint, size - joint) + 0.4))
        return tuple(c * mix(0.35, 1.0, gap) for c in colour)
    paint("wood.png", size, size, 3, pixel)


def marble():
    size = 256

    def pixel(x, y):
        u, v = x / 64.0, y / 64.0
        warp = fbm(u, v, 4, 4, 4, 81)
        vein = abs(math.sin(math.pi * (x + y) / 128.0 + 3.2 * warp))
        fine = abs(fbm(u * 2 + 0.5, v * 2, 8, 8, 4, 89))
        dark = 0.85 * (1.0 - smooth(0.0, 0.38, vein)) + 0.35 * (1.0 - smooth(0.0, 0.12, fine))
        base = mix3((0.93, 0.92, 0.89), (0.80, 0.81, 0.82), smooth(-0.5, 0.6, warp))
        return mix3(base, (0.29, 0.32, 0.37), min(dark, 1.0))
    paint("marble.png", size, size, 3, pixel)


def noise():
    """R, G, B: three independent tiling noises, from coarse to fine; mean about one half."""
    size = 256

    def pixel(x, y):
        return (
            0.5 + 0.62 * fbm(x / 32.0, y / 32.0, 8, 8, 3, 101),
            0.5 + 0.62 * fbm(x / 32.0, y / 32.0, 8, 8, 3, 211),
            0.5 + 0.62 * fbm(x / 16.0, y / 16.0, 16, 16, 3, 307),
        )
    paint("noise.png", size, size, 3, pixel)


_terrain = {}


def terrain_height(x, y, size=256):
    key = y * size + x
    if key not in _terrain:
        broad = fbm(x / 64.0, y / 64.0, 4, 4, 5, 401)
        ridge = 1.0 - abs(fbm(x / 64.0 + 0.3, y / 64.0 + 0.7, 4, 4, 4, 433)) * 2.2
        _terrain[key] = min(max(0.40 + 0.55 * broad + 0.22 * ridge, 0.0), 1.0)
    return _terrain[key]


def height():
    paint("height.png", 256, 256, 1, lambda x, y: (terrain_height(x, y),))
    normal_map("height-normal.png", 256, terrain_height, 9.0)


def dsdt():
    """R, G: the slope of rippling water, 128 standing for none; B: how steep it is."""
    size = 256

    def water(x, y):
        u, v = 2 * math.pi * x / size, 2 * math.pi * y / size
        return (math.sin(3 * u + 2 * v) + 0.8 * math.sin(-2 * u + 5 * v + 1.0)
                + 0.5 * math.sin(7 * u - 4 * v + 2.0) + 0.4 * math.sin(6 * u + 9 * v + 0.5)
                + 0.9 * fbm(x / 32.0, y / 32.0, 8, 8, 3, 503))

    def pixel(x, y):
        dx = water(x + 0.5, y) - water(x - 0.5, y)
        dy = water(x, y - 0.5) - water(x, y + 0.5)
        ds, dt = dx * 1.9, dy * 1.9
        return (128.0 / 255.0 + 0.5 * ds, 128.0 / 255.0 + 0.5 * dt, math.hypot(ds, dt))
    paint("dsdt.png", size, size, 3, pixel)


# ---------------------------------------------------------------- sky cube

SUN = normalize((0.55, 0.28, -0.75))


def sky_colour(d):
    x, y, z = d
    up = max(y, 0.0)
    colour = mix3((0.98, 0.72, 0.50), (0.30, 0.52, 0.86), smooth(0.0, 0.42, up))
    colour = mix3(colour, (0.08, 0.20, 0.52), smooth(0.35, 1.0, up))
    toward = max(x * SUN[0] + y * SUN[1] + z * SUN[2], 0.0)
    if y > 0.015:  # clouds on a flat ceiling, fading to the horizon
        px, pz = x / (y + 0.18), z / (y + 0.18)
        cover = fbm(px * 1.4 + 40.0, pz * 1.4 + 40.0, 4096, 4096, 5, 601)
        shade = fbm(px * 1.4 + 40.10, pz * 1.4 + 39.86, 4096, 4096, 3, 601)
        amount = smooth(0.0, 0.5, cover + 0.06) * smooth(0.02, 0.20, y)
        lit = mix3((0.60, 0.58, 0.66), (1.0, 0.95, 0.88), smooth(-0.35, 0.45, cover - shade + 0.12))
        colour = mix3(colour, lit, 0.9 * amount)
    colour = tuple(c + g for c, g in zip(colour, (0.55 * toward ** 24, 0.36 * toward ** 24, 0.16 * toward ** 24)))
    if toward > 0.9965:
        colour = mix3(colour, (1.0, 0.99, 0.93), smooth(0.9965, 0.9985, toward))
    azimuth = math.atan2(z, x)
    loop = azimuth / (2 * math.pi) * 24.0
    ridge = 0.045 + 0.075 * fbm(loop, 0.5, 24, 64, 5, 701)
    if y < ridge:
        far = mix3((0.42, 0.40, 0.52), (0.80, 0.60, 0.50), smooth(-0.05, 0.12, y + 0.5 * toward ** 8 * 0.1))
        colour = mix3(colour, far, smooth(ridge, ridge - 0.012, y) if ridge > y else 0.0)
    if y < 0.0:  # a plain that darkens and cools towards the feet
        px, pz = x / (0.03 - y), z / (0.03 - y)
        patch = fbm(px * 0.7 + 50.0, pz * 0.7 + 50.0, 4096, 4096, 4, 801) * smooth(0.0, 0.35, -y)
        ground = mix3((0.62, 0.50, 0.38), (0.22, 0.24, 0.16), smooth(0.0, 0.55, -y))
        ground = tuple(c * (1.0 + 0.5 * patch) for c in ground)
        colour = mix3(colour, ground, smooth(0.0, -0.02, y) if y > -0.02 else 1.0)
    return colour




# Table 3.19 of OpenGL 1.5: (s, t) in [-1, 1] of each face to a direction, t downwards in the picture.
CUBE_FACES = {
    "px": lambda s, t: (1.0, -t, -s),
    "nx": lambda s, t: (-1.0, -t, s),
    "py": lambda s, t: (s, 1.0, t),
    "ny": lambda s, t: (s, -1.0, -t),
    "pz": lambda s, t: (s, -t, 1.0),
    "nz": lambda s, t: (-s, -t, -1.0),
}


def sky():
    size = 256
    for face, direction in CUBE_FACES.items():
        def pixel(x, y, direction=direction):
            s, t = (x + 0.5) / size * 2.0 - 1.0, (y + 0.5) / size * 2.0 - 1.0
            return sky_colour(normalize(direction(s, t)))
        paint(f"sky-{face}.png", size, size, 3, pixel)


# ---------------------------------------------------------------- a picture like a photograph

def ridge_line(x, layer):
    """Height of a mountain layer above the shore, in picture heights, at x in [0, 1]."""
    scale = (3.0, 4.0, 6.0, 9.0)[layer]
    tall = (0.30, 0.22, 0.135, 0.06)[layer]
    shape = fbm(x * scale + layer * 7.3, 0.5 + layer, 4096, 4096, 6, 901 + layer * 13)
    return tall * (0.62 + 0.9 * shape) + (0.06 if layer == 0 else 0.0) * math.exp(-((x - 0.36) / 0.16) ** 2)


def dusk(x, y):
    """Colour of the landscape above the shore; x in [0, 1], y in [0, 1] upwards from the shore."""
    colour = mix3((1.0, 0.66, 0.36), (0.86, 0.40, 0.42), smooth(0.0, 0.35, y))
    colour = mix3(colour, (0.24, 0.22, 0.46), smooth(0.25, 0.75, y))
    colour = mix3(colour, (0.07, 0.09, 0.24), smooth(0.6, 1.1, y))
    sun = math.hypot(x - 0.66, (y - 0.20) * 0.62)
    streak = fbm(x * 2.2, y * 9.0 + 1.5 * x, 4096, 4096, 5, 977)
    cloud = smooth(0.02, 0.45, streak) * smooth(0.10, 0.30, y)
    colour = mix3(colour, mix3((1.0, 0.58, 0.42), (0.36, 0.24, 0.42), smooth(0.0, 0.5, sun)), 0.75 * cloud)
    glow = math.exp(-sun * 7.0)
    colour = tuple(c + g * glow for c, g in zip(colour, (0.75, 0.50, 0.22)))
    colour = mix3((1.0, 0.97, 0.82), colour, smooth(0.040, 0.046, sun))
    if y > 0.45:
        star = unit(int(x * 512), int(y * 320), 991)
        if star > 0.9985:
            spark = (star - 0.9985) / 0.0015 * smooth(0.45, 0.8, y)
            colour = tuple(c + 0.8 * spark for c in colour)
    far, near = (0.62, 0.36, 0.44), (0.07, 0.06, 0.12)
    for layer in range(4):
        top = ridge_line(x, layer)
        if y < top:
            tone = mix3(far, near, (0.0, 0.38, 0.74, 1.0)[layer])
            slope = ridge_line(x + 0.004, layer) - top
            rock = 1.0 + (0.30 if layer < 2 else 0.14) * max(-1.0, min(1.0, slope * 90.0))
            snow = smooth(0.28, 0.40, y + 0.10 * fbm(x * 40.0, y * 40.0, 4096, 4096, 3, 1009)) if layer == 0 else 0.0
            tone = mix3(tone, (0.98, 0.74, 0.68), 0.7 * snow)
            haze = 0.55 * math.exp(-y * 16.0) * (1.0 - layer / 4.0)
            colour = mix3(tuple(c * rock for c in tone), (1.0, 0.66, 0.44), haze)
    return colour


def pine(x, y, foot_x, foot_y, tall):
    """True inside the ragged silhouette of a pine."""
    t = (y - foot_y) / tall
    if not 0.0 <= t <= 1.0:
        return False
    ragged = 0.75 + 0.5 * (t * 11.0 % 1.0) + 0.25 * unit(int(t * 60), int(foot_x * 999), 1103)
    return abs(x - foot_x) < 0.17 * tall * (1.0 - t) / ragged + 0.003


PINES = [(0.045, -0.40, 0.62), (0.13, -0.44, 0.46), (0.205, -0.46, 0.33), (0.955, -0.41, 0.55), (0.88, -0.45, 0.36)]


def picture_at(u, v):
    """The whole scene: u to the right, v upwards, both in [0, 1]. The shore is at v = 0.42."""
    y = v - 0.42
    for foot_x, foot_y, tall in PINES:
        if pine(u, y, foot_x, foot_y, tall):
            return (0.030, 0.035, 0.060)
    bank = -0.37 + 0.05 * fbm(u * 5.0, 0.5, 4096, 4096, 4, 1201) - 0.10 * math.exp(-((u - 0.55) / 0.25) ** 2)
    if y < bank:
        return (0.035, 0.040, 0.060)
    if y >= 0.0:
        return dusk(u, y / 0.58 * 0.8)
    depth = -y
    wave = fbm(u * 6.0, 3.0 / (depth + 0.03) * 0.9, 4096, 4096, 4, 1301)
    colour = dusk(u + 0.025 * wave * (0.3 + depth), abs(depth / 0.58 * 0.8 * 1.15 + 0.05 * wave * (0.15 + depth)))
    colour = mix3(tuple(c * 0.80 for c in colour), (0.10, 0.13, 0.24), smooth(0.0, 0.55, depth))
    path = math.exp(-((u - 0.66) / (0.03 + 0.12 * depth)) ** 2) * smooth(0.05, 0.45, wave + 0.15)
    return tuple(c + p * path for c, p in zip(colour, (0.85, 0.55, 0.28)))


def picture():
    paint("picture.png", 512, 512, 3, lambda x, y: picture_at((x + 0.5) / 512, 1.0 - (y + 0.5) / 512))
    paint("picture-480x360.png", 480, 360, 3, lambda x, y: picture_at((x + 0.5) / 480, 1.0 - (y + 0.5) / 360))


# ---------------------------------------------------------------- pixel art for the filter sample

SPRITE = """
................................
............kkkkkk..............
.........kkkrrrrrrkkk...........
.......kkrrrrrrrrrrrrkk.........
......krrrrwwrrrrrrrrrrk........
.....krrrwwwwwrrrrrwwrrrk.......
....krrrrwwwwwrrrrwwwwrrrk......
....krrrrwwwwwrrrrwwwwrrrk......
...krrrrrrwwwrrrrrrwwrrrrrk.....
...krwwrrrrrrrrrrrrrrrrrrrk.....
...kwwwwrrrrrrwwwrrrrrrrwrk.....
..krwwwwrrrrrwwwwwrrrrrwwwrk....
..krwwwrrrrrrwwwwwrrrrrwwwrk....
..krrrrrrrrrrrwwwrrrrrrrwrrk....
..kdrrrrrrrrrrrrrrrrrrrrrrdk....
...kddrrrrrrrrrrrrrrrrrrddk.....
....kkddddrrrrrrrrrrddddkk......
......kkkkddddddddddkkkk........
.........kssskkkksssk...........
.........ksskskkskssk...........
.........kssksskssssk...........
.........ksssssssssst...........
..........kssssssssk............
..g.......ktssssstsk......g.....
.ggg..g...ktsssssttk..g..ggg....
.gGgg.gg..kttssstttk.gg.ggGg.g..
ggGGggGggggkttttttkgggGggGGgggg.
gGGGGGGGGGGGkkkkkkGGGGGGGGGGGGgg
GGhGGGGhGGGGGGGGhGGGGhGGGGGhGGGG
GGGGhGGGGGhGGGGGGGGGGGGGhGGGGGhG
hhGhhhGhhhhhGhhhhGhhhGhhhhhhGhhh
hhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhh
"""

SPRITE_COLOURS = {
    "k": (0.13, 0.08, 0.13), "r": (0.86, 0.22, 0.22), "d": (0.62, 0.12, 0.22), "w": (1.0, 0.95, 0.86),
    "s": (0.98, 0.84, 0.66), "t": (0.82, 0.62, 0.48), "g": (0.55, 0.82, 0.30), "G": (0.27, 0.62, 0.27),
    "h": (0.14, 0.42, 0.27),
}


def sprite():
    rows = [line.ljust(32, ".")[:32] for line in SPRITE.strip("\n").split("\n")]

    def pixel(x, y):
        mark = rows[y][x]
        if mark == ".":
            return mix3((0.36, 0.62, 0.92), (0.80, 0.92, 0.98), y / 31.0)
        return SPRITE_COLOURS[mark]
    paint("sprite.png", 32, 32, 3, pixel)


# ---------------------------------------------------------------- the application's icon

def icon():
    """A lit sphere whose shading goes down in steps, on a rounded square."""
    size, samples = 256, 4

    def sample(u, v):
        cx, cy = abs(u - 0.5), abs(v - 0.5)
        corner = math.hypot(max(cx - 0.28, 0.0), max(cy - 0.28, 0.0))
        if corner > 0.20:
            return (0.0, 0.0, 0.0, 0.0)
        back = mix3((0.10, 0.12, 0.20), (0.18, 0.22, 0.36), 1.0 - v)
        x, y = (u - 0.5) / 0.33, (0.5 - v) / 0.33
        inside = 1.0 - x * x - y * y
        if inside <= 0.0:
            return back + (1.0,)
        n = (x, y, math.sqrt(inside))
        light = normalize((-0.55, 0.65, 0.55))
        diffuse = max(sum(a * b for a, b in zip(n, light)), 0.0)
        level = math.floor(diffuse * 5.0 + 0.35) / 5.0
        stops = [(0.16, 0.12, 0.38), (0.36, 0.18, 0.62), (0.78, 0.24, 0.56), (0.98, 0.48, 0.34), (1.0, 0.80, 0.40), (1.0, 0.95, 0.74)]
        return stops[min(int(round(level * 5.0)), 5)] + (1.0,)

    def pixel(x, y):
        total = [0.0, 0.0, 0.0, 0.0]
        for j in range(samples):
            for i in range(samples):
                r, g, b, a = sample((x + (i + 0.5) / samples) / size, (y + (j + 0.5) / samples) / size)
                total[0] += r * a
                total[1] += g * a
                total[2] += b * a
                total[3] += a
        if total[3] == 0.0:
            return (0.0, 0.0, 0.0, 0.0)
        return (total[0] / total[3], total[1] / total[3], total[2] / total[3], total[3] / samples ** 2)
    paint("icon.png", size, size, 4, pixel, HERE)


# ---------------------------------------------------------------- meshes

def vase():
    """A surface of revolution with normals and texture coordinates, as Wavefront OBJ."""
    profile = [
        (0.00, -1.00), (0.30, -1.00), (0.36, -0.985), (0.38, -0.95), (0.36, -0.90), (0.37, -0.84), (0.44, -0.72),
        (0.53, -0.56), (0.60, -0.38), (0.635, -0.20), (0.635, -0.02), (0.60, 0.15), (0.53, 0.31), (0.44, 0.44),
        (0.35, 0.54), (0.28, 0.62), (0.245, 0.70), (0.24, 0.78), (0.26, 0.86), (0.31, 0.93), (0.37, 0.975),
        (0.39, 0.995), (0.375, 1.01), (0.34, 0.99), (0.28, 0.93), (0.22, 0.85), (0.20, 0.75), (0.21, 0.62),
    ]
    around = 64
    lines = ["# A vase, made by assets/generate.py"]
    normals, texcoords = [], []
    for i, (radius, y) in enumerate(profile):
        before, after = profile[max(i - 1, 0)], profile[min(i + 1, len(profile) - 1)]
        slope = normalize((after[1] - before[1], before[0] - after[0]))
        for j in range(around + 1):
            angle = 2.0 * math.pi * j / around
            c, s = math.cos(angle), math.sin(angle)
            lines.append(f"v {radius * c:.5f} {y:.5f} {radius * s:.5f}")
            normals.append(f"vn {slope[0] * c:.5f} {slope[1]:.5f} {slope[0] * s:.5f}")
            texcoords.append(f"vt {2.0 * (1.0 - j / around):.5f} {i / (len(profile) - 1):.5f}")
    lines += texcoords + normals
    for i in range(len(profile) - 1):
        for j in range(around):
            a = i * (around + 1) + j + 1
            b, c, d = a + 1, a + around + 2, a + around + 1
            corners = [(a, d, c), (a, c, b)]
            if i == 0:
                corners = corners[:1]  # the foot's middle is a point
            for p, q, r in corners:
                lines.append(f"f {p}/{p}/{p} {q}/{q}/{q} {r}/{r}/{r}")
    path = os.path.join(MESHES, "vase.obj")
    with open(path, "w", newline="\n") as out:
        out.write("\n".join(lines) + "\n")
    print(f"{os.path.relpath(path, HERE)}: {os.path.getsize(path)} bytes")


def gem():
    """A round cut stone: 8-fold, every triangle written once for the first eighth and turned."""
    def at(radius, y, eighths):
        angle = eighths * math.pi / 4.0
        return (radius * math.cos(angle), y, radius * math.sin(angle))

    triangles = []
    for i in range(8):
        table, table_next = at(0.56, 0.42, i), at(0.56, 0.42, i + 1)
        star, star_before = at(0.80, 0.25, i + 0.5), at(0.80, 0.25, i - 0.5)
        top, top_half, top_next = at(1.0, 0.06, i), at(1.0, 0.06, i + 0.5), at(1.0, 0.06, i + 1)
        low, low_half, low_next = at(1.0, 0.0, i), at(1.0, 0.0, i + 0.5), at(1.0, 0.0, i + 1)
        deep, deep_before = at(0.42, -0.52, i + 0.5), at(0.42, -0.52, i - 0.5)
        tip, middle = (0.0, -0.86, 0.0), (0.0, 0.42, 0.0)
        triangles += [
            (middle, table_next, table),
            (table, table_next, star), (table, top, star_before), (table, star, top),
            (star, top_half, top), (star, top_next, top_half),
            (top, top_half, low), (top_half, low_half, low), (top_half, top_next, low_half), (top_next, low_next, low_half),
            (low, low_half, deep), (low_half, low_next, deep), (low, deep, tip), (low, tip, deep_before),
        ]
    points = []
    for triangle in triangles:
        for p in triangle:
            p = tuple(round(c, 5) + 0.0 for c in p)
            if p not in points:
                points.append(p)
    lines = ["# A cut stone, made by assets/generate.py"]
    lines += [f"v {p[0]:.5f} {p[1]:.5f} {p[2]:.5f}" for p in points]
    for p in points:
        lines.append(f"vt {math.atan2(p[2], p[0]) / (2 * math.pi) + 0.5:.5f} {(p[1] + 0.86) / 1.28:.5f}")
    for p in points:
        n = normalize((p[0], p[1] + 0.1, p[2]))
        lines.append(f"vn {n[0]:.5f} {n[1]:.5f} {n[2]:.5f}")
    for triangle in triangles:
        a, b, c = triangle
        u = tuple(q - p for p, q in zip(a, b))
        v = tuple(q - p for p, q in zip(a, c))
        out = (u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0])
        centre = tuple((p + q + r) / 3.0 for p, q, r in zip(a, b, c))
        if sum(p * q for p, q in zip(out, (centre[0], centre[1] + 0.1, centre[2]))) < 0.0:
            triangle = (a, c, b)  # counter-clockwise seen from outside
        refs = [points.index(tuple(round(c, 5) + 0.0 for c in p)) + 1 for p in triangle]
        lines.append("f " + " ".join(f"{r}/{r}/{r}" for r in refs))
    path = os.path.join(MESHES, "gem.obj")
    with open(path, "w", newline="\n") as out_file:
        out_file.write("\n".join(lines) + "\n")
    print(f"{os.path.relpath(path, HERE)}: {os.path.getsize(path)} bytes")


def sheet():
    """A square cut into 50 by 50 pieces for vertex programs to bend; from -1 to 1 in x and z, facing up."""
    steps = 50
    row = steps + 1
    at = [f"{2 * i / steps - 1:g}" for i in range(row)]
    lines = ["# A sheet, made by assets/generate.py"]
    lines += [f"v {at[i]} 0 {at[j]}" for j in range(row) for i in range(row)]
    for j in range(steps):
        for i in range(steps):
            a = j * row + i + 1
            lines.append(f"f {a} {a + row} {a + row + 1} {a + 1}")
    path = os.path.join(MESHES, "sheet.obj")
    with open(path, "w", newline="\n") as out:
        out.write("\n".join(lines) + "\n")
    print(f"{os.path.relpath(path, HERE)}: {os.path.getsize(path)} bytes")


# ---------------------------------------------------------------- vertex arrays of samples

SAMPLES = os.path.join(os.path.dirname(HERE), "samples")


def write_values(sample, file, rows, digits=3):
    """One line of numbers for each vertex, for file = of an [[attribute]]."""
    path = os.path.join(SAMPLES, sample, file)
    with open(path, "w", newline="\n") as out:
        out.writelines(" ".join(f"{value:.{digits}f}".rstrip("0").rstrip(".") for value in row) + "\n" for row in rows)
    print(f"{os.path.relpath(path, HERE)}: {os.path.getsize(path)} bytes")


def anemone():
    """Nine arms as one triangle strip: (cos, sin, height, arm), and (bone, bone, weight, weight)."""
    arms, rings, sides, bones, length = 9, 21, 12, 4, 4.0
    shape, skin = [], []

    def add(arm, ring, side):
        height = length * ring / (rings - 1)
        angle = 2.0 * math.pi * (side % sides) / sides
        around = {rings - 1: 0.0, rings - 2: 0.8}.get(ring, 1.0)  # the tip is closed and round
        shape.append((around * math.cos(angle), around * math.sin(angle), height, arm))
        # Half-way between two joints a vertex hangs on one bone alone, at a joint on two, evenly.
        place = min(max(height - 0.5, 0.0), bones - 1.0)
        low = min(int(place), bones - 2)
        skin.append((low, low + 1, 1.0 - (place - low), place - low))

    for arm in range(arms):
        for ring in range(rings - 1):
            for side in range(sides + 1):
                add(arm, ring, side)
                add(arm, ring + 1, side)
        # The first and the last vertex of each arm stand twice: what joins two arms has no area.
        last = len(shape) - 1
        shape.append(shape[last])
        skin.append(skin[last])
        if arm + 1 < arms:
            add(arm + 1, 0, 0)
    write_values("29-skinning", "shape.txt", shape)
    write_values("29-skinning", "skin.txt", skin)


def globe():
    """Meridians and parallels as line strips: longitude and latitude in degrees, and the indices."""
    points, indices = [], []

    def strip(line):
        for point in line:
            indices.append(len(points))
            points.append(point)
        indices.append(65535)

    for longitude in range(-180, 181, 30):
        strip([(longitude, latitude) for latitude in range(-90, 91, 6)])
    for latitude in range(-72, 73, 18):
        strip([(longitude, latitude) for longitude in range(-180, 181, 6)])
    write_values("36-lines", "degrees.txt", points)
    print("indices =", indices[:-1])


def stars():
    """The numbers of the points, which is all that the program is given."""
    write_values("33-points", "numbers.txt", [(n,) for n in range(2600)])


def curves():
    """Ten curves of 192 segments: of each end its place, from 0 to 1, and the number of the curve."""
    rows = [((i + end) / 192.0, curve) for curve in range(10) for i in range(192) for end in (0, 1)]
    write_values("37-exp-log", "curves.txt", rows)


def portal():
    """A pane and its frame facing +z, and behind them a room and blocks, wound the other way round."""
    places, normals, colours = [], [], []

    def quad(centre, right, up, colour, turned):
        normal = (right[1] * up[2] - right[2] * up[1], right[2] * up[0] - right[0] * up[2], right[0] * up[1] - right[1] * up[0])
        corners = [(-1, -1), (1, -1), (1, 1), (-1, 1)]
        for a, b in corners[::-1] if turned else corners:
            places.append(tuple(c + a * r + b * u for c, r, u in zip(centre, right, up)))
            normals.append(normalize(normal))
            colours.append(colour)

    def box(centre, half, colour):
        x, y, z = (half, 0, 0), (0, half, 0), (0, 0, half)
        for out, right, up in ((x, z, y), (y, x, z), (z, y, x)):
            for sign in (1, -1):
                # right x up points out of the block on either side.
                across = tuple(-sign * c for c in right)
                quad(tuple(c + sign * o for c, o in zip(centre, out)), across, up, colour, True)

    # The alpha says what a quad is: 0 for the pane, 255 for what has a place in space.
    quad((0, 0, 0), (0.8, 0, 0), (0, 0.8, 0), (0, 0, 0, 0), False)
    gold = (214, 160, 84, 255)
    quad((0, 0.88, 0), (0.96, 0, 0), (0, 0.08, 0), gold, False)
    quad((0, -0.88, 0), (0.96, 0, 0), (0, 0.08, 0), gold, False)
    quad((0.88, 0, 0), (0.08, 0, 0), (0, 0.8, 0), gold, False)
    quad((-0.88, 0, 0), (0.08, 0, 0), (0, 0.8, 0), gold, False)
    wide, deep = 1.7, 1.9
    quad((0, 0, -2 * deep), (wide, 0, 0), (0, wide, 0), (88, 124, 196, 255), True)
    quad((-wide, 0, -deep), (0, 0, -deep), (0, wide, 0), (206, 96, 92, 255), True)
    quad((wide, 0, -deep), (0, 0, deep), (0, wide, 0), (94, 176, 132, 255), True)
    quad((0, -wide, -deep), (wide, 0, 0), (0, 0, -deep), (206, 188, 160, 255), True)
    quad((0, wide, -deep), (wide, 0, 0), (0, 0, deep), (150, 142, 190, 255), True)
    box((-0.7, -0.95, -1.9), 0.42, (238, 176, 80, 255))
    box((0.75, 0.35, -2.7), 0.38, (226, 112, 150, 255))
    box((-0.15, 0.75, -1.5), 0.22, (120, 206, 214, 255))
    write_values("39-portal", "places.txt", places)
    write_values("39-portal", "normals.txt", normals)
    write_values("39-portal", "colours.txt", colours)


def one_bone(bone):
    """Bones and weight of the vertices of a limb that does not bend: the same everywhere."""
    return lambda along: ((bone, bone), 1.0)


def two_bones(first, second, joint, width):
    """Bones of a limb that bends at `joint`, and the weight of the first: it fades from 1 to 0 across `width`."""
    return lambda along: ((first, second), 1.0 - smooth(joint - width / 2.0, joint + width / 2.0, along))


def dome(centre, out, radius, steps):
    """The round end of a limb: (centre, radius) of its rings, from the one next to the rim to the tip."""
    rings = []
    for step in range(1, steps + 1):
        angle = math.pi / 2.0 * (step / steps)
        rings.append((tuple(c + o * radius * math.sin(angle) for c, o in zip(centre, out)), radius * math.cos(angle)))
    return rings


def limb_rings(path, radii, steps, dome_steps, bones_at):
    """Rings of a limb along a line through the points of `path`, which is round at both ends: (centre, radius, skin) of each.

    What `bones_at` is given counts the points: 0 at the first one, 1 at the second.
    """
    segments = len(path) - 1
    start = normalize(tuple(p - q for p, q in zip(path[0], path[1])))
    end = normalize(tuple(p - q for p, q in zip(path[-1], path[-2])))
    rings = [(centre, radius, bones_at(0)) for centre, radius in reversed(dome(path[0], start, radii[0], dome_steps))]
    for step in range(steps + 1):
        along = segments * step / steps
        i = min(int(along), segments - 1)
        centre = mix3(path[i], path[i + 1], along - i)
        radius = mix(radii[i], radii[i + 1], smooth(0.0, 1.0, along - i))  # no edge where two segments meet
        rings.append((centre, radius, bones_at(along)))
    rings += [(centre, radius, bones_at(segments)) for centre, radius in dome(path[-1], end, radii[-1], dome_steps)]
    return rings


def ring_vertices(ring, forward, widening, stretch):
    """(place, normal, bones, weight) around a ring that `forward` goes through, with the first vertex again at the end.

    The ring is an ellipse: `stretch` says how many times its radius it reaches across, and in depth.
    """
    sides = 12
    centre, radius, (bones, weight) = ring
    # Across is the x axis, made perpendicular to the limb: so rings do not twist.
    across = normalize(tuple((1.0 if i == 0 else 0.0) - forward[0] * f for i, f in enumerate(forward)))
    depth = (forward[1] * across[2] - forward[2] * across[1],
             forward[2] * across[0] - forward[0] * across[2],
             forward[0] * across[1] - forward[1] * across[0])
    wide, deep = radius * stretch[0], radius * stretch[1]
    vertices = []
    for side in range(sides + 1):
        angle = 2.0 * math.pi * (side % sides) / sides
        c, s = math.cos(angle), math.sin(angle)
        place = tuple(m + a * wide * c + d * deep * s for m, a, d in zip(centre, across, depth))
        # The normal of the ellipse; at a tip, which is a point, that of a circle.
        out = (c, s) if wide < 1e-5 else normalize((c * deep, s * wide))
        # Where the limb widens, normals look back.
        normal = normalize(tuple(a * out[0] + d * out[1] - f * widening for a, d, f in zip(across, depth, forward)))
        vertices.append((place, normal, bones, weight))
    return vertices


def limb_rows(rings, stretch):
    """The vertices of all rings of a limb. Normals follow from how fast it widens between the two rings beside each."""
    rows = []
    last = len(rings) - 1
    for number, ring in enumerate(rings):
        before, after = rings[max(number - 1, 0)], rings[min(number + 1, last)]
        way = tuple(q - p for p, q in zip(before[0], after[0]))
        widening = (after[1] - before[1]) * (stretch[0] + stretch[1]) / 2.0 / math.sqrt(sum(c * c for c in way))
        # Normals of the tips look along the limb, nearly.
        if number == 0:
            widening = max(widening, 3.0)
        elif number == last:
            widening = -3.0
        rows.append(ring_vertices(ring, normalize(way), widening, stretch))
    return rows


def walker():
    """A figure of clay that stands, as one triangle strip: places, normals, and of each vertex two bones and the first's weight."""
    strip = []

    def limb(path, radii, bones_at, steps, stretch=(1.0, 1.0), dome_steps=4):
        rows = limb_rows(limb_rings(path, radii, steps, dome_steps, bones_at), stretch)
        for row, following in zip(rows, rows[1:]):
            # The last vertex before a row and its first one stand twice: what joins two rows has no area.
            if strip:
                strip.extend((strip[-1], row[0]))
            for pair in zip(row, following):
                strip.extend(pair)

    # The order of bones is the palette's in the scene. Left is +x, and the figure looks along +z.
    pelvis, chest, head = 0, 1, 2
    left, right = (3, 4, 7, 8, 9), (5, 6, 10, 11, 12)
    limb([(0, 0.90, 0), (0, 1.02, 0), (0, 1.14, 0), (0, 1.30, 0.01), (0, 1.42, 0)], [0.125, 0.118, 0.122, 0.150, 0.105],
         two_bones(pelvis, chest, 1.7, 1.6), 12, stretch=(1.15, 0.78))
    limb([(0, 1.44, 0), (0, 1.53, 0.005)], [0.05, 0.05], two_bones(chest, head, 0.5, 0.8), 3, dome_steps=2)  # the neck
    limb([(0, 1.60, 0.015), (0, 1.68, 0.015)], [0.095, 0.105], one_bone(head), 3, stretch=(0.92, 1.05), dome_steps=5)
    for x, (upper_arm, forearm, thigh, shin, foot) in ((1, left), (-1, right)):
        limb([(0.19 * x, 1.42, 0), (0.245 * x, 1.16, 0), (0.27 * x, 0.92, 0.015), (0.272 * x, 0.85, 0.02)],
             [0.062, 0.047, 0.036, 0.043], two_bones(upper_arm, forearm, 1.0, 0.7), 11)
        limb([(0.088 * x, 0.90, 0), (0.105 * x, 0.50, 0), (0.105 * x, 0.10, -0.005)], [0.092, 0.060, 0.042],
             two_bones(thigh, shin, 1.0, 0.5), 12)
        limb([(0.105 * x, 0.05, -0.05), (0.108 * x, 0.045, 0.06), (0.112 * x, 0.033, 0.15)], [0.045, 0.046, 0.030],
             one_bone(foot), 5, dome_steps=3)
    places, normals, bones, weights = zip(*strip)
    write_values("92-bones", "places.txt", places, digits=4)
    write_values("92-bones", "normals.txt", normals)
    write_values("92-bones", "bones.txt", bones)
    write_values("92-bones", "weights.txt", [(weight,) for weight in weights])


MAKERS = {f.__name__: f for f in (bricks, wood, marble, noise, height, dsdt, sky, picture, sprite, icon, vase, gem, sheet, anemone, globe, stars, curves, portal, walker)}


def main():
    os.makedirs(TEXTURES, exist_ok=True)
    os.makedirs(MESHES, exist_ok=True)
    wanted = sys.argv[1:] or list(MAKERS)
    for name in wanted:
        if name not in MAKERS:
            sys.exit(f"nothing is called {name}; there are {', '.join(MAKERS)}")
        MAKERS[name]()


if __name__ == "__main__":
    main()
