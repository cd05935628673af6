"""The book builds without a warning, holds every notebook, and loads nothing from elsewhere; links to sections and symbols lead somewhere."""
import re
import sys
from html.parser import HTMLParser
from pathlib import Path

import nbformat
import pytest

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "docs"), str(ROOT / "tools")]
import api  # noqa: E402
import excerpts  # noqa: E402
import exercises  # noqa: E402
import figures  # noqa: E402
import folds  # noqa: E402
import make  # noqa: E402
import notebooks  # noqa: E402
import paper_to_code  # noqa: E402

PAGES = ["docs/lecturers.md", "docs/paper_to_code.md"]


def text_of(name):
    "A page as it is committed: what readers of the repository open."
    return (ROOT / name).read_text(encoding="utf-8")


def links(name):
    return re.findall(r"\]\(([^)\s:]+\.(?:ipynb|md))(?:#([^)\s]+))?\)", text_of(name))


@pytest.mark.parametrize("name", PAGES)
def test_links_of_a_page_lead_to_a_heading(name):
    assert len(links(name)) > 20
    for target, mark in links(name):
        path = (ROOT / name).parent.joinpath(target).resolve()
        rel = path.relative_to(ROOT).as_posix()
        assert path.exists(), f"{name} links to {rel}, which is not there"
        if mark:
            found = {make.slug(text) for _, _, text in make.headings(nbformat.read(path, as_version=4))}
            assert mark in found, f"{name} links to {rel}#{mark}, and no heading is called that"


def test_the_book_is_the_folder():
    "Chapters stand in it by number, rooms under the front page of their folder, and the map of the first page lists the spine in that order."
    first = re.findall(r"^nbs/(\S+)$", make.contents(notebooks.notebooks(), []), re.M)
    shown = []
    for name in first:
        folder = (ROOT / "nbs" / name).parent
        inside = make.rooms(folder).splitlines()[4:-1] if folder.name != "nbs" else []
        shown += [name, *(f"{folder.name}/{o}" for o in inside)]
    assert shown == [notebooks.name_of(p) for p in notebooks.notebooks()]
    table = re.findall(r"^\| \[.*", (ROOT / "README.md").read_text(encoding="utf-8"), re.M)
    listed = re.findall(r"\]\(nbs/(\S+)\.ipynb\)", "\n".join(table))
    assert listed == [o for o in shown if re.match(r"\d", o)] + [o for o in shown if o.endswith("/index")]


def cell(source, *outputs):
    return nbformat.v4.new_code_cell(source, outputs=[nbformat.v4.new_output("execute_result", {"text/plain": o}) for o in outputs])


@pytest.mark.parametrize("source, outputs, refusing, kind, prompt", [
    ("import math", [], False, "imports", "imports"),
    ("#| export\nimport math\nfrom os import path", [], False, "imports", "imports"),
    ("import math\nmath.pi", ["3.14"], False, "code", "code"),
    ("import this", ["The Zen of Python"], False, "code", "code"),
    ("a = 1\ntest_eq(a, 1)", [], False, "checks", "checks"),
    ("for a in (1, 2):\n    for b in (1, 2):\n        assert a + b", [], False, "checks", "checks"),
    ("with f():\n    test_fail(g)", [], False, "checks", "checks"),
    ("test_eq(1, 1)\n1", ["1"], False, "code", "code"),
    ("a = 1", [], False, "code", "code"),
    ("#| export\ndef f():\n    assert 1\nassert f", [], False, "exported", "in the package: f"),
    ("#| export\nclass A: pass\nB = 1\ndef f(): pass", [], False, "exported", "in the package: A, f, B"),
    ("#| export\nA.f = 1", [], False, "exported", "code"),
    ("#| export\ndef f(): pass", [], True, "checks", "in the package: f"),
    ("a = 1", [], True, "checks", "checks"),
    ("%matplotlib inline\n1", ["1"], False, "code", "code"),
])
def test_a_box_says_what_code_is_in_it(source, outputs, refusing, kind, prompt):
    assert (folds.kind(cell(source, *outputs), refusing), folds.prompt(cell(source, *outputs), kind)) == (kind, prompt)


def test_code_is_folded_on_the_spine_and_open_in_the_rooms(book):
    def boxes(page, kind):
        text = (book / page).read_text(encoding="utf-8")
        return re.findall(rf'<div class="cell [^"]*tag_kind-{kind}\b[^"]*">\s*<details class="[^"]*"( open)?>', text)
    assert set(boxes("nbs/03_brute.html", "code")) == set(boxes("nbs/03_brute.html", "exported")) == {""}
    assert set(boxes("nbs/index.html", "code")) == set(boxes("nbs/engine/12_search.html", "exported")) == {" open"}
    for page in ("nbs/03_brute.html", "nbs/engine/12_search.html"):
        assert set(boxes(page, "imports")) == set(boxes(page, "checks")) == {""}


def test_a_tree_is_read_out():
    from guesstree.notation import Leaf, Split, named
    from guesstree.use.drawing import to_svg
    tree = named(Split(0, Split(1, Leaf("yes"), Leaf("no")), Leaf("<b>")), ["a <= 1", "b & c"])
    assert figures.read_out(str(to_svg(tree))) == "A decision tree: if a <= 1, then (if b & c, then yes, else no), else <b>."
    assert figures.read_out(str(to_svg(Leaf(3)))) == "A tree that is a single leaf: 3."
    assert figures.read_out("<svg><title>A search</title><rect rx='4'/></svg>") is None


def test_figures_are_numbered_and_one_without_words_is_noticed():
    svg = nbformat.v4.new_output("display_data", {"image/svg+xml": "<svg/>"})
    frame = nbformat.v4.new_output("display_data", {"text/html": '<iframe srcdoc="" title="x">'})
    nb = nbformat.v4.new_notebook(cells=[
        nbformat.v4.new_code_cell("#| fig-cap: You see it.\n#| fig-alt: A line.\nf()", outputs=[svg]), nbformat.v4.new_code_cell("f()", outputs=[svg]),
        nbformat.v4.new_code_cell("#| fig-cap: You see it.\nf()", outputs=[svg]), nbformat.v4.new_code_cell("#| fig-cap: It\n#| fig-alt: A line.\nf()", outputs=[svg]),
        nbformat.v4.new_code_cell('#| fig-cap: A page.\n#| fig-alt: A "page".\nf()', outputs=[frame]), cell("1", "1")])
    assert figures.wordless(nb) == [nb.cells[i].id for i in (1, 2, 3)]
    figures.describe(nb, "engine/07_depth3")
    assert nb.cells[0].metadata["mystnb"] == {"image": {"alt": "A line."}, "figure": {"caption": "**Figure engine 7.1.** You see it.", "name": "figure-engine-07-depth3-1"}}
    assert nb.cells[4].outputs[0]["data"]["text/html"] == '<iframe title="A &quot;page&quot;." srcdoc="">'
    assert [figures.number(o, 1) for o in ("03_brute", "index", "use/index")] == ["3.2", "2", "use 2"]


def test_statements_of_exercises_move_without_what_follows_them():
    nb = nbformat.v4.new_notebook(cells=[nbformat.v4.new_markdown_cell("Words.\n\n**brute.1** Write [it](x.ipynb).\n\n**brute.2** Do.\n\nTo explore, without a check:\n\n* more")])
    assert exercises.statements(nb) == {"brute.1": "Write [it](x.ipynb).", "brute.2": "Do."}
    assert exercises.moved("[a](b.ipynb#c) [d](https://e.f) [g](#h)", Path("engine")) == "[a](../nbs/engine/b.ipynb#c) [d](https://e.f) [g](#h)"


def test_an_exercise_gets_a_cell_for_its_answer_once():
    def text(source):
        return {"cell_type": "markdown", "id": "abcd1234", "metadata": {}, "source": source.splitlines(keepends=True)}
    cells = [text("## Exercises"), text("Words.\n\n**brute.1** Write it.\n\n**brute.2** Do.\n\nTo explore, without a check:\n\n* more")]
    made = exercises.with_blanks(cells)
    assert ["".join(c["source"]) for c in made] == ["## Exercises", "Words.\n\n**brute.1** Write it.", "# your answer to brute.1", "**brute.2** Do.", "# your answer to brute.2",
                                                    "To explore, without a check:\n\n* more"]
    assert [c["cell_type"] for c in made] == ["markdown", "markdown", "code", "markdown", "code", "markdown"] and exercises.with_blanks(made) == made
    assert exercises.is_blank(nbformat.v4.new_code_cell("# your answer to brute.1")) and not exercises.is_blank(nbformat.v4.new_code_cell("# your answer to brute.1\n42"))


def test_the_page_of_exercises_has_them_all(book):
    text, asked = exercises.page(), [k for p in notebooks.notebooks() if p.stem[:2].isdigit() for k in exercises.statements(nbformat.read(p, as_version=4))]
    assert len(asked) > 100 and re.findall(exercises.NAME, text, re.M) == asked
    page = (book / "docs" / "exercises.html").read_text(encoding="utf-8")
    assert 'href="../nbs/03_brute.html#exercises"' in page and "how many trees with exactly" in page
    assert "To explore" not in text
    assert "your answer to" not in page + (book / "nbs" / "03_brute.html").read_text(encoding="utf-8")


def test_the_index_names_functions_that_exist():
    exported = {f"{o.module.rpartition('.')[2]}.{o.name}" for path in (ROOT / "guesstree").rglob("*.py") for o in api.exported(path)}
    named = re.findall(r"`(\w+\.\w+)`", text_of("docs/paper_to_code.md"))
    assert len(named) > 30 and set(named) <= exported, sorted(set(named) - exported)


def test_the_list_of_tables_and_figures_is_made_from_its_source():
    text = text_of("docs/paper_to_code.md")
    assert paper_to_code.made(text) == text, "python docs/paper_to_code.py"
    assert text.count("\n| Table ") + text.count("\n| Figure ") == len(paper_to_code.PLACES) == 32


def test_the_index_is_complete():
    "The paper has 7 numbered equations, 4 theorems, a corollary, 3 listings, 8 tables and 24 figures."
    text = text_of("docs/paper_to_code.md")
    first = " ".join(re.findall(r"^\| ([^|]+) \|", text, re.M))
    for name in ("Theorem 4.1", "Theorem 4.2", "Theorem 4.3", "Theorem A.1", "Corollary 4.3.1", "Algorithm 1, DL8.5", "Algorithm 1, GOSDT", "Algorithm 2"):
        assert name in first, name
    assert set(re.findall(r"\((\d)\)", first)) == set("1234567")
    for kind, count in (("Table", 8), ("Figure", 24)):
        ranges = [re.sub(r"(\d+) to (\d+)", lambda m: ", ".join(map(str, range(int(m[1]), int(m[2]) + 1))), o)
                  for o in re.findall(rf"{kind}s? ([\d, to]+)", first)]
        assert {int(n) for o in ranges for n in re.findall(r"\d+", o)} == set(range(1, count + 1)), kind


def test_every_public_function_has_an_entry():
    made, symbols = api.pages(ROOT / "guesstree", lambda symbol: "")
    assert {f"guesstree.{m}" for m in made} == {text.split()[1] for text in made.values()}
    assert len({api.anchor(o) for o in symbols}) == len(symbols)
    assert "## solve" in made["engine.solver"] and ".. autofunction:: guesstree.engine.solver.solve\n" in made["engine.solver"]
    assert "| `n` | `int` |  | rows |" in made["proofs"]             # without a docstring in sections: comments
    estimator = made["estimator"]                                    # with sections: what help shows, and the methods of its own
    assert ".. autoclass:: guesstree.estimator.GuessTreeClassifier\n   :members: fit\n" in estimator


class Loaded(HTMLParser):
    "What a page makes a browser fetch; and the figures among its outputs: (words for those who do not see it, caption)."
    def __init__(self):
        super().__init__()
        self.fetched, self.figures, self.divs, self.waiting, self.caption = [], [], 0, [], None

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        if tag in ("script", "img", "iframe", "source", "video", "audio", "embed") and attrs.get("src"):
            self.fetched.append(attrs["src"])
        if tag == "link" and attrs.get("rel") in ("stylesheet", "preload", "icon", "shortcut icon", "preconnect"):
            self.fetched.append(attrs["href"])
        if tag == "div" and (self.divs or "cell_output" in (attrs.get("class") or "").split()):
            self.divs += 1
        if self.divs and tag in ("img", "iframe"):
            self.waiting.append(attrs.get("alt") or attrs.get("title") or "")
        if self.divs and tag == "figcaption":
            self.caption = ""

    def handle_endtag(self, tag):
        if tag == "div" and self.divs:
            self.divs -= 1
        if tag == "figure" and self.waiting or tag == "div" and not self.divs and self.waiting:   # what is still waiting at the end of an output has no caption
            self.figures += [(words.strip(), (self.caption or "").strip()) for words in self.waiting]
            self.waiting, self.caption = [], None

    def handle_data(self, data):
        if self.caption is not None:
            self.caption += data


def test_a_figure_without_words_or_caption_is_noticed():
    parser = Loaded()
    parser.feed('<div class="cell_output docutils"><div><figure><img alt="a" src="x.svg"><figcaption>Figure 1. A <b>b</b>.</figcaption></figure></div><div><iframe title="t"></iframe></div></div>'
                '<img src="y.svg"><div class="cell_output"><figure><img src="z.svg"><figcaption>c</figcaption></figure></div>')
    assert parser.figures == [("a", "Figure 1. A b."), ("t", ""), ("", "c")] and parser.fetched == ["x.svg", "y.svg", "z.svg"]


def test_every_notebook_is_a_page_without_plumbing(book):
    for path in notebooks.notebooks():
        page = (book / path.relative_to(ROOT).with_suffix(".html")).read_text(encoding="utf-8")
        assert "#| " not in re.sub(r"<[^>]+>", "", page), path.stem
        assert "nbdev_export()" not in page and 'class="badge"' in page
        assert "| — |" not in page, f"{path.stem} shows a table as text"   # three dashes become one


def test_pages_load_nothing_from_elsewhere_and_their_figures_have_captions_and_words(book):
    pages, n_figures = list(book.rglob("*.html")), 0
    assert len(pages) > 50
    for page in pages:
        parser = Loaded()
        parser.feed(page.read_text(encoding="utf-8"))
        for url in parser.fetched:
            assert not re.match(r"(https?:)?//", url), f"{page.name} loads {url}"
            if not url.startswith("data:"):
                assert (page.parent / url.split("?")[0]).exists(), f"{page.name} loads {url}, which is not there"
        bare = [o for o in parser.figures if not o[0] or not re.match(r"Figure .*\d\. .+", o[1], re.S)]
        assert not bare, f"{page.name}: a figure without words or caption: {bare}"
        n_figures += len(parser.figures)
    assert n_figures > 100
    for sheet in book.rglob("*.css"):
        assert not re.search(r"url\([\"']?(https?:)?//", sheet.read_text(encoding="utf-8")), sheet.name


def test_docstrings_are_shown_with_their_parameters(book):
    page = (book / "api" / "engine.solver.html").read_text(encoding="utf-8")
    assert 'id="guesstree.engine.solver.solve"' in page and "<strong>lam</strong>" in page and "Leaf penalty (lambda in the paper" in page
    assert "Result(optimal: objective 0.040000" in re.sub(r"<[^>]+>", "", page) and "Taught in" in page


def test_search_knows_the_theorems_and_mathematics_has_its_fonts(book):
    index = (book / "searchindex.js").read_text(encoding="utf-8")
    assert "sandwich" in index and "nbs/07_lower_bounds" in index
    assert (book / "_static" / "mathjax" / "tex-chtml.js").exists()
    assert len(list((book / "_static" / "mathjax" / "output" / "chtml" / "fonts" / "woff-v2").glob("*.woff"))) > 10


def test_excerpts_come_by_section_with_prose_first():
    parser = excerpts.Sections()
    parser.feed('<p>no</p><section id="a"><h1>One<a class="headerlink">#</a></h1><pre>x = <span>1</span></pre><p>two<br>three</p><section id="b"><summary>code</summary>'
                '<p>f<b>our</b></p></section>five</section>')
    assert parser.texts() == [("a", "One two three five x = 1"), ("b", "four")]


def test_names_in_the_text_lead_to_their_entries(book):
    assert 'href="../../api/estimator.html#api-class-estimator-guesstreeclassifier"' in (book / "nbs" / "rerun" / "09_results.html").read_text(encoding="utf-8")
    assert 'href="../nbs/checks/02_errata.html#exercises"' in (book / "docs" / "lecturers.html").read_text(encoding="utf-8")
    lost = [(p.name, m) for p in book.rglob("*.html") for m in re.findall(r'class="symbol[^"]*" href="[^"]*api/([\w.]+)\.html#([\w-]+)"', p.read_text(encoding="utf-8"))
            if f'id="{m[1]}"' not in (book / "api" / f"{m[0]}.html").read_text(encoding="utf-8")]
    assert not lost, lost[:5]


@pytest.mark.parametrize("path", notebooks.notebooks(), ids=notebooks.name_of)
def test_every_figure_says_in_words_what_it_shows(path):
    bare = figures.wordless(nbformat.read(path, as_version=4))
    assert not bare, f"cells {', '.join(bare)} draw a figure and have no #| fig-cap: (a sentence) or no #| fig-alt:"


def test_every_exercise_of_the_notebooks_has_a_cell_for_its_answer():
    lack = [notebooks.name_of(p) for p in notebooks.notebooks() if p.stem[:2].isdigit() and exercises.blanks(p) != p.read_text(encoding="utf-8")]
    assert not lack, f"{', '.join(lack)}: python docs/exercises.py"
