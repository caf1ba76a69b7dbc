#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draws rooms.svg and steps.svg, the pictures of docs/developer/architecture.md:  python3 docs/pictures/architecture.py

Plain SVG with colours for light and dark; the standard library is enough.
"""
from html import escape
from pathlib import Path

HERE = Path(__file__).resolve().parent

# Colours by family of modules: light fill, light edge, dark fill, dark edge.
FAMILIES = {
    "base": ("#eceff1", "#90a4ae", "#263238", "#78909c"),
    "mesh": ("#e8f5e9", "#81c784", "#1b3a20", "#66a86b"),
    "element": ("#e3f2fd", "#64b5f6", "#13324d", "#5b9fd6"),
    "contact": ("#fff3e0", "#ffb74d", "#4a2f0b", "#d99a45"),
    "model": ("#f3e5f5", "#ba68c8", "#3a1d40", "#b27cbd"),
    "integrator": ("#fce4ec", "#f06292", "#48182a", "#d77a9a"),
    "solver": ("#e0f2f1", "#4db6ac", "#12393a", "#58a8a0"),
    "above": ("#fffde7", "#d4c15a", "#3b3610", "#b5a64f"),
}


def style():
    light = "".join(f".{n}{{fill:{f};stroke:{s}}}" for n, (f, s, _, _) in FAMILIES.items())
    dark = "".join(f".{n}{{fill:{f};stroke:{s}}}" for n, (_, _, f, s) in FAMILIES.items())
    return (f"text{{font-family:Helvetica,Arial,sans-serif;fill:#1c2126}}.n{{font-weight:600;font-size:14px}}"
            f".s{{font-size:12px}}.q{{font-size:12px;font-style:italic}}.t{{font-weight:600;font-size:15px}}.paper{{fill:#fff}}"
            f".line{{stroke:#5f6b76;fill:none;stroke-width:1.4}}.head{{fill:#5f6b76}}{light}"
            f"@media(prefers-color-scheme:dark){{text{{fill:#e6e9ec}}.paper{{fill:#15191d}}.line{{stroke:#aab4bd}}"
            f".head{{fill:#aab4bd}}{dark}}}")


class Drawing:
    def __init__(self, width, height, title):
        self.width, self.height = width, height
        self.parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
                      f'height="{height}" role="img"><title>{escape(title)}</title><style>{style()}</style>',
                      f'<rect class="paper" width="{width}" height="{height}" rx="6"/>']

    def box(self, x, y, w, h, family):
        self.parts.append(f'<rect class="{family}" x="{x}" y="{y}" width="{w}" height="{h}" rx="6" stroke-width="1.3"/>')

    def text(self, x, y, words, kind="s", anchor="middle"):
        self.parts.append(f'<text class="{kind}" x="{x}" y="{y}" text-anchor="{anchor}">{escape(words)}</text>')

    def arrow(self, x0, y0, x1, y1):
        self.parts.append(f'<path class="line" d="M{x0} {y0}L{x1} {y1}"/>')
        if x1 > x0:
            self.parts.append(f'<path class="head" d="M{x1} {y1}l-7 -4v8z"/>')
        else:
            self.parts.append(f'<path class="head" d="M{x1} {y1}l-4 -7h8z"/>')

    def loop(self, x0, x1, y, words):
        """A bracket below boxes, with an arrow back up to the first of them."""
        self.parts.append(f'<path class="line" d="M{x1} {y}v9H{x0}V{y + 3}"/><path class="head" d="M{x0} {y - 1}l-4 7h8z"/>')
        self.text((x0 + x1) / 2, y + 23, words, "q")

    def save(self, name):
        (HERE / name).write_text("\n".join(self.parts) + "\n</svg>\n", encoding="utf-8")


# From top to bottom, as includes go: (folder, contents, family, modules).
LAYERS = [
    [("app", "the command", "above", ["run", "compare", "verify", "show", "tell", "mesh", "sweep"])],
    [("scene", "scene files", "above", ["read", "keys", "check", "build", "gates", "study", "import"])],
    [("sim", "run loop, checkpoints, summary", "above", [])],
    [("output", "files", "above", ["tables", "frames", "back", "run", "picture"])],
    [("integrator", "what the methods share", "integrator",
      ["newmark_dcr", "asynchronous", "multisymplectic", "energy_momentum", "nonsmooth", "static"])],
    [("device", "a GPU, and its emulator", "integrator", [])],
    [("model", "the model and the state as data", "model",
      ["motion", "forces", "parts", "state", "watch", "build", "ask"])],
    [("element", "potentials of positions", "element", ["solid", "average", "shell", "line", "kinds"]),
     ("contact", "record, response, surfaces", "contact",
      ["impact", "pairs", "simplex", "cones", "quadrature", "broad", "narrow"]),
     ("tied", "mortar rows", "contact", [])],
    [("mesh", "meshes, sets", "mesh", ["generate", "files", "mend"]),
     ("material", "pointwise laws", "element", ["flow", "rubber", "viscous", "lanes"]),
     ("solver", "sparse matrices, MUMPS", "solver", [])],
    [("parallel", "several processes, MPI", "base", [])],
    [("base", "errors, memory, parameters, threads", "base", []),
     ("math", "vectors, exact sums, predicates", "base", [])],
]


def draw_modules():
    width, gap, left = 1180, 10, 20
    heights = [88 if any(f[3] for f in row) else 46 for row in LAYERS]
    d = Drawing(width, sum(heights) + gap * (len(LAYERS) - 1) + 72, "The modules of carom")
    d.text(left, 28, "src/ and app/: an include goes down or stays, never up", "t", "start")
    y = 44
    for row, height in zip(LAYERS, heights):
        weights = [2 + len(f[3]) for f in row]
        x, free = left, width - 2 * left - gap * (len(row) - 1)
        for (name, words, family, modules), weight in zip(row, weights):
            w = free * weight / sum(weights)
            d.box(x, y, w, height, family)
            if modules:
                d.text(x + 12, y + 24, name, "n", "start")
                d.text(x + 12 + 8 * len(name) + 22, y + 24, words, "s", "start")
                each = (w - 12 * 2 - 8 * (len(modules) - 1)) / len(modules)
                for i, inner in enumerate(modules):
                    mx = x + 12 + i * (each + 8)
                    d.box(mx, y + 38, each, 36, family)
                    d.text(mx + each / 2, y + 61, inner)
            else:
                d.text(x + w / 2, y + height / 2 - 3, name, "n")
                d.text(x + w / 2, y + height / 2 + 14, words)
            x += w + gap
        y += height + gap
    d.text(left, y + 8, "The contact methods (impact, simplex, quadrature) are independent of each other, and so are the "
           "integrators.", "q", "start")
    d.save("rooms.svg")


# One row per method: boxes (what happens, where, family) and loops (first box, last box, words).
STEPS = [
    ("newmark-dcr", [("drive restraints", "model/motion", "model"), ("list near pairs", "contact/broad", "contact"),
                     ("drift through impacts", "impact, narrow", "contact"), ("forces", "model, element", "element"),
                     ("kick; repay and rest", "contact/impact", "contact"), ("ledger, velocities", "model/state", "model")],
     [(1, 2, "again if an impact moves a node out of its allowance; elastic impacts: with the forces at the end")]),
    ("asynchronous", [("choose nodes on ticks", "broad, narrow", "contact"), ("next event", "calendar", "integrator"),
                      ("kick of a group", "element", "element"), ("tick: kick and drift", "contact/impact", "contact"),
                      ("arrive, ledger", "model/state", "model"), ("velocities if needed", "element", "element")],
     [(1, 3, "event by event until the span ends; then the next span")]),
    ("energy-momentum", [("pair points", "contact/quadrature", "contact"),
                         ("residual, tangent", "element, quadrature", "element"),
                         ("factorise, line search", "solver", "solver"), ("tunnelling?", "contact/quadrature", "contact"),
                         ("velocity update", "contact/quadrature", "contact"), ("ledger", "model/state", "model")],
     [(1, 2, "Newton's method"), (3, 3, "if so, halve the step")]),
    ("nonsmooth-newmark", [("predict", "nonsmooth", "integrator"), ("violated simplices", "contact/simplex", "contact"),
                           ("bulk", "element, solver", "element"), ("dual problem", "contact/cones", "contact"),
                           ("worst overlap?", "contact/simplex", "contact"), ("velocities, ledger", "model/state", "model")],
     [(1, 3, "pass by pass until contact converges"), (4, 4, "if too large, halve the step")]),
    ("multisymplectic (rules other than kinked)",
     [("next contact time", "contact_time", "integrator"), ("advance a slab", "slab, frame_step", "integrator"),
      ("impulse at its end", "slab", "contact"), ("ledger", "model/state", "model"),
      ("forces at the level", "element", "element"), ("show x, v", "model/state", "model")],
     [(0, 3, "slab by slab until the step is over")]),
]


def draw_steps():
    left, wide, tall, gap, pitch = 20, 140, 46, 22, 112
    width = left * 2 + 6 * wide + 5 * gap
    d = Drawing(width, 42 + pitch * len(STEPS), "The sequence of one step through the modules, method by method")
    d.text(left, 28, "carom_sim_step: the sequence of one step, method by method", "t", "start")
    for r, (method, boxes, loops) in enumerate(STEPS):
        y = 46 + pitch * r
        d.text(left, y + 14, method, "n", "start")
        y += 22
        for i, (words, where, family) in enumerate(boxes):
            x = left + i * (wide + gap)
            d.box(x, y, wide, tall, family)
            d.text(x + wide / 2, y + 20, words)
            d.text(x + wide / 2, y + 37, where, "q")
            if i:
                d.arrow(x - gap + 2, y + tall / 2, x - 2, y + tall / 2)
        for first, last, words in loops:
            middle = [left + k * (wide + gap) + wide / 2 for k in (first, last)]
            if last > first:
                d.loop(*middle, y + tall + 2, words)
            else:
                d.text(middle[0], y + tall + 17, words, "q")
    d.save("steps.svg")


draw_modules()
draw_steps()
