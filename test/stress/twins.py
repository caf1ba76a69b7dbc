# SPDX-License-Identifier: MIT
"""The same scene in other words: in other units, from a moving frame, turned, mirrored; what must agree, and how far.

- Units whose ratios are powers of two scale every number without rounding, so a method that compares only numbers of the same
  unit makes the same operations on scaled numbers. All rows agree to UNITS of the scale, to the end; by methods that solve with
  MUMPS, whose own scaling rounds, only up to the first contact.
- From a frame that moves, and after a turn, inputs and sums round otherwise. What is smooth agrees to SMOOTH; impacts amplify
  differences (bounces are chaotic, and faces that meet at once do so in another order), so rows are compared up to the first one.
- Mirrored, node numbers change as well. The same holds, for meshes that are their own mirror images.

Where rows are compared up to the first contact, what follows may end one run and not the other, so that only one starts again
with half the step: the twin makes the attempt of which there are rows, and no other.

A scene that is refused in one form must be refused in all.
"""
import copy
import math

from .energies import one_key
from .vectors import plus, rotation, times, turn, unit

UNITS = 1e-9
SAFETY = 0.5  # of the stable step, where the scene has none
BETA = 0.25  # of the stable steps of elements, by `asynchronous`
SMOOTH = {"energy-momentum": 1e-6, "nonsmooth-newmark": 1e-7}  # as far as they solve; 1e-8 otherwise
STRESSES = ("young", "yield", "modulus", "saturation", "strength", "c10", "c01", "c1", "c2", "c3", "shear", "bulk")
LENGTHS = ("from", "to", "length", "width", "thickness", "radius", "inner", "outer", "height", "center", "side", "at", "start",
           "offset", "point")
MIRRORED = {"box": "hex8", "plate": "hex8", "ball": "hex8", "rectangle": "quad4", "line": None, "point": None}


def scaled(value, factor):
    return [scaled(v, factor) for v in value] if isinstance(value, list) else value * factor


def columns_scaled(rows, factors):
    return [[v * f for v, f in zip(row, factors)] for row in rows]


class Other:
    """Numbers of a scene in units of which one length, mass and time are so many of the old ones."""

    def __init__(self, length, mass, time):
        self.base = (length, mass, time)
        self.length, self.mass, self.time = length, mass, time
        self.speed, self.stress = length / time, mass / length / time**2
        self.energy, self.momentum, self.force = mass * length**2 / time**2, mass * length / time, mass * length / time**2

    def put(self, item, **factors):
        for key, factor in factors.items():
            if key in item and isinstance(item[key], (int, float, list)) and not isinstance(item[key], bool):
                item[key] = scaled(item[key], factor)

    def factor_of_time(self, item):
        """Factors of loads and motions, and tables of motions."""
        self.put(item, ramp=self.time)
        for key, factors in (("history", (self.time, 1)), ("velocities", (self.time, *[self.speed] * 3)),
                             ("path", (self.time, *[self.length] * 3))):
            if key in item:
                item[key] = columns_scaled(item[key], factors)

    def material(self, params):
        self.put(params, **dict.fromkeys(STRESSES, self.stress), density=self.mass / self.length**3, reference_rate=1 / self.time,
                 heat_capacity=self.speed**2)
        for key, factors in (("prony", (1, self.time)), ("terms", (self.stress, 1)), ("curve", (1, self.stress))):
            if key in params:
                params[key] = columns_scaled(params[key], factors)

    def body(self, body):
        kind, mesh = one_key(body["mesh"])
        self.put(mesh, **dict.fromkeys(LENGTHS, self.length), curvature=1 / self.length)
        place = body.get("place", {})
        self.put(place, translate=self.length, **({"scale": self.length} if kind == "file" else {}))
        self.put(body, velocity=self.speed, spin=1 / self.time)
        self.put(body.get("damping", {}), mass=1 / self.time, stiffness=self.time)
        if isinstance(body.get("element"), dict):
            name, params = one_key(body["element"])
            self.put(params, **dict.fromkeys(LENGTHS, self.length), area=self.length**2, mass=self.mass,
                     density=self.mass / self.length**3, inertia=self.mass * self.length**2)
        for part in [body] + body.get("materials", []):
            if "material" in part:
                self.material(one_key(part["material"])[1])
            self.put(part.get("in_box", {}), low=self.length, high=self.length)
        if "obstacle" in body:
            self.motion(body["obstacle"])

    def motion(self, item):
        self.put(item, velocity=self.speed)
        self.factor_of_time(item)
        if "turn" in item:
            self.put(item["turn"], rate=1 / self.time, point=self.length)
            self.factor_of_time(item["turn"])

    def laws(self, contact):
        for item in (contact, *contact.get("pairs", [])):
            if isinstance(item.get("friction"), dict):
                self.put(item["friction"], decay=1 / self.speed)
        self.put(contact, thickness=self.length)
        for plane in contact.get("planes", []):
            self.put(plane, point=self.length)

    def scene(self, scene):
        scene = copy.deepcopy(scene)
        self.put(scene["time"], end=self.time, step=self.time)
        self.put(scene, gravity=self.length / self.time**2)
        for body in scene["bodies"]:
            self.body(body)
        for item in scene.get("restraints", []):
            self.motion(item)
            self.put(item, **{"from": self.time, "until": self.time})
        for item in scene.get("loads", []):
            self.put(item, force=self.force, acceleration=self.length / self.time**2, traction=self.stress, pressure=self.stress)
            self.factor_of_time(item)
        for item in scene.get("joints", []):
            self.put(item, at=self.length, speed=1 / self.time if item["kind"] == "hinge" else self.speed, ramp=self.time, until=self.time)
            self.put(item, **{"from": self.time})
        for item in scene.get("springs", []):
            self.put(item, stiffness=self.mass / self.time**2, damping=self.mass / self.time, length=self.length)
        for item in scene.get("springs", []) + scene.get("connections", []):
            for side in ("from", "to"):
                self.put(item[side], point=self.length)
        if isinstance(scene.get("contact"), dict):
            self.laws(scene["contact"])
        return scene


def is_free(scene):
    """Nothing is fixed in space."""
    contact = scene.get("contact") or {}
    outside = scene.get("restraints") or contact.get("planes") or any("obstacle" in b for b in scene["bodies"])
    ground = any(j.get("to", "ground") == "ground" for j in scene.get("joints", [])) or any(
        "body" not in s[side] for s in scene.get("springs", []) for side in ("from", "to"))
    damped = any(b.get("damping", {}).get("mass") for b in scene["bodies"])
    return not (outside or ground or damped or scene.get("joints"))


def moving(scene, chance):
    """Seen from a frame that moves, about as fast as the bodies; none if something is fixed."""
    if not is_free(scene):
        return None
    other = copy.deepcopy(scene)
    fastest = max(math.hypot(*b.get("velocity", (0, 0, 0))) for b in scene["bodies"])
    flat = any(one_key(b["element"])[0] in ("tri3", "quad4") for b in scene["bodies"])
    line = all(one_key(b["mesh"])[0] in ("line", "point") for b in scene["bodies"])
    by = [chance.uniform(-1, 1) * fastest for _ in range(2)] + [0.0 if flat else chance.uniform(-1, 1) * fastest]
    if line:
        # along the common line
        v = max((b.get("velocity", (0, 0, 0)) for b in scene["bodies"]), key=lambda v: math.hypot(*v))
        by = list(times(chance.uniform(-1, 1), v))
    for body in other["bodies"]:
        body["velocity"] = list(plus(body.get("velocity", (0, 0, 0)), by))
    return other


def vectors_of(scene):
    """Maps and keys of a scene that hold vectors: (map, key, polar)."""
    for item in (scene, *scene["bodies"]):
        for key, polar in (("gravity", True), ("velocity", True), ("spin", False)):
            if key in item:
                yield item, key, polar
    for plane in (scene.get("contact") or {}).get("planes", []):
        yield plane, "point", True
        yield plane, "normal", True
    for item in scene.get("loads", []) + scene.get("restraints", []) + [b["obstacle"] for b in scene["bodies"] if "obstacle" in b]:
        for key in ("force", "acceleration", "traction", "velocity", "plane", "line"):
            if key in item:
                yield item, key, True
    for body in scene["bodies"]:
        spin = body.get("obstacle", {}).get("turn", {})
        for key, polar in (("point", True), ("axis", False)):
            if key in spin:
                yield spin, key, polar
    for item in scene.get("joints", []):
        for key, polar in (("at", True), ("axis", False if "speed" in item and item["kind"] == "hinge" else True)):
            if key in item:
                yield item, key, polar
    for item in scene.get("springs", []) + scene.get("connections", []):
        for side in ("from", "to"):
            yield item[side], "point", True


def mapped(scene, polar, axial):
    """The scene with all its vectors mapped; the placements of bodies are the caller's."""
    other = copy.deepcopy(scene)
    for item, key, is_polar in vectors_of(other):
        item[key] = list((polar if is_polar else axial)(item[key]))
    for item in other.get("restraints", []):
        if "fix" in item and item["fix"] != "xyz":
            item["directions"] = [list(polar([float(c == axis) for c in "xyz"])) for axis in item.pop("fix")]
        elif "directions" in item:
            item["directions"] = [list(polar(d)) for d in item["directions"]]
    for item in other.get("restraints", []) + [b["obstacle"] for b in other["bodies"] if "obstacle" in b]:
        for key in ("velocities", "path"):
            if key in item:
                item[key] = [[row[0], *polar(row[1:])] for row in item[key]]
    return other


def turned(scene, chance):
    """All of it about an axis through the origin; none with boxes along the axes, or sections whose axes are chosen by carom."""
    if any("materials" in b or "rectangle" in str(b.get("element")) for b in scene["bodies"]):
        return None
    flat = any(one_key(b.get("element", "none"))[0] in ("tri3", "quad4") for b in scene["bodies"])
    axis = (0.0, 0.0, 1.0) if flat else unit([chance.gauss(0, 1) for _ in range(3)])
    angle = chance.uniform(0, 360)
    rows = rotation(axis, math.radians(angle))
    other = mapped(scene, lambda v: turn(rows, v), lambda v: turn(rows, v))
    for body in other["bodies"]:
        place = body.pop("place", {})
        steps = [{"scale": place["scale"]}] if "scale" in place else []
        steps += [{"axis": place["axis"], "angle": place["angle"]}] if "angle" in place else []
        steps += [{"translate": place["translate"]}] if "translate" in place else []
        body["place"] = [*steps, {"axis": list(axis), "angle": angle}]
    return other


def mirrored(scene, _):
    """In the plane x = 0, where all meshes are their own mirror images; none otherwise."""
    for body in scene["bodies"]:
        kind, mesh = one_key(body["mesh"])
        if kind not in MIRRORED or mesh.get("cells", MIRRORED[kind]) != MIRRORED[kind] or "grading" in mesh or "materials" in body:
            return None
    if any("exact-beam" in b.get("element", "") for b in scene["bodies"]):
        return None
    other = mapped(scene, lambda v: (-v[0], v[1], v[2]), lambda v: (v[0], -v[1], -v[2]))
    swap = {"xmin": "xmax", "xmax": "xmin"}
    for body in other["bodies"]:
        place = body.get("place", {})
        kind, mesh = one_key(body["mesh"])
        if kind == "line":
            mesh["from"], mesh["to"] = [-mesh["from"][0], *mesh["from"][1:]], [-mesh["to"][0], *mesh["to"][1:]]
        if "axis" in place:
            place["axis"] = [place["axis"][0], -place["axis"][1], -place["axis"][2]]
        if "translate" in place:
            place["translate"] = [-place["translate"][0], *place["translate"][1:]]
        if "turn" in body.get("obstacle", {}):
            body["obstacle"]["turn"].setdefault("axis", [0, 0, -1])
    for item in other.get("restraints", []):
        item.update({"set": swap[item["set"]]} if item.get("set") in swap else {})
    return other


def hold_attempt(scene, earlier):
    """Changes a scene so that its run is the attempt after so many earlier ones."""
    time = scene["time"]
    time["retries"] = 0
    if "step" not in time:
        time["safety"] = time.get("safety", SAFETY) * 0.5**earlier
        method, params = one_key(scene["integrator"])
        if method == "asynchronous":
            scene["integrator"] = {method: {**params, "beta": params.get("beta", BETA) * 0.5**earlier}}


def compare_rows(ours, theirs, columns, until_contact):
    """The first difference of two histories as a text, or None; `columns`: {name: (factor of the second one, what is allowed)}."""
    for a, b in zip(ours, theirs):
        if until_contact and (a["contacts"] or b["contacts"]):
            return None
        for name, (factor, allowed) in columns.items():
            if name in a and not abs(b[name] / factor - a[name]) <= allowed:
                return f"{name} is {b[name] / factor:.12g} in place of {a[name]:.12g} at time {a['time']:g}"
    return None if until_contact or len(ours) == len(theirs) else f"{len(theirs)} rows in place of {len(ours)}"


def scale_of(rows):
    return max(max(row["kinetic"] + row["internal"], abs(row["external"])) for row in rows) or 1.0


def rounds(scene):
    """Whether rounding depends on the units: the method solves linear systems."""
    method, params = one_key(scene["integrator"])
    return method == "energy-momentum" or method == "nonsmooth-newmark" and bool(params.get("beta"))


def difference(kind, scene, ours, theirs, factors=None, noise=0.0):
    """The first difference of the histories of a scene and its twin, or None. `noise`: of the potential of loads, by rounding of
    positions, which is all there is of a scene at rest; each of the two has its own.
    """
    scale = scale_of(ours)
    method = one_key(scene["integrator"])[0]
    smooth = SMOOTH.get(method, 1e-8)
    if kind == "units":
        energies = ("kinetic", "internal", "external", "friction", "restitution", "projection", "damping", "plasticity", "viscosity")
        share, noise = (smooth, 2 * noise) if rounds(scene) else (UNITS, 0.0)
        columns = {"time": (factors.time, share * ours[-1]["time"]),
                   **{name: (factors.energy, share * scale + noise) for name in energies}}
        momentum = max(math.hypot(row["px"], row["py"], row["pz"]) for row in ours) or 1.0
        columns.update({name: (factors.momentum, share * momentum) for name in ("px", "py", "pz")})
        return compare_rows(ours, theirs, columns, rounds(scene))
    names = ["internal", "damping", "plasticity", "viscosity"]
    if kind != "moving":
        names += ["kinetic", "external"]
    else:
        scale = max(scale, scale_of(theirs))
    return compare_rows(ours, theirs, {name: (1, smooth * scale + 2 * noise) for name in names}, True)


MAKERS = {"moving": moving, "turned": turned, "mirrored": mirrored}
