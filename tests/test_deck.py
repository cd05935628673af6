"""The slides: every number is computed, every slide has notes and fits its screen, and nothing is fetched."""
import ast
import base64
import re
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "docs"), str(ROOT / "tools")]
import deck  # noqa: E402

CELLS = [c for c in nbformat.read(ROOT / "nbs" / f"{deck.PAGE}.ipynb", as_version=4).cells if c.cell_type == "code"]
NAMES = r"Theorem \d\.\d|lower_bounds\.1|d−1|<[^>]*>"   # what may have a digit in it: names, one level less, tags


def typed(cell):
    "The texts that a cell gives to `slide` as they are typed: without the values that are filled in."
    for call in ast.walk(ast.parse(cell.source)):
        if isinstance(call, ast.Call) and getattr(call.func, "id", "") == "slide":
            inside = [o for o in call.args[1:] + [k.value for k in call.keywords] if getattr(getattr(o, "func", None), "id", "") != "figure"]
            yield from (o.value for part in inside for o in walk(part) if isinstance(o, ast.Constant) and isinstance(o.value, str))


def walk(node):
    "As `ast.walk`, but not into the expressions that are filled in, unless they hold text."
    yield node
    if isinstance(node, ast.FormattedValue):
        return
    for child in ast.iter_child_nodes(node):
        yield from walk(child)


def test_no_number_on_a_slide_is_typed():
    made = [c for c in CELLS if re.search(r"^slide\(", c.source, re.M)]
    assert len(made) == len(deck.slides()) >= 25
    for cell in made:
        for text in typed(cell):
            assert not re.search(r"\d", re.sub(NAMES, "", text)), text


def test_a_typed_number_would_be_noticed():
    cell = nbformat.v4.new_code_cell('slide(3, "In 2 words", f"{5} and {x:.3f}, 7", figure("03_brute", "12"), notes=["say 8"])')
    assert [o for text in typed(cell) for o in re.findall(r"\d", text)] == ["2", "7", "8"]


def test_the_page_stands_alone_and_every_slide_has_notes():
    page = deck.page()
    assert not re.search(r"(src|href)=\"(?!data:|#)|@import|url\(", page)
    slides = deck.slides()
    assert all(re.search(r'<aside class="notes">\S', o) for o in slides)
    minutes = [int(re.search(r'data-minute="(\d+)"', o)[1]) for o in slides]
    assert minutes == sorted(minutes) and minutes[0] == 0 and minutes[-1] < 120
    pictures = [o for s in slides for o in re.findall(r"<img[^>]*>", s)]
    assert len(pictures) > 12 and all(re.search(r'alt="[^"]{20,}"', o) for o in pictures)
    assert "data-from" not in page and 'alt="Two bar charts of the cost in sixtieths' in deck.picture("03_brute#d8c16c1d")


@pytest.mark.parametrize("place, said", [("03_brute#nowhere", "cell nowhere"), ("99_none#a", "99_none"), ("03_brute#3f0e4d92", "there is none")])
def test_a_figure_that_is_gone_is_named(place, said):
    with pytest.raises(ValueError, match=said):
        deck.picture(place)


def test_the_program_says_where_the_slides_are(tmp_path):
    done = subprocess.run([sys.executable, str(ROOT / "docs" / "deck.py"), str(tmp_path / "new")], capture_output=True, text=True, check=True)
    assert str(tmp_path / "new" / "deck.html") in done.stdout and (tmp_path / "new" / "deck.html").exists()


@pytest.fixture(scope="module")
def browser(browser, tmp_path_factory):
    "Chromium with the address of the deck, without scroll bars."
    path = tmp_path_factory.mktemp("deck") / "deck.html"
    path.write_text(deck.page(), encoding="utf-8")
    browser.execute_cdp_cmd("Emulation.setScrollbarsHidden", {"hidden": True})
    browser.deck = path.as_uri()
    return browser


def open_deck(browser, width, height, dark=False, mark=""):
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", dict(width=width, height=height, deviceScaleFactor=1, mobile=False))
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]})
    browser.get("about:blank")
    browser.get(browser.deck + mark)


OUTSIDE = """const s = document.querySelector('.slide.here'), r = s.getBoundingClientRect(), body = s.querySelector('.slide-body');
  const out = [...s.querySelectorAll('h2, p, li, img, table, pre')].filter(o => !o.closest('.notes')).filter(o => { const b = o.getBoundingClientRect();
    return b.height < 5 || b.top < r.top || b.left < r.left || b.right > r.right || b.bottom > r.bottom - 30; }).map(o => o.tagName + ' ' + o.textContent.slice(0, 40));
  return [...out, ...(body.scrollHeight > body.clientHeight + 1 || body.scrollWidth > body.clientWidth + 1 ? ['the body'] : [])]"""


@pytest.mark.parametrize("width, height", [(1280, 720), (1920, 1080), (1024, 768)])
def test_no_slide_is_larger_than_the_screen(browser, width, height):
    open_deck(browser, width, height)
    for k in range(len(deck.slides())):
        browser.execute_script(f"go({k})")
        assert browser.execute_script(OUTSIDE) == [], f"slide {k + 1}"
        assert browser.execute_script("return parseFloat(getComputedStyle(document.querySelector('.slide.here p, .slide.here li')).fontSize)") >= width / 60
    assert browser.get_log("browser") == []


def test_slides_scroll_on_a_phone(browser):
    open_deck(browser, 390, 800)
    assert browser.execute_script("return document.documentElement.scrollWidth") <= 390
    shown = "return slides.filter(o => o.checkVisibility() && o.querySelector('.notes').checkVisibility()).length"
    assert browser.execute_script(shown) == len(deck.slides())
    assert browser.execute_script("return Math.min(...[...document.querySelectorAll('.words p, .words li, .notes li')].map(o => parseFloat(getComputedStyle(o).fontSize)))") >= 13


def test_keys_turn_slides_and_the_address_keeps_the_place(browser):
    open_deck(browser, 1280, 720, mark="#3")
    at, body = "return at + 1", browser.find_element("tag name", "body")
    assert browser.execute_script(at) == 3
    for keys, place in (("\ue014", 4), (" ", 5), ("\ue012", 4), ("\ue010", len(deck.slides())), ("\ue014", len(deck.slides())), ("\ue011", 1), ("\ue012", 1)):
        body.send_keys(keys)
        assert browser.execute_script(at) == place
        assert browser.execute_script("return slides.filter(o => o.checkVisibility()).length") == 1
    browser.find_element("id", "on").click()
    assert browser.current_url.endswith("#2") and browser.find_element("id", "where").text == f"2 of {len(deck.slides())}"


def test_notes_have_a_window_of_their_own(browser):
    open_deck(browser, 1280, 720, mark="#4")
    first = browser.current_window_handle
    browser.find_element("tag name", "body").send_keys("n")
    other = next(o for o in browser.window_handles if o != first)
    browser.switch_to.window(other)
    try:
        text = browser.find_element("tag name", "body").text
        assert "minute 8 to 12" in text and "A tree has a price" in text and "leaf penalty" in text and "Next: Which tree" in text
        browser.find_element("tag name", "body").send_keys("\ue014")   # the arrow keys work here, too
        assert "minute 12 to 15" in browser.find_element("tag name", "body").text
    finally:
        browser.close()
        browser.switch_to.window(first)
    assert browser.execute_script("return at + 1") == 5


def test_dark_and_paper(browser):
    colours = "const o = getComputedStyle(document.body); return [o.backgroundColor, o.color]"
    open_deck(browser, 1280, 720, dark=True)
    night = browser.execute_script(colours)
    open_deck(browser, 1280, 720)
    assert night == ["rgb(21, 24, 28)", "rgb(230, 232, 235)"] and browser.execute_script(colours) == ["rgb(255, 255, 255)", "rgb(27, 31, 36)"]
    pdf = base64.b64decode(browser.execute_cdp_cmd("Page.printToPDF", {"preferCSSPageSize": True, "printBackground": True})["data"])
    assert len(re.findall(rb"/Type\s*/Page\b", pdf)) == len(deck.slides())
