#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes verify/soft/rollers_*.yaml: a soft ball that four turning rollers draw through two gaps of 60 % of its diameter, one
below the other and at right angles.

    python3 scenes/rollers.py

A roller is a tube with all nodes driven. Velocities of restraints are linear between the rows of their table, so each node
moves on parabolas. With one row per side of the polygon and velocities larger by tan(a/2)/(a/2) than those of a rotation, a the
angle between rows, the parabolas touch the circle at the rows: a roller stays a regular polygon, and its radius is off by
1 - (cos(a/2) + 1/cos(a/2))/2 at most, 0.06 % for twelve sides.
"""
import math
import pathlib

HERE = pathlib.Path(__file__).resolve().parent
SIDES = 12
RADIUS = 0.3
INNER = 0.2
LENGTH = 0.7
BALL = 0.25
GAP = 0.6 * 2 * BALL
DEPTH = 0.62  # of the second pair below the first
SPEED = 1.0  # of the rims
END = 1.12  # the ball has left the second pair

HEAD = """\
# A soft ball of `{element}` is drawn by friction through two pairs of turning rollers, at right angles to each other, whose
# gaps are 60 % of its diameter; 1.12 s. Written by scenes/rollers.py.
title: A soft ball between four turning rollers
units: {{length: m, mass: kg, time: s}}
integrator: newmark-dcr
time: {{end: {end}}}
gravity: [0, 0, -9.81]
bodies:
  - name: ball
    mesh: {{ball: {{center: [0, 0, {height:.4f}], radius: {ball}, divisions: 4, layers: 2, cells: {cells}}}}}
    element: {element}
    material: {{neo-hookean: {{young: 1.0e5, poisson: 0.4, density: 1000}}}}
    velocity: [0, 0, {velocity}]
"""

ROLLER = """  - name: {name}
    mesh: {{tube: {{outer: {radius}, inner: {inner}, height: {length}, around: {sides}, layers: 1, slices: 2}}}}
    place: {{axis: {axis}, angle: {angle}, translate: {move}}}
    element: hex8
    material: {{neo-hookean: {{young: 100, poisson: 0.4, density: 1}}}}
"""

TAIL = """contact: {{restitution: 0, friction: 0.5}}
output:
  history: {{every: 10}}
  probes: [{{name: ball, body: ball, record: [position]}}]
expect:
  energy_error: "< 0.01"  # leapfrog for nonlinear bodies, and impacts inside a step
  momentum_error: "< 1e-12"  # rounding
  intersections: 0
  numerical_events: 0
  ball.z: {{gate: "< -0.95", source: "beyond the second pair, at -0.62, and free of it"}}
"""


def rollers():
    """Name, centre, the axis across the pair, and the sense of rotation: a pair draws downwards between its rollers."""
    offset = GAP / 2 + RADIUS
    for name, across, depth in (("upper", 0, 0), ("lower", 1, DEPTH)):
        for side in (-1, 1):
            centre = [0, 0, -depth]
            centre[across] = side * offset
            yield f"{name}_{'left' if side < 0 else 'right'}", centre, across, side


def filled(rows, indent):
    """The rows in lines of at most 128 columns, the first of which begins at the column `indent`."""
    lines = [rows[0]]
    for row in rows[1:]:
        if indent + len(lines[-1]) + len(row) <= 128 - 4:
            lines[-1] += ", " + row
        else:
            lines.append(row)
    return (",\n" + " " * indent).join(lines)


def driven(name, centre, across, side):
    """Restraints of a roller, one for each line of nodes along it. In the plane of `across` and z a node at the angle p moves
    along (-sin p, cos p) times side: inner sides of both rollers go down."""
    angle = 2 * math.pi / SIDES
    stretch = math.tan(angle / 2) / (angle / 2)
    rate = side * SPEED / RADIUS
    rows = math.ceil(END * abs(rate) / angle) + 1
    for k in range(SIDES):
        for radius in (INNER, RADIUS):
            start = k * angle
            low, high = [0, 0, 0], [0, 0, 0]
            for d in range(3):
                at = centre[d] + radius * (math.cos(start) if d == across else math.sin(start) if d == 2 else 0)
                reach = LENGTH if d == 1 - across else 0.01
                low[d], high[d] = round(at - reach, 4), round(at + reach, 4)
            table = []
            for i in range(rows + 1):
                p = start + side * i * angle
                v = [0, 0, 0]
                v[across], v[2] = -stretch * rate * radius * math.sin(p), stretch * rate * radius * math.cos(p)
                row = [i * angle / abs(rate)] + [u if abs(u) > 1e-9 else 0 for u in v]
                table.append("[" + ", ".join(f"{u:.7g}" for u in row) + "]")
            box = f"{{low: {low}, high: {high}}}"
            yield f"  - {{body: {name}, in_box: {box}, fix: xyz,\n     velocities: [{filled(table, 18)}]}}\n"


def write(element, cells, height, velocity):
    text = HEAD.format(element=element, end=END, cells=cells, ball=BALL, height=height, velocity=velocity)
    for name, centre, across, side in rollers():
        axis, angle = ([1, 0, 0], 90) if across == 0 else ([0, 1, 0], 90)
        move = list(centre)
        move[1 - across] += (LENGTH / 2 if across == 0 else -LENGTH / 2)
        text += ROLLER.format(name=name, radius=RADIUS, inner=INNER, length=LENGTH, sides=SIDES, axis=axis, angle=angle,
                              move=[round(m, 4) for m in move])
    text += "restraints:\n"
    for roller in rollers():
        text += "".join(driven(*roller))
    (HERE / "verify" / "soft" / f"rollers_{element}.yaml").write_text(text + TAIL.format(), encoding="ascii")


if __name__ == "__main__":
    for element, cells in (("tet4", "tet4"), ("hex8", "hex8"), ("nodal", "tet4")):
        write(element, cells, 0.33, -1)
