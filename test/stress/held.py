# SPDX-License-Identifier: MIT
"""Restrained nodes: which a set of a generated mesh names, along which directions they are held, and where they must be."""
from . import bonds
from .energies import one_key
from .vectors import dot, minus, norm, rotation, times, transposed_times, unit

ENDS = {"xmin": (0, min), "xmax": (0, max), "ymin": (1, min), "ymax": (1, max), "zmin": (2, min), "zmax": (2, max),
        "bottom": (2, min), "top": (2, max)}
HELD = 1e-8  # of the size of the scene and of the displacement
GHOST = 0.25  # of the last element of a bar: length of its virtual tip, which may be pressed together


def local(entry, x):
    """A point in the axes of the mesh, before it was turned and moved; its scale does not matter here."""
    place = entry.get("place", {})
    x = minus(x, place.get("translate", (0, 0, 0)))
    return transposed_times(rotation(place.get("axis", (0, 0, 1)), place.get("angle", 0) * 0.017453292519943295), x)


def nodes_of(item, body, reference, size):
    """The nodes of a restraint; None if the judge does not know the set."""
    name = item.get("set")
    if name is None:
        return body.nodes
    kind, mesh = one_key(body.entry["mesh"])
    points = {k: local(body.entry, reference[k]) for k in body.nodes}
    if name in ENDS:
        axis, end = ENDS[name]
        extreme = end(p[axis] for p in points.values())
        return [k for k, p in points.items() if abs(p[axis] - extreme) < 1e-9 * size]
    if name in ("start", "end") and kind == "line":
        at = mesh["from" if name == "start" else "to"]
        return [k for k, p in points.items() if norm(minus(p, at)) < 1e-9 * size]
    return None


def virtual_tips(bodies, reference):
    """By contact-integrator 2 a restraint holds the mass at the end of a bar; frames show the virtual tip in front of it. How far
    this may be pressed towards the mass, {node: vector}.
    """
    found = {}
    for body in bodies:
        ends = [(k, j) for _, pair in body.cells if body.element == "bar" for k, j in (pair, pair[::-1])]
        nodes = [k for k, _ in ends]
        found.update((k, times(GHOST, minus(reference[j], reference[k]))) for k, j in ends if nodes.count(k) == 1)
    return found


def off(item, displacement, moved):
    """How far a node is from where a restraint puts it, along the held directions."""
    error = minus(moved, displacement)
    if "fix" in item:
        return max(abs(error["xyz".index(axis)]) for axis in item["fix"])
    if "line" in item:
        along = unit(item["line"])
        return norm(minus(error, times(dot(error, along), along)))
    return max(abs(dot(error, unit(n))) for n in item.get("directions", [item.get("plane")]))


def faults(item, body, nodes, reference, frame, size, step, tips):
    """[(kind, text)] of one restraint at one time; after `until` and with `from` nothing is known of the place. `tips`: how far
    nodes may be shown from their masses.
    """
    if "from" in item or frame.time > item.get("until", float("inf")) - step:
        return []
    displacement = bonds.displacement(item, frame.time)
    allowed = HELD * (size + norm(displacement))
    if {"ramp", "history", "velocities"} & set(item):
        # velocities are those in the middle of each drift: what changes within it is left out
        fastest = max((norm(row[1:]) for row in item.get("velocities", [])), default=norm(item.get("velocity", (0, 0, 0))))
        allowed += fastest * step
    for k in nodes:
        wrong = off(item, displacement, minus(frame.x[k], reference[k]))
        if not wrong <= allowed + off(item, (0, 0, 0), tips.get(k, (0, 0, 0))):
            return [("restraint", f"node {k} of {body.name} is {wrong:.3g} off its restraint at time {frame.time:g}")]
    return []
