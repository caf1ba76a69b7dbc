# SPDX-License-Identifier: MIT
"""What goes wrong, as exceptions. The text is that of the library."""


class Error(Exception):
    """The base of what only carom raises."""


class BadInput(Error, ValueError):
    """What was asked for is not possible. `findings` lists all that is wrong with a scene, each with `file`, `line`, `column`
    (0: no place), `path` (the key) and `message`."""

    def __init__(self, message, findings=()):
        super().__init__(message)
        self.findings = list(findings)


class Numerical(Error, ArithmeticError):
    """The computation cannot go on. A simulation is then in its last admissible state."""


class Interrupted(Error, KeyboardInterrupt):
    """A signal ended a run. Its checkpoint was written; `carom.run(..., resume=True)` goes on."""


class Finding:
    """One thing that is wrong with a scene, or a remark."""

    __slots__ = ("file", "line", "column", "path", "message")

    def __init__(self, file, line, column, path, message):
        self.file, self.line, self.column, self.path, self.message = file, line, column, path, message

    def __str__(self):
        place = f"{self.file}:{self.line}:{self.column}" if self.line else self.file
        return f"{place}: {self.path}: {self.message}" if self.path else f"{place}: {self.message}"

    def __repr__(self):
        return f"<Finding {self}>"
