"""Figures of the book. The cell that draws a figure says in words what it shows:

    #| fig-cap: A whole sentence that says what to see.
    #| fig-alt: What is drawn, for a reader who cannot see it.

A drawn tree needs no `fig-alt`: its questions are read out. `make.py` numbers the figures of a chapter from 1.
"""
import re
from html import escape, unescape


def directive(cell, name):
    "The text after `#| name:` in a code cell, or None."
    found = re.search(rf"^#\|\s*{name}:\s*(.+?)\s*$", cell.source, re.M)
    return found[1] if found else None


def pictures(cell):
    "The outputs of a cell that are figures, as pairs (kind, text): an SVG, or a page with a picture or a frame in it."
    for output in cell.get("outputs", []):
        data = output.get("data", {})
        if "image/svg+xml" in data:
            yield "svg", data["image/svg+xml"]
        elif any(kind.startswith("image/") for kind in data):
            yield "image", ""
        elif re.search(r"<(svg|iframe|img)\b", data.get("text/html", "")):
            yield "html", data["text/html"]


def read_out(svg):
    "A drawn tree as a sentence, or None if the picture is no tree: boxes stand in it in reading order, leaves are round."
    boxes = [(float(m[1]), [unescape(t) for t in re.findall(r"<text[^>]*>([^<]*)</text>", m[2])])
             for m in re.finditer(r'<rect[^>]* rx="([\d.]+)"[^>]*/>((?:<text.*?</text>)+)', svg)]
    if not re.match(r"<svg[^>]*><title>(Split|Leaf)\(", svg) or not boxes:
        return None
    todo = iter(boxes)
    def words(root=False):
        radius, lines = next(todo)
        said = lines[0] + (f" ({', '.join(lines[1:])})" if lines[1:] else "")
        if radius > 4:
            return said
        said = f"if {said}, then {words()}, else {words()}"
        return said if root else f"({said})"
    return f"A decision tree: {words(True)}." if len(boxes) > 1 else f"A tree that is a single leaf: {words()}."


def alternative(cell):
    "The words that stand for the figure of a cell, or None."
    return directive(cell, "fig-alt") or next((read_out(text) for _, text in pictures(cell)), None)


def drawing_cells(nb):
    "The cells of a notebook that show a figure, in order."
    return [c for c in nb.cells if c.cell_type == "code" and any(pictures(c))]


def wordless(nb):
    "Ids of the cells whose figure has no caption that is a sentence, or nothing to read out."
    return [c.id for c in drawing_cells(nb) if not re.search(r"[.?]$", directive(c, "fig-cap") or "") or not alternative(c)]


def number(name, k):
    "What the figure with index `k` of the notebook `name` is called: 3.1 on the spine, engine 7.2 in a room."
    folder, _, stem = name.rpartition("/")
    chapter = f"{int(stem[:2])}.{k + 1}" if stem[:2].isdigit() else str(k + 1)
    return f"{folder} {chapter}".strip()


def anchor(name, k):
    return f"figure-{re.sub('[^a-z0-9]+', '-', name.lower())}-{k + 1}"


def _titled(html, alt):
    "A page in a frame, or a picture in a page, with the words that stand for it."
    if "<iframe" not in html:
        return re.sub(r"<svg\b", lambda m: f'<svg role="img" aria-label="{escape(alt)}"', html, count=1)
    html = re.sub(r'(<iframe\b[^>]*?) title="[^"]*"', r"\1", html)
    return re.sub(r"<iframe\b", lambda m: f'<iframe title="{escape(alt)}"', html, count=1)


def describe(nb, name):
    "Give the figures of the notebook `name` their numbers, captions and alternative texts, in place."
    for k, cell in enumerate(drawing_cells(nb)):
        caption, alt = directive(cell, "fig-cap"), alternative(cell) or ""
        cell.metadata["mystnb"] = {"image": {"alt": alt}, "figure": {"caption": f"**Figure {number(name, k)}.** {caption or ''}", "name": anchor(name, k)}}
        for output in cell.outputs:
            if "text/html" in output.get("data", {}):
                output["data"]["text/html"] = _titled(output["data"]["text/html"], alt)
