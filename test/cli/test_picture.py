# SPDX-License-Identifier: MIT
"""carom picture: a frame of a result as a PNG, and many as an animated one, decoded here by Python's zlib."""
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

# Bodies that stand still at the corners of a box around all others.
POSTS = """\
  - name: low
    mesh: {box: {from: [-3, -3, 0.1], to: [-2.8, -2.8, 0.3], elements: [1, 1, 1]}}
    element: hex8
    material: {linear: {young: 3000, poisson: 0.3, density: 1}}
  - name: high
    mesh: {box: {from: [2.8, 2.8, 3.8], to: [3, 3, 4], elements: [1, 1, 1]}}
    element: hex8
    material: {linear: {young: 3000, poisson: 0.3, density: 1}}
restraints: [{body: low, fix: xyz}, {body: high, fix: xyz}]
"""


def read_chunks(path):
    """Kind and body of each chunk; checks every sum."""
    data = path.read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    at, chunks = 8, []
    while at < len(data):
        (size,) = struct.unpack(">I", data[at:at + 4])
        kind, body = data[at + 4:at + 8], data[at + 8:at + 8 + size]
        (check,) = struct.unpack(">I", data[at + 8 + size:at + 12 + size])
        assert check == zlib.crc32(kind + body)
        chunks.append((kind, body))
        at += 12 + size
    assert chunks[0][0] == b"IHDR" and chunks[-1] == (b"IEND", b"")
    return chunks


def read_moving(path):
    """Width, height, the milliseconds of each frame, and its pixels, three bytes each."""
    chunks = read_chunks(path)
    width, height, *rest = struct.unpack(">IIBBBBB", chunks[0][1])
    assert rest == [8, 3, 0, 0, 0]
    colours = dict(chunks)[b"PLTE"]
    colours = [colours[i:i + 3] for i in range(0, len(colours), 3)]
    assert dict(chunks)[b"tRNS"] == b"\0" and len(colours) <= 256
    count, plays = struct.unpack(">II", dict(chunks)[b"acTL"])
    canvas, frames, times, control, sequence = bytearray(width * height), [], [], None, 0
    for kind, body in chunks:
        if kind in (b"fcTL", b"fdAT"):
            assert struct.unpack(">I", body[:4]) == (sequence,)
            sequence += 1
        if kind == b"fcTL":
            control = struct.unpack(">IIIIHHBB", body[4:])
            times.append(1000 * control[4] / control[5])
        if kind not in (b"IDAT", b"fdAT"):
            continue
        across, down, left, top, _, _, dispose, blend = control
        rows = zlib.decompress(body if kind == b"IDAT" else body[4:])
        assert dispose == 0 and len(rows) == (across + 1) * down and left + across <= width and top + down <= height
        for y in range(down):
            begin = (top + y) * width + left
            assert rows[y * (across + 1)] == 0
            row = rows[y * (across + 1) + 1:(y + 1) * (across + 1)]
            before = canvas[begin:begin + across]
            canvas[begin:begin + across] = bytes(a or b for a, b in zip(row, before)) if blend else row
        assert 0 not in canvas
        frames.append(b"".join(colours[i] for i in canvas))
    assert plays == 0 and count == len(frames) == len(times)
    return width, height, times, frames


def read_png(path):
    """Width, height and rows of bytes."""
    chunks = read_chunks(path)
    width, height, *rest = struct.unpack(">IIBBBBB", chunks[0][1])
    assert rest == [8, 2, 0, 0, 0]
    packed = b"".join(body for kind, body in chunks if kind == b"IDAT")
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
        self.assertIn("bare has no frames to draw", err)

    def test_moving_like_stills(self):
        """Two posts that do not move fix the framing of all frames: each frame has beside its ledger the still picture of its
        time, in at most 255 colours."""
        text = BLOCK.replace("contact:", POSTS + "contact:").replace("every: 10", "every: 25")
        (self.folder / "posts.yaml").write_text(text, encoding="utf-8")
        self.carom("run", "posts.yaml", "-o", "posts", "-q")
        out, _ = self.carom("picture", "posts", "--animate", "moving.png", "--size", "500x200", "--range", "0:200", "--frames",
                            "3", "--seconds", "0.5")
        self.assertRegex(out, r"^moving.png\nvon_mises at time \S+: largest \S+ in block at \[\S+, \S+, \S+\]\n"
                              r"3 frames of 500 x 200 pixels in 0.5\d* s, \d+ colours, 0.\d\d MB\n$")
        width, height, times, frames = read_moving(self.folder / "moving.png")
        self.assertEqual((width, height), (500, 200))
        self.assertTrue(abs(times[0] - 250) < 70 and abs(times[0] + times[1] - 500) <= 1 and times[2] == 1200, times)
        for frame, moment in zip(frames, ("start", 0.2 * times[0] / 500, "end")):
            self.carom("picture", "posts", "-o", "still.png", "--size", "404x200", "--range", "0:200", "--at", moment)
            _, _, rows = read_png(self.folder / "still.png")
            off = [abs(frame[3 * 500 * y + x] - rows[y][x]) for y in range(200) for x in range(3 * 404)]
            self.assertLess(sum(off) / len(off), 1.5, moment)
            self.assertLess(sum(one > 24 for one in off), 0.002 * len(off), moment)
        self.assertEqual(len(set(frames)), 3)

    def test_moving_ledger(self):
        """The bar of kinetic energy, in the blue of its palette, is as long as the share that is left of it."""
        self.carom("picture", "out", "--animate", "moving.png", "--size", "800x500", "--frames", "4")
        _, _, _, frames = read_moving(self.folder / "moving.png")
        with open(self.folder / "out/history.csv", encoding="utf-8") as history:
            names, first, *_, last = (line.strip().split(",") for line in history)
        kinetic = names.index("kinetic")
        row = 3 * 800 * 80
        lengths = [sum(frame[row + x] < 40 and frame[row + x + 2] > 140 for x in range(3 * 565, 3 * 800, 3))
                   for frame in (frames[0], frames[-1])]
        self.assertGreater(lengths[0], 20)
        self.assertAlmostEqual(lengths[1] / lengths[0], float(last[kinetic]) / float(first[kinetic]), delta=2 / lengths[0])

    def test_moving_is_bounded(self):
        """Colours are left out to keep below a bound; the same bytes every time; what cannot be kept is refused."""
        words = ("picture", "out", "--size", "400x250", "--frames", "5", "--animate")
        for name in ("a.png", "b.png"):
            out, _ = self.carom(*words, name)
        data = (self.folder / "a.png").read_bytes()
        self.assertEqual(data, (self.folder / "b.png").read_bytes())
        self.assertIn(f"{len(data) / 1e6:.2f} MB", out)
        out, _ = self.carom(*words, "c.png", "--max-size", str((len(data) - 1) / 1e6))
        self.assertLess((self.folder / "c.png").stat().st_size, len(data))
        self.assertRegex(out, r" (127|63|31|15) colours")
        read_moving(self.folder / "c.png")
        _, err = self.carom(*words, "d.png", "--max-size", "0.001", code=2)
        self.assertRegex(err, r"d.png would have 0.\d+ MB with 16 colours, above the limit of 0.001 MB: take fewer than 5 "
                              r"frames, or fewer than 400 x 250 pixels\n")
        self.assertFalse((self.folder / "d.png").exists())

    def test_moving_bad_arguments(self):
        for words, message in (
                (["--animate", "a.gif"], "expected a name that ends in .png, found 'a.gif'"),
                (["--animate", "out/fields.png", "--frames", "1"], "--frames expects a number from 2 to 1000, found '1'"),
                (["--animate", "a.png", "--frames", "2.5"], "--frames expects"),
                (["--animate", "a.png", "--seconds", "0"], "--seconds expects a number > 0, at most 60, found '0'"),
                (["--animate", "a.png", "--seconds", "long"], "--seconds expects"),
                (["--animate", "a.png", "--max-size", "-1"], "--max-size expects a number of megabytes > 0, found '-1'"),
                (["--animate", "a.png", "--at", "end"], "--at is an option of still pictures: remove it, or remove --animate"),
                (["--animate", "a.png", "-o", "b.png"], "--output is an option of still pictures"),
                (["--frames", "10"], "--frames is an option of moving pictures: add --animate FILE.png"),
                (["--animate", "no/where/a.png", "--frames", "2", "--size", "200x200"], "cannot write no/where/a.png"),
        ):
            _, err = self.carom("picture", "out", *words, code=2)
            self.assertIn(message, err)
        self.carom("run", "block.yaml", "-o", "bare", "-q", "--set", "output.fields.every=0")
        _, err = self.carom("picture", "bare", "--animate", "a.png", code=2)
        self.assertIn("bare has no frames to draw", err)
        history = self.folder / "out/history.csv"
        history.write_text(history.read_text(encoding="utf-8").split("\n")[0] + "\n", encoding="utf-8")
        _, err = self.carom("picture", "out", "--animate", "a.png", code=2)
        self.assertIn("out/history.csv has no rows", err)

    def test_moving_interrupted(self):
        """SIGINT: exit code 130, a sentence, and no file."""
        process = self.start("picture", "out", "--animate", "a.png", "--size", "2400x1500")
        cli.wait_for(lambda: cli.spent(process.pid) > 0.3)
        err, _ = self.interrupt(process)
        self.assertEqual((process.returncode, err), (130, "carom: error: interrupted; a.png is not written\n"))
        self.assertEqual([path.name for path in self.folder.glob("a.png*")], [])

    def test_bars(self):
        """Bars, and a point beside them; the field is one that bars have."""
        self.carom("run", self.scene(end=20, frames=40), "-o", "bars", "-q")
        out, _ = self.carom("picture", "bars", "--size", "300x200")
        self.assertIn("axial_strain at time", out)


if __name__ == "__main__":
    cli.main()
