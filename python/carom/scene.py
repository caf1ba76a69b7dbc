# SPDX-License-Identifier: MIT
"""Scenes. A scene is a dict with the keys of a scene file, so that a scene built in Python can always be written as a file and
run by the command; the schema of the library is the only description of its keys."""
import copy
import ctypes
import json
import os
import re
import shutil
import sys
import tempfile
from pathlib import Path

from . import _api
from ._library import check, findings_of, library, strings, take_text
from .errors import BadInput
from .materials import raise_of_laws
from .mesh import Mesh


def plain(value):
    """Values as JSON has them: arrays become lists, numbers of NumPy become numbers."""
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if hasattr(value, "tolist") and not isinstance(value, Mesh):
        return plain(value.tolist())
    return value


def override(key, value):
    """`KEY=VALUE` as of --set."""
    return f"{key}={value if isinstance(value, str) else json.dumps(plain(value))}"


def overrides_of(settings):
    """Overrides of a dict {"contact.friction": 0.3}, or of texts "contact.friction=0.3"."""
    if not settings:
        return []
    if isinstance(settings, dict):
        return [override(key, value) for key, value in settings.items()]
    return [str(setting) for setting in settings]


class Built:
    """A valid scene with its model. Simulations and views of it are attached and released with it, in the order that the
    library requires, independent of the order in which Python collects them."""

    def __init__(self, address, keep=()):
        self._as_parameter_ = ctypes.c_void_p(address)
        self.keep = list(keep)  # what the model refers to: functions of loads
        self.notes = []
        self._process = os.getpid()
        self._attached = []

    def attach(self, release, address):
        """Registers an object to be released before the scene."""
        self._attached.append((release, address))

    def __del__(self):
        # not in a forked process, which has no threads to end, and not at the end of the program
        if sys is None or sys.is_finalizing() or self._process != os.getpid():
            return
        for release, address in reversed(self._attached):
            release(address)
        library.carom_scene_release(self)


def build(path=None, text=None, name="scene.json", settings=None, forces=()):
    """Reads and checks a scene from a file or a text; raises BadInput with all findings."""
    from .forces import load_definitions
    array, keep = strings(overrides_of(settings))
    loads, functions = load_definitions(forces)
    source = _api.carom_scene_source(path=os.fsencode(path) if path else None, overrides=array, override_count=len(keep),
                                     loads=loads, load_count=len(functions))
    if path is None:
        data = text.encode()
        source.text, source.size, source.name = data, len(data), name.encode()
    scene, findings, error = ctypes.c_void_p(), _api.carom_findings(), _api.carom_error()
    status = library.carom_scene_open(ctypes.byref(source), ctypes.byref(scene), ctypes.byref(findings), ctypes.byref(error))
    found = findings_of(findings.items, findings.count)
    notes = findings_of(findings.notes, findings.note_count)
    library.carom_findings_release(ctypes.byref(findings))
    raise_of_laws()
    check(status, error, found)
    built = Built(scene.value, functions)
    built.notes = notes
    return built


class Scene(dict):
    """A scene: a dict of the keys of a scene file.

        scene = carom.Scene(time={"end": 1e-3}, bodies=[...], contact={...})
        scene = carom.Scene.from_yaml("drop.yaml")
        scene["contact"]["friction"] = 0.3
        scene.put("bodies.part.velocity[2]", -2)
        result = scene.run("out/drop")

    A mesh may be a `carom.Mesh`; it is written to a file next to that of the scene. Relative paths of mesh files refer to
    `folder`."""

    def __init__(self, *arguments, folder=None, **keys):
        super().__init__(*arguments, **keys)
        self.folder = Path(folder) if folder is not None else None

    @classmethod
    def from_yaml(cls, path):
        """Reads a scene file, as it is written: nothing is checked and no default filled in."""
        with open(path, "rb") as file:
            text = file.read()
        return cls.from_text(text, name=os.fspath(path), folder=Path(path).resolve().parent)

    @classmethod
    def from_text(cls, text, name="scene.yaml", folder=None):
        """The same from a text of YAML or JSON."""
        data = text.encode() if isinstance(text, str) else bytes(text)
        out, error = ctypes.c_void_p(), _api.carom_error()
        check(library.carom_scene_json(data, len(data), name.encode(), ctypes.byref(out), ctypes.byref(error)), error)
        content = json.loads(take_text(out.value))
        if not isinstance(content, dict):
            raise BadInput(f"{name}: a scene is a map of keys")
        return cls(content, folder=folder)

    def copy(self):
        """A deep copy."""
        return Scene(copy.deepcopy(dict(self)), folder=self.folder)

    def put(self, key, value):
        """Sets one key by its path, as --set does: "contact.friction", "bodies[0].velocity", "bodies.part.velocity[2]". Maps
        that are not there are made."""
        node, steps = self, list(path_steps(key))
        for position, step in enumerate(steps):
            step = place_in(node, step, key)
            if position == len(steps) - 1:
                node[step] = value
                return self
            if isinstance(node, dict) and step not in node:
                node[step] = {}
            node = node[step]
        return self

    def get_path(self, key):
        """The value at a path as of `put`; KeyError if there is none."""
        node = self
        for step in path_steps(key):
            try:
                node = node[place_in(node, step, key)]
            except (IndexError, TypeError):
                raise KeyError(key) from None
        return node

    def text(self, folder=None):
        """The scene as JSON, which a scene file may be. Meshes are written as .msh into `folder`."""
        return json.dumps(self._files(folder), indent=1)

    def _files(self, folder):
        result = {key: value for key, value in self.items() if key != "bodies"}
        bodies = []
        for index, body in enumerate(self.get("bodies", ())):
            body = dict(body) if isinstance(body, dict) else body
            mesh = body.get("mesh") if isinstance(body, dict) else None
            if isinstance(mesh, Mesh):
                if folder is None:
                    raise ValueError("a scene with meshes of its own needs a folder for them")
                name = re.sub(r"[^A-Za-z0-9_-]", "_", str(body.get("name", f"body_{index}"))) + ".msh"
                mesh.write(Path(folder) / name)
                body["mesh"] = {"file": {"path": name}}
            bodies.append(body)
        if "bodies" in self:
            result["bodies"] = bodies
        return plain(result)

    def write(self, path):
        """Writes a scene file that the command reads (JSON is YAML). Meshes given in Python are written next to it as .msh.
        Names of mesh files that are relative to the folder of the scene are written from the new place."""
        path = Path(path)
        content = self._files(path.parent)
        if self.folder and self.folder != path.resolve().parent:
            for body in content.get("bodies", ()):
                file = body.get("mesh", {}).get("file") if isinstance(body.get("mesh"), dict) else None
                given = isinstance(file, dict) and isinstance(file.get("path"), str) and not os.path.isabs(file["path"])
                if given and not (path.parent / file["path"]).exists():
                    file["path"] = os.path.relpath(self.folder / file["path"], path.resolve().parent)
        path.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")

    def build(self, settings=None, forces=(), keep_meshes=None):
        """Checks the scene and builds its model; `settings` as of `carom.run`. Raises BadInput with all errors. Meshes given in
        Python are passed as files: in the folder `keep_meshes`, or one that is removed again."""
        own = any(isinstance(body, dict) and isinstance(body.get("mesh"), Mesh) for body in self.get("bodies", ()))
        place = self.folder or Path.cwd()
        if not own:
            return build(text=self.text(), name=str(place / "scene.json"), settings=settings, forces=forces)
        folder = Path(keep_meshes).resolve() if keep_meshes else Path(tempfile.mkdtemp(prefix="carom-"))
        try:
            folder.mkdir(parents=True, exist_ok=True)
            content = self._files(folder)
            # paths of files are relative to the folder of the scene
            for body, given in zip(content["bodies"], self["bodies"]):
                if isinstance(given, dict) and isinstance(given.get("mesh"), Mesh):
                    body["mesh"]["file"]["path"] = str(folder / body["mesh"]["file"]["path"])
            return build(text=json.dumps(content), name=str(place / "scene.json"), settings=settings, forces=forces)
        finally:
            if not keep_meshes:
                shutil.rmtree(folder, ignore_errors=True)

    def check(self, settings=None):
        """Raises BadInput if the scene is not valid; returns the remarks of the readers of its meshes."""
        return self.build(settings).notes

    def simulation(self, settings=None, forces=()):
        """A `carom.Simulation` of the scene, at time 0."""
        from .simulation import Simulation
        return Simulation(self.build(settings, forces))

    def run(self, directory=None, settings=None, **options):
        """Runs the scene; as `carom.run`."""
        from .run import run
        return run(self, directory, settings, **options)

    def full_text(self, settings=None):
        """The scene with every default filled in, as YAML."""
        return take_text(library.carom_scene_text(self.build(settings)))


def path_steps(key):
    """bodies.part.velocity[2] -> bodies, part, velocity, 2."""
    if not isinstance(key, str) or not re.fullmatch(r"[^.\[\]]+(\.[^.\[\]]+|\[\d+\])*", key):
        raise ValueError(f"{key!r} is no path of keys, such as 'contact.friction' or 'bodies[0].velocity'")
    for name, index in re.findall(r"([^.\[\]]+)|\[(\d+)\]", key):
        yield int(index) if index else name


def place_in(node, step, key):
    """The key or index of a step: an entry of a list may be called by its name."""
    if isinstance(node, dict) and isinstance(step, str):
        return step
    if isinstance(node, list) and isinstance(step, int):
        if step < len(node):
            return step
        raise KeyError(f"{key}: there is no entry {step}")
    if isinstance(node, list):
        for index, item in enumerate(node):
            if isinstance(item, dict) and item.get("name") == step:
                return index
        raise KeyError(f"{key}: no entry is called {step!r}")
    raise KeyError(f"{key}: {step!r} is not in a map or list")
