"""Sphinx extension: search results show a few words of each page. A browser does not fetch pages from a folder, so their texts are
shipped in a script, `_static/texts.js`, which only the page of search results loads. A word gets its stem once, not once on each page.
"""
import json
import re
from functools import cache
from html.parser import HTMLParser
from pathlib import Path

from sphinx.search.en import SearchEnglish

SKIP = {"script", "style", "svg", "iframe", "button", "nav", "summary"}
INLINE = {"a", "em", "strong", "code", "span", "b", "i", "sub", "sup"}
VOID = {"img", "br", "input", "hr", "meta", "link", "source", "wbr", "col"}


class Sections(HTMLParser):
    "The texts of a page by section: pairs (id, text), prose before code."

    def __init__(self):
        super().__init__()
        self.stack, self.found, self.inside = [], {}, []   # open tags; id: (prose, code); ids of the sections we are in

    def handle_starttag(self, tag, attrs):
        if tag not in INLINE:
            self.handle_data(" ")   # a word ends with its paragraph
        if tag in VOID:
            return
        attrs = dict(attrs)
        if tag == "section" and attrs.get("id"):
            self.inside.append(attrs["id"])
            self.found.setdefault(attrs["id"], ([], []))
        hidden = tag in SKIP or "headerlink" in (attrs.get("class") or "") or "badges" in (attrs.get("class") or "")
        self.stack.append((tag, hidden, tag == "section" and bool(attrs.get("id"))))

    def handle_endtag(self, tag):
        while self.stack and tag in [o[0] for o in self.stack]:
            last, _, is_section = self.stack.pop()
            if is_section:
                self.inside.pop()
            if last == tag:
                return

    def handle_data(self, data):
        if self.inside and not any(o[1] for o in self.stack):
            self.found[self.inside[-1]]["pre" in [o[0] for o in self.stack]].append(data)

    def texts(self):
        return [(mark, re.sub(r"\s+", " ", "".join(prose) + " " + "".join(code)).strip()) for mark, (prose, code) in self.found.items()]


def write_texts(app, exception):
    "The texts of all pages, as a script."
    if exception is not None or app.builder.format != "html":
        return
    texts = {}
    def article(page): return re.sub(r"</?span\b[^>]*>", "", page[page.find("<article"):page.find("</article>")])   # colours of code are most of its tags
    for name in sorted(app.env.found_docs):
        parser = Sections()
        parser.feed(article((Path(app.outdir) / f"{name}.html").read_text(encoding="utf-8")))
        texts[name] = parser.texts()
    (Path(app.outdir) / "_static" / "texts.js").write_text(f"var TEXTS = {json.dumps(texts, ensure_ascii=False)};\n", encoding="utf-8")


def load_texts(app, pagename, templatename, context, doctree):
    if pagename == "search":
        app.add_js_file("texts.js")


def setup(app):
    SearchEnglish.stem = cache(SearchEnglish.stem)
    app.connect("html-page-context", load_texts)
    app.connect("build-finished", write_texts)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
