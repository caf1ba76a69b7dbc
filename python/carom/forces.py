# SPDX-License-Identifier: MIT
"""Forces that a program computes: Python functions of all nodes at once, or C functions of one node.

    @carom.force("part")
    def wind(time, x, f):            # x: positions of the selected nodes, f: their forces, zero on entry
        f[:, 0] = 0.1 * x[:, 2]

    sim = scene.simulation(forces=[wind])

Work and impulse of such a force are recorded in the ledger. The function is called whenever forces are evaluated, several
times per step and at trial positions, so it must depend on its arguments only."""
import ctypes

import numpy as np

from . import _api
from ._library import library

ARRAY = dict(_api.carom_load_def._fields_)["array_function"]
NODE = dict(_api.carom_load_def._fields_)["function"]


def view(address, shape, kind, write=False):
    """An array over memory of the library, which must outlive it."""
    count = int(np.prod(shape))
    buffer = (ctypes.c_char * (count * np.dtype(kind).itemsize)).from_address(address)
    array = np.frombuffer(buffer, kind).reshape(shape)
    array.flags.writeable = write
    return array


class Force:
    """A force on the nodes of a body (or of a group of bodies), or of one of its sets."""

    size = None  # number of nodes of the model, once it exists

    def __init__(self, function, body, set=None):
        if not isinstance(body, str) or not body:
            raise TypeError("a force acts on a body: @carom.force('part')")
        self.body, self.set, self.function = body, set, function
        self.failure = None
        if isinstance(function, (ctypes._SimpleCData, int)) or hasattr(function, "address") and not callable(function):
            address = getattr(function, "address", getattr(function, "value", function))
            self.array, self.single = ARRAY(), NODE(address)
        elif isinstance(function, ctypes._CFuncPtr):
            self.array, self.single = ARRAY(), ctypes.cast(function, NODE)
        elif callable(function):
            self.array, self.single = ARRAY(self._call), NODE()
        else:
            raise TypeError("a force is a function force(time, x, f), or a C function of one node")

    def _call(self, _context, time, factor, count, nodes, x, force):
        # An exception must not leave C in the middle of a step: the forces become NaN, the step fails, and the exception is
        # raised by the call that requested the step.
        chosen = view(nodes, (count,), np.int32)
        all_ = self.size or int(chosen.max()) + 1
        forces = view(force, (all_, 3), float, write=True)
        try:
            if self.failure is not None:
                raise self.failure
            own = np.zeros((count, 3))
            answer = self.function(time, view(x, (all_, 3), float)[chosen], own)
            if answer is not None:
                raise TypeError("a force fills its last argument, f[:] = ..., and returns nothing")
            forces[chosen] += factor * own
        except BaseException as failure:
            self.failure = failure
            forces[chosen] = np.nan

    def definition(self):
        """The load definition that the library takes."""
        load = library.carom_default_load_def()
        load.where.body = self.body.encode()
        if self.set:
            load.where.set = self.set.encode()
        load.array_function, load.function = self.array, self.single
        return load


def force(body, set=None):
    """Makes a function a force on the nodes of a body, or of one of its sets; see the module."""
    if callable(body):
        raise TypeError("say on which body the force acts: @carom.force('part')")
    return lambda function: Force(function, body, set)


def load_definitions(forces):
    """The definitions of the library for some forces, and the forces, which must outlive the model."""
    forces = list(forces)
    for item in forces:
        if not isinstance(item, Force):
            raise TypeError(f"{item!r} is no force; decorate the function with @carom.force('BODY')")
    if not forces:
        return None, []
    # a copy for each model, with its own exception and number of nodes
    forces = [Force(item.function, item.body, item.set) for item in forces]
    return (_api.carom_load_def * len(forces))(*[item.definition() for item in forces]), forces
