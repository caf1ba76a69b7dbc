# SPDX-License-Identifier: MIT
"""Bodies that cannot yield close on each other, or on a body between them: by every method the run ends, and names them."""
import json
import math
import re

import cli

EXPLICIT = ("newmark-dcr", "asynchronous")
METHODS = EXPLICIT + ("nonsmooth-newmark", "energy-momentum")
LAWS = {"energy-momentum": {"restitution": 1}}
RUBBER = {"neo-hookean": {"young": 100, "poisson": 0.3, "density": 1}}
FLOOR = {"planes": [{"name": "floor", "normal": [0, 0, 1]}]}

# What lies between the plates, each with the methods whose contact squeezes it until nothing is left; `far` is beside them.
BETWEEN = {
    "point": ({"mesh": {"point": {"at": [0.1, 0.2, 0.5]}}, "element": {"point-mass": {"mass": 1}}}, METHODS[:3]),
    "bar": ({"mesh": {"line": {"from": [-0.1, 0.1, 0.2], "to": [0.1, 0.2, 0.8], "elements": 4}}, "element": {"bar": {"area": 0.01}},
             "material": {"linear": {"young": 100, "density": 1}}}, METHODS[:3]),
    "sheet": ({"mesh": {"rectangle": {"from": [-0.4, -0.4, 0.5], "to": [0.4, 0.4, 0.5], "columns": 3, "rows": 3, "cells": "tri3"}},
               "element": {"loop-shell": {"thickness": 0.02}},
               "material": {"st-venant-kirchhoff": {"young": 100, "poisson": 0.3, "density": 1}}}, METHODS[:3]),
    "rigid": ({"mesh": {"box": {"from": [-0.2, -0.2, 0.3], "to": [0.2, 0.2, 0.7], "elements": [1, 1, 1]}},
               "element": {"rigid": {"mass": 0.1}}}, EXPLICIT),
    "solid": ({"mesh": {"box": {"from": [-0.2, -0.2, 0.3], "to": [0.2, 0.2, 0.7], "elements": [2, 2, 2]}}, "element": "hex8",
               "material": RUBBER}, ("energy-momentum",)),
}
FAR = {"name": "far", "mesh": {"point": {"at": [20, 0, 0.5]}}, "element": {"point-mass": {"mass": 1}}, "velocity": [0.1, 0, 0]}


def box(low, high, size=3):
    return {"box": {"from": [-size, -size, low], "to": [size, size, high], "elements": [1, 1, 1]}}


def plate(name, low, high, speed, size=3, turn=0):
    """An obstacle between two heights that moves up, in a scene turned about x by some degrees."""
    a = math.radians(turn)
    mesh = box(low, high, size) if high > low else {"rectangle": {"from": [-size, -size, low], "to": [size, size, low],
                                                                    "columns": 1, "rows": 1}}
    entry = {"name": name, "mesh": mesh, "obstacle": {"velocity": [0, -speed * math.sin(a), speed * math.cos(a)]}}
    if turn:
        entry["place"] = {"axis": [1, 0, 0], "angle": turn}
    return entry


def plates(gap=1.01, speed=0.5, thick=0.3, **more):
    return [plate("below", -thick, 0, speed, **more), plate("above", gap, gap + thick, -speed, **more)]


def held(name, low, high):
    return {"name": name, "mesh": box(low, high), "element": "hex8", "material": RUBBER}


class Closing(cli.CommandTest):
    def end(self, method, bodies, time=(1.4, 0.005), code=3, contact=None, warn=False, **more):
        """Runs a scene; returns its message."""
        bodies = [{"name": "s", **body} if "name" not in body else body for body in bodies]
        scene = {"title": "t", "integrator": method, "time": {"end": time[0], "step": time[1], "on_event": "warn" if warn else "stop"},
                 "contact": {**LAWS.get(method, {"friction": 0.3}), **(contact or {})}, "bodies": bodies, **more}
        path = self.folder / "scene.json"
        path.write_text(json.dumps(scene))
        _, err = self.carom("run", path, "-o", "out", "-q", "--set", "output.fields.every=0", code=code)
        return err

    def told_at(self, err, words, time, tolerance):
        self.assertIn(words, err)
        self.assertIn("`touch: false`", err)
        self.assertNotIn("smaller time.step", err)
        self.assertAlmostEqual(float(re.search(r"at time ([0-9.e-]+)", err).group(1)), time, delta=tolerance)

    def squeezed(self, err, by, time, tolerance):
        one = re.search(r"'s' is squeezed between '(\w+)' and '(\w+)'", err)
        self.assertTrue(one, err)
        self.assertEqual(set(one.groups()), set(by))
        self.told_at(err, "has no space left", time, tolerance)

    def test_body_between_plates(self):
        for name, (body, methods) in BETWEEN.items():
            # a rigid body has room until the plates are as near as its height
            time, step = (0.61 if name == "rigid" else 1.01, "auto" if name in ("sheet", "solid") else 0.005)
            for method in methods:
                with self.subTest(body=name, method=method):
                    step = 0.005 if method == "energy-momentum" else step
                    self.squeezed(self.end(method, [body, *plates()], (1.4, step)), ("below", "above"), time, 0.02)
                    if method in EXPLICIT:
                        # in the step in which nothing is left, before it passes a plate
                        self.assertEqual(cli.result(self.folder / "out")["events"].get("contact_missed", 0), 0)

    def test_nothing_between(self):
        for method in METHODS:
            for other in ([plates()[0]], [held("below", -0.3, 0)]):
                with self.subTest(method=method, below=list(other[0])[-1]):
                    still = [] if "obstacle" in other[0] else [{"body": "below", "fix": "xyz"}]
                    err = self.end(method, [FAR, *other, plates()[1]], (3, 0.005), restraints=still)
                    self.told_at(err, "the prescribed motions of 'below' and 'above' lead into each other",
                                 2.02 if still else 1.01, 1e-3)

    def test_restrained_bodies(self):
        """Two bodies that are not obstacles, also by projection."""
        bodies = [held("below", -0.3, 0), held("above", 1.01, 1.31)]
        moves = [{"body": "below", "fix": "xyz"}, {"body": "above", "fix": "xyz", "velocity": [0, 0, -1]}]
        for method, contact in [(m, {}) for m in METHODS] + [("newmark-dcr", {"resolve": "projection"})]:
            with self.subTest(method=method, **contact):
                err = self.end(method, [FAR, *bodies], restraints=moves, contact=contact)
                # newmark-dcr and asynchronous find it inside the step, and tell its start
                self.told_at(err, "the prescribed motions of 'below' and 'above' lead into each other", 1.01, 0.006)
        body = BETWEEN["point"][0]
        err = self.end("newmark-dcr", [body, *bodies], restraints=moves, contact={"resolve": "projection"})
        self.squeezed(err, ("below", "above"), 1.01, 1e-3)

    def test_in_the_plane(self):
        """Two-dimensional bodies that are held along x and y."""
        def sheet(name, x):
            return {"name": name, "mesh": {"rectangle": {"from": [x, 0, 0], "to": [x + 1, 1, 0], "columns": 2, "rows": 2}},
                    "element": "quad4", "material": RUBBER}
        moves = [{"body": name, "fix": "xy", "velocity": [v, 0, 0]} for name, v in (("a", 0.5), ("b", -0.5))]
        for method in METHODS:
            with self.subTest(method=method):
                err = self.end(method, [sheet("a", 0), sheet("b", 1.5)], (3, 0.02), restraints=moves)
                self.told_at(err, "the prescribed motions of 'a' and 'b' lead into each other", 0.5, 0.021)

    def test_plane(self):
        for method in METHODS:
            with self.subTest(method=method):
                err = self.end(method, [FAR, plates(speed=1)[1]], contact=FLOOR)
                self.told_at(err, "the prescribed motions of 'above' and 'floor' lead into each other", 1.01, 1e-3)
        for name, time in (("point", 1.01), ("rigid", 0.61)):
            for method in EXPLICIT:
                with self.subTest(body=name, method=method):
                    err = self.end(method, [BETWEEN[name][0], plates(speed=1)[1]], contact=FLOOR)
                    self.squeezed(err, ("floor", "above"), time, 0.01)

    def test_speeds_units_and_directions(self):
        """Closing 1000 times slower and faster, in millimetres, turned, open faces, several thicknesses in a step."""
        variants = {
            "slow": (dict(gap=0.001, speed=5e-4), 1, (1.4, 0.005)),
            "fast": (dict(speed=500), 1.01e-3, (1.4e-3, 5e-6)),
            "in two steps": (dict(speed=500), 1.01e-3, (1.5e-3, 5e-4)),
            "large": (dict(gap=1010, speed=500, thick=300, size=3000), 1.01, (1.4, 0.005)),
            "turned": (dict(turn=30), 1.01, (1.4, 0.005)),
            "open": (dict(thick=0), 1.01, (1.4, 0.005)),
        }
        for name, (how, meets, time) in variants.items():
            a, middle = math.radians(how.get("turn", 0)), how.get("gap", 1.01) / 2
            point = {"mesh": {"point": {"at": [0.1, -middle * math.sin(a), middle * math.cos(a)]}},
                     "element": {"point-mass": {"mass": 1}}}
            far = {**FAR, "mesh": {"point": {"at": [20 * how.get("size", 3), 0, 0]}}}
            tolerance = time[1] if name == "in two steps" else 0.05 * meets
            with self.subTest(variant=name):
                err = self.end("newmark-dcr", [far, *plates(**how)], time)
                self.told_at(err, "'below' and 'above' lead into each other", meets, 0.05 * meets)
                # by nonsmooth-newmark nothing touches a point in the middle before its layers meet
                self.told_at(self.end("nonsmooth-newmark", [point, *plates(**how)], time), "'below' and 'above'", meets, tolerance)
            for method in EXPLICIT:
                with self.subTest(variant=name, method=method):
                    self.squeezed(self.end(method, [point, *plates(**how)], time), ("below", "above"), meets, tolerance)

    def test_sideways_and_tilted(self):
        """A rod that flies through the edge of a plate from the side, and one that is tilted."""
        rod = {"name": "rod", "mesh": {"box": {"from": [-2, -0.1, 0], "to": [-1, 0.1, 0.1], "elements": [1, 1, 1]}},
               "obstacle": {"velocity": [1, 0, 0]}}
        wall = {"name": "wall", "mesh": {"box": {"from": [0, -1, -1], "to": [0.2, 1, 1], "elements": [1, 1, 1]}}, "obstacle": {}}
        for turn in (0, 20):
            with self.subTest(turn=turn):
                err = self.end("newmark-dcr", [FAR, {**rod, "place": {"axis": [0, 1, 0], "angle": turn}}, wall])
                far = -math.cos(math.radians(turn)) + (0.1 * math.sin(math.radians(turn)))
                self.told_at(err, "the prescribed motions of 'rod' and 'wall' lead into each other", -far, 2e-3)

    def test_what_may_be(self):
        """Obstacles that turn back before they meet, that may pass, that touch from the start; a sheet that still has room."""
        def back(gap):
            way = (1.01 - gap) / 2
            return [{**p, "obstacle": {"path": [[0, 0, 0, 0], [1, 0, 0, s * way], [1.4, 0, 0, s * (way - 0.2)]]}}
                    for p, s in zip(plates(), (1, -1))]
        passing = {"pairs": [{"bodies": ["below", "above"], "touch": False}]}
        for method in METHODS:
            with self.subTest(method=method):
                self.end(method, [FAR, *back(1e-3)], code=0)
                self.end(method, [FAR, *plates()], code=0, contact=passing)
                self.end(method, [FAR, *plates(gap=0)], (0.2, 0.005), code=0)
        wide = [{**p, "obstacle": {**p["obstacle"], "ramp": 0.05}} for p in plates()]
        for method in EXPLICIT:
            with self.subTest(method=method):
                self.end(method, [BETWEEN["sheet"][0], *wide], (0.95, "auto"), code=0)

    def test_struck_at_rest(self):
        """Nothing moves before an obstacle strikes: the balance of momentum has no terms. A point mass has no size, so that of
        the obstacle limits where contact is searched for."""
        for name, impulse in (("point", 1), ("solid", 0.048)):
            with self.subTest(body=name):
                self.end("energy-momentum", [BETWEEN[name][0], plates(gap=0.8)[1]], (0.9, 0.01), code=0)
                found = cli.result(self.folder / "out")
                self.assertAlmostEqual(found["pairs"][0]["impulse"], impulse, delta=0.2 * impulse)
                self.assertLess(found["max_penetration"], 0.01)

    def test_warn(self):
        """With `on_event: warn` the run goes on, and counts the steps in which they are too near."""
        self.end("newmark-dcr", [FAR, *plates()], code=0, warn=True, time=(1.1, 0.005))
        self.assertGreater(cli.result(self.folder / "out")["events"]["contact_missed"], 5)

    def test_lost_by_contact(self):
        """Plates stop when a point between them has less room than contact resolves: its impacts lose energy of their own."""
        way = (1.01 - 0.00132) / 2
        stops = [{**p, "obstacle": {"path": [[0, 0, 0, 0], [1, 0, 0, s * way], [2, 0, 0, s * way]]}}
                 for p, s in zip(plates(), (1, -1))]
        point = BETWEEN["point"][0]
        err = self.end("asynchronous", [point, *stops])
        self.assertRegex(err, "the run is complete, but contact has lost [0-9]+ % of the energy")
        self.end("asynchronous", [point, *stops], code=0, contact={"layer": 1e-5})


if __name__ == "__main__":
    cli.main()
