# SPDX-License-Identifier: MIT
"""The cause of a refusal or a stop, from the message alone, for the table at the end."""
import re

CAUSES = (
    ("refused: method lacks it", r"does not support|supports neither|supports only|has no damping|runs on one process|without losses"),
    ("refused: material and element", r"has no law|keep their volume|needs a law|needs the element|locks|material .* and element"),
    ("refused: surfaces at the start", r"intersect or touch at the start|is inside|inside body .* at the start|behind plane .* at the start"),
    ("refused: step", r"stable step|larger than the step|time\.step"),
    ("refused: ties", r"tied|connection"),
    ("refused: joints", r"joint|spring"),
    ("refused: restraints", r"restrain"),
    ("refused: other", r""),
)
STOPS = (
    ("stopped: surfaces intersect", r"surfaces intersect"),
    ("stopped: ledger at the end", r"is complete, but its ledger"),
    ("stopped: ledger under way", r"ledger does not balance"),
    ("stopped: motion unstable", r"motion is unstable|is unstable at time|step is unstable"),
    ("stopped: element inside out", r"is inside out"),
    ("stopped: element crushed", r"crushed"),
    ("stopped: node behind or inside", r"behind plane|inside body|is .* inside|pass each other|contact was not seen"),
    ("stopped: no solution", r"has no solution|not converge"),
    ("stopped: turns too far", r"turns by"),
    ("stopped: joints", r"joints between"),
    ("stopped: pressed together", r"pressed together|lead into each other|squeezed|goes into a face"),
    ("stopped: too many impacts", r"impacts in the step|too many pairs"),
    ("stopped: not finite", r"not finite"),
    ("stopped: other", r""),
)


def cause_of(outcome, message):
    """The name of a row of the table, None for runs that are complete."""
    table = {"refused": CAUSES, "stopped": STOPS}.get(outcome)
    return next((name for name, pattern in table if re.search(pattern, message)), None) if table else None
