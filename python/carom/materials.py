# SPDX-License-Identifier: MIT
"""Materials: the laws of the library as functions (`carom.material.neo_hookean(young=..., poisson=..., density=...)`), and laws
of a program.

    @carom.law("my-rubber", mu=1e6, kappa=1e8, density=1000.0)
    def my_rubber(F, p):
        ...
        return W, P              # energy per reference volume, first Piola-Kirchhoff stress (3, 3)
                                 # or W, P, A with the tangent dP/dF (9, 9), which is otherwise taken by differences

A scene then writes `material: {my-rubber: {mu: 2e6}}`. Python is called for each point and each evaluation, some 30 us each; a
C function (of ctypes, cffi or numba's cfunc) with the signature double(params*, F*, P*, A*) is as fast as the laws of the
library."""
import ctypes

import numpy as np

from . import _api
from ._kinds import catalogue, function_of, identifier_of
from ._library import call

laws = {}
FIELDS = dict(_api.carom_material._fields_)
HUGE = float("inf")


def put(address, values, count):
    """Copies numbers to the library. The local variable keeps the array alive while it is copied."""
    array = np.ascontiguousarray(values, dtype=float).reshape(count)
    ctypes.memmove(address, array.ctypes.data, 8 * count)


class Law:
    """A law of a program. Tables of the library refer to it, so it exists until the process ends."""

    def __init__(self, name, function, parameters):
        if "density" not in parameters:
            raise ValueError("a law needs a parameter `density`")
        self.name, self.function, self.failure = name, function, None
        self.names = list(parameters)
        rows = (_api.carom_param * len(self.names))()
        for index, (key, value) in enumerate(parameters.items()):
            rows[index] = _api.carom_param(name=key.encode(), type=_api.CAROM_PARAM_REAL, offset=8 * index, unit=b"",
                                           initial=repr(float(value)).encode() if value is not None else None,
                                           doc=b"A parameter of the law.")
        self.rows = rows
        kind = _api.carom_kind(name=name.encode(), summary=(function.__doc__ or "A law of the program.").strip().encode(),
                               reference=b"", params=rows, param_count=len(self.names), params_size=8 * len(self.names))
        self.density = FIELDS["density"](self._density)
        if isinstance(function, ctypes._CFuncPtr):
            self.solid = ctypes.cast(function, FIELDS["solid"])
        else:
            self.solid = FIELDS["solid"](self._solid)
        self.table = _api.carom_material(kind=kind, density=self.density, solid=self.solid)

    def values(self, address):
        return np.frombuffer(ctypes.string_at(address, 8 * len(self.names)), float)

    def _density(self, params):
        return float(self.values(params)[self.names.index("density")])

    def differences(self, gradient, values, step=6e-6):
        """The tangent by central differences of the stress; good to ten digits."""
        tangent = np.empty((9, 9))
        for k in range(9):
            change = np.zeros(9)
            change[k] = step
            sides = [self.function(gradient + sign * change.reshape(3, 3), values) for sign in (1, -1)]
            if sides[0] is None or sides[1] is None:
                raise ArithmeticError(f"the law {self.name!r} has no tangent at the edge of what it answers: return W, P, A")
            tangent[:, k] = (np.asarray(sides[0][1]) - np.asarray(sides[1][1])).reshape(9) / (2 * step)
        return tangent

    def _solid(self, params, F, P, A):
        try:
            if self.failure is not None:
                return HUGE
            gradient = np.frombuffer(ctypes.string_at(F, 72), float).reshape(3, 3)
            values = dict(zip(self.names, self.values(params)))
            answer = self.function(gradient, values)
            if answer is None:
                return HUGE
            energy, stress, tangent = answer if len(answer) == 3 else (*answer, None)
            if A:
                if tangent is None:
                    tangent = self.differences(gradient, values)
                put(A, tangent, 81)
            if P:
                put(P, stress, 9)
            return float(energy)
        except BaseException as failure:  # raised by the call that requested the step
            self.failure = failure
            return HUGE


def law(name, **parameters):
    """Registers a function (F, parameters) -> (W, P) as a material that scenes can name; see the module. A parameter that is
    None has no default. Register before the first scene that uses it."""
    def register(function):
        made = Law(name, function, parameters)
        call("carom_register_material", ctypes.byref(made.table))
        laws[name] = made
        return function
    return register


def raise_of_laws(names=None):
    """Raises the exception of a law of the program: of one of those names, or of any law."""
    for name, made in laws.items():
        if made.failure is not None and (names is None or name in names):
            failure, made.failure = made.failure, None
            raise failure


class Family:
    """The kinds of a catalogue as functions that return the entry of a scene: `carom.material.linear(young=1, ...)`."""

    def __init__(self, function, what):
        self.__doc__ = f"The {what} of the library, each a function of its parameters."
        self._kinds = {}
        for kind in catalogue(function):
            made = function_of(kind, dict, "carom")
            self._kinds[kind.name] = kind
            setattr(self, kind.identifier, made)

    def __dir__(self):
        return [identifier_of(name) for name in self._kinds]

    def __getattr__(self, name):
        import difflib
        near = difflib.get_close_matches(name, dir(self), 1)
        raise AttributeError(f"there is no {name!r}" + (f"; did you mean {near[0]!r}?" if near else f"; there are {', '.join(dir(self))}"))


material = Family("carom_materials", "materials")
element = Family("carom_elements", "elements")
integrator = Family("carom_integrators", "integrators")
