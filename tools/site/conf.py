# SPDX-License-Identifier: MIT
"""The configuration of Sphinx for the site. tools/build_site writes the pages that it reads, and calls it."""
import json
import os
import re
import subprocess
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
VERSION = (ROOT / "include/carom/version.h").read_text()

project = "carom"
author = "carom contributors"
copyright = author
release = version = ".".join(re.search(rf"VERSION_{part} (\d+)", VERSION)[1] for part in ("MAJOR", "MINOR", "PATCH"))

extensions = ["myst_parser", "breathe"]
source_suffix = {".md": "markdown", ".rst": "restructuredtext"}
exclude_patterns = ["_static"]
myst_enable_extensions = ["dollarmath"]
myst_heading_anchors = 4
# A dollar that a blank or a digit follows is one of a shell or of money.
myst_dmath_allow_space = False
myst_dmath_allow_digits = False
breathe_projects = {"carom": os.environ.get("CAROM_SITE_XML", "")}
breathe_default_project = "carom"
breathe_domain_by_extension = {"h": "c"}
primary_domain = "c"
highlight_language = "none"
# Options of the command keep their two dashes.
smartquotes = False
# Of highlighting: a scene with a placeholder is no YAML, a listing of results no language.
suppress_warnings = ["misc.highlighting_failure"]

html_theme = "furo"
html_title = f"carom {release}"
html_static_path = [str(HERE / "static"), os.environ.get("CAROM_SITE_STATIC", "")]
html_css_files = ["katex/katex.min.css", "site.css"]
html_copy_source = False
html_show_sphinx = False
html_show_copyright = False
# A page opened from a folder must not read others, so a search shows titles and places alone.
html_show_search_summary = False
html_search_scorer = str(HERE / "scorer.js")
html_math_renderer = "katex"
html_theme_options = {"navigation_with_keys": True}


class Katex:
    """Formulas as HTML by KaTeX, so that pages need neither a script nor a network for them. One process of node serves all."""

    def __init__(self):
        self.node, self.owner = None, None

    def render(self, formula, display):
        # A process of Sphinx that was forked from another has to have a node of its own.
        if self.owner != os.getpid():
            self.node = subprocess.Popen(["/usr/bin/env", "node", HERE / "formulas.cjs"], stdin=subprocess.PIPE,
                                         stdout=subprocess.PIPE, text=True, encoding="utf-8")
            self.owner = os.getpid()
        self.node.stdin.write(json.dumps({"formula": formula, "display": display}) + "\n")
        self.node.stdin.flush()
        answer = json.loads(self.node.stdout.readline())
        if "error" in answer:
            raise ValueError(f"{answer['error']}: {formula}")
        return answer["html"]


katex = Katex()


def formula(writer, node, display):
    from docutils import nodes
    from sphinx.util import logging
    try:
        text = katex.render(node.astext(), display)
    except ValueError as failure:
        logging.getLogger(__name__).warning("formula: %s", failure, location=node)
        text = ""
    writer.body.append(f'<div class="math">{text}</div>' if display else f'<span class="math">{text}</span>')
    raise nodes.SkipNode


def setup(app):
    app.add_html_math_renderer("katex", (lambda writer, node: formula(writer, node, False), None),
                               (lambda writer, node: formula(writer, node, True), None))
