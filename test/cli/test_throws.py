# SPDX-License-Identifier: MIT
"""Bodies without faces are thrown at bodies with faces: none passes, or the method refuses to start.

A throw is a point mass, a bar or a beam that flies at a random place of a random face, at 0.1 to 10 body lengths a step. The
judge shares nothing with carom: the target is so heavy that its face stays where it is, and a node that ends behind that face
has passed. By itself:

    test/cli/test_throws.py --count 1000 --seed 1 [--method newmark-dcr ...] [--keep FOLDER]
"""
import argparse
import csv
import math
import random
import subprocess
import sys
import tempfile
from pathlib import Path

import cli

STEP = 0.05
LENGTH = 0.5  # of a bar, and the thickness of a brick
DEEPEST = 1e-6  # how far a face may have moved, in the units of the targets, which measure 2
# A path that enters near the rim of a face and leaves through the side of the body is no passage for methods that look at the
# ends of a step: for nonsmooth-newmark within a tenth, a rule of its own; for energy-momentum what lies within its reach, up
# to a fifth of the targets, is overlap with the side.
RIM = {"nonsmooth-newmark": 0.1, "energy-momentum": 0.21}
# These leave an overlap of about the way of a step: a node has passed if it is twice as deep, or comes out behind.
OVERLAP = ("projection", "constant", "adaptive", "sequential", "energy-momentum")

METHODS = {
    "newmark-dcr": "newmark-dcr",
    "projection": "newmark-dcr",
    "asynchronous": "asynchronous",
    "constant": "{asynchronous: {contact: constant}}",
    "adaptive": "{asynchronous: {contact: adaptive}}",
    "sequential": "{asynchronous: {contact: sequential-synchronous}}",
    "energy-momentum": "energy-momentum",
    "nonsmooth-newmark": "nonsmooth-newmark",
    "multisymplectic": "multisymplectic",
}

# mesh, element, highest coordinate along the axis of the throw, lowest
TARGETS = {
    "brick": ("{box: {from: [-1, -1, -0.25], to: [1, 1, 0.25], elements: [3, 3, 1]}}", "hex8", 0.25, -0.25),
    "tets": ("{box: {from: [-1, -1, -0.25], to: [1, 1, 0.25], elements: [3, 3, 1], cells: tet4}}", "tet4", 0.25, -0.25),
    "sheet": ("{rectangle: {from: [-1, -1, 0], to: [1, 1, 0], columns: 3, rows: 3, cells: tri3}}",
              "{loop-shell: {thickness: 0.05}}", 0, 0),
    "plane": ("{rectangle: {from: [-1, -0.25, 0], to: [1, 0.25, 0], columns: 4, rows: 1}}", "{quad4: {plane: strain}}",
              0.25, -0.25),
}


def rotate(axis, angle, v):
    """Rodrigues."""
    c, s = math.cos(angle), math.sin(angle)
    k = axis
    cross = (k[1] * v[2] - k[2] * v[1], k[2] * v[0] - k[0] * v[2], k[0] * v[1] - k[1] * v[0])
    along = sum(a * b for a, b in zip(k, v)) * (1 - c)
    return [c * v[i] + s * cross[i] + along * k[i] for i in range(3)]


class Throw:
    """A random scene and its judge."""

    def __init__(self, rng, method, kind=None):
        self.method = method
        self.kind = kind or rng.choices(["point", "bar", "beam"], [45, 45, 10])[0]
        self.target = rng.choice(list(TARGETS))
        mesh, element, high, low = TARGETS[self.target]
        flat = self.target == "plane"
        up = 1 if flat else 2  # the axis across the face
        self.side = rng.choice([1, -1])
        self.face = high if self.side > 0 else low
        self.ratio = 10 ** rng.uniform(-1, 1)
        speed = self.ratio * LENGTH / STEP
        # a slow flight is short, so that all fit into a few dozen steps
        aim = [rng.uniform(-0.5, 0.5) if rng.random() < 0.8 else rng.choice([-1 / 3, 0, 1 / 3]) for _ in range(3)]
        aim[up] = self.face
        tilt = [rng.uniform(-0.5, 0.5) for _ in range(3)]
        tilt[up] = -self.side
        if flat:
            aim[2] = tilt[2] = 0
        size = math.sqrt(sum(t * t for t in tilt))
        velocity = [speed * t / size for t in tilt]
        away = rng.uniform(0.05, 0.6)  # of the nearest node
        start = [aim[i] + away * self.side * (i == up) - (0 if i == up else tilt[i] * away) for i in range(3)]
        nodes = [start]
        if self.kind != "point":
            lean = [rng.uniform(-1, 1) for _ in range(3)]
            lean[up] = self.side * rng.uniform(0, 1)
            if flat:
                lean[2] = 0
            size = math.sqrt(sum(t * t for t in lean)) or 1
            nodes.append([start[i] + LENGTH * lean[i] / size for i in range(3)])
        axis, self.angle = [0, 0, 1], rng.uniform(0, 360)
        if not flat:
            axis = [rng.gauss(0, 1) for _ in range(3)]
            size = math.sqrt(sum(a * a for a in axis))
            axis = [a / size for a in axis]
        self.axis = axis
        turn = math.radians(self.angle)
        nodes = [rotate(axis, turn, p) for p in nodes]
        velocity = rotate(axis, turn, velocity)
        steps = max(4, math.ceil(3 * (away + LENGTH) / self.ratio / LENGTH))
        self.deepest = min(max(high - low, DEEPEST), 2 * speed * STEP) if method in OVERLAP else DEEPEST
        self.count = 1 if self.kind == "point" else 3
        restitution = 1 if method == "multisymplectic" else rng.choice([0, 0.5, 1])
        friction = 0 if method == "multisymplectic" else rng.choice([0, 0, 0.3])
        if method == "energy-momentum" or method == "nonsmooth-newmark":
            restitution = 0 if method == "nonsmooth-newmark" else 1
        thrown = {
            "point": "mesh: {point: {at: %s}}, element: {point-mass: {mass: 1.0e-9}}",
            "bar": "mesh: {line: {from: %s, to: %s, elements: 2}}, element: {bar: {area: 1}}, "
                   "material: {linear: {young: 1.0e-9, density: 1.0e-9}}",
            "beam": "mesh: {line: {from: %s, to: %s, elements: 2}}, element: {exact-beam: {section: circle, radius: 0.05}}, "
                    "material: {linear: {young: 1.0e-9, density: 1.0e-9}}",
        }[self.kind] % tuple(nodes)
        probes = ", ".join("{name: n%d, body: thrown, node: %d, record: [position]}" % (k, k) for k in range(self.count))
        more = ", resolve: projection" if method == "projection" else ""
        target = ("{name: target, mesh: %s, element: %s, material: {st-venant-kirchhoff: {young: 1, poisson: 0.3, density: 1}}, "
                  "place: {axis: %s, angle: %r}}" % (mesh, element, axis, self.angle))
        bodies = [target, "{name: thrown, %s, velocity: %s}" % (thrown, velocity)]
        if rng.random() < 0.5:
            bodies.reverse()
        self.text = ("title: throw\nintegrator: %s\ntime: {end: %r, step: %r}\nbodies:\n  - %s\n  - %s\n"
                     "contact: {restitution: %s, friction: %s%s}\noutput: {fields: {every: 0}, history: {every: 1}, "
                     "probes: [%s]}\n" % (METHODS[method], steps * STEP, STEP, bodies[0], bodies[1], restitution, friction,
                                          more, probes))

    def local(self, place):
        """Height over the face, on the side of the throw, and the coordinates in the face, which ends at -1 and 1."""
        v = rotate(self.axis, -math.radians(self.angle), place)
        across = 1 if self.target == "plane" else 2
        return [self.side * (v[across] - self.face)] + v[:across]

    def judge(self, folder):
        """'refused', 'stopped', 'bounced', 'missed' (beside the face) or 'passed', and the message or the height."""
        scene = Path(folder) / "throw.yaml"
        scene.write_text(self.text, encoding="utf-8")
        done = subprocess.run([cli.CAROM, "run", str(scene), "-o", str(Path(folder) / "out"), "-q", "--threads", "1"],
                              capture_output=True, text=True, check=False, timeout=300)
        message = (done.stderr.strip().splitlines() or [""])[-1]
        if done.returncode == 2:
            return "refused", message
        with open(Path(folder) / "out" / "probes.csv", encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        missed = False
        for k in range(self.count):
            path = [self.local([float(row["n%d.%s" % (k, c)]) for c in "xyz"]) for row in rows]
            for before, after in zip(path, path[1:]):
                if before[0] < -self.deepest or after[0] >= -self.deepest:
                    continue
                # where the straight path gets too deep; beside the face it is no contact
                part = (before[0] + self.deepest) / (before[0] - after[0])
                across = [abs(p + part * (q - p)) for p, q in zip(before[1:], after[1:])]
                if max(across) <= 1 - RIM.get(self.method, 0) and done.returncode == 0:
                    return "passed", "node %d, height %g, %s" % (k, after[0], message)
                missed = True
        if missed and not done.returncode:
            return "missed", ""
        return ("stopped", message) if done.returncode else ("bounced", "")


def throw(method, count, seed, folder, keep=None, kind=None):
    """Throws at all; returns how often what happened, and the failures."""
    rng = random.Random("%s %s" % (seed, method))
    tally, passed, messages = {}, [], {}
    for i in range(count):
        one = Throw(rng, method, kind)
        what, message = one.judge(folder)
        key = (what, one.kind, one.target)
        tally[key] = tally.get(key, 0) + 1
        if what == "passed":
            passed.append("%d: %s at %s, %.3g lengths a step: %s" % (i, one.kind, one.target, one.ratio, message))
        if keep and what in ("passed", "stopped"):
            Path(keep).mkdir(parents=True, exist_ok=True)
            (Path(keep) / ("%s_%s_%d.yaml" % (what, method, i))).write_text(one.text, encoding="utf-8")
        if what in ("refused", "stopped"):
            short = message.split("error: ")[-1][:150]
            messages.setdefault((what, one.kind, one.target), short)
    return tally, passed, messages


CORE = """\
title: the core of a ball at a plane
integrator: newmark-dcr
time: {end: 1, safety: 0.5}
bodies:
  - name: ball
    mesh: {ball: {center: [0, 0, 1.1], radius: 1, divisions: 2, layers: 2}}
    element: hex8
    material: {linear: {young: 1, density: 1}}
    velocity: [0, 0, -3]
contact: {planes: [{name: floor, normal: [0, 0, 1]}]}
"""

BARS = """\
title: two equal bars, by looking
integrator: {asynchronous: {contact: constant}}
time: {end: 24, step: auto}
bodies:
  - name: left
    mesh: {box: {from: [-10.0005, 0, 0], to: [-0.0005, 1, 1], elements: [20, 2, 2]}}
    element: hex8
    material: {linear: {young: 1, poisson: 0.3, density: 1}}
    velocity: [0.1, 0, 0]
  - name: right
    mesh: {box: {from: [0.0005, 0, 0], to: [10.0005, 1, 1], elements: [20, 2, 2]}}
    element: hex8
    material: {linear: {young: 1, poisson: 0.3, density: 1}}
    velocity: [-0.1, 0, 0]
contact: {restitution: 1}
output: {fields: {every: 0}, contacts: true}
"""


class Crossed(cli.CommandTest):
    """Nodes that contact did not see, and faces that it should not see."""

    def write(self, text):
        path = self.folder / "scene.yaml"
        path.write_text(text, encoding="utf-8")
        return path

    def test_core(self):
        """Nodes inside a solid do not pass a plane in silence, not even for a step, and the penetration counts them."""
        path = self.write(CORE)
        done = subprocess.run([cli.CAROM, "run", str(path), "-q", "-o", str(self.folder / "out")], capture_output=True, text=True,
                              check=False)
        self.assertEqual(done.returncode, 3)
        self.assertRegex(done.stderr, r"node \d+ inside body 'ball' is 0\.\d+ behind plane 'floor' at time \S+ \(step 2\)")
        self.carom("run", path, "-q", "-o", "warned", "--set", "time.on_event=warn")
        summary = cli.result(self.folder / "warned")
        self.assertGreater(summary["max_penetration"], 1)
        self.assertGreater(summary["events"]["inverted_element"], 0)

    def test_equal_bars(self):
        """Looking takes the ends of equal bars, not their flanks; without restitution the first bricks lose (h1 + h2)/(4 L)."""
        path = self.write(BARS)
        for contact in ("constant", "adaptive", "sequential-synchronous"):
            # elastic bars rattle: where no end supports a node a flank may push it, which is a few percent of the hits
            for restitution, least, most, flanks in ((0, -0.026, -0.024, 0), (1, -0.002, 0.002, 0.08)):
                self.carom("run", path, "-q", "-o", "out", "--set", "integrator.asynchronous.contact=%s" % contact, "--set",
                           "contact.restitution=%d" % restitution)
                with open(self.folder / "out" / "contacts.csv", encoding="utf-8", newline="") as file:
                    hits = list(csv.DictReader(file))
                self.assertGreater(len(hits), 100)
                across = [hit for hit in hits if abs(float(hit["normal_x"])) < 0.7]
                self.assertLessEqual(len(across), flanks * len(hits), (contact, restitution))
                with open(self.folder / "out" / "history.csv", encoding="utf-8", newline="") as file:
                    rows = list(csv.DictReader(file))
                change = float(rows[-1]["total"]) / float(rows[0]["total"]) - 1
                self.assertTrue(least < change < most, (contact, restitution, change))


class Throws(cli.CommandTest):
    COUNT = 50

    def check(self, method, *refused):
        tally, passed, _ = throw(method, self.COUNT, 1, self.folder)
        self.assertEqual(passed, [])
        for what, kind, target in tally:
            if what == "refused":
                self.assertTrue({kind, target, "all"} & {"beam", *refused}, (method, kind, target))
        bounced = sum(n for (what, _, _), n in tally.items() if what == "bounced")
        self.assertTrue("all" in refused or bounced > 0, tally)


for _method in METHODS:
    _refused = {"multisymplectic": ["all"], "constant": ["sheet"], "adaptive": ["sheet"], "sequential": ["sheet"],
                "energy-momentum": ["sheet"], "projection": ["bar"]}.get(_method, [])
    setattr(Throws, "test_" + _method.replace("-", "_"),
            lambda self, method=_method, refused=tuple(_refused): self.check(method, *refused))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, required=True)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--method", action="append", choices=list(METHODS))
    parser.add_argument("--kind", choices=["point", "bar", "beam"])
    parser.add_argument("--keep", help="folder for the scenes that passed or stopped")
    args = parser.parse_args()
    failures = 0
    for method in args.method or METHODS:
        with tempfile.TemporaryDirectory(prefix="carom-throws-") as folder:
            tally, passed, messages = throw(method, args.count, args.seed, folder, args.keep, args.kind)
        failures += len(passed)
        total = {}
        for (what, _, _), n in tally.items():
            total[what] = total.get(what, 0) + n
        print(method, total)
        for key in sorted(tally):
            print("   ", *key, tally[key], messages.get(key, ""))
        for line in passed[:10]:
            print("    PASSED", line)
    return 1 if failures else 0


if __name__ == "__main__":
    if any(word.startswith("--count") for word in sys.argv):
        sys.exit(main())
    cli.main()
