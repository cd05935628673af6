"""Make the slides of the lecture: one file that needs no network.

    python docs/deck.py [FOLDER]     # default _docs; open FOLDER/deck.html

The slides are the outputs of nbs/course/10_deck.ipynb, as they are stored. A slide names a figure by its chapter and cell; the
output of that cell is put in. Nothing is run.
"""
import re
import sys
from base64 import b64encode
from html import escape
from pathlib import Path

import figures

sys.modules.setdefault("rfc3987_syntax", None)   # as in tools/notebooks.py
import nbformat  # noqa: E402

ROOT = Path(__file__).resolve().parent.parent
PAGE = "course/10_deck"


def picture(place):
    "The figure of a cell, named as `chapter#cell`, as an image with the words that stand for it."
    chapter, _, mark = place.partition("#")
    path = ROOT / "nbs" / f"{chapter}.ipynb"
    if not path.exists():
        raise ValueError(f"a slide shows a figure of nbs/{chapter}.ipynb, which is not there")
    cell = next((c for c in nbformat.read(path, as_version=4).cells if c.id == mark), None)
    svg = next((text for kind, text in figures.pictures(cell) if kind == "svg"), None) if cell else None
    if svg is None:
        raise ValueError(f"a slide shows the figure of cell {mark} of nbs/{chapter}.ipynb, and there is none; look into nbs/{PAGE}.ipynb")
    alt = figures.alternative(cell) or ""
    width, height = map(float, re.search(r'viewBox="[\d.-]+ [\d.-]+ ([\d.]+) ([\d.]+)"', svg.replace("'", '"')).groups())
    wide = ' class="wide"' if width > 1.9 * height else ""   # below the words instead of beside them
    return f'<figure{wide}><img src="data:image/svg+xml;base64,{b64encode(svg.encode()).decode()}" alt="{escape(alt)}"></figure>'


PLACE = r'<figure data-from="([^"]+)">.*?</figure>'


def filled(html):
    "A slide with its figures in their places."
    return re.sub(PLACE, lambda m: picture(m[1]), html)


def linked(html):
    "A slide with links to its figures, for the page of the book."
    def link(m):
        chapter, _, mark = m[1].partition("#")
        cells = figures.drawing_cells(nbformat.read(ROOT / "nbs" / f"{chapter}.ipynb", as_version=4))
        k = [c.id for c in cells].index(mark)
        return f'<p class="shows">shows <a href="../{chapter}.html#{figures.anchor(chapter, k)}">Figure {figures.number(chapter, k)}</a></p>'
    return re.sub(PLACE, link, html)


def slides():
    "The slides, in the order of the notebook."
    nb = nbformat.read(ROOT / "nbs" / f"{PAGE}.ipynb", as_version=4)
    shown = [o["data"]["text/html"] for c in nb.cells if c.cell_type == "code" for o in c.outputs if "text/html" in o.get("data", {})]
    return [filled(o) for o in shown if o.startswith('<section class="slide"')]


def page():
    "The whole deck as one page."
    here = Path(__file__).resolve().parent / "_static"
    style, script = ((here / name).read_text(encoding="utf-8") for name in ("deck.css", "deck.js"))
    body = "\n".join(o.replace("<section ", f'<section id="{k}" ', 1) for k, o in enumerate(slides(), 1))
    return f"""<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Optimal sparse decision trees, found fast by guessing</title><link rel="icon" href="data:,"><style>
{style}</style></head><body><main>
{body}
</main><nav aria-label="Slides"><button id="back" aria-label="Previous slide">‹</button><output id="where"></output><button id="on" aria-label="Next slide">›</button><button id="notes">notes</button></nav>
<script>
{script}</script></body></html>
"""


if __name__ == "__main__":
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "_docs").resolve()
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "deck.html").write_text(page(), encoding="utf-8")
    print(f"{len(slides())} slides: open {folder / 'deck.html'} in a browser; arrow keys turn them, n shows the notes")
