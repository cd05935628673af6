"""Build the book: notebooks with their stored outputs, API pages, lecturers' pages.

    python docs/make.py [FOLDER]     # default _docs; open FOLDER/html/index.html

Pages are prepared in FOLDER/src, in the places they have in the repository, so that links work here and there.
"""
import gc
import json
import os
import re
import shutil
import sys
from configparser import ConfigParser
from functools import cache
from pathlib import Path

import api
import deck
import exercises
import figures
import folds

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tools"))
import notebooks as house  # noqa: E402
import nbformat  # noqa: E402

ROOT = Path(__file__).resolve().parent.parent
NBS = ROOT / "nbs"
TEXTS = ["docs/lecturers.md", "docs/paper_to_code.md", "CONTRIBUTING.md", "benchmarks/README.md"]
PICTURES = ["docs/_static/house.svg"]   # of the texts


@cache
def settings():
    parser = ConfigParser()
    parser.read(ROOT / "settings.ini", encoding="utf-8")
    return parser["DEFAULT"]


def is_hidden(cell):
    return cell.cell_type == "code" and bool(re.match(r"#\|\s*(hide|default_exp)\b", cell.source))


def headings(nb):
    "(cell number, level, text) of the headings of a notebook."
    return [(i, len(m[1]), m[2].strip()) for i, c in enumerate(nb.cells) if c.cell_type == "markdown"
            for m in re.finditer(r"^(#{1,4}) (.+)$", c.source, re.M)]


def slug(text):
    "The anchor of a heading, as GitHub makes it; mathematics leaves no trace."
    return re.sub(r"[^\w\- ]", "", re.sub(r"\$[^$]*\$", "", text.lower())).replace(" ", "-")


def badges(path):
    "Links that open the notebook elsewhere; pictures would be fetched, so they are words."
    cfg, rel = settings(), path.relative_to(ROOT).as_posix()
    repo = cfg["git_url"].removeprefix("https://github.com/")
    links = {"Colab": f"https://colab.research.google.com/github/{repo}/blob/{cfg['branch']}/{rel}",
             "Binder": f"https://mybinder.org/v2/gh/{repo}/{cfg['branch']}?labpath={rel}",
             "Source": f"{cfg['git_url']}/blob/{cfg['branch']}/{rel}"}
    return '<p class="badges">' + "".join(f'<a class="badge" href="{url}">{name}</a>' for name, url in links.items()) + "</p>"


def repoint(text, folder, known):
    "Links to files of the repository that are no pages of the book lead to the repository."
    cfg = settings()
    def target(m):
        path, _, mark = m[1].partition("#")
        if not path or re.match(r"[a-z]+:", path):
            return m[0]
        rel = os.path.normpath((folder / path).as_posix())
        return m[0] if rel in known else f"]({cfg['git_url']}/blob/{cfg['branch']}/{rel})"
    return re.sub(r"\]\(([^)\s]+)\)", target, text)


def page_of(path, known):
    "A notebook as the book shows it: without plumbing and directives, code in boxes, figures with captions."
    nb = nbformat.read(path, as_version=4)
    nb.cells = [c for c in nb.cells if not is_hidden(c)]
    figures.describe(nb, house.name_of(path))
    module, refusing = path.stem.partition("_")[2] or path.parent.name, False
    for cell in nb.cells:
        if cell.cell_type == "markdown":
            if heading := re.match(r"#{1,2} (.+)", cell.source):
                refusing = heading[1].strip() == "What it refuses"
            cell.source = repoint(cell.source, path.relative_to(ROOT).parent, known)
        elif cell.cell_type == "code":
            folds.fold(cell, refusing, module)
            cell.source = re.sub(r"^#\|.*\n?", "", cell.source, flags=re.M).strip("\n")
    nb.cells = [c for c in nb.cells if c.source and not exercises.is_blank(c)]
    nb.cells[0].source += "\n\n" + badges(path)
    if house.name_of(path) == deck.PAGE:
        nb.cells[0].source = nb.cells[0].source.replace("</p>", '<a class="badge" href="../../deck.html">Slides</a></p>')
        for output in (o for c in nb.cells for o in c.get("outputs", []) if "text/html" in o.get("data", {})):
            output["data"]["text/html"] = deck.linked(output["data"]["text/html"])
    if path.stem == "index" and path.parent != NBS:
        nb.cells.append(nbformat.v4.new_markdown_cell(rooms(path.parent)))
    nb.metadata = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}, "language_info": {"name": "python"}}
    return nbformat.writes(nb)


def rooms(folder):
    "The table of contents of a folder's front page, which the sidebar folds."
    inside = [p.relative_to(folder).with_suffix("").as_posix() for p in house.notebooks() if folder in p.parents and p.stem != "index"]
    return toctree(folder.name, inside, hidden="")


def sections():
    "{(notebook, cell id): heading above it}"
    above = {}
    for path in house.notebooks():
        nb = nbformat.read(path, as_version=4)
        marks = headings(nb)
        for i, cell in enumerate(nb.cells):
            above[house.name_of(path), cell.id] = next((text for at, level, text in reversed(marks) if at <= i), None)
    return above


def taught(above):
    "A function that links a symbol to the section in which it is taught."
    def link(symbol):
        heading = above.get((symbol.page, symbol.cell))
        return f"Taught in [{heading}](../nbs/{symbol.page}.ipynb#{slug(heading)}).\n" if heading else ""
    return link


def toctree(caption, entries, **options):
    lines = [f":caption: {caption}", *(f":{k}: {v}" for k, v in options.items()), "", *entries]
    return "\n".join(["```{toctree}", *lines, "```", ""])


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists() or path.read_text(encoding="utf-8") != text:   # what did not change is not built again
        path.write_text(text, encoding="utf-8")


def prepare(src):
    "Write all pages into the folder `src`; return the symbols of the API."
    notebooks = house.notebooks()
    texts = [t for t in TEXTS if (ROOT / t).exists()]
    known = {p.relative_to(ROOT).as_posix() for p in notebooks} | {*texts, *PICTURES, "docs/exercises.md"}
    for path in notebooks:
        write(src / path.relative_to(ROOT), page_of(path, known))
    for text in texts:
        write(src / text, repoint((ROOT / text).read_text(encoding="utf-8"), Path(text).parent, known))
    write(src / "docs" / "exercises.md", repoint(exercises.page(), Path("docs"), known))
    for picture in PICTURES:
        write(src / picture, (ROOT / picture).read_text(encoding="utf-8"))
    made, symbols = api.pages(ROOT / "guesstree", taught(sections()))
    for module, text in made.items():
        write(src / "api" / f"{module}.md", text)
    write(src / "api" / "index.md", overview(made))
    write(src / "index.md", contents(notebooks, texts))
    write(src / "tree.svg", min(NBS.glob("images/index_*.svg")).read_text(encoding="utf-8"))
    return symbols


def overview(modules):
    "The page above all API pages: each module with its sentence."
    rows = [f"| [{m}]({m}.md) | {text.splitlines()[2]} |" for m, text in modules.items()]
    table = "\n".join(["| module | what it lets you do |", "| --- | --- |", *rows])
    return "\n".join(["# API", "", "Most people need `estimator.GuessTreeClassifier` to fit a table, `use.one_page.report` and `use.tree_json.to_json` to hand the tree on, and",
                      "`engine.solver.solve` for 0/1 columns. Each entry leads to the section that teaches it.", "",
                      table, "", toctree("Modules", modules, hidden="")])


def contents(notebooks, texts):
    "The first page, with the table of contents: the spine, the front pages of the folders, and what stands beside them."
    spine = [f"nbs/{house.name_of(p)}" for p in notebooks if p.parent == NBS]
    fronts = [f"nbs/{house.name_of(p)}" for p in notebooks if p.parent != NBS and p.stem == "index"]
    trees = [toctree("The book", spine, hidden=""), toctree("Rooms behind it", fronts, hidden=""),
             toctree("Beside it", [t.removesuffix(".md") for t in texts if t.startswith("docs/")] + ["docs/exercises"], hidden="")]
    trees.append(toctree("Reference", ["api/index"], hidden=""))
    trees.append(toctree("Working on it", [t.removesuffix(".md") for t in texts if not t.startswith("docs/")], hidden=""))
    return (ROOT / "docs" / "index.md").read_text(encoding="utf-8") + "\n" + "\n".join(trees)


def build(folder):
    "Prepare and build, in one process: a second one costs more than it saves. Warnings are errors. Returns Sphinx's exit code."
    from sphinx.cmd.build import build_main
    src, out = folder / "src", folder / "html"
    symbols = [dict(module=o.module, name=o.name, page=o.page, anchor=api.anchor(o)) for o in prepare(src)]
    write(folder / "symbols.json", json.dumps(symbols))
    write(out / "deck.html", deck.page())
    return build_main(["-q", "-W", "--keep-going", "-b", "html", "-d", str(folder / "doctrees"), "-c", str(ROOT / "docs"), str(src), str(out)])


if __name__ == "__main__":
    gc.set_threshold(200_000, 50, 1000)   # a book is many objects that stay: to look for garbage among them less often saves a sixth of the time
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "_docs").resolve()
    shutil.rmtree(folder / "src", ignore_errors=True)
    sys.exit(build(folder))
