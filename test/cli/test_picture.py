# SPDX-License-Identifier: MIT
"""carom picture: a frame of a result as a PNG, decoded here by Python's zlib."""
import struct
import zlib

import cli

BLOCK = """\
title: A block on a floor
integrator: newmark-dcr
time: {end: 0.2, step: auto}
gravity: [0, 0, -10]
bodies:
  - name: block
    mesh: {box: {from: [-1, -1, 0.02], to: [1, 1, 2.02], elements: [3, 3, 3]}}
    element: hex8
    material: {neo-hookean: {young: 3000, poisson: 0.3, density: 1}}
    velocity: [0, 0, -2]
  - name: ball
    mesh: {point: {at: [0, 0, 2.5]}}
    element: {point-mass: {mass: 0.5}}
contact: {restitution: 0, planes: [{name: floor, normal: [0, 0, 1]}]}
output: {fields: {every: 10}}
"""


def read_png(path):
    """Width, height and rows of bytes; checks every sum."""
    data = path.read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    at, packed, kinds = 8, b"", []
    while at < len(data):
        (size,) = struct.unpack(">I", data[at:at + 4])
        kind, body = data[at + 4:at + 8], data[at + 8:at + 8 + size]
        (check,) = struct.unpack(">I", data[at + 8 + size:at + 12 + size])
        assert check == zlib.crc32(kind + body)
        kinds.append(kind)
        if kind == b"IHDR":
            width, height, *rest = struct.unpack(">IIBBBBB", body)
            assert rest == [8, 2, 0, 0, 0]
        if kind == b"IDAT":
            packed += body
        at += 12 + size
    assert kinds[0] == b"IHDR" and kinds[-1] == b"IEND"
    raw, rows, above = zlib.decompress(packed), [], bytearray(3 * width)
    assert len(raw) == (3 * width + 1) * height
    for y in range(height):
        begin = y * (3 * width + 1)
        kind, row = raw[begin], bytearray(raw[begin + 1:begin + 1 + 3 * width])
        for x in range(3 * width):
            a, b, c = (row[x - 3], above[x], above[x - 3]) if x >= 3 else (0, above[x], 0)
            if kind == 4:
                p = a + b - c
                guess = min((abs(p - a), 0, a), (abs(p - b), 1, b), (abs(p - c), 2, c))[2]
            else:
                guess = (0, a, b, (a + b) // 2)[kind]
            row[x] = (row[x] + guess) & 255
        rows.append(row)
        above = row
    return width, height, rows


class Picture(cli.CommandTest):
    def setUp(self):
        super().setUp()
        (self.folder / "block.yaml").write_text(BLOCK, encoding="utf-8")
        self.carom("run", "block.yaml", "-o", "out", "-q")

    def test_pixels(self):
        """From the front: the block in the middle, the sky above it, the floor below, the ball plain, since it has no stress."""
        out, _ = self.carom("picture", "out", "-o", "part.png", "--view", "y", "--size", "400x250", "--range", "0:1e9")
        self.assertRegex(out, r"^part.png\nvon_mises at time \S+: largest \S+ in block at \[\S+, \S+, \S+\], smallest \S+\n$")
        width, height, rows = read_png(self.folder / "part.png")
        self.assertEqual((width, height), (400, 250))

        def pixel(x, y):
            return tuple(rows[y][3 * x:3 * x + 3])

        # the block fills the room between the margins: its middle has the first colour of the map, shaded, more blue than red
        red, green, blue = pixel(175, 150)
        self.assertTrue(blue > red > green and blue < 110, pixel(175, 150))
        # above it the sky is almost white, left and right of the block as well
        for place in ((380, 5), (10, 120)):
            self.assertTrue(min(pixel(*place)) > 235, place)
        # below the floor it is grey
        red, green, blue = pixel(175, 235)
        self.assertTrue(abs(red - blue) < 8 and 100 < red < 225, pixel(175, 235))
        # the bar beside it goes from the first colour to the last, from below to above
        bar = [pixel(345, y) for y in range(61, 184)]
        self.assertGreater(bar[0][0], 235)
        self.assertTrue(bar[-1][2] > bar[-1][0] and bar[0][0] > bar[0][2])

    def test_default_place_and_moments(self):
        out, _ = self.carom("picture", "out", "--size", "240x200")
        self.assertTrue(out.startswith("out/picture.png\n"))
        peak = float(out.split("largest ")[1].split()[0])
        for moment in ("start", "end", "0.1"):
            out, _ = self.carom("picture", "out", "--at", moment, "--size", "240x200", "--edges", "--field", "von_mises")
            self.assertLessEqual(float(out.split("largest ")[1].split()[0]), peak)
        out, _ = self.carom("picture", "out", "--at", "start", "--size", "240x200", "--field", "speed", "--view=-30,40")
        self.assertIn("speed at time 0: largest 2 in block", out)

    def test_same_bytes(self):
        for name in ("a.png", "b.png"):
            self.carom("picture", "out", "-o", name, "--size", "300x200")
        self.assertEqual((self.folder / "a.png").read_bytes(), (self.folder / "b.png").read_bytes())

    def test_bad_arguments(self):
        for words, message in (
                (["--at", "noon"], "--at expects peak, start, end or a time, found 'noon'"),
                (["--at", "nan"], "--at expects"),
                (["--view", "top"], "--view expects iso, x, y, z or AZIMUTH,ELEVATION"),
                (["--view=10,95"], "--view expects"),
                (["--size", "1600"], "--size expects WIDTHxHEIGHT of 200 to 8000 pixels"),
                (["--size", "1600x90000"], "--size expects"),
                (["--size", "300.5x300"], "--size expects"),
                (["--range", "5:1"], "--range expects LOW:HIGH"),
                (["--field", "von_mise"], "have no field 'von_mise' (did you mean 'von_mises'?); there are "),
                (["-o", "part.jpg"], "expected a name that ends in .png"),
                (["-o", "no/where/part.png"], "cannot write no/where/part.png"),
        ):
            _, err = self.carom("picture", "out", *words, code=2)
            self.assertIn(message, err)
        _, err = self.carom("picture", "nothing", code=2)
        self.assertIn("cannot read nothing", err)

    def test_without_frames(self):
        self.carom("run", "block.yaml", "-o", "bare", "-q", "--set", "output.fields.every=0")
        _, err = self.carom("picture", "bare", code=2)
        self.assertIn("bare holds no frames to draw", err)

    def test_bars(self):
        """Bars, and a point beside them; the field is one that bars have."""
        self.carom("run", self.scene(end=20, frames=40), "-o", "bars", "-q")
        out, _ = self.carom("picture", "bars", "--size", "300x200")
        self.assertIn("axial_strain at time", out)


if __name__ == "__main__":
    cli.main()
