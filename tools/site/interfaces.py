# SPDX-License-Identifier: MIT
"""Writes the reference pages of the site: C from the comments of the headers, Python from its docstrings, the command from its
man page."""
import ast
import re
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
# Public names of the Python package that __all__ does not export, by module.
MORE = {"forces": ["Force"], "mesh": ["from_meshio", "generate", "read"], "result": ["Fields", "Table"]}
DOXYFILE = """
INPUT = {headers}
FILE_PATTERNS = *.h
INPUT_FILTER = "{python} {filter}"
OUTPUT_DIRECTORY = {out}
GENERATE_HTML = NO
GENERATE_LATEX = NO
GENERATE_XML = YES
XML_PROGRAMLISTING = NO
OPTIMIZE_OUTPUT_FOR_C = YES
EXTRACT_ALL = YES
TYPEDEF_HIDES_STRUCT = YES
MACRO_EXPANSION = YES
EXPAND_ONLY_PREDEF = YES
PREDEFINED = CAROM_API= "CAROM_PRINTF(a,b)="
AUTOLINK_SUPPORT = NO
SORT_MEMBER_DOCS = NO
STRIP_FROM_PATH = {root}
QUIET = YES
WARN_IF_DOC_ERROR = NO
"""


def write_c(root, site, xml):
    """XML of all headers by Doxygen, and a page for each header."""
    out = xml.parent
    out.mkdir(parents=True, exist_ok=True)
    file = out / "Doxyfile"
    file.write_text(DOXYFILE.format(headers=root / "include/carom", python=sys.executable, filter=HERE / "comments.py", out=out,
                                    root=root))
    subprocess.run(["doxygen", str(file)], check=True, stdout=subprocess.DEVNULL)
    names = sorted(p.name for p in (root / "include/carom").glob("*.h") if p.name != "carom.h")
    rows = []
    for name in names:
        text = (root / "include/carom" / name).read_text()
        # The comment at the head, else the first one.
        head = " ".join(row[3:] for row in re.search(r"(?:^//(?! SPDX)[^\n]*\n)+", text, flags=re.M)[0].splitlines())
        rows.append(f"   * - :doc:`{name} <{name[:-2]}>`\n     - {rst(re.split(r'(?<=[.]) ', head)[0])}")
        title = f"carom/{name}"
        site.place(f"reference/c/{name[:-2]}.rst",
                   f"{title}\n{'=' * len(title)}\n\n.. doxygenfile:: {name}\n   :project: carom\n")
    text = "C headers\n=========\n\nWhat the headers of ``include/carom`` declare; " \
        "``#include <carom/carom.h>`` includes all of them.\n" \
        ":doc:`The C interface </docs/manual/c_api>` shows how the parts fit together.\n\n.. list-table::\n\n"
    text += "\n".join(rows) + "\n\n.. toctree::\n   :hidden:\n\n" + "".join(f"   {name[:-2]}\n" for name in names)
    site.place("reference/c/index.rst", text)


def rst(text):
    """A text of a comment or docstring as reStructuredText: its backticks are code, nothing else is markup or an address."""
    pieces = re.split(r"`([^`\n]+)`", text)
    return "".join(f"``{piece}``" if i % 2 else re.sub(r"([\\*|_`]|(?<=file):)", r"\\\1", piece) for i,
                   piece in enumerate(pieces))


def docstring(text, indent):
    """Paragraphs of a docstring; what is indented in it is code."""
    result = []
    for block in re.split(r"\n\s*\n", text.strip("\n")):
        rows = block.splitlines()
        if rows[0].startswith("    "):
            result.append(".. code-block:: python\n\n" + "\n".join("   " + row for row in rows))
        else:
            # A line that is indented begins code in a paragraph too.
            cut = next((i for i, row in enumerate(rows) if row.startswith("    ")), len(rows))
            result.append(rst("\n".join(rows[:cut])))
            if cut < len(rows):
                result.append(".. code-block:: python\n\n" + "\n".join("   " + row for row in rows[cut:]))
    return "\n\n".join(indent + row if row else "" for one in result for row in [one.replace("\n", "\n" + indent)]) + "\n\n"


def signature(node):
    text = ast.unparse(node.args)
    return f"({text})" + (f" -> {ast.unparse(node.returns)}" if node.returns else "")


def public(body):
    return [node for node in body if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and not node.name.startswith("_")
            and ast.get_docstring(node)]


def decorated(node, name):
    return any(name in ast.unparse(one) for one in node.decorator_list)


def item(node, indent=""):
    """A function or a class with its public members."""
    if isinstance(node, ast.ClassDef):
        made = [one for one in node.body if isinstance(one, ast.FunctionDef) and one.name == "__init__"]
        arguments = re.sub(r"^\(self(, )?", "(", signature(made[0])) if made else ""
        text = f"{indent}.. py:class:: {node.name}{arguments}\n\n" + docstring(ast.get_docstring(node), indent + "   ")
        for one in public(node.body):
            if decorated(one, "setter"):
                continue
            text += item(one, indent + "   ")
        return text
    inside = bool(indent)
    kind = "function" if not inside else "property" if decorated(node, "property") else \
        "classmethod" if decorated(node, "classmethod") else "staticmethod" if decorated(node, "staticmethod") else "method"
    arguments = "" if kind == "property" else signature(node)
    if inside:
        arguments = re.sub(r"^\((self|cls)(, )?", "(", arguments)
    return f"{indent}.. py:{kind}:: {node.name}{arguments}\n\n" + docstring(ast.get_docstring(node), indent + "   ")


def write_python(root, site):
    """Every documented name of the package, module after module. The sources are read, not run: the library need not be
    built."""
    title = "Python names"
    text = f"{title}\n{'=' * len(title)}\n\n" \
        "All documented functions and classes of ``import carom``. :doc:`Python </docs/manual/python>` shows their use. " \
        "Functions for materials,\nelements, integrators and generators have the parameters of " \
        ":doc:`the scene file </docs/manual/scene>`.\n\n"
    package = ast.parse((root / "python/carom/__init__.py").read_text(encoding="utf-8"))
    exported = next(ast.literal_eval(node.value) for node in package.body if isinstance(node, ast.Assign)
                    and node.targets[0].id == "__all__")
    for file in sorted((root / "python/carom").glob("[a-z]*.py")):
        module = ast.parse(file.read_text(encoding="utf-8"))
        names = [node for node in public(module.body) if node.name in exported + MORE.get(file.stem, [])]
        if not names:
            continue
        heading = file.stem.capitalize()
        text += f"{heading}\n{'-' * len(heading)}\n\n" + docstring(ast.get_docstring(module) or "", "")
        for node in names:
            place = "carom" if node.name in exported else f"carom.{file.stem}"
            text += f".. py:currentmodule:: {place}\n\n" + item(node)
    site.place("reference/python.rst", text)


# Sections of the man page that the scene file has as well, with more about them.
IN_SCENE_FILE = ["TIME", "CONTACT", "INTEGRATORS", "ANALYSES", "ELEMENTS", "MATERIALS", "MESHES"]


def roff(text):
    """A line of the man page: bold and italics, with the escapes of roff undone."""
    pieces = re.split(r"\\f([BIR])", text.replace("\\-", "-").replace("\\&", "").replace("\\e", "\\"))
    marks = {"B": "**", "I": "*", "R": ""}
    result, mark = rst(pieces[0]), ""
    for kind, piece in zip(pieces[1::2], pieces[2::2]):
        mark = marks[kind]
        # Markup must not touch a letter: "\\ ", an escaped space, separates them and is not shown.
        result += f"\\ {mark}{rst(piece.strip())}{mark}\\ " if mark and piece.strip() else rst(piece)
    return result.strip().removesuffix("\\")


def write_command(root, site):
    """The man page as a page of the site."""
    rows = (root / "docs/manual/carom.1").read_text(encoding="utf-8").splitlines()
    text, term, shown = "The command\n===========\n\n", None, True
    for row in rows:
        name, _, rest = row.partition(" ")
        if name == ".SH":
            shown = rest.strip('"') not in IN_SCENE_FILE
            heading = rest.strip('"').capitalize()
        if not shown or name in (".TH", ".br"):
            continue
        if name in (".SH", ".SS"):
            heading = roff(rest.strip('"')) if name == ".SS" else heading
            text += f"\n{heading}\n{('-' if name == '.SH' else '~') * len(heading)}\n\n"
            term = None
        elif name == ".TP":
            term = ""
        elif name == ".PP":
            text, term = text + "\n", None
        elif term == "":
            term = roff(row)
            text += f"\n{term}\n"
        else:
            text += f"   {roff(row)}\n" if term else f"| {roff(row)}\n" if row.startswith("\\fBcarom") else f"{roff(row)}\n"
    site.place("reference/command.rst", text)
