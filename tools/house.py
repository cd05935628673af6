"""The house: which notebook exports which module, what each imports, and the rules that hold.

    python tools/house.py            # broken rules, if any
    python tools/house.py picture    # docs/_static/house.svg, the picture in CONTRIBUTING.md
    python tools/house.py fronts     # the list of rooms on the front page of each folder
"""
import ast
import re
import sys
from typing import NamedTuple

import notebooks
import nbformat

PICTURE = notebooks.ROOT / "docs" / "_static" / "house.svg"
RANKS = ("engine", "", "checks", "use", "rivals", "rerun", "course")   # "" is the spine; arrows point to the left
GROUND = ("notation", "engine.inputs")                                 # what everybody may stand on
DOOR = ("__init__", "use.cli")                                         # what brings everything together may look ahead


class Room(NamedTuple):
    "A notebook that exports a module."
    page: str         # such as engine/12_search
    module: str       # such as engine.search
    imports: tuple    # pairs (module, name) of our own, from exported cells


def _exported(path):
    "The module of a notebook, and its exported cells."
    cells = [c.source for c in nbformat.read(path, as_version=4).cells if c.cell_type == "code"]
    module = next((m[1] for m in (re.match(r"#\|\s*default_exp\s+(\S+)", s) for s in cells) if m), None)
    return module, [s for s in cells if re.search(r"^#\|\s*export", s, re.M)]


def _imports(source):
    "Pairs (module of ours, name) that a cell imports, at the top or inside a function."
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] == "guesstree":
            yield from ((node.module.removeprefix("guesstree").lstrip("."), a.name) for a in node.names)


def rooms():
    "All rooms, in the order of the book."
    found = [(notebooks.name_of(p), *_exported(p)) for p in notebooks.notebooks()]
    known = {module for _, module, _ in found}
    def resolve(module, name):   # `from guesstree.engine import search` names a module
        inside = f"{module}.{name}".lstrip(".")
        return (inside, "") if inside in known else (module, name)
    return [Room(page, module, tuple(resolve(*o) for s in cells for o in _imports(s))) for page, module, cells in found if module]


def folder(module):
    return module.rpartition(".")[0]


def broken(house=None):
    "Sentences about numbers used twice, arrows upward, and private names taken from another folder."
    house = rooms() if house is None else house
    pages, said = {r.module: r.page for r in house}, []
    for name in notebooks.FOLDERS:
        numbers = [p.stem[:2] for p in (notebooks.NBS / name).glob("[0-9][0-9]_*.ipynb")]
        said += [f"the number {n} is used twice in nbs/{name}" for n in sorted(set(numbers)) if numbers.count(n) > 1]
    for room in house:
        for module, name in room.imports:
            at, to = folder(room.module), folder(module)
            if module not in pages or module == room.module or room.module in DOOR or room.module.endswith("__init__"):
                continue
            if name.startswith("_") and at != to:
                said.append(f"{room.page} takes the private name {name} from {pages[module]}")
            upward = pages[module] > room.page if at == to else module not in GROUND and RANKS.index(to) > RANKS.index(at)
            if upward:
                said.append(f"{room.page} imports {pages[module]}, which comes later")
    return list(dict.fromkeys(said))


def front(name):
    "The list of rooms that the front page of a folder shows: titles and their sentences."
    rows = []
    for path in sorted((notebooks.NBS / name).glob("[0-9][0-9]_*.ipynb")):
        title, _, rest = nbformat.read(path, as_version=4).cells[0].source.partition("\n")
        rows.append(f"| [{title.removeprefix('# ')}]({path.name}) | {rest.partition('> ')[2].splitlines()[0]} |")
    return "\n".join(["| room | what you can do in it |", "| --- | --- |", *rows])


def fronts():
    "{front page: its text with the list made anew}, for the pages whose list is out of date."
    made = {}
    for name in RANKS:
        if name:
            path = notebooks.NBS / name / "index.ipynb"
            nb = nbformat.read(path, as_version=4)
            table = next(c for c in nb.cells if c.source.startswith("| room |"))
            if table.source != front(name):
                table.source = front(name)
                made[path] = notebooks.cleaned(nb)
    return made


def _box(x, y, text, bold=False):
    style = ' font-weight="bold"' if bold else ""
    return f'<text x="{x}" y="{y}"{style}>{text}</text>'


def picture(house=None):
    "The house as SVG: a column for each folder, and an arrow wherever a folder imports from another, as thick as it is busy."
    house = rooms() if house is None else house
    columns = {rank: [r.page.rpartition("/")[2] for r in house if folder(r.module) == rank and r.page != "index" and not r.page.endswith("/index")] for rank in RANKS}
    width, top, step = 150, 90, 17
    place = {rank: 20 + i * width for i, rank in enumerate(RANKS)}
    height = top + step * max(map(len, columns.values())) + 20
    count = {}
    for r in house:
        for module in {m for m, _ in r.imports}:
            pair = folder(r.module), folder(module)
            if pair[0] != pair[1] and r.module not in DOOR and not r.module.endswith("__init__") and module not in GROUND:
                count[pair] = count.get(pair, 0) + 1
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {20 + width * len(RANKS)} {height}" font-family="Helvetica,Arial,sans-serif" font-size="12">',
           '<title>Folders of the house, their modules, and who imports whom</title>', '<rect width="100%" height="100%" fill="#fff"/>',
           '<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" markerUnits="userSpaceOnUse" orient="auto"><path d="M0,0 L8,4 L0,8 z" fill="#888"/></marker></defs>']
    for (at, to), n in sorted(count.items()):
        a, b = place[at] + 40, place[to] + 48
        out.append(f'<path d="M{a},{top - 32} C{a},{top - 32 - (a - b) / 14 - 10:.1f} {b},{top - 32 - (a - b) / 14 - 10:.1f} {b},{top - 32}" fill="none" stroke="#888" stroke-width="{0.6 + n / 8:.1f}" marker-end="url(#tip)"/>')
    for rank, pages in columns.items():
        out.append(_box(place[rank], top - 15, rank or "spine", True))
        out += [_box(place[rank], top + step * i + 4, page) for i, page in enumerate(pages)]
    return "\n".join([*out, "</svg>", ""])


if __name__ == "__main__":
    if sys.argv[1:] == ["picture"]:
        PICTURE.write_text(picture(), encoding="utf-8")
    elif sys.argv[1:] == ["fronts"]:
        for page, text in fronts().items():
            page.write_text(text, encoding="utf-8")
    else:
        sys.exit("\n".join(broken()) or 0)
