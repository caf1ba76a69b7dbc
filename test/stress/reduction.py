# SPDX-License-Identifier: MIT
"""Makes a failing scene smaller: fewer bodies, fewer options, coarser, shorter, as long as it fails in the same way."""
import copy
import time

from .case import verdict_on
from .energies import one_key


LISTS = ("loads", "restraints", "springs", "joints", "connections", "tied")


def bodies_of(item):
    """Names of the bodies of an entry of one of LISTS."""
    ends = [item[side] for side in ("from", "to") if isinstance(item.get(side), dict)]
    return {item.get("body"), item.get("to") if isinstance(item.get("to"), str) else None, *(end.get("body") for end in ends)}


def without(scene, *path):
    """A copy without the value at a path."""
    other = copy.deepcopy(scene)
    at = other
    for key in path[:-1]:
        at = at[key]
    del at[path[-1]]
    return other


def changed(scene, value, *path):
    other = copy.deepcopy(scene)
    at = other
    for key in path[:-1]:
        at = at[key]
    at[path[-1]] = value
    return other


def without_body(scene, i):
    other = copy.deepcopy(scene)
    name = other["bodies"].pop(i)["name"]
    for key in LISTS:
        other[key] = [item for item in other.get(key, []) if name not in bodies_of(item)]
        if not other[key]:
            del other[key]
    if isinstance(other.get("contact"), dict) and "pairs" in other["contact"]:
        other["contact"]["pairs"] = [p for p in other["contact"]["pairs"] if name not in p["bodies"]]
    return other


def fewer(scene):
    """Scenes with one thing less, the largest things first."""
    if len(scene["bodies"]) > 1:
        yield from (without_body(scene, i) for i in range(len(scene["bodies"])))
    for key in (*LISTS, "gravity"):
        if key in scene:
            yield without(scene, key)
    for key in LISTS:
        for i in range(len(scene.get(key, []))):
            if len(scene[key]) > 1:
                yield without(scene, key, i)
    contact = scene.get("contact") or {}
    for i in range(len(contact.get("planes", []))):
        yield without(scene, "contact", "planes", i)
    for key in ("pairs", "layer", "thickness", "friction", "return_work", "moves", "return_spin", "self"):
        if key in contact:
            yield without(scene, "contact", key)
    method, params = one_key(scene["integrator"])
    for key in params:
        yield without(scene, "integrator", method, key)
    for i, body in enumerate(scene["bodies"]):
        for key in ("spin", "damping", "materials", "place"):
            if key in body:
                yield without(scene, "bodies", i, key)
        if "angle" in body.get("place", {}):
            place = {key: value for key, value in body["place"].items() if key not in ("axis", "angle")}
            yield changed(scene, place, "bodies", i, "place")
    for key in ("follow", "safety"):
        if key in scene["time"]:
            yield without(scene, "time", key)


def coarser(scene):
    """Scenes with fewer cells."""
    for i, body in enumerate(scene["bodies"]):
        kind, mesh = one_key(body["mesh"])
        for key in ("elements", "columns", "rows", "slices", "divisions", "rings", "around", "grading"):
            if key == "grading" and key in mesh:
                yield without(scene, "bodies", i, "mesh", kind, key)
            elif isinstance(mesh.get(key), int) and mesh[key] > (5 if key == "around" else 1):
                yield changed(scene, mesh[key] - 1, "bodies", i, "mesh", kind, key)
            elif isinstance(mesh.get(key), list):
                for j, n in enumerate(mesh[key]):
                    if n > 1:
                        yield changed(scene, n - 1, "bodies", i, "mesh", kind, key, j)


def shorter(scene):
    for factor in (0.5, 0.75, 0.9):
        yield changed(scene, factor * scene["time"]["end"], "time", "end")


def reduce_scene(carom, scene, kinds, seconds=60, threads=3, how=None):
    """The smallest scene found within some seconds that has one of the same faults."""
    end = time.monotonic() + seconds

    def fails(other):
        return bool(verdict_on(carom, other, threads, how).kinds() & kinds)

    progress = True
    while progress:
        progress = False
        for way in (fewer, shorter, coarser):
            again = True
            while again:
                again = False
                for other in way(scene):
                    if time.monotonic() > end:
                        return scene
                    if fails(other):
                        scene, again, progress = other, True, True
                        break
    return scene
