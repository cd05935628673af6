"""Sphinx extension: names in backticks become links: of symbols to their API entry, of exercises to their chapter."""
import json
import re
from pathlib import Path

from docutils import nodes


def _find(text, symbols, page):
    "The symbol that `text` means on `page`: `name`, `name(...)`, `module.name`; None if that is not clear."
    found = re.fullmatch(r"(?:guesstree\.)?(?:([\w.]+)\.)?(\w+)(\(.*\))?", text)
    if not found:
        return None
    module, name, _ = found.groups()
    same = [o for o in symbols if o["name"] == name and module in (None, o["module"], o["module"].rpartition(".")[2])]
    here = [o for o in same if o["page"] == page]
    return here[0] if here else same[0] if len(same) == 1 else None


def read(app):
    "The symbols that `make.py` found."
    app.guesstree_symbols = json.loads((Path(app.srcdir).parent / "symbols.json").read_text(encoding="utf-8"))


def _target(text, app, docname):
    "(page, anchor) that `text` leads to: the entry of a symbol, or the exercises of a chapter for a name such as `brute.1`."
    if re.fullmatch(r"[a-z]\w*\.\d", text):
        chapter = next((d for d in app.env.found_docs if re.fullmatch(rf"nbs/(\w+/)?\d+_{text[:-2]}", d)), None)
        return chapter, "exercises"
    symbol = _find(text, app.guesstree_symbols, docname.removeprefix("nbs/"))
    return (f"api/{symbol['module']}", symbol["anchor"]) if symbol else (None, None)


def link(app, doctree, docname):
    "Wrap literals that name symbols into references."
    for literal in list(doctree.findall(nodes.literal)):
        above = list(_parents(literal))
        if any(isinstance(p, (nodes.title, nodes.reference)) for p in above):
            continue
        if docname.startswith("api/") and any(isinstance(p, nodes.entry) and p.parent[0] is p for p in above):
            continue   # the name of a parameter, even if a function has the same one
        target, anchor = _target(literal.astext(), app, docname)
        if target in app.env.found_docs and target != docname:
            uri = app.builder.get_relative_uri(docname, target) + "#" + anchor
            reference = nodes.reference("", "", internal=True, refuri=uri, classes=["symbol"])
            literal.replace_self(reference)
            reference += literal


def _parents(node):
    while node.parent is not None:
        node = node.parent
        yield node


def setup(app):
    app.connect("builder-inited", read)
    app.connect("doctree-resolved", link)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
