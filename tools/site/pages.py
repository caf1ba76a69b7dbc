# SPDX-License-Identifier: MIT
"""The written pages of the site: documents of the tree as they are, at the same places, with what only the site needs added.

Markdown of the tree has no syntax of a generator. What Sphinx needs is put into copies: formulas in fences, links to scenes
(which have pages in the gallery) and to folders, and the groups of the index as tables of contents."""
import base64
import json
import os
import re
import shutil
from pathlib import Path

INDEX = "docs/manual/index.md"
# Pages that have those of a folder, in the order in which they link to them, as contents of their own.
OVERVIEWS = {"docs/manual/theory.md": "/theory/", "docs/papers/index.md": "/papers/"}
# Pages about the project, in their order; the README is the first page of the site.
PROJECT = ["CONTRIBUTING.md", "docs/developer/architecture.md", "test/README.md", "CHANGELOG.md", "SUPPORT.md", "SECURITY.md",
           "CODE_OF_CONDUCT.md"]
GROUPS = ["Tutorials", "How to", "Reference", "Explanation"]
# The group whose entries are tasks: its pages are called by the links to them.
TASKS = "How to"
# Pages that are made for the site stand in its contents after these.
AFTER = {"docs/manual/scene.md": ["reference/command"], "docs/manual/c_api.md": ["reference/c/index"],
         "docs/manual/python.md": ["reference/python"]}
NOWHERE = "\0"
LINK = re.compile(r"\]\(\s*<?([^()\s>]+(?:\([^()]*\))?)>?([^)]*)\)")


def split_code(text):
    """The text in pieces: (is code, piece). Code keeps whatever resembles a link."""
    pieces = re.split(r"(^ *```.*?^ *```|`[^`\n]*`)", text, flags=re.S | re.M)
    return [(bool(i % 2), piece) for i, piece in enumerate(pieces)]


class Site:
    """What is copied where. Paths are relative to the root, with slashes."""

    def __init__(self, root, out, scenes):
        self.root, self.out, self.scenes = Path(root), Path(out), scenes
        names = sorted(p.relative_to(root).as_posix() for p in Path(root, "docs").rglob("*.md"))
        notebooks = sorted(p.relative_to(root).as_posix() for p in Path(root, "docs/notebooks").glob("*.ipynb"))
        others = [name for name in PROJECT if name not in names] + ["examples/README.md"]
        self.pages = {name: name for name in names + others if (self.root / name).is_file()}
        self.pages["README.md"] = "index.md"
        self.pages.update({name: name.replace(".ipynb", ".md") for name in notebooks})

    def place(self, name, text):
        file = self.out / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")

    def target(self, page, target):
        """Where a link of a page of the tree leads in the site: "" for nowhere."""
        path, _, anchor = target.partition("#")
        if re.match(r"[a-z]+:", target) or not path:
            return target
        name = os.path.normpath(os.path.join(os.path.dirname(page), path))
        here = os.path.dirname(self.pages[page]) or "."
        if name in self.scenes:
            other = self.scenes[name]
        elif name in self.pages:
            other = self.pages[name]
        elif (self.root / name).is_file():
            other = name
            (self.out / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(self.root / name, self.out / name)
        else:
            return ""
        return os.path.relpath(other, here) + ("#" + anchor if anchor else "")

    def copy(self, page, text):
        """The text of a page of the tree as the site has it."""
        def link(match):
            target = self.target(page, match[1])
            return f"]({target}{match[2]})" if target else f"]{NOWHERE}"

        # Anchors of GitHub are those of MyST; a fence of formulas is a directive.
        text = "".join(re.sub(r"^( *)```math\b", r"\1```{math}", piece, flags=re.M) if code else LINK.sub(link, piece)
                       for code, piece in split_code(text))
        # A folder is nothing that a page can show: only its name is left.
        return re.sub(rf"\[([^\][]*)\]{NOWHERE}", r"\1", text)

    def write(self):
        for page, place in self.pages.items():
            text = (self.root / page).read_text(encoding="utf-8")
            text = self.notebook(page, json.loads(text)) if page.endswith(".ipynb") else self.copy(page, text)
            if page == "README.md":
                text += self.contents()
            elif page in OVERVIEWS:
                pages = [name for name in self.linked(page, text) if OVERVIEWS[page] in name]
                text += table_of(pages, "", os.path.dirname(page))
            self.place(place, text)

    def linked(self, page, text):
        """The pages that a piece of a page links to as a whole, in its order, with the words of the link."""
        found = {}
        for words, target in re.findall(r"\[([^\][]+)\]\(([^)\s#]+)\)", text):
            name = os.path.normpath(os.path.join(os.path.dirname(page), target))
            if name in self.pages and name != page:
                found.setdefault(name, " ".join(words.split()))
        return found

    def contents(self):
        """The groups of the index of the manual as tables of contents. A page stands in the last group that links to it."""
        sections = re.split(r"^## +(.*)$", (self.root / INDEX).read_text(encoding="utf-8"), flags=re.M)
        groups = {name: self.linked(INDEX, text) for name, text in zip(sections[1::2], sections[2::2]) if name in GROUPS}
        if list(groups) != GROUPS:
            raise SystemExit(f"site: {INDEX} has not the groups {', '.join(GROUPS)}")
        text = table_of([INDEX], "", "")
        for number, name in enumerate(GROUPS):
            later = {page for other in GROUPS[number + 1:] for page in groups[other]} | set(PROJECT)
            text += table_of([page for page in groups[name] if page not in later], name, "", groups[name] if name == TASKS
                             else ())
        text += table_of(["gallery/index"], "Scenes", "")
        return text + table_of([page for page in PROJECT if page in self.pages], "Project", "")

    def notebook(self, page, notebook):
        """A notebook with its results as a page."""
        place, text, count = self.pages[page], [], 0
        for cell in notebook["cells"]:
            source = "".join(cell["source"])
            text.append(self.copy(page, source) if cell["cell_type"] == "markdown" else f"```python\n{source}\n```")
            for output in cell.get("outputs", []):
                data = output.get("data", {})
                if "image/png" in data:
                    count += 1
                    picture = place.replace(".md", f"_{count}.png")
                    (self.out / picture).parent.mkdir(parents=True, exist_ok=True)
                    (self.out / picture).write_bytes(base64.b64decode("".join(data["image/png"])))
                    text.append(f"![]({Path(picture).name})")
                elif output["output_type"] == "stream" or "text/plain" in data:
                    text.append("```\n" + "".join(output.get("text") or data["text/plain"]).rstrip() + "\n```")
        text.append(f"The notebook: [{Path(place).stem}.ipynb]({Path(place).stem}.ipynb).")
        shutil.copyfile(self.root / page, self.out / page)
        return "\n\n".join(text) + "\n"


def table_of(pages, caption, base, words=()):
    """A table of contents that only the sidebar shows: titles of pages, or the words of the links to them."""
    rows = []
    for page in pages:
        place = os.path.relpath(re.sub(r"\.(md|ipynb)$", "", page), base or ".")
        rows.append(f"{words[page][0].upper()}{words[page][1:]} <{place}>" if page in words else place)
        rows += AFTER.get(page, [])
    head = "```{toctree}\n:hidden:\n" + (f":caption: {caption}\n" if caption else "")
    return "\n\n" + head + "\n" + "\n".join(rows) + "\n```\n"
