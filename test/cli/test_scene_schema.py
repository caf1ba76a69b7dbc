#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The JSON Schema agrees with the reader: each value of a scene is replaced by many others; both accept the result, or neither.

The reader may refuse more than a schema can say (a body that does not exist), so such findings are left out.
"""
import copy
import json
import os
import re
import subprocess
import tempfile
import unittest
from pathlib import Path

CAROM = Path(os.environ.get("CAROM", "build/carom")).resolve()

SCENE = {
    "schema": 1,
    "title": "Everything",
    "units": {"length": "mm", "mass": "t", "time": "\u00b5s"},
    "integrator": {"newmark-dcr": {}},
    "time": {"end": 1, "step": 0.1, "safety": 0.5, "on_event": "stop"},
    "gravity": [0, 0, -9.81],
    "bodies": [
        {
            "name": "left",
            "mesh": {"line": {"from": [0, 0, 0], "to": [4, 0, 0], "elements": 4, "grading": "end"}},
            "fix": False,
            "renumber": False,
            "place": {"scale": [1, 1, 1], "axis": [0, 0, 1], "angle": 360, "translate": [0, 0, 0]},
            "array": {"copies": [1, 1, 1], "spacing": [0, 0, 0]},
            "element": {"bar": {"area": 1, "strain": "green"}},
            "material": {"linear": {"young": 1, "poisson": 0.3, "density": 1}},
            "velocity": [1, 0, 0],
            "damping": {"mass": 0.5, "stiffness": 0.001},
        },
        {"name": "ball", "mesh": {"point": {"at": [9, 0, 0]}}, "element": {"point-mass": {"mass": 1}},
         "place": [{"scale": [1, 1, 1]}, {"angle": 90, "axis": [1, 0, 0], "about": "center"}, {"angle": 1, "through": [9, 0, 0]},
                   {"translate": [1, 0, 0]}, {"center": [9, 0, 0]}, {"on": "wall", "gap": 14}]},
    ],
    "restraints": [
        {"body": "left", "set": "start", "fix": "xy"},
        {"body": "left", "node": 1, "plane": [0, 0, 1]},
        {"body": "left", "node": 2, "line": [1, 0, 0]},
        {"body": "left", "node": 3, "directions": [[1, 1, 0], [0, 0, 1]], "velocity": [1, 0, 0], "ramp": 0.5,
         "history": [[0, 1], [2, 0.5]]},
        {"body": "ball", "in_box": {"low": [8, -1, -1], "high": [10, 1, 1]}, "fix": "z"},
        {"body": "ball", "in_sphere": {"center": [9, 0, 0], "radius": 1}, "fix": "y", "velocities": [[0, 0, 0, 0], [1, 0, 2, 0]]},
    ],
    "loads": [
        {"body": "left", "set": "end", "force": [0, 0, 1]},
        {"body": "left", "on_plane": {"point": [0, 0, 0], "normal": [0, 1, 0], "within": 0.5}, "force": [0, 0, 1]},
        {"body": "left", "nearest": {"to": [4, 0, 0]}, "force": [0, 0, 1]},
        {"body": "ball", "acceleration": [0, 0, 1], "ramp": 1, "history": [[0, 0], [1, -1]]},
    ],
    "contact": {
        "restitution": 0.5,
        "friction": 0,
        "resolve": "exact",
        "thickness": 0.01,
        "self": False,
        "planes": [{"name": "wall", "point": [-5, 0, 0], "normal": [1, 0, 0]}],
        "pairs": [{"bodies": ["ball", "wall"], "touch": False}, {"bodies": ["left", "left"], "restitution": 1, "friction": "auto"}],
    },
    "output": {
        "directory": "out/x",
        "history": {"every": 10, "bodies": True, "pairs": True},
        "contacts": {"every": 3},
        "fields": {"every": "auto", "format": "vtu"},
        "checkpoint": {"every": 0, "minutes": 0.5},
        "probes": [{"name": "tip", "body": "left", "set": "end", "record": ["velocity"]}],
    },
    "expect": {"energy_error": "< 0.01", "intersections": 0, "last_contact": "1 .. 2", "tip.vx": ">= -1e3",
               "steps": {"gate": "> 1", "exact": 3, "source": "time over step"},
               "friction_loss": {"gate": 0, "published": 0, "source": "somewhere"}},
}

OTHERS = [None, True, False, -1, 0, 1, 2, 0.5, 1e9, 1e18, "", "x", "xx", "auto", "1", "< 1", "left", "bar", "point-mass",
          "linear", "newmark-dcr", "x" * 64, "x" * 1024, [], {}, [1], [0, 0, 0], [1, 2, 3], [1, "2", 3], [[0, 0, 1]],
          [[0, 0, 0]], ["velocity", "velocity"], {"x": 1}, {"bar": {}}, {"line": {}}, {"linear": {"young": 1, "density": 1}}]

# messages of the reader about errors that a schema cannot express
BEYOND = re.compile(
    r"`low` is above `high`|there is no body|has no set|has nodes|also the name|has no material|needs one|depends linearly on those before|stable step|same point"
    r"|is made of|has length 0|is selected|two bodies are named|behind plane|overlap|nothing is elastic|cannot write VTKHDF|too many|restrained twice"
    r"|times must ascend|only together with `velocity`|a pressure other than 0|already defines the whole motion|only together with `pressure`|need faces|has no faces|at most \d+ bytes"
    r"|unknown result '\S+\.\S+'|are too many \(at most 9e15|friction|there is no contact plane|nothing is turned|must be the last step"
    r"|already defines the (?:position|axis)|a gap needs a plane")

ANNOTATIONS = {"$schema", "title", "description", "default"}
TYPES = {
    "object": lambda v: isinstance(v, dict),
    "array": lambda v: isinstance(v, list),
    "string": lambda v: isinstance(v, str),
    "boolean": lambda v: isinstance(v, bool),
    "number": lambda v: isinstance(v, (int, float)) and not isinstance(v, bool),
    "integer": lambda v: isinstance(v, (int, float)) and not isinstance(v, bool) and v == int(v),
}


def same(a, b):
    return a == b and isinstance(a, bool) == isinstance(b, bool)


def valid(schema, value):
    """The part of JSON Schema that carom writes; an unknown word is an error of this test."""
    number, text = TYPES["number"](value), isinstance(value, str)
    for word, argument in schema.items():
        if word in ANNOTATIONS:
            continue
        elif word == "type":
            good = any(TYPES[t](value) for t in ([argument] if isinstance(argument, str) else argument))
        elif word == "enum":
            good = any(same(value, a) for a in argument)
        elif word == "const":
            good = same(value, argument)
        elif word == "anyOf":
            good = any(valid(s, value) for s in argument)
        elif word == "oneOf":
            good = sum(valid(s, value) for s in argument) == 1
        elif word == "not":
            good = not valid(argument, value)
        elif word == "minimum":
            good = not number or value >= argument
        elif word == "maximum":
            good = not number or value <= argument
        elif word == "exclusiveMinimum":
            good = not number or value > argument
        elif word == "exclusiveMaximum":
            good = not number or value < argument
        elif word == "minLength":
            good = not text or len(value) >= argument
        elif word == "maxLength":
            good = not text or len(value) <= argument
        elif word == "pattern":
            good = not text or re.search(argument, value) is not None
        elif word == "minItems":
            good = not isinstance(value, list) or len(value) >= argument
        elif word == "maxItems":
            good = not isinstance(value, list) or len(value) <= argument
        elif word == "uniqueItems":
            good = not isinstance(value, list) or len({json.dumps(v) for v in value}) == len(value)
        elif word == "items":
            good = not isinstance(value, list) or all(valid(argument, v) for v in value)
        elif word == "contains":
            good = not isinstance(value, list) or any(valid(argument, v) for v in value)
        elif word == "minProperties":
            good = not isinstance(value, dict) or len(value) >= argument
        elif word == "maxProperties":
            good = not isinstance(value, dict) or len(value) <= argument
        elif word == "required":
            good = not isinstance(value, dict) or all(k in value for k in argument)
        elif word == "properties":
            good = not isinstance(value, dict) or all(valid(s, value[k]) for k, s in argument.items() if k in value)
        elif word == "patternProperties":
            good = not isinstance(value, dict) or all(
                valid(s, v) for p, s in argument.items() for k, v in value.items() if re.search(p, k))
        elif word == "additionalProperties":
            assert argument is False
            known = schema.get("properties", {})
            patterns = schema.get("patternProperties", {})
            good = not isinstance(value, dict) or all(k in known or any(re.search(p, k) for p in patterns) for k in value)
        else:
            raise AssertionError(f"unknown word {word} in the schema")
        if not good:
            return False
    return True


def places(value, path=()):
    """The path of every value in a scene."""
    yield path
    members = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, member in members:
        yield from places(member, path + (key,))


def variants():
    """The scene with one value replaced, one key left out, or one key too many."""
    yield "as it is", SCENE
    for path in places(SCENE):
        name = ".".join(map(str, path)) or "everything"
        for other in OTHERS if path else []:
            scene = copy.deepcopy(SCENE)
            at = scene
            for key in path[:-1]:
                at = at[key]
            at[path[-1]] = other
            yield f"{name} = {json.dumps(other)[:40]}", scene
        scene = copy.deepcopy(SCENE)
        at = scene
        for key in path:
            at = at[key]
        if isinstance(at, dict):
            for key in list(at):
                fewer = copy.deepcopy(SCENE)
                inner = fewer
                for step in path:
                    inner = inner[step]
                del inner[key]
                yield f"{name} without {key}", fewer
            at["surplus"] = 1
            yield f"{name} with a surplus key", scene


class Schema(unittest.TestCase):
    maxDiff = None

    def test_agrees_with_reader(self):
        schema = json.loads(subprocess.run([CAROM, "schema"], capture_output=True, check=True).stdout)
        self.assertEqual(schema["$schema"], "https://json-schema.org/draft/2020-12/schema")
        named = list(variants())
        self.assertGreater(len(named), 1000)
        with tempfile.TemporaryDirectory() as folder:
            files = [f"{i}.json" for i in range(len(named))]
            for file, (_, scene) in zip(files, named):
                Path(folder, file).write_text(json.dumps(scene))
            good, findings = set(), {}
            for start in range(0, len(files), 500):
                done = subprocess.run([CAROM, "check", *files[start:start + 500]], cwd=folder, capture_output=True, text=True)
                good |= {line.split(":")[0] for line in done.stdout.splitlines()}
                for line in done.stderr.splitlines():
                    findings.setdefault(line.split(":")[0], []).append(line)

        wrong, counts = [], {True: 0, False: 0}
        for file, (name, scene) in zip(files, named):
            by_schema, by_reader = valid(schema, scene), file in good
            counts[by_schema] += 1
            self.assertNotEqual(by_reader, file in findings, name)
            beyond = all(BEYOND.search(line) for line in findings.get(file, []))
            if by_schema != by_reader and not (by_schema and beyond):
                wrong.append(f"{name}: the schema says {by_schema}, the reader {by_reader}: {findings.get(file, '')}")
        self.assertEqual("\n".join(wrong), "")
        self.assertGreater(counts[True], 100)
        self.assertGreater(counts[False], 1000)


if __name__ == "__main__":
    unittest.main()
