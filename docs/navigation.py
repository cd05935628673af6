"""The sidebar is the same on every page, but for its links and the place where you are: Sphinx and the theme make it once, not once for each page."""
import re

from furo.navigation import get_navigation_tree
from sphinx.util.osutil import relative_uri

PIECES = re.compile(r'<ul>|</ul>|<li class="([^"]*)">|</li>|<a class="reference internal" href="([^"]*)">|<input aria-label="[^"]*"')
WHOLE = dict(collapse=False, titles_only=True, maxdepth=-1, includehidden=True)   # what the theme asks for


def placed(sidebar, here):
    "The sidebar of the first page, as the page `here` shows it: links from there, and all entries around its own are `current` and unfolded."
    out, around, switches, own, end = [], [], {}, [], 0
    for piece in PIECES.finditer(sidebar):
        out += [sidebar[end:piece.start()], piece[0]]
        end, at = piece.end(), len(out) - 1
        if piece[0] in ("</ul>", "</li>"):
            around.pop()
        elif piece[0].startswith("<input"):
            switches[around[-1]] = at                  # of the entry in which it stands
        elif piece[2] is None:
            around.append(at)
        elif piece[2] != here:
            out[at] = piece[0].replace(piece[2], relative_uri(here, piece[2]))
        else:
            out[at] = '<a class="current reference internal" href="#">'
            own = [*around]
    for i in own:
        out[i] = '<ul class="current">' if out[i] == "<ul>" else re.sub(r'(toctree-l\d+)([^"]*)">', r'\1 current\2">', out[i])
        if i in switches:
            out[switches[i]] += ' checked=""'
    if own:
        out[own[-1]] = out[own[-1]].replace('">', ' current-page">')
    return "".join([*out, sidebar[end:]])


def hide_sidebar(app, pagename, templatename, context, doctree):
    "The theme has nothing to do."
    if "toctree" in context:
        context["guesstree_toctree"], context["toctree"] = context["toctree"], lambda **options: ""


def share_sidebar(app, pagename, templatename, context, doctree):
    "Show the sidebar that was made for the first page."
    if "guesstree_toctree" in context:
        context["toctree"] = context.pop("guesstree_toctree")
        if "sidebar" not in vars(app):
            app.sidebar = get_navigation_tree(app.builder._get_local_toctree(app.config.root_doc, **WHOLE))
        context["furo_navigation_tree"] = placed(app.sidebar, app.builder.get_target_uri(pagename))


def setup(app):
    app.connect("html-page-context", hide_sidebar, priority=400)    # before the theme asks
    app.connect("html-page-context", share_sidebar, priority=600)   # after it
    return {"parallel_read_safe": True, "parallel_write_safe": True}
