# SPDX-License-Identifier: MIT
"""Exceptions of the library, with its messages."""


class Error(Exception):
    """The base of all exceptions of carom."""


class BadInput(Error, ValueError):
    """The input is not valid. `findings` lists all errors of a scene, each with `file`, `line`, `column`
    (0: no place), `path` (the key) and `message`."""

    def __init__(self, message, findings=()):
        super().__init__(message)
        self.findings = list(findings)


class Numerical(Error, ArithmeticError):
    """The computation has failed. A simulation is then in its last admissible state."""


class Interrupted(Error, KeyboardInterrupt):
    """A signal ended a run. Its checkpoint was written; `carom.run(..., resume=True)` resumes it."""


class Finding:
    """An error or a remark about a scene."""

    __slots__ = ("file", "line", "column", "path", "message")

    def __init__(self, file, line, column, path, message):
        self.file, self.line, self.column, self.path, self.message = file, line, column, path, message

    def __str__(self):
        place = f"{self.file}:{self.line}:{self.column}" if self.line else self.file
        return f"{place}: {self.path}: {self.message}" if self.path else f"{place}: {self.message}"

    def __repr__(self):
        return f"<Finding {self}>"
