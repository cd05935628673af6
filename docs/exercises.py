"""All exercises on one page of the book, and an empty cell below each of them in the notebooks.

    python docs/exercises.py     # after a new exercise: give it a cell for the student's answer
"""
import hashlib
import json
import os
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tools"))
import notebooks as house  # noqa: E402
import nbformat  # noqa: E402

NAME = r"^\*\*(\w+\.\d+)\*\* "
BLANK = "# your answer to {}"
TOP = """# All exercises

> Find an exercise by its subject; the links lead to the chapters that ask it.

In a notebook, write your answer into the empty cell below the exercise. `from guesstree.course import exercises`; then `exercises.check("brute.1", answer)`
judges it and shows the smallest case in which it fails, and `exercises.hint("brute.1")` helps. [Exercises](../nbs/course/06_exercises.ipynb) explains how.
"""


def is_blank(cell):
    "Is this a cell that waits for an answer?"
    return cell.cell_type == "code" and bool(re.fullmatch(BLANK.format(r"\w+\.\d+"), cell.source.strip()))


def statements(nb):
    "{name: statement} of the exercises of a notebook, in order."
    found = {}
    for cell in nb.cells:
        if cell.cell_type == "markdown":
            parts = re.split(NAME, cell.source, flags=re.M)
            for name, text in zip(parts[1::2], parts[2::2]):
                found[name] = re.split(r"^(?:To explore|#)", text, flags=re.M)[0].strip()
    return found


def moved(text, folder):
    "Links of a page in `nbs/folder`, as they are written on a page in `docs`."
    def target(m):
        return m[0] if re.match(r"[a-z]+:|#", m[1]) else f"]({os.path.relpath(house.NBS / folder / m[1].partition('#')[0], house.ROOT / 'docs')}{''.join(m[1].partition('#')[1:])})"
    return re.sub(r"\]\(([^)\s]+)\)", target, text)


def page():
    "The page in Markdown: the chapters in the order of the book, with the statements of their exercises."
    out = [TOP]
    for path in house.notebooks():
        nb, name = nbformat.read(path, as_version=4), house.name_of(path)
        if path.stem[:2].isdigit() and (asked := statements(nb)):
            title = nb.cells[0].source.splitlines()[0].removeprefix("# ")
            out.append(f"## {title}\n\nThese are the exercises of [{title}](../nbs/{name}.ipynb#exercises).\n")
            out += [f"**{k}** {moved(text, path.parent.relative_to(house.NBS))}\n" for k, text in asked.items()]
    return "\n".join(out)


def _cell(kind, source, like):
    "A new cell; its id depends on its text only, so that a second run makes the same one."
    code = {"execution_count": None, "outputs": []} if kind == "code" else {}
    cell = {"cell_type": kind, "id": hashlib.md5(f"{like}{source}".encode()).hexdigest()[:8], "metadata": {}, "source": source.splitlines(keepends=True)} | code
    return dict(sorted(cell.items()))


def with_blanks(cells):
    "The cells of a notebook (as JSON) with an empty one below each exercise; a cell that asks several is divided."
    made = []
    for k, cell in enumerate(cells):
        source = "".join(cell["source"])
        parts = re.split(r"(?=^\*\*\w+\.\d+\*\* )|(?=^To explore)", source, flags=re.M) if cell["cell_type"] == "markdown" else [source]
        if not any(re.match(NAME, o) for o in parts):
            made.append(cell)
            continue
        head = [] if re.match(NAME, parts[0]) or len(parts) == 1 else [parts.pop(0)]
        parts[0] = "".join(head) + parts[0]   # what is said before the first exercise stays with it
        for i, part in enumerate(parts):
            made.append({**cell, "source": part.strip().splitlines(keepends=True)} if i == 0 else _cell("markdown", part.strip(), cell["id"]))
            if name := re.search(NAME, part, re.M):
                blank, after = BLANK.format(name[1]), "".join(cells[k + 1]["source"]).strip() if k + 1 < len(cells) else ""
                made += [] if i == len(parts) - 1 and after == blank else [_cell("code", blank, cell["id"])]
    return made


def blanks(path):
    "The text of a notebook with a cell for each answer."
    nb = json.loads(path.read_text(encoding="utf-8"))
    return json.dumps(nb | {"cells": with_blanks(nb["cells"])}, indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    for path in house.notebooks():
        if path.stem[:2].isdigit() and (text := blanks(path)) != path.read_text(encoding="utf-8"):
            path.write_text(text, encoding="utf-8")
            print(f"{house.name_of(path)} has a cell for each answer now")
