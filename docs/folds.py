"""Code that folds. `make.py` says of each cell what it is: imports, checks, code of the package, or other code. As Sphinx
extension: all code stands in boxes that open; which of them are open when a page is opened depends on the page.
"""
import ast
import re
from functools import cache

KINDS = ("imports", "checks", "exported", "code")
OPEN = {"exported", "code"}   # in the rooms, and on the page to start with; the spine and the slides are for reading


@cache
def _body(source):
    "The statements of a cell, without magics."
    return ast.parse(re.sub(r"^[%!].*$", "", source, flags=re.M)).body


def _is_check(node):
    "Does a statement only check something: an assertion, a test of fastcore's, or a loop that ends with one?"
    if isinstance(node, (ast.For, ast.With, ast.If)):
        return _is_check(node.body[-1])
    called = getattr(getattr(node, "value", None), "func", None)
    return isinstance(node, ast.Assert) or getattr(called, "id", "").startswith("test_")


def _names(body):
    return [o.name for o in body if isinstance(o, (ast.FunctionDef, ast.ClassDef))] + [
        t.id for o in body if isinstance(o, ast.Assign) for t in o.targets if isinstance(t, ast.Name)]


def kind(cell, refusing=False):
    "One of `KINDS`; `refusing`: the cell stands in a section on what the chapter refuses, which is all validation and checks."
    body = _body(cell.source)
    if body and not cell.outputs and all(isinstance(o, (ast.Import, ast.ImportFrom)) for o in body):
        return "imports"
    exported = re.search(r"^#\|\s*export", cell.source, re.M)
    if refusing or not exported and not cell.outputs and body and _is_check(body[-1]):
        return "checks"
    return "exported" if exported else "code"


def prompt(cell, of):
    "The words on a closed box: of code of the package, what it defines."
    exported, names = re.search(r"^#\|\s*export", cell.source, re.M), _names(_body(cell.source))
    return f"in the package: {', '.join(names)}" if exported and names else "code" if of == "exported" else of


def fold(cell, refusing, module):
    "Mark a code cell; Sphinx puts what is marked into a box."
    of = kind(cell, refusing)
    exported = ["exported", f"module-{module}"] if re.search(r"^#\|\s*export", cell.source, re.M) else []
    closed = ["closed"] if re.search(r"^#\|\s*code-fold: true", cell.source, re.M) else []
    cell.metadata["tags"] = ["hide-input", f"kind-{of}", *exported, *closed]
    said = prompt(cell, of)
    cell.metadata.setdefault("mystnb", {}).update(code_prompt_show=said, code_prompt_hide=said)


def opened(pagename):
    "Kinds of code that stand open when the page is opened for the first time."
    return set() if re.match(r"nbs/(\d|course/10_deck$)", pagename) else OPEN


def open_boxes(app, pagename, templatename, context, doctree):
    "Open the boxes of a page that are to be open, and say on the page which those are."
    def box(m):
        of = re.search(r"tag_kind-(\w+)", m[1])
        return m[0] + (" open" if of and of[1] in opened(pagename) and "tag_closed" not in m[1] else "")
    if context.get("body"):
        context["body"] = re.sub(r'<div class="cell ([^"]*)">\s*<details class="[^"]*"', box, context["body"])


def setup(app):
    app.connect("html-page-context", open_boxes)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
