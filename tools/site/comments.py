# SPDX-License-Identifier: MIT
"""The comments of a header as Doxygen reads them:  comments.py FILE

Headers have plain comments: `//` above an item, or behind it on its line and on the lines below. Doxygen wants `///` and
`///<`."""
import re
import sys

ALONE = re.compile(r"^\s*//( |$)")
# Code, then a comment that does not begin in a text.
BEHIND = re.compile(r"^((?:[^\"/]|\"[^\"]*\"|/(?!/))*\S\s*)//( .*)$")


def converted(rows):
    behind = False  # the row above had code and a comment: a comment alone goes on with it
    for number, row in enumerate(rows):
        match = BEHIND.match(row)
        if number == 0 and "SPDX" in row:
            yield "/// @file"
        elif ALONE.match(row):
            yield row.replace("//", "///<" if behind else "///", 1)
        elif match and not row.lstrip().startswith("#"):
            behind = True
            yield f"{match[1]}///<{match[2]}"
        else:
            behind = False
            yield row


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as file:
        sys.stdout.write("\n".join(converted(file.read().split("\n"))))
