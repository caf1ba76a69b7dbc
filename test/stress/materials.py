# SPDX-License-Identifier: MIT
"""Random materials: a law that element and method take, about as stiff as asked for.

Wave speeds are about 1 before units are chosen, so that relaxation times and rates of about 1 matter.
"""
import math

from .capabilities import has

RUBBERS = ("mooney-rivlin", "yeoh", "gent", "ogden")
SOLIDS = ("neo-hookean", "neo-hookean", "st-venant-kirchhoff", "linear")


def kind_of(element):
    return next(iter(element.items())) if isinstance(element, dict) else (element, {})


def laws_of(element):
    """Elastic laws, and those with history, that an element takes."""
    kind, params = kind_of(element)
    if kind == "bar":
        return (["linear", "st-venant-kirchhoff"], []) if params["strain"] != "log" else ([], ["j2", "viscoelastic"])
    if kind == "exact-beam":
        return ["linear"], []
    if kind == "loop-shell":
        return ["st-venant-kirchhoff", "st-venant-kirchhoff", "neo-hookean"], ["j2", "viscoelastic"]
    if params.get("integration") == "mean-dilatation" or params.get("volume") == "nodal":
        return list(RUBBERS), ["j2", "viscoelastic"]
    averaged = kind == "nodal" or params.get("integration") == "one-point" or params.get("plane") == "stress"
    rubbers = list(RUBBERS) if params.get("integration") != "one-point" else []
    return [*SOLIDS, *SOLIDS, *rubbers], (["j2", "viscoelastic"] if averaged else ["viscoelastic"])


def takes_history(method, params, element):
    # conserving steps have no such shells, and no strains averaged around nodes
    averaged = method == "energy-momentum" and kind_of(element)[0] in ("loop-shell", "nodal")
    return has(method, "plasticity and viscosity", params) and not averaged


def rubber(chance, name, units, shear, bulk):
    """Parameters of a rubber with these moduli."""
    def stress(value):
        return units(value, -1, 1, -2)

    if name == "mooney-rivlin":
        part = chance.uniform(0.5, 1)
        params = {"c10": stress(part * shear / 2), "c01": stress((1 - part) * shear / 2)}
    elif name == "yeoh":
        params = {"c1": stress(shear / 2), "c2": stress(-0.01 * shear), "c3": stress(0.001 * shear)}
    elif name == "gent":
        params = {"shear": stress(shear), "limit": chance.choice([5, 30, 100])}
    else:
        first = chance.uniform(1, 4)
        params = {"terms": [[stress(1.6 * shear / first), first], [stress(-0.2 * shear), -2]]}
    return {**params, "bulk": stress(bulk)}


def metal(chance, units, young, rate):
    """Yield stress and one of the hardenings; `rate` is a strain rate of the scene."""
    def stress(value):
        return units(value, -1, 1, -2)

    flow = young * 10 ** chance.uniform(-3.5, -1.7)
    kind = chance.choice(["linear", "voce", "johnson-cook", "table", "swift"])
    params = {"yield": stress(flow), **({"hardening": kind} if kind != "linear" else {})}
    if kind == "linear":
        params["modulus"] = stress(young * chance.choice([0, 0.01, 0.1]))
    elif kind == "voce":
        params.update(saturation=stress(flow * chance.uniform(1.1, 2)), decay=chance.uniform(2, 50), modulus=stress(0.01 * young))
    elif kind == "table":
        del params["yield"]
        params["curve"] = [[0, stress(flow)], [0.02, stress(1.2 * flow)], [0.2, stress(1.6 * flow)]]
    elif kind == "swift":
        del params["yield"]
        exponent, prestrain = chance.uniform(0.1, 0.6), 10 ** chance.uniform(-4, -1)
        params.update(prestrain=prestrain, exponent=exponent, strength=stress(flow / prestrain**exponent))
    else:
        params.update(strength=stress(flow * chance.uniform(0, 1.5)), exponent=chance.uniform(0.1, 1))
        if chance.random() < 0.7:
            params.update(rate=chance.uniform(0.005, 0.05), reference_rate=units(rate * 10 ** chance.uniform(-3, 0), time=-1))
        if chance.random() < 0.5:
            params.update(melting=chance.choice([600, 1800]), softening=chance.uniform(0.5, 1.5))
    return params


def heated(chance, params, units, wave):
    """Plastic work heats: about a thousand kelvins if all of the energy of a wave became heat."""
    if "melting" in params and chance.random() < 0.7:
        params["heat_capacity"] = units(wave**2 / 1000, 2, 0, -2)


def polymer(chance, branches, rubbery, units, young, poisson, shear, bulk, rate):
    """A law with viscous branches."""
    laws = ["hencky", "hencky", *(RUBBERS if rubbery else [])] + (["j2"] if branches else [])
    law = chance.choice(laws)
    params = {"law": law, "prony": [[chance.uniform(0.05, 1), units(10 ** chance.uniform(-2, 1) / rate, time=1)]
                                    for _ in range(chance.choice([1, 1, 2, 3]))]}
    if law in ("hencky", "j2"):
        params.update(young=units(young, -1, 1, -2), poisson=poisson)
    if law == "j2":
        params.update(metal(chance, units, young, rate))
    if law in RUBBERS:
        params.update(rubber(chance, law, units, shear, bulk))
    return params


def give_material(chance, shape, units, young, density, method, options):
    """Gives a shape its law and the speed of its waves."""
    kind, _ = kind_of(shape.element)
    if kind in ("point-mass", "rigid"):
        return
    elastic, historic = laws_of(shape.element)
    young, density = young * 10 ** chance.uniform(-0.7, 0.7), density * 10 ** chance.uniform(-0.4, 0.4)
    poisson = chance.choice([0, 0.3, chance.uniform(-0.2, 0.45), chance.uniform(0, 0.45), 0.49])
    laws = elastic
    if historic and takes_history(method, options, shape.element) and (not elastic or chance.random() < 0.3):
        laws = historic
    shape.law = chance.choice(laws)
    wave = math.sqrt(young / density)
    shear, bulk = young / 3, young / 3 * 10 ** chance.uniform(0.5, 2)
    if shape.law == "viscoelastic":
        branches = "j2" in historic and has(method, "viscous branches combined with plasticity", options)
        params = polymer(chance, branches, kind != "bar", units, young, poisson, shear, bulk, wave)
        modulus = young * (1 + sum(g for g, _ in params["prony"]))
    elif shape.law in RUBBERS:
        params, modulus = rubber(chance, shape.law, units, shear, bulk), young
    else:
        params, modulus = {"young": units(young, -1, 1, -2), "poisson": poisson}, young
        if shape.law == "j2":
            params.update(metal(chance, units, young, wave))
            heated(chance, params, units, wave)
    if "bulk" in params:
        modulus = bulk + 4 / 9 * modulus
    elif kind not in ("bar", "exact-beam"):
        modulus *= (1 - poisson) / ((1 + poisson) * (1 - 2 * poisson))
    if kind == "bar" and shape.law in ("linear", "st-venant-kirchhoff"):
        params.pop("poisson")
    shape.wave = math.sqrt(modulus / density)
    shape.material = {**params, "density": units(density, -3, 1)}


def parts(chance, shape, units):
    """The other half of a body of another material of the same law, stiffer or softer and of another mass."""
    params = dict(shape.material)
    factor = chance.choice([0.3, 0.6, 1.5])
    for name in ("young", "yield", "modulus", "saturation", "strength", "c10", "c01", "c1", "c2", "c3", "shear", "bulk"):
        if isinstance(params.get(name), (int, float)):
            params[name] *= factor
    for name, rows in (("curve", 1), ("terms", 0)):
        if name in params:
            params[name] = [[v * factor if i == rows else v for i, v in enumerate(row)] for row in params[name]]
    params["density"] *= chance.choice([0.5, 1, 2])
    low = [c - 10 * shape.size for c in shape.at]
    high = [c + 10 * shape.size for c in shape.at]
    axis = chance.randrange(2)
    # beside the middle, where rounding would decide
    high[axis] = shape.at[axis] + 0.037 * shape.size
    return [{"in_box": {"low": units(low, 1), "high": units(high, 1)}, "material": {shape.law: params}}]
