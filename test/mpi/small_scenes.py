# SPDX-License-Identifier: MIT
"""Small scenes for runs of several processes: what parts of models must get right, a few steps each."""

# Point masses on a plane: two nodes, so most of many processes have none, and no process has an element of more than one node.
POINTS = """\
title: two point masses
integrator: newmark-dcr
time: {end: 0.2, step: 0.001}
gravity: [0, 0, -10]
bodies:
  - {name: dropped, mesh: {point: {at: [0, 0, 0.1]}}, element: {point-mass: {mass: 2}}}
  - {name: sliding, mesh: {point: {at: [1, 0, 0]}}, element: {point-mass: {mass: 1}}, velocity: [2, 0, 0]}
contact: {restitution: 0.6, friction: 0.5, planes: [{name: floor, normal: [0, 0, 1]}]}
output:
  history: {every: 1, bodies: true, pairs: true}
  contacts: true
  checkpoint: {every: 50}
  probes: [{name: dropped, body: dropped}, {name: sliding, body: sliding, record: [velocity]}]
"""

# Materials with history: points of bricks, of patches and cells, and of bars flow or relax while bodies strike a wall; some
# batches belong to several processes.
METAL = """\
title: bodies that flow against a wall
integrator: newmark-dcr
time: {end: 1.2}
bodies:
  - name: bricks
    mesh: {box: {from: [0, 0, 0.01], to: [1, 1, 1.51], elements: [3, 3, 5]}}
    element: {hex8: {integration: one-point}}
    material: {j2: {young: 100, poisson: 0.3, density: 1, yield: 1, modulus: 2}}
    velocity: [0, 0, -1]
  - name: tets
    mesh: {box: {from: [3, 0, 0.02], to: [4, 1, 1.02], elements: [3, 3, 3], cells: tet4}}
    element: nodal
    material: {j2: {young: 100, poisson: 0.3, density: 1, yield: 1, hardening: voce, saturation: 2, decay: 5, modulus: 1}}
    velocity: [0.1, 0, -1]
  - name: bars
    mesh: {line: {from: [6, 0, 0.01], to: [6, 0, 2.01], elements: 21}}
    element: {bar: {area: 0.1, strain: log}}
    material: {viscoelastic: {young: 100, poisson: 0.3, density: 1, prony: [[0.5, 0.1]]}}
    velocity: [0, 0, -1]
contact: {restitution: 0, planes: [{name: wall, normal: [0, 0, 1]}]}
output:
  fields: {every: 20}
  history: {every: 5, bodies: true}
  checkpoint: {every: 20}
"""

# Nothing touches: damping of both kinds, forces of every kind, some with a history or a ramp, one that follows its faces; a
# driven body, restraints along slanted directions, probes over several nodes.
LOADS = """\
title: loads, damping and restraints without contact
integrator: newmark-dcr
time: {end: 0.6}
gravity: [0, 0, -1]
bodies:
  - name: bricks
    mesh: {box: {from: [0, 0, 0], to: [2, 1, 1], elements: [6, 3, 3]}}
    element: hex8
    material: {neo-hookean: {young: 100, poisson: 0.3, density: 1}}
    damping: {mass: 0.5, stiffness: 1e-3}
  - name: tets
    mesh: {box: {from: [3, 0, 0], to: [4, 1, 1], elements: [3, 3, 3], cells: tet4}}
    element: tet4
    material: {st-venant-kirchhoff: {young: 100, poisson: 0.2, density: 1}}
    damping: {stiffness: 2e-3}
    spin: [0, 0.5, 0.2]
  - name: shell
    mesh: {rectangle: {from: [0, 3, 0], to: [2, 4, 0], columns: 6, rows: 3, cells: tri3}}
    element: {loop-shell: {thickness: 0.1}}
    material: {st-venant-kirchhoff: {young: 100, poisson: 0.3, density: 1}}
    damping: {mass: 1}
  - name: bars
    mesh: {line: {from: [0, 6, 0], to: [4, 6, 0], elements: 11}}
    element: {bar: {area: 0.1, strain: green}}
    material: {linear: {young: 100, density: 1}}
restraints:
  - {body: bricks, set: xmin, fix: xyz}
  - {body: tets, set: zmin, directions: [[1, 1, 0], [0, 1, 1]]}
  - {body: shell, set: xmin, fix: xyz, velocity: [0, 0, 0.5], ramp: 0.2}
  - {body: bars, set: start, line: [1, 0, 1], velocity: [0, 1, 0]}
loads:
  - {body: bricks, set: xmax, traction: [0, 0, 3], ramp: 0.3}
  - {body: bricks, set: zmax, pressure: 4, history: [[0, 0], [0.3, 1], [0.6, 0.2]]}
  - {body: tets, set: xmax, pressure: 5, following: false}
  - {body: tets, acceleration: [0, 2, 0], ramp: 0.1}
  - {body: shell, pressure: 0.4}
  - {body: bars, set: end, force: [0, 0, 2]}
contact: false
output:
  history: {every: 3, bodies: true}
  fields: {every: 20}
  checkpoint: {every: 25}
  probes: [{name: tip, body: bricks, set: xmax}, {name: all, body: shell}, {name: node, body: bars, node: 5}]
"""

# All elements that newmark-dcr shares, on planes and on each other, with friction, pairs that do not touch, a driven press.
CROWD = """\
title: a crowd of elements
integrator: newmark-dcr
time: {end: 0.25}
gravity: [0, 0, -10]
bodies:
  - name: brick
    mesh: {box: {from: [0, 0, 0.001], to: [1, 1, 0.5], elements: [3, 3, 2]}}
    element: hex8
    material: {st-venant-kirchhoff: {young: 1e3, poisson: 0.2, density: 1}}
    damping: {stiffness: 1e-4}
  - name: one_point
    mesh: {box: {from: [0.1, 0.1, 0.51], to: [0.9, 0.9, 0.8], elements: [2, 2, 1]}}
    element: {hex8: {integration: one-point}}
    material: {neo-hookean: {young: 1e3, poisson: 0.3, density: 1}}
  - name: tets
    mesh: {box: {from: [2, 0, 0.01], to: [2.5, 0.5, 0.5], elements: [2, 2, 2], cells: tet4}}
    element: tet4
    material: {neo-hookean: {young: 1e3, poisson: 0.3, density: 1}}
    velocity: [-1, 0.1, 0]
  - name: nodal
    mesh: {box: {from: [0.2, 0.2, 0.82], to: [0.8, 0.8, 1.1], elements: [2, 2, 1], cells: tet4}}
    element: nodal
    material: {neo-hookean: {young: 1e3, poisson: 0.4, density: 1}}
  - name: sheet
    mesh: {rectangle: {from: [1.2, 0, 0.2], to: [1.8, 0.6, 0.2], columns: 3, rows: 3, cells: tri3}}
    element: {loop-shell: {thickness: 0.02}}
    material: {st-venant-kirchhoff: {young: 1e3, poisson: 0.3, density: 5}}
    velocity: [0, 0, -1]
  - name: bar
    mesh: {line: {from: [3, 0, 0.02], to: [3, 0, 1], elements: 6}}
    element: {bar: {area: 0.1}}
    material: {linear: {young: 1e3, density: 1}}
    velocity: [0, 0, -1]
  - {name: ball, mesh: {point: {at: [3, 0.0, 1.04]}}, element: {point-mass: {mass: 0.02}}, velocity: [0, 0, -2]}
  - name: ghost
    mesh: {box: {from: [0.3, 0.3, 0.3], to: [0.6, 0.6, 0.6], elements: [1, 1, 1]}}
    element: hex8
    material: {linear: {young: 1e3, density: 1}}
  - name: press
    mesh: {box: {from: [-0.1, -0.1, 1.12], to: [1.2, 1.2, 1.2], elements: [2, 2, 1]}}
    element: hex8
    material: {linear: {young: 1e3, density: 1}}
restraints: [{body: press, fix: xyz, velocity: [0, 0, -0.5], ramp: 0.05}]
contact:
  restitution: 0.3
  friction: {static: 0.4, kinetic: 0.2, decay: 1}
  planes: [{name: floor, normal: [0, 0, 1]}, {name: wall, normal: [1, 0.1, 0], point: [-0.3, 0, 0]}]
  pairs:
    - {bodies: [ghost, brick], touch: false}
    - {bodies: [ghost, one_point], touch: false}
    - {bodies: [tets, floor], friction: 0, restitution: 0}
output:
  history: {every: 2, bodies: true, pairs: true}
  fields: {every: 25}
  contacts: {every: 2}
  checkpoint: {every: 40}
  probes: [{name: top, body: one_point, set: zmax}, {name: ball, body: ball}]
"""

# Bodies of the plane.
PLANE = """\
title: squares of the plane
integrator: newmark-dcr
time: {end: 0.5}
bodies:
  - name: quads
    mesh: {rectangle: {from: [0, 0, 0], to: [1, 1, 0], columns: 4, rows: 4}}
    element: quad4
    material: {neo-hookean: {young: 100, poisson: 0.3, density: 1}}
    velocity: [1, 0, 0]
  - name: triangles
    mesh: {rectangle: {from: [1.1, 0.3, 0], to: [2.1, 1.3, 0], columns: 4, rows: 4, cells: tri3}}
    element: tri3
    material: {st-venant-kirchhoff: {young: 100, poisson: 0.3, density: 1}}
    velocity: [-1, 0, 0]
contact: {restitution: 0.5, friction: 0.2}
output: {history: {every: 1}, fields: {every: 10}, contacts: true}
"""

# A step that is divided while the bar becomes stiffer.
PULLED = """\
title: a bar becomes stiff by pulling
integrator: newmark-dcr
time: {end: 12, safety: 0.6}
bodies:
  - {name: bar, mesh: {line: {from: [0, 0, 0], to: [2, 0, 0], elements: 8}}, element: {bar: {strain: green}},
     material: {linear: {young: 4, density: 1}}}
restraints:
  - {body: bar, set: start, fix: xyz}
  - {body: bar, set: end, fix: xyz, velocity: [0.2, 0, 0]}
contact: false
output: {fields: {every: 0}}
"""

# Gates that are not met: exit code 1.
GATES = POINTS + "expect: {steps: 7, momentum_error: '< 1e-12', dropped.uz: '> 5'}\n"

# One cube of bricks falls onto another: for interruptions, at any length.
LONG = """\
title: two cubes
integrator: newmark-dcr
time: {{end: {end}, step: 0.01}}
gravity: [0, 0, -1]
bodies:
  - name: lower
    mesh: {{box: {{from: [0, 0, 0], to: [1, 1, 1], elements: [2, 2, 2]}}}}
    element: hex8
    material: {{neo-hookean: {{young: 100, poisson: 0.3, density: 1}}}}
  - name: upper
    mesh: {{box: {{from: [0.2, 0.3, 1.02], to: [1.2, 1.3, 2.02], elements: [2, 2, 2]}}}}
    element: hex8
    material: {{neo-hookean: {{young: 100, poisson: 0.3, density: 1}}}}
    velocity: [0.1, 0, -0.5]
contact: {{restitution: 0.5, friction: 0.3, planes: [{{name: floor, normal: [0, 0, 1]}}]}}
output:
  history: {{every: {every}, pairs: true}}
  fields: {{every: {frames}}}
  contacts: {{every: 5}}
  checkpoint: {{every: {checkpoint}}}
  probes: [{{name: top, body: upper, set: zmax}}]
"""


def long_scene(end=20, every=10, frames=500, checkpoint=70):
    return LONG.format(end=end, every=every, frames=frames, checkpoint=checkpoint)


# Several materials in one body: blocks share nodes, also across processes.
MATERIALS = """\
title: a block and a shell of several materials
integrator: newmark-dcr
time: {end: 0.1}
bodies:
  - name: block
    mesh: {box: {from: [0, 0, 0], to: [2, 1, 1], elements: [8, 4, 4]}}
    element: hex8
    material: {neo-hookean: {young: 100, poisson: 0.3, density: 1}}
    materials:
      - {in_box: {low: [0, 0, 0], high: [0.5, 1, 0.5]}, material: {neo-hookean: {young: 400, poisson: 0.2, density: 3}}}
      - {in_box: {low: [1, 0, 0], high: [1.4, 1, 1]}, material: {st-venant-kirchhoff: {young: 50, density: 2}}}
    velocity: [-2, 0, 0]
  - name: sheet
    mesh: {rectangle: {from: [-1, -1, 0], to: [1, 1, 0], columns: 8, rows: 8, cells: tri3}}
    place: {axis: [0, 1, 0], angle: 90, translate: [-0.1, 0.5, 0.5]}
    element: {loop-shell: {thickness: 0.05}}
    materials:
      - {in_box: {low: [-1, -9, -9], high: [1, 0.6, 9]}, material: {st-venant-kirchhoff: {young: 100, density: 1}}}
      - {in_box: {low: [-1, 0.6, -9], high: [1, 9, 9]}, material: {st-venant-kirchhoff: {young: 300, density: 4}}}
output:
  history: {every: 1, bodies: true}
  fields: {every: 20}
  contacts: true
"""

ALL = {"points": POINTS, "loads": LOADS, "crowd": CROWD, "plane": PLANE, "pulled": PULLED, "gates": GATES, "materials": MATERIALS,
       "metal": METAL}

# What goes wrong in a run, with its exit code.
CORE = """\
title: the core of a ball passes a plane
integrator: newmark-dcr
time: {end: 1, safety: 0.5}
bodies:
  - {name: ball, mesh: {ball: {center: [0, 0, 1.1], radius: 1, divisions: 2, layers: 2}}, element: hex8,
     material: {linear: {young: 1, density: 1}}, velocity: [0, 0, -3]}
contact: {planes: [{name: floor, normal: [0, 0, 1]}]}
output: {fields: {every: 3}}
"""

EXPLODES = """\
title: a bar of Green's strain is hit faster than its waves
integrator: newmark-dcr
time: {end: 1.1, safety: 0.888}
bodies:
  - {name: bar, mesh: {line: {from: [1.61, 0, 0], to: [3.39, 0, 0], elements: 29}}, velocity: [1.1314, 0, 0],
     element: {bar: {area: 0.159, strain: green}}, material: {linear: {young: 1.416, density: 0.838}}}
  - {name: ball, mesh: {point: {at: [6.761, 0, 0]}}, element: {point-mass: {mass: 0.69}}, velocity: [-2.4441, 0, 0]}
contact: {restitution: 0}
output: {history: {every: 2}, fields: {every: 21}}
"""

INSIDE_OUT = """\
title: inside out for a while
integrator: newmark-dcr
time: {end: 5, step: 0.1}
bodies:
  - {name: cube, mesh: {box: {from: [0, 0, 0], to: [1, 1, 1], elements: [1, 1, 1]}}, element: hex8, velocity: [0, 0, -2],
     material: {st-venant-kirchhoff: {young: 1, density: 1}}}
restraints: [{body: cube, set: zmin, fix: xyz}]
contact: false
output: {fields: {every: 5}, history: {every: 2}}
"""

SHEET = """\
title: a thin sheet strikes a block
integrator: newmark-dcr
time: {end: 2, safety: 0.9}
bodies:
  - {name: block, mesh: {box: {from: [-0.8, -0.7, -0.75], to: [0.8, 0.7, 0.75], elements: [2, 2, 2]}}, element: hex8,
     material: {neo-hookean: {young: 9, poisson: 0.2, density: 1}}, velocity: [0, 0, 0.2]}
  - {name: sheet, mesh: {plate: {length: 2.4, width: 2, thickness: 0.08, columns: 4, rows: 2, cells: tet4}}, element: tet4,
     material: {neo-hookean: {young: 9, poisson: 0, density: 0.7}}, place: {translate: [-1.2, -1, 0.95]},
     velocity: [0.3, 0, -0.8]}
contact: {restitution: 0.7}
output: {fields: {every: 50}, history: {every: 5}}
"""

DRIVEN = """\
title: prescribed motions lead into each other
integrator: newmark-dcr
time: {end: 3, step: 0.01}
bodies:
  - {name: a, mesh: {box: {from: [0, 0, 0], to: [1, 1, 1], elements: [2, 2, 2], cells: tet4}}, element: tet4,
     material: {st-venant-kirchhoff: {young: 1, density: 1}}}
  - {name: b, mesh: {box: {from: [1.495, 0, 0], to: [2.495, 1, 1], elements: [2, 2, 2], cells: tet4}}, element: tet4,
     material: {st-venant-kirchhoff: {young: 1, density: 1}}}
restraints:
  - {body: a, fix: xyz, velocity: [1, 0, 0]}
  - {body: b, fix: xyz}
output: {fields: {every: 20}}
"""

FLIES = """\
title: an unstable body
integrator: newmark-dcr
time: {end: 50, step: 0.3, on_event: warn}
bodies:
  - {name: bricks, mesh: {box: {from: [0, 0, 0], to: [2, 1, 1], elements: [4, 2, 2]}}, element: hex8,
     material: {st-venant-kirchhoff: {young: 100, poisson: 0.3, density: 1}}, spin: [0, 0, 0.1]}
  - {name: other, mesh: {box: {from: [5, 0, 0], to: [6, 1, 1], elements: [1, 1, 1]}}, element: hex8,
     material: {st-venant-kirchhoff: {young: 1, poisson: 0.3, density: 1}}}
output: {fields: {every: 5}, history: {every: 1}}
"""

HELD = """\
title: shots that bounce without end
integrator: newmark-dcr
time: {end: 0.4, step: 0.1, on_event: warn}
bodies:
  - {name: wall, mesh: {box: {from: [0, -1, -1], to: [0.5, 1, 1], elements: [1, 2, 2], cells: tet4}}, element: tet4,
     material: {linear: {young: 1, density: 1}}}
"""
for number, (axis, angle, to, speed) in enumerate([
        ("0.91, 0.90, 1", 20, "-2.0, -0.4, 0.3", 82), ("0.34, -0.38, 1", 218, "-3.5, 0.1, 0.1", 41),
        ("-0.14, -0.21, 1", 260, "-5.0, 0.5, 0.4", 68)]):
    HELD += (f"  - {{name: shot{number},\n"
             "     mesh: {box: {from: [-0.3, -0.2, -0.15], to: [0.3, 0.2, 0.15], elements: [1, 1, 1]}},\n"
             f"     place: {{axis: [{axis}], angle: {angle}, translate: [{to}]}}, element: hex8, velocity: [{speed}, 0, 0],\n"
             "     material: {linear: {young: 0.05, density: 0.05}}}\n")

# Linear bars at too large a step: nothing is inside out or turned, the numbers grow.
GROWS = """\
title: bars at twice their stable step
integrator: newmark-dcr
time: {end: 500, step: 0.2, on_event: warn}
bodies:
  - {name: bar, mesh: {line: {from: [0, 0, 0], to: [1, 0, 0], elements: 10}}, element: {bar: {area: 1}},
     material: {linear: {young: 1, density: 1}}, velocity: [0, 0, 0]}
loads: [{body: bar, set: end, force: [1e-3, 0, 0]}]
contact: false
output: {fields: {every: 0}, history: {every: 7}, checkpoint: {every: 11}}
"""

# Pulled slowly beyond the stable step.
STIFFENS = """\
title: a bar of Green's strain is pulled beyond its stable step
integrator: newmark-dcr
time: {end: 80, safety: 0.5, follow: "false"}
bodies:
  - {name: bar, mesh: {line: {from: [0, 0, 0], to: [1, 0, 0], elements: 10}}, element: {bar: {strain: green}},
     material: {linear: {young: 1, density: 1}}}
restraints:
  - {body: bar, set: start, fix: xyz}
  - {body: bar, set: end, fix: xyz, velocity: [0.02, 0, 0]}
contact: false
output: {fields: {every: 0}}
"""

# Scene, changes, exit code, and what the message says.
FAILING = [
    (CORE, [], 3, "inside body 'ball' is"),
    (CORE, ["time.on_event=warn"], 0, ""),
    (EXPLODES, [], 3, "of body 'bar' is inside out"),
    (EXPLODES, ["time.follow='false'"], 3, "the motion is unstable"),
    (STIFFENS, [], 3, "the step is unstable"),
    (STIFFENS, ["time.on_event=warn", "time.end=45"], 3, "the motion is unstable"),
    (INSIDE_OUT, [], 3, "element 0 of body 'cube' is inside out"),
    (INSIDE_OUT, ["time.on_event=warn", "time.end=3"], 0, ""),
    (SHEET, ["time.follow='false'"], 3, "the motion is unstable"),
    (SHEET, ["time.retries=0"], 3, "ledger does not balance"),
    (SHEET, [], 0, "starts again with half of the step"),
    (DRIVEN, [], 3, "the prescribed motions of 'a' and 'b' lead into each other"),
    (FLIES, [], 3, "of body 'bricks' is inside out"),
    (GROWS, [], 3, "the motion is unstable"),
    (HELD, ["contact.on_hold=stop"], 3, "an endless cascade of impacts had to be held"),
    (HELD, [], 0, ""),
    (GATES, [], 1, ""),
]
