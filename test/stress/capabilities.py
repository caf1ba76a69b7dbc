# SPDX-License-Identifier: MIT
"""What methods lack, as `carom info METHOD` lists it, so that few scenes are refused; a test compares the two."""

WORLDS_NEED = {"rigid": "rigid bodies", "tied": "`tied` and `connections`", "beam": "beams"}
# Method: {what it lacks: None, or the parameter with which it does}.
LACKS = {
    "newmark-dcr": {"beams": None, "rigid bodies": "contact.resolve: projection", "`tied` and `connections`": "contact.resolve: projection",
                    "obstacles": "contact.resolve: projection"},
    "asynchronous": {"beams": None, "damping": None, "stiffness damping": None, "rigid bodies": "another `contact` than exact",
                     "`tied` and `connections`": None, "viscous branches combined with plasticity": None},
    "multisymplectic": dict.fromkeys((
        "obstacles", "rigid bodies", "restraints with `from`, `until`", "loads and motions that change in time", "damping",
        "stiffness damping", "`tied` and `connections`", "plasticity and viscosity", "viscous branches combined with plasticity",
        "contact of surfaces", "restitution below 1", "friction")),
    "energy-momentum": {
        "beams": None, "rigid bodies": None, "stiffness damping": None, "viscous branches combined with plasticity": None,
        "plasticity and viscosity": "another scheme than conserving", "restraints with `from`, `until`": None,
        "`tied` and `connections`": "scheme: newmark", "restitution below 1": None},
    "nonsmooth-newmark": {
        "beams": None, "rigid bodies": None, "stiffness damping": None, "`tied` and `connections`": None,
        "restraints with `from`, `until`": None, "plasticity and viscosity": "beta > 0",
        "viscous branches combined with plasticity": "beta > 0", "damping": "beta > 0", "restitution below 1": None},
}


def applies(condition, params):
    """Whether a condition of LACKS holds for parameters of the method; projection is chosen where nothing forbids it."""
    if condition is None:
        return True
    return {"another `contact` than exact": params.get("contact", "exact") != "exact",
            "another scheme than conserving": params.get("scheme", "conserving") != "conserving",
            "scheme: newmark": params.get("scheme") == "newmark", "beta > 0": bool(params.get("beta"))}.get(condition, False)


def has(method, need, params):
    lacks = LACKS[method]
    return need not in lacks or not applies(lacks[need], params)


def ever_has(method, need):
    """With some parameters."""
    return LACKS[method].get(need, "") is not None
