# SPDX-License-Identifier: MIT
"""The gallery of the site: a page for each scene, and an overview page for each folder of scenes, with a card (picture, title
and run time) per scene."""
import html
import re
import shutil
from pathlib import Path

PICTURES = "docs/pictures/scenes"
SECONDS = f"{PICTURES}/seconds.txt"
# Per folder of scenes: the heading and the introduction of its page.
FOLDERS = {
    "gallery": ("Gallery", "Scenes that show what carom does. Gates check the results, as in all scenes; most run in seconds."),
    "rigid": ("Rigid bodies", "Rigid bodies among themselves and with deformable ones, most against closed forms."),
    "joints": ("Joints and springs", "Mechanisms: hinges, sliders, ball joints, motors and springs."),
    "rest": ("Bodies at rest", "Stacks, a wall, arches and elastic blocks that should stand still, or fall where they must."),
    "obstacles": ("Obstacles", "Tables, punches, rollers and blades that are held or driven."),
    "papers": ("Experiments of the papers", "The experiments of the publications that the methods come from; "
               "the [verification manual](../docs/verification.md) compares them with what was published."),
}
LINES = 160  # the number of lines of a scene that its page shows; of a longer one it shows the first, and counts the others


def picture_of(name):
    return f"{PICTURES}/{name.replace('/', '-')}.webp"


class Scene:
    def __init__(self, root, file):
        self.name = file.relative_to(root / "scenes").with_suffix("").as_posix()
        self.file = f"scenes/{self.name}.yaml"
        self.page = f"gallery/{self.name}.md"
        self.text = file.read_text(encoding="utf-8")
        found = re.search(r"^title: *(.*)$", self.text, flags=re.M)
        self.title = found[1].strip("\"'") if found else self.name
        found = re.search(r"^integrator: *\{? *([\w-]+)", self.text, flags=re.M)
        self.method = found[1] if found else "newmark-dcr"
        head = re.match(r"(?:#[^\n]*\n)*", self.text)[0].splitlines()
        self.head = [row[1:].strip() for row in head if not row.startswith("# SPDX")]
        picture = picture_of(self.name)
        self.picture = picture if (root / picture).is_file() else None


def escape(text):
    return re.sub(r"([\\`*_<>\[\]$|#{}])", r"\\\1", text)


def paragraphs(rows):
    """Markdown of the comment at the head of a scene: lines are joined to paragraphs, options of the command become code."""
    text = "\n".join(rows).strip()
    # two blanks precede the options, one blank precedes the punctuation after them: "text  --set a=b --set c=d ."
    pieces = re.split(r"(?<=\s)((?:--[\w-]+(?: [\w.\[\]-]+=\S+)? ?)+)", re.sub(r"(?<!\n)\n(?!\n)", " ", text))
    return "".join("`" + piece.strip() + "` " if i % 2 else escape(piece) for i, piece in enumerate(pieces))


def seconds_of(root):
    """Seconds of processor time of a run, by scene."""
    file = root / SECONDS
    if not file.is_file():
        return {}
    return dict(row.split() for row in file.read_text().splitlines() if row and row[0] != "#")


def about(seconds):
    """The duration in words."""
    return "less than a second" if seconds == "<1" else f"about {seconds} s"


def scenes_of(root):
    root = Path(root)
    return [Scene(root, file) for folder in FOLDERS for file in sorted((root / "scenes" / folder).rglob("*.yaml"))]


def page_of(scene, seconds):
    up = "../" * scene.page.count("/")
    out = scene.name.replace("/", "_")
    folder = scene.name.split("/")[0]
    text = f"---\norphan: true\n---\n\n# {escape(scene.title)}\n\n"
    if scene.picture:
        text += (f'<img src="{up}_static/scenes/{Path(scene.picture).name}" alt="{html.escape(scene.title)}" '
                 'width="640" height="480">\n\n')
    text += paragraphs(scene.head) + "\n\n"
    text += f"    carom run {scene.file} -o out/{out}\n    carom report out/{out}\n\n"
    facts = [f"Method: [{scene.method}]({up}docs/manual/which_integrator.md)."]
    if scene.name in seconds:
        facts.append(f"The run takes {about(seconds[scene.name])} of processor time.")
    text += " ".join(facts) + f" All scenes of this kind: [{FOLDERS[folder][0]}]({up}gallery/{folder}.md).\n\n"
    rows = scene.text.rstrip().splitlines()
    shown = "\n".join(rows[:LINES])
    text += f"## Scene\n\n[{scene.file}]({up}{scene.file})\n\n````yaml\n{shown}\n````\n"
    return text + (f"\n... and {len(rows) - LINES} more lines.\n" if len(rows) > LINES else "")


def card(scene, seconds, up):
    if scene.picture:
        view = f'<span class="view"><img src="{up}_static/scenes/{Path(scene.picture).name}" alt="" loading="lazy"></span>'
    else:
        view = f'<span class="view none">{html.escape(scene.method)}</span>'
    place = up + scene.page.replace(".md", ".html")
    time = f" {html.escape(seconds[scene.name])}&nbsp;s" if scene.name in seconds else ""
    return (f'<a class="scene" href="{place}">{view}<span class="name">{html.escape(scene.title)}'
            f"<small>{html.escape(scene.name)}{time}</small></span></a>")


def write(root, site, scenes):
    """The pages of the gallery, and the pictures that its cards show."""
    root = Path(root)
    seconds = seconds_of(root)
    pictures = site.out / "_static" / "scenes"
    pictures.mkdir(parents=True, exist_ok=True)
    for scene in scenes:
        site.place(scene.page, page_of(scene, seconds))
        (site.out / scene.file).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(root / scene.file, site.out / scene.file)
        if scene.picture:
            shutil.copyfile(root / scene.picture, pictures / Path(scene.picture).name)
    overview = "# All scenes\n\nSeconds are of processor time, on one thread. Every scene is a text file: edit it, or change " \
        "a key with `--set`.\n\n"
    for folder, (heading, words) in FOLDERS.items():
        some = [scene for scene in scenes if scene.name.startswith(folder + "/")]
        cards = '<div class="scenes">\n' + "\n".join(card(scene, seconds, "../") for scene in some) + "\n</div>\n"
        site.place(f"gallery/{folder}.md", f"# {heading}\n\n{words}\n\n{cards}")
        overview += f"## {heading}\n\n{words} [{len(some)} scenes]({folder}.md).\n\n"
        shown = [scene for scene in some if scene.picture][:4]
        overview += '<div class="scenes">\n' + "\n".join(card(scene, seconds, "../") for scene in shown) + "\n</div>\n\n"
    overview += "```{toctree}\n:hidden:\n\n" + "\n".join(FOLDERS) + "\n```\n"
    site.place("gallery/index.md", overview)
