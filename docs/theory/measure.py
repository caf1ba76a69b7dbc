#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs the experiments of the theory pages and prints their tables again.

    python3 docs/theory/measure.py [--carom build/carom] [NAME...]

Without a NAME all of them; a few seconds each. Needs nothing but the command and the standard library.
"""
import argparse
import csv
import json
import math
import pathlib
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
BARS = "scenes/papers/dcr/two_bars.yaml"
carom = ROOT / "build" / "carom"


def columns(path):
    """A table of carom as a dict of lists."""
    with open(path) as file:
        rows = csv.reader(file)
        names = next(rows)
        values = [[float(cell) for cell in row] for row in rows]
    return dict(zip(names, map(list, zip(*values))))


def run(scene, *overrides):
    """Runs a scene (a path, or the text of one) and returns summary, history and probes."""
    with tempfile.TemporaryDirectory() as place:
        path = ROOT / scene if scene.endswith(".yaml") else pathlib.Path(place) / "scene.yaml"
        if not scene.endswith(".yaml"):
            path.write_text(scene)
        command = [carom, "run", path, "-q", "-o", f"{place}/out", "--set", "output.fields.every=0"]
        for override in overrides:
            command += ["--set", override]
        code = subprocess.run(command, stderr=subprocess.DEVNULL).returncode
        if code not in (0, 1):  # the gates of a scene are meant for its own settings
            raise SystemExit(f"{' '.join(map(str, command))}: exit code {code}")
        out = pathlib.Path(place) / "out"
        summary = json.loads((out / "summary.json").read_text())
        probes = out / "probes.csv"
        return summary, columns(out / "history.csv"), columns(probes) if probes.exists() else {}


def percent(value, digits=3):
    return f"{100 * value:+.{digits}f}"


def energy_errors(history):
    """The energy error of the method in each row: what the ledger calls residual, and the oscillation that it knows."""
    return [residual + known for residual, known in zip(history["residual"], history["oscillation"])]


def rms(values):
    return math.sqrt(sum(v * v for v in values) / len(values))


def two_bars():
    """Both settings of contact.resolve, three restitutions, three steps. Energies in percent of the start."""
    print("| resolve | e | step | total | restitution | projection | residual, end | largest | last contact | impulse"
          " | tip velocity, rms | tip displacement, worst |")
    print("|---|---|---|---|---|---|---|---|---|---|---|---|")
    for resolve in "projection", "exact":
        for e in 0, 0.5, 1:
            for step in 0.05, 0.02, 0.01:
                summary, history, tip = run(BARS, f"contact.resolve={resolve}", f"contact.restitution={e}",
                                            f"time.step={step}")
                last, scale = summary["ledger"]["last"], summary["ledger"]["first"]["total"]
                pair = summary["pairs"][0]
                errors = energy_errors(history)
                inside = [v for t, v in zip(tip["time"], tip["left_tip.vx"]) if 1 < t < 19]
                worst = max(abs(u + 0.1 * max(t - 20, 0)) for t, u in zip(tip["time"], tip["left_tip.ux"]))
                print(f"| {resolve} | {e} | {step} | {percent(last['total'] / scale - 1)} | {percent(last['restitution'] / scale)} | "
                      f"{percent(last['projection'] / scale)} | {percent(errors[-1] / scale, 4)} | "
                      f"{100 * max(map(abs, errors)) / scale:.3f} | {pair['last_contact']:.3f} | {pair['impulse']:.4f} | "
                      f"{rms(inside):.1e} | {worst:.4f} |")


def smaller_steps():
    """From the stability limit down: `projection` with e = 1 as in the paper, `exact` with e = 0. Energies in percent of the start."""
    print("| resolve | e | step | total | projection | largest residual | last contact | impulse | impulses"
          " | tip velocity, rms | tip displacement, worst |")
    print("|---|---|---|---|---|---|---|---|---|---|---|")
    every_step = 0.1, 0.05, 0.02, 0.01, 0.005, 0.001, 0.0005, 0.0001
    for resolve, e, steps in ("projection", 1, every_step), ("exact", 0, (0.05, 0.01, 0.001, 0.0001)):
        for step in steps:
            summary, history, tip = run(BARS, f"contact.resolve={resolve}", f"contact.restitution={e}", f"time.step={step}",
                                        f"output.history.every={max(1, round(0.001 / step))}")
            last, scale = summary["ledger"]["last"], summary["ledger"]["first"]["total"]
            pair = summary["pairs"][0]
            inside = [v for t, v in zip(tip["time"], tip["left_tip.vx"]) if 1 < t < 19]
            worst = max(abs(u + 0.1 * max(t - 20, 0)) for t, u in zip(tip["time"], tip["left_tip.ux"]))
            print(f"| {resolve} | {e} | {step} | {percent(last['total'] / scale - 1)} | {percent(last['projection'] / scale)} | "
                  f"{100 * max(map(abs, energy_errors(history))) / scale:.3f} | {pair['last_contact']:.3f} | "
                  f"{pair['impulse']:.4f} | {pair['events']} | {rms(inside):.1e} | {worst:.4f} |")


def squeezed():
    """A mass between two bars that press on it: the overlap that `projection` leaves where two contacts share a node."""
    scene = """
integrator: newmark-dcr
time: {end: 10, step: 0.05}
bodies:
  - name: left
    mesh: {line: {from: [-10, 0, 0], to: [0, 0, 0], elements: 100}}
    element: {bar: {area: 1}}
    material: {linear: {young: 1, density: 1}}
    velocity: [0.1, 0, 0]
  - {name: mass, mesh: {point: {at: [0, 0, 0]}}, element: {point-mass: {mass: 0.01}}}
  - name: right
    mesh: {line: {from: [0, 0, 0], to: [10, 0, 0], elements: 100}}
    element: {bar: {area: 1}}
    material: {linear: {young: 1, density: 1}}
    velocity: [-0.1, 0, 0]
contact: {restitution: 0}
output: {history: {every: 1}}
"""
    print("| resolve | e | step | largest penetration |")
    print("|---|---|---|---|")
    for resolve in "projection", "exact":
        for e in 0, 0.5, 1:
            for step in 0.05, 0.01:
                summary, _, _ = run(scene, f"contact.resolve={resolve}", f"contact.restitution={e}", f"time.step={step}")
                print(f"| {resolve} | {e} | {step} | {summary['max_penetration']:.1e} |")


def contact_states():
    """Is the contact of `exact` with e = 0 really at rest? Gap and tip velocity from the first step to t = 19."""
    for step in 0.05, 0.01:
        _, _, tip = run(BARS, "contact.resolve=exact", "contact.restitution=0", f"time.step={step}")
        rows = [i for i, t in enumerate(tip["time"]) if 0 < t <= 19]
        gap = max(abs(tip["right_tip.x"][i] - tip["left_tip.x"][i]) for i in rows)
        speed = max(abs(tip["left_tip.vx"][i]) for i in rows)
        print(f"step {step}: largest |gap| {gap:.1e}, largest |tip velocity| {speed:.1e}")


def refinement():
    """The loss of the first touch is that of two half elements: (h1 + h2)/(4 L)."""
    print("| elements per bar | restitution loss, % | (h1 + h2)/(4 L), % |")
    print("|---|---|---|")
    for n in 25, 50, 100, 200:
        summary, _, _ = run(BARS, "contact.resolve=exact", "contact.restitution=0", f"bodies[0].mesh.line.elements={n}",
                            f"bodies[1].mesh.line.elements={n}", f"time.step={5 / n}")
        last, scale = summary["ledger"]["last"], summary["ledger"]["first"]["total"]
        print(f"| {n} | {100 * last['restitution'] / scale:.4f} | {100 * 2 * (10 / n) / 40:.4f} |")


def local_and_macroscopic():
    """The macroscopic restitution of two bars for several values of the local one."""
    print("| local e | drift | projection |")
    print("|---|---|---|")
    for e in 0, 0.25, 0.5, 0.75, 1:
        found = [run(BARS, f"contact.resolve={resolve}", f"contact.restitution={e}", "time.step=0.01")[0]
                 ["pairs"][0]["macroscopic_restitution"] for resolve in ("exact", "projection")]
        print(f"| {e} | {found[0]:.4f} | {found[1]:.4f} |")


BALL = """
integrator: newmark-dcr
time: {end: 9, step: 0.01}
gravity: [0, 0, -10]
bodies:
  - {name: ball, mesh: {point: {at: [0, 0, 1]}}, element: {point-mass: {mass: 2}}}
contact: {restitution: 1, planes: [{name: floor, normal: [0, 0, 1]}]}
output: {history: {every: 1}, probes: [{name: ball, body: ball}]}
"""


def reflection():
    """The jump of the residual at each bounce, and what it would be without the correction, m a v (1 + e)(h/2 - tau)."""
    m, a, h = 2, -10, 0.01
    print("| e | bounce | tau / h | jump of the residual | m a w (1 + e)(h/2 - tau) |")
    print("|---|---|---|---|---|")
    for e in 1, 0.6:
        _, history, ball = run(BALL, f"contact.restitution={e}")
        z, v = ball["ball.z"], ball["ball.vz"]
        found = []
        for i in range(1, len(z)):
            w = v[i - 1] + 0.5 * h * a
            if z[i - 1] + h * w >= 0 or v[i - 1] > 0:
                continue
            tau, jump = -z[i - 1] / w, history["residual"][i] - history["residual"][i - 1]
            formula = m * a * w * (1 + e) * (h / 2 - tau)
            found.append((tau / h, jump, formula))
        for k, (tau, jump, formula) in enumerate(found[:6]):
            print(f"| {e} | {k + 1} | {tau:.4f} | {jump:+.6f} | {formula:+.6f} |")
        if e == 1:
            worst = max(abs(jump) for _, jump, _ in found)
            print(f"{len(found)} bounces with e = 1: largest jump {worst:.1e}")


def rest():
    """A bouncing ball comes to rest, e < 1, and never does, e = 1. Dropped from 1 with g = 10; energies in percent of m g z."""
    print("| e | step | at rest from | exact | largest residual, % |")
    print("|---|---|---|---|---|")
    for e in 0, 0.6, 0.9, 1:
        for step in 0.01, 0.001:
            _, history, ball = run(BALL, f"contact.restitution={e}", "time.end=20", f"time.step={step}")
            t, v = ball["time"], ball["ball.vz"]
            begin = len(t)
            while begin > 0 and v[begin - 1] == 0:
                begin -= 1
            exact = f"{math.sqrt(0.2) * (1 + e) / (1 - e):.3f}" if e < 1 else "never"
            found = f"{t[begin]:.3f}" if begin < len(t) else "never"
            print(f"| {e} | {step} | {found} | {exact} | {100 * max(map(abs, history['residual'])) / 20:.2f} |")


def pressing():
    """`projection` with e < 1 in pressed contact: the recorded restitution, compared with T h N^2/m (1 - e)/(1 + e)."""
    print("| e | step | restitution, % | formula, % | projection, % | sum, % |")
    print("|---|---|---|---|---|---|")
    for e in 0, 0.5, 0.9:
        for step in 0.05, 0.02, 0.01:
            summary, _, _ = run(BARS, f"contact.restitution={e}", f"time.step={step}")
            last, scale = summary["ledger"]["last"], summary["ledger"]["first"]["total"]
            formula = 20 * step * 0.1 ** 2 / 0.05 * (1 - e) / (1 + e)
            print(f"| {e} | {step} | {percent(last['restitution'] / scale, 2)} | {percent(formula / scale, 2)} | "
                  f"{percent(last['projection'] / scale, 2)} | {percent((last['restitution'] + last['projection']) / scale)} |")


def collapse():
    """Inelastic collapse: a mass hits two equal masses at rest. For e < 7 - 4 sqrt 3 = 0.0718 the impacts never end."""
    scene = """
integrator: newmark-dcr
time: {end: 10, step: 0.1}
bodies:
  - {name: a, mesh: {point: {at: [0, 0, 0]}}, element: {point-mass: {mass: 1}}, velocity: [1, 0, 0]}
  - {name: b, mesh: {point: {at: [1, 0, 0]}}, element: {point-mass: {mass: 1}}}
  - {name: c, mesh: {point: {at: [1.01, 0, 0]}}, element: {point-mass: {mass: 1}}}
contact: {restitution: 0.05}
output: {history: {every: 1}, probes: [{name: a, body: a}, {name: b, body: b}, {name: c, body: c}]}
"""
    print("| e | impulses | cascades settled | velocities after | lost by restitution | residual |")
    print("|---|---|---|---|---|---|")
    for e in 0.05, 0.07, 0.08, 0.2:
        summary, history, p = run(scene, f"contact.restitution={e}")
        v = ", ".join(f"{p[n + '.vx'][-1]:.4f}" for n in "abc")
        print(f"| {e} | {summary['contact_events']} | {summary['events']['contact_settled']} | {v} | "
              f"{history['restitution'][-1]:.6f} | {max(map(abs, history['residual'])):.0e} |")


def off_axis():
    """Two masses that leave their line, the axis of a distant bar, before they meet: the normal impulse has a moment."""
    scene = """
integrator: newmark-dcr
time: {end: 2, step: 0.01}
bodies:
  - {name: a, mesh: {point: {at: [0, 0, 0]}}, element: {point-mass: {mass: 1}}, velocity: [1, 0, 0]}
  - {name: b, mesh: {point: {at: [1, 0, 0]}}, element: {point-mass: {mass: 1}}, velocity: [0, 0, 0]}
  - name: axis
    mesh: {line: {from: [5, 0, 0], to: [6, 0, 0], elements: 1}}
    element: {bar: {area: 1}}
    material: {linear: {young: 1, density: 1}}
contact: {restitution: 1}
output: {history: {every: 1}}
"""
    for text, overrides in (("along the line", []),
                            ("b moves across at 0.2", ["bodies[1].velocity=[0,0.2,0]"]),
                            ("the same by projection", ["bodies[1].velocity=[0,0.2,0]", "contact.resolve=projection"])):
        summary, history, _ = run(scene, *overrides)
        print(f"{text}: momentum error {summary['momentum_error']:.1e}, angular momentum error "
              f"{summary['angular_momentum_error']:.3e}, change of lz {history['lz'][-1] - history['lz'][0]:+.4f}, "
              f"first contact {summary['pairs'][0]['first_contact']:.2f}")


def spinning():
    """A string held at one end and thrown: small strain and Green's strain."""
    scene = """
integrator: newmark-dcr
time: {end: 20, step: 0.02}
bodies:
  - name: string
    mesh: {line: {from: [0, 0, 0], to: [1, 0, 0], elements: 10}}
    element: {bar: {area: 1, strain: green}}
    material: {linear: {young: 1, density: 1}}
    velocity: [0.1, 0.2, 0]
restraints: [{body: string, set: start, fix: xyz}]
output: {history: {every: 1}}
"""
    for strain in "small", "green":
        summary, _, _ = run(scene, f"bodies[0].element.bar.strain={strain}")
        print(f"{strain}: angular momentum error {summary['angular_momentum_error']:.1e}, "
              f"energy error {summary['energy_error']:.1e}, momentum error {summary['momentum_error']:.1e}")


def pulled():
    """A bar pulled at one end with constant velocity: the work of the prescribed motion."""
    scene = """
integrator: newmark-dcr
time: {end: 20, step: 0.05}
bodies:
  - name: bar
    mesh: {line: {from: [0, 0, 0], to: [1, 0, 0], elements: 10}}
    element: {bar: {area: 1}}
    material: {linear: {young: 1, density: 1}}
restraints: [{body: bar, set: start, fix: x, velocity: [0.1, 0, 0]}]
output: {history: {every: 1}}
"""
    for step in 0.05, 0.025, 0.0125:
        summary, history, _ = run(scene, f"time.step={step}")
        print(f"step {step}: work done {-history['external'][-1]:.6f}, kinetic + internal "
              f"{history['kinetic'][-1] + history['internal'][-1]:.6f}, largest residual {percent(summary['energy_error'])} %, "
              f"momentum error {summary['momentum_error']:.1e}")


def oscillator():
    """Free vibration: the residual oscillates, does not grow, and falls with the square of the step."""
    scene = """
integrator: newmark-dcr
time: {end: 400, step: 0.05}
bodies:
  - name: bar
    mesh: {line: {from: [0, 0, 0], to: [1, 0, 0], elements: 10}}
    element: {bar: {area: 1}}
    material: {linear: {young: 1, density: 1}}
    velocity: [0.1, 0, 0]
restraints: [{body: bar, set: start, fix: x}]
output: {history: {every: 1}}
"""
    for step in 0.05, 0.025, 0.0125:
        _, history, _ = run(scene, f"time.step={step}")
        r, n = [abs(x) for x in history["residual"]], len(history["residual"])
        scale = history["total"][0]
        print(f"step {step}: largest residual {percent(max(r[:n // 5]) / scale)} % in the first fifth, "
              f"{percent(max(r[-n // 5:]) / scale)} % in the last")


TABLES = [two_bars, smaller_steps, squeezed, contact_states, refinement, local_and_macroscopic, pressing, reflection, rest, collapse,
          off_axis, spinning, pulled, oscillator]

if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--carom", type=pathlib.Path, default=carom, help="the command (default: build/carom)")
    parser.add_argument("name", nargs="*", choices=[[], *(t.__name__ for t in TABLES)], metavar="NAME",
                        help=", ".join(t.__name__ for t in TABLES))
    arguments = parser.parse_args()
    carom = arguments.carom.resolve()
    for table in TABLES:
        if not arguments.name or table.__name__ in arguments.name:
            print(f"\n{table.__name__}: {table.__doc__.splitlines()[0]}\n")
            table()
