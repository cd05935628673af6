"""The sidebar is the same on every page, but for its links and the place where you are: Sphinx makes it once, not once for each page."""
import re

from sphinx.util.osutil import relative_uri

PIECES = re.compile(r'<ul>|</ul>|<li class="([^"]*)">|</li>|<a class="reference internal" href="([^"]*)">')


def placed(sidebar, here):
    "The sidebar of the first page, as the page `here` shows it: links from there, and everything around its own entry is `current`."
    out, around, end = [], [], 0
    for piece in PIECES.finditer(sidebar):
        out += [sidebar[end:piece.start()], piece[0]]
        end, at = piece.end(), len(out) - 1
        if piece[0] in ("</ul>", "</li>"):
            around.pop()
        elif piece[2] is None:
            around.append(at)
        elif piece[2] != here:
            out[at] = piece[0].replace(piece[2], relative_uri(here, piece[2]))
        else:
            out[at] = '<a class="current reference internal" href="#">'
            for i in around:
                out[i] = '<ul class="current">' if out[i] == "<ul>" else out[i].replace('">', ' current">')
    return "".join([*out, sidebar[end:]])


def share_sidebar(app, pagename, templatename, context, doctree):
    "Hand the theme a table of contents that was made for the first page."
    known = vars(app).setdefault("sidebars", {})
    def toctree(**options):
        key = tuple(sorted(options.items()))
        if key not in known:
            known[key] = app.builder._get_local_toctree(app.config.root_doc, **options)
        return placed(known[key], app.builder.get_target_uri(pagename))
    if "toctree" in context:
        context["toctree"] = toctree


def setup(app):
    app.connect("html-page-context", share_sidebar, priority=400)   # before the theme asks
    return {"parallel_read_safe": True, "parallel_write_safe": True}
