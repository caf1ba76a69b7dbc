# SPDX-License-Identifier: MIT
"""Simulations that are stepped by a program.

    sim = carom.Scene.from_yaml("drop.yaml").simulation()
    for row in sim:                      # one step; row is the ledger
        if row.contacts: break

`sim.x`, `sim.v`, `sim.mass` ... are arrays over the memory of the library: no copy is made, they are read-only, and they stay
valid as long as they are used. Positions change with each step; ask for `sim.v` again after a step, because velocities are
synchronized on access. `.copy()` keeps a value."""
import ctypes
import os
import threading

import numpy as np

from . import _api
from ._library import call, check, library
from .errors import BadInput
from .materials import laws, raise_of_laws

BUSY = "the simulation is stepped by another thread, or within its own callback"
LEDGER = [name for name, _ in _api.carom_ledger_row._fields_]


class Memory:
    """Memory of the library for NumPy. An array made of it keeps the owner alive."""

    def __init__(self, owner, address, shape, kind, write=False):
        self.owner = owner
        self.__array_interface__ = {"data": (address, not write), "shape": shape, "typestr": kind, "version": 3}


class Row:
    """The ledger at one time: `time`, `kinetic`, `internal`, `external`, `friction`, `restitution`, `projection`, `damping`,
    `total`, `residual`, `momentum`, `angular_momentum`, `contacts`, `penetration`, `oscillation`, ... Also by key:
    row["kinetic"]."""

    __slots__ = ("c",)

    def __init__(self, c):
        self.c = c

    def __getattr__(self, name):
        if name not in LEDGER:
            raise AttributeError(f"the ledger has no {name!r}; it has {', '.join(LEDGER)}")
        value = getattr(self.c, name)
        return np.array(value) if isinstance(value, ctypes.Array) else value

    def __getitem__(self, name):
        if name not in LEDGER:
            raise KeyError(f"{name!r}; the ledger has {', '.join(LEDGER)}")
        return getattr(self, name)

    def keys(self):
        """The names of the columns."""
        return list(LEDGER)

    def __repr__(self):
        return f"<Row t={self.time:.6g}: kinetic {self.kinetic:.6g}, internal {self.internal:.6g}, residual {self.residual:.3g}>"


class Contact:
    """One impulse of contact: `time`, `step`, `kind`, `bodies` (names), `nodes`, `weights`, `point`, `gap`, `normal` (towards
    the first body), `impulse` (on the first body), `normal_impulse`, `closing_speed`, `restitution` and `friction` (energy
    lost), `slips`."""

    KINDS = ("end-end", "node-plane", "node-face", "edge-edge", "node-segment")

    def __init__(self, model, hit):
        contact = hit.contact
        self.time, self.step, self.kind = hit.time, hit.step, self.KINDS[contact.kind]
        self.bodies = tuple(library.carom_model_side_name(model, side).decode() for side in contact.body)
        self.nodes = list(contact.node[:contact.count])
        self.weights = list(contact.weight[:contact.count])
        for name in ("point", "normal", "impulse"):
            setattr(self, name, np.array(getattr(hit, name)))
        for name in ("gap", "normal_impulse", "closing_speed", "restitution", "friction", "slips"):
            setattr(self, name, getattr(hit, name))

    def __repr__(self):
        return f"<Contact {' - '.join(self.bodies)} at t={self.time:.6g}, impulse {self.normal_impulse:.4g}>"


class Simulation:
    """A simulation of a scene. Created by `Scene.simulation()` or `carom.simulate(path)`; used by one thread at a time."""

    def __init__(self, built, attempt=0):
        if not hasattr(built, "attach"):
            raise TypeError(f"a simulation is made by carom.Scene(...).simulation() or carom.simulate(path), "
                            f"not of {type(built).__name__}")
        self._scene = built
        self._model = library.carom_scene_model(built)
        self._view = self._listener = None
        self._pending = []  # an exception of a callback, to be raised once C is done
        self._process, self._busy = os.getpid(), Busy()
        sim, error = ctypes.c_void_p(), _api.carom_error()
        for force in built.keep:
            force.size = library.carom_model_node_count(self._model)
        time = library.carom_time_of_attempt(library.carom_scene_time(built), attempt)
        status = library.carom_sim_create(self._model, library.carom_scene_integrator(built), ctypes.byref(time),
                                          ctypes.byref(sim), ctypes.byref(error))
        if sim:
            built.attach(library.carom_sim_release, sim)
        self._raise_of_callbacks()
        check(status, error)
        self._sim, self._state, self._error = sim, library.carom_sim_state(sim), error

    def close(self):
        """Closes the simulation: every later call is refused. Its memory is freed when no array of it is used any more. Not
        allowed within a step of another thread or a callback."""
        if getattr(self, "_sim", None) is None:
            return
        with self._alone():
            self._sim = self._state = self._model = self._view = self._scene = self._listener = None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def _handle(self):
        if not getattr(self, "_sim", None):
            raise ValueError("the simulation is closed")
        if self._process != os.getpid():
            raise RuntimeError("a simulation cannot be used in a forked process: its threads are not there; use "
                               "multiprocessing with 'spawn', and make the simulation in the new process")
        return self._sim

    def _array(self, address, shape, kind="<f8", write=False):
        # the array keeps the scene alive, and with it the memory
        return np.asarray(Memory(self._scene, address, shape, kind, write)) if address else None

    def _raise_of_callbacks(self):
        if self._pending:
            raise self._pending.pop()
        for force in self._scene.keep:
            if force.failure is not None:
                raise force.failure
        raise_of_laws()

    # model and method

    @property
    def node_count(self):
        """Number of nodes of all bodies."""
        self._handle()
        return library.carom_model_node_count(self._model)

    @property
    def element_count(self):
        """Number of elements of all bodies."""
        self._handle()
        return library.carom_model_element_count(self._model)

    @property
    def bodies(self):
        """{name: slice of its nodes}: sim.x[sim.bodies["part"]]."""
        self._handle()
        result = {}
        for b in range(library.carom_model_body_count(self._model)):
            begin = library.carom_model_body_begin(self._model, b)
            name = library.carom_model_body_name(self._model, b).decode()
            result[name] = slice(begin, begin + library.carom_model_body_size(self._model, b))
        return result

    @property
    def integrator(self):
        """The name of the method."""
        return library.carom_sim_integrator(self._handle()).contents.name.decode()

    @property
    def blocks(self):
        """The elements: a list of dicts with `body`, `element` and `nodes`, an array (count, nodes per element)."""
        self._handle()
        result = []
        for b in range(library.carom_model_block_count(self._model)):
            block = library.carom_model_block(self._model, b).contents
            # the table of an element begins with its kind
            kind = ctypes.cast(block.element, ctypes.POINTER(_api.carom_kind)).contents
            nodes = self._array(block.nodes, (block.count, block.node_count), "<i4")
            result.append({"body": library.carom_model_body_name(self._model, block.body).decode(), "element": kind.name.decode(),
                           "nodes": nodes})
        return result

    @property
    def faces(self):
        """The faces with which bodies touch: an array (n, 3) of nodes; of segments the last node is given twice."""
        self._handle()
        count = library.carom_model_face_count(self._model)
        return np.array([library.carom_model_face(self._model, f).nodes[:] for f in range(count)], np.int32).reshape(-1, 3)

    # the state

    @property
    def time(self):
        """The time of the state."""
        self._handle()
        return library.carom_state_time(self._state)

    @property
    def step_number(self):
        """Steps taken."""
        self._handle()
        return library.carom_state_step(self._state)

    @property
    def step_size(self):
        """The step in use."""
        return library.carom_sim_step_size(self._handle())

    @property
    def step_count(self):
        """Steps to the end."""
        return library.carom_sim_step_count(self._handle())

    @property
    def done(self):
        """True once the last step has been taken."""
        return library.carom_sim_done(self._handle())

    @property
    def x(self):
        """Positions of all nodes, an array (n, 3)."""
        self._handle()
        return self._array(library.carom_state_positions(self._state), (self.node_count, 3))

    @property
    def v(self):
        """Velocities of all nodes at the time of the state; ask again after each step."""
        self._handle()
        return self._array(library.carom_state_velocities(self._state), (self.node_count, 3))

    @property
    def X(self):
        """Reference positions."""
        self._handle()
        return self._array(library.carom_model_reference(self._model), (self.node_count, 3))

    @property
    def mass(self):
        """Lumped masses of all nodes."""
        self._handle()
        return self._array(library.carom_model_mass(self._model), (self.node_count,))

    @property
    def impulses(self):
        """Contact impulses on all nodes, summed up since the start."""
        self._handle()
        return self._array(library.carom_state_impulses(self._state), (self.node_count, 3))

    @property
    def hash(self):
        """A 64-bit hash of everything that later steps depend on."""
        self._handle()
        return library.carom_state_hash(self._state)

    @property
    def ledger(self):
        """The present ledger, a `Row`."""
        return Row(library.carom_sim_ledger(self._handle()))

    @property
    def events(self):
        """Numerical events so far, {name: count}, those that happened."""
        self._handle()
        counts = {library.carom_event_name(e).decode(): library.carom_state_events(self._state, e)
                  for e in range(_api.CAROM_EVENT_COUNT)}
        return {name: count for name, count in counts.items() if count}

    @property
    def stable_step(self):
        """The largest stable step of the method; infinite if every step is stable."""
        return library.carom_sim_stable_step(self._handle())

    def set_motion(self, x=None, v=None):
        """Replaces positions or velocities of all nodes between two steps, for every method. The change of energy and momentum
        is recorded as external."""
        arrays = []
        for name, value in (("x", x), ("v", v)):
            if value is None:
                arrays.append(None)
                continue
            if np.iscomplexobj(value):
                raise TypeError(f"{name} must be real")
            value = np.ascontiguousarray(value, float)
            if value.shape != (self.node_count, 3):
                raise ValueError(f"{name} must be an array {(self.node_count, 3)}, not {value.shape}")
            arrays.append(value)
        with self._alone():
            call("carom_sim_set_motion", self._handle(), *[a.ctypes.data if a is not None else None for a in arrays])

    # motion

    def _alone(self):
        return Alone(self._busy)

    def step(self, count=1):
        """Takes some steps. Raises Numerical if the computation fails; the state is then the last admissible one."""
        sim = self._handle()
        if count < 0:
            raise ValueError("step(count): at least 0")
        with self._alone():
            for _ in range(count):
                status = library.carom_sim_step(sim, self._error)
                if status or self._scene.keep or laws:
                    self._raise_of_callbacks()
                    check(status, self._error)

    def run_until(self, time):
        """Steps until the time of the state is at or just past `time`, at most to the end."""
        sim = self._handle()
        # a callback that raises ends the run with the step that called it
        if self._scene.keep or laws:
            while not self.done and self.time < time:
                self.step()
            return
        while not self.done and self.time < time:
            # in pieces, so that Ctrl-C is handled
            error, part = _api.carom_error(), min(time, self.time + 64 * self.step_size)
            with self._alone():
                status = library.carom_sim_run_until(sim, part, ctypes.byref(error))
            self._raise_of_callbacks()
            check(status, error)

    def steps(self, every=1):
        """An iterator that takes `every` steps at a time, to the end, and yields the ledger after each."""
        if every < 1:
            raise ValueError("steps(every): at least 1")
        while not self.done:
            self.step(min(every, self.step_count - self.step_number))
            yield self.ledger

    def __iter__(self):
        return self.steps()

    # contacts

    def on_contact(self, function):
        """Calls function(contact) for each impulse of contact of each step, once the step is complete; None: no longer. An
        exception in it is raised by the step."""
        self._handle()
        if function is not None and not callable(function):
            raise TypeError("on_contact takes a function of one argument")
        listener = kind_of_listener()
        if function is not None:
            # the callback must not refer to the simulation: that would be a reference cycle
            model, keep, pending = self._model, self._scene.keep, self._pending

            def report(_context, _sim, hit):
                try:
                    function(Contact(model, ctypes.cast(hit, ctypes.POINTER(_api.carom_hit_report)).contents))
                except BaseException as failure:
                    pending[:] = pending[:1] or [failure]

            listener = listener(report)
            keep[:] = [item for item in keep if not isinstance(item, Kept)] + [Kept(listener)]
        else:
            listener = listener()
        library.carom_sim_on_hit(self._sim, listener, None)

    # fields and probes

    def _open_view(self):
        if not self._view:
            view = ctypes.c_void_p()
            call("carom_view_create", self._model, library.carom_sim_integrator(self._handle()), ctypes.byref(view))
            self._scene.attach(library.carom_view_release, view)
            self._view = view
        return self._view

    @property
    def fields(self):
        """{name: (components, "points" or "cells")} of all fields that `field` can give."""
        self._handle()
        view = self._open_view()
        rows = [library.carom_view_field_at(view, f) for f in range(library.carom_view_field_count(view))]
        return {row.name.decode(): (row.components, "points" if row.at_points else "cells") for row in rows}

    def field(self, name):
        """A field now, as the frames hold it: "von_mises", "stress_nodes", "velocity", ..."""
        self._handle()
        known = self.fields
        if name not in known:
            raise BadInput(f"there is no field {name!r}; there are {', '.join(known)}")
        components, where = known[name]
        view = self._open_view()
        count = library.carom_view_point_count(view) if where == "points" else library.carom_view_cell_count(view)
        values = np.empty(count * components)
        call("carom_view_read", view, self._state, name.encode(), values.ctypes.data, values.size)
        return values if components == 1 else values.reshape(count, components)

    def select(self, body, set=None):
        """Indices of the nodes of a body (or group of bodies), or of one of its sets."""
        self._handle()
        where = self._selection(body, set)
        nodes, count = ctypes.c_void_p(), ctypes.c_int()
        call("carom_model_select", self._model, ctypes.byref(where), ctypes.byref(nodes), ctypes.byref(count))
        try:
            return np.frombuffer(ctypes.string_at(nodes.value, 4 * count.value), np.int32).copy()
        finally:
            library.carom_free(nodes)

    @staticmethod
    def _selection(body, set):
        where = library.carom_default_selection()
        if not isinstance(body, str):
            raise TypeError(f"a body is called by its name, not {body!r}")
        where.body = body.encode()
        if set:
            where.set = set.encode()
        return where

    def probe(self, body, set=None):
        """Position, displacement and velocity of some nodes, as a dict: their mean, weighted by mass."""
        reading = _api.carom_probe_reading()
        call("carom_sim_probe", self._handle(), ctypes.byref(self._selection(body, set)), ctypes.byref(reading))
        return {name: np.array(getattr(reading, name)) for name in ("position", "displacement", "velocity")}

    def rigid_motion(self, body):
        """How a rigid body or an obstacle moves, as a dict: `centre`, `velocity`, `rotation` since the start (the axis times
        the angle), `angular_velocity`, `momentum` and, about the mass centre, `angular_momentum`."""
        self._handle()
        names, motion = list(self.bodies), _api.carom_rigid_motion()
        if body not in names:
            raise BadInput(f"there is no body {body!r}; there are {', '.join(names)}")
        if not library.carom_state_rigid_motion(self._state, names.index(body), ctypes.byref(motion)):
            raise BadInput(f"body {body!r} is neither rigid nor an obstacle")
        return {name: np.array(getattr(motion, name)) for name, _ in motion._fields_}

    # files

    def save(self, path):
        """Writes all of the state to a file."""
        with self._alone():
            call("carom_sim_save", self._handle(), os.fsencode(path))

    def load(self, path):
        """Reads the state from a file into a simulation of the same scene."""
        with self._alone():
            call("carom_sim_load", self._handle(), os.fsencode(path))

    def __repr__(self):
        if not getattr(self, "_sim", None):
            return "<Simulation, closed>"
        return f"<Simulation: {self.node_count} nodes, step {self.step_number} of {self.step_count}, t={self.time:.6g}>"


class Busy:
    """Who is in a simulation."""

    def __init__(self):
        self.lock, self.owner = threading.Lock(), None


class Alone:
    """Refuses a second thread in a simulation; it does not wait. Ctrl-C may raise at any call: an owner that was set just
    before is removed."""

    def __init__(self, busy):
        self.busy = busy

    def __enter__(self):
        try:
            with self.busy.lock:
                if self.busy.owner is not None:
                    raise RuntimeError(BUSY)
                self.busy.owner = self
        except BaseException:
            self.__exit__()
            raise

    def __exit__(self, *_):
        if self.busy.owner is self:
            self.busy.owner = None


class Kept:
    """Keeps a callback alive that the library may still call; it has the attributes of a Force."""

    failure = size = None

    def __init__(self, function):
        self.function = function


def kind_of_listener():
    """The type of a callback for impulses."""
    return _api.FUNCTIONS["carom_sim_on_hit"][1][1]


def simulate(path, settings=None, forces=()):
    """A simulation of a scene file, at time 0; `settings` as of `carom.run`."""
    from .scene import build
    return Simulation(build(path=path, settings=settings, forces=forces))
