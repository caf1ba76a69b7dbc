# SPDX-License-Identifier: MIT
"""Joints and motors by `asynchronous`: all that test_joints.py asks of newmark-dcr, and bodies whose elements have other steps."""
import cli
import test_joints


class ByAsynchronous:
    """Runs the scenes of a test with another integrator."""

    def carom(self, command, *words, **options):
        chosen = ("--set", "integrator=asynchronous") if command == "run" else ()
        return super().carom(command, *words, *chosen, **options)


class Joints(ByAsynchronous, test_joints.Joints):
    pass


class Linkages(ByAsynchronous, test_joints.Linkages):
    pass


if __name__ == "__main__":
    cli.main()
