"""Pages of the book in a real browser, with the network off; every page in make slow. Skips where chromium, its driver or selenium are missing."""
import re
import time

import pytest


CUT = "return [...document.querySelectorAll('div.cell_input pre')].filter(o => o.scrollWidth > o.clientWidth).map(o => o.textContent)"
LOST = "return [...document.querySelectorAll('article span.math mjx-container')].filter(o => o.getBoundingClientRect().right > innerWidth && !o.closest('.table-wrapper, .wide')).map(o => o.parentNode.textContent)"
TYPESET = "const done = arguments[0]; (window.MathJax?.startup?.promise ?? Promise.resolve()).then(() => done(true))"


def sized(browser, width):
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", dict(width=width, height=900, deviceScaleFactor=1, mobile=False))


def open_page(browser, path, width=1200):
    sized(browser, width)
    browser.get(path)
    browser.execute_async_script(TYPESET)
    return [o["message"] for o in browser.get_log("browser") if o["level"] in ("SEVERE", "WARNING")]


def longest_formula(page):
    return max(map(len, re.findall(r"\\\((.*?)\\\)", page.read_text(encoding="utf-8"))), default=0)


@pytest.mark.parametrize("part", range(2))
def test_pages_open_without_a_complaint_on_a_screen_and_on_a_phone(book, browser, request, part):
    pages = sorted(p for p in book.rglob("*.html") if "_static" not in p.parts)
    spine = [p for p in pages if p.parent in (book, book / "nbs", book / "docs")]
    rest = sorted((p for p in pages if p not in spine), key=longest_formula, reverse=True)
    some = rest if request.config.getoption("--slow") else [*rest[:8], *rest[8::20]]   # made by the same program: the dangerous ones, and a few others
    widths = [1200, 390]
    for page in [*spine, *some][part::2]:
        name = page.relative_to(book).as_posix()
        assert open_page(browser, page.as_uri(), widths[0]) == [], name
        assert browser.execute_script("return document.querySelectorAll('mjx-merror').length") == 0, f"{name}: mathematics that cannot be read"
        browser.execute_script("document.querySelectorAll('details').forEach(o => { o.open = true })")
        for width in widths:
            if width != widths[0]:
                sized(browser, width)
            assert browser.execute_script("return document.documentElement.scrollWidth") <= width, f"{name} is wider than {width} pixels"
            assert browser.execute_script(CUT) == [], f"{name}: code that is cut off at {width} pixels"
            assert browser.execute_script(LOST) == [], f"{name}: formulas that are cut off at {width} pixels"
        widths.reverse()                                 # the next page opens at the width that the window has


def results(browser, book, query):
    "(address from the root of the book, excerpt) of the search results, best first, when all excerpts are there."
    assert open_page(browser, (book / "search.html").as_uri() + "?q=" + query.replace(" ", "+")) == []
    for _ in range(100):
        if browser.execute_script("return /found/.test(document.querySelector('.search-summary')?.textContent)"):
            break
        time.sleep(0.1)
    found = browser.execute_script("return [...document.querySelectorAll('#search-results li')].map(o => [o.querySelector('a').getAttribute('href'), o.querySelector('p.context')?.textContent])")
    return [(url.partition("?")[0], said) for url, said in found]


def test_search_puts_the_chapter_of_that_name_first_and_shows_excerpts_from_a_folder(book, browser):
    for query, page in {"lower bounds": "nbs/07_lower_bounds.html", "guessing depth": "nbs/06_depth.html", "brute force": "nbs/03_brute.html", "branch and bound": "nbs/04_branch_and_bound.html",
                        "sweep": "nbs/engine/10_sweep.html", "theatre": "nbs/course/01_theatre.html", "estimator": "nbs/11_estimator.html"}.items():
        found = results(browser, book, query)
        assert found[0][0] == page, query
    said = dict(results(browser, book, "sandwich"))["nbs/07_lower_bounds.html"]
    assert "sandwich" in said.lower() and len(said) > 100
    assert results(browser, book, "<script>") is not None and browser.title.startswith("Search")


def test_mathematics_is_typeset(book, browser):
    open_page(browser, (book / "nbs" / "07_lower_bounds.html").as_uri())
    assert browser.execute_script("return document.querySelectorAll('mjx-container').length") > 50
    assert browser.execute_script("return [...document.fonts].some(f => f.family.startsWith('MJX') && f.status == 'loaded')")
    for width in (390, 1200):   # no line begins with the full stop of a formula, and every stop is still there
        sized(browser, width)
        apart = browser.execute_script("""const out = []; document.querySelectorAll('.with-stop:not(:has(.wide))').forEach(o => {
            const range = document.createRange(); range.selectNode(o.lastChild);
            const [a, b] = [o.querySelector('mjx-container'), range].map(x => x.getBoundingClientRect());
            if (b.left < a.right - 2) out.push(o.textContent); }); return [document.querySelectorAll('.with-stop').length > 20, out]""")
        assert apart == [True, []]


OPEN = "return Object.fromEntries(['imports', 'checks', 'exported', 'code'].map(k => [k, [...document.querySelectorAll(`div.cell.tag_kind-${k} > details`)].map(o => o.open)]))"


def shown(browser):
    "Of each kind of code: are its boxes open? True, False, or both."
    return {kind: set(boxes) for kind, boxes in browser.execute_script(OPEN).items()}


def choose(browser, choice):
    next(o for o in browser.find_elements("css selector", ".code-switch button") if o.text == choice).click()


def test_code_folds_by_page_until_the_reader_chooses(book, browser):
    spine, room = ((book / "nbs" / name).as_uri() for name in ("03_brute.html", "engine/10_sweep.html"))
    no, yes = {False}, {True}
    open_page(browser, spine)
    browser.execute_script("localStorage.clear()")
    open_page(browser, spine)
    assert shown(browser) == dict(imports=no, checks=no, exported=no, code=no)
    pressed = "return [...document.querySelectorAll('.code-switch [aria-pressed=true]')].map(o => o.textContent)"
    assert browser.execute_script(pressed) == ["folded"]
    open_page(browser, room)
    assert shown(browser) == dict(imports=no, checks=no, exported=yes, code=yes) and browser.execute_script(pressed) == ["shown"]
    choose(browser, "folded")
    assert shown(browser) == dict(imports=no, checks=no, exported=no, code=no)
    open_page(browser, spine)
    choose(browser, "shown")
    assert shown(browser) == dict(imports=no, checks=no, exported=yes, code=yes)
    choose(browser, "with checks")
    for page in (spine, room):   # what was chosen is remembered, on other pages too
        open_page(browser, page)
        assert shown(browser) == dict(imports=yes, checks=yes, exported=yes, code=yes) and browser.execute_script(pressed) == ["with checks"]
    browser.execute_script("localStorage.clear()")


def test_the_sidebar_folds_rooms_and_shows_the_current_page(book, browser):
    for page in ("nbs/engine/24_penalties.html", "nbs/course/solutions/01_notation.html", "nbs/03_brute.html"):
        if not (book / page).exists():
            page = sorted(p.relative_to(book).as_posix() for p in (book / page).parent.glob("*.html"))[-1]
        open_page(browser, (book / page).as_uri())
        place = browser.execute_script("""const o = document.querySelector('.sidebar-tree .current-page'), a = o.getBoundingClientRect(), b = document.querySelector('.sidebar-scroll').getBoundingClientRect();
          return [o.querySelector('a').href, a.top >= b.top && a.bottom <= b.bottom && a.height > 0]""")
        assert place == [(book / page).as_uri() + "#", True] or place == [(book / page).as_uri(), True], place
    hidden = "return [...document.querySelectorAll('.sidebar-tree a')].filter(o => o.href.includes('/engine/1')).every(o => !o.checkVisibility())"
    assert browser.execute_script(hidden) is True   # on the spine, rooms are folded


def test_pictures_do_not_glare_at_night(book, browser):
    "They keep their colours, because the text names them, on paper that is dimmed."
    filters = "return [...new Set([...document.querySelectorAll('div.cell_output :is(img, iframe)')].map(o => getComputedStyle(o).filter))]"
    for scheme, dim in (("dark", "brightness(0.8)"), ("light", "none")):
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": scheme}]})
        open_page(browser, (book / "nbs" / "02_data.html").as_uri())
        assert browser.execute_script(filters) == [dim]


def test_pages_in_frames_are_as_dark_as_the_book(book, browser):
    "Live page, theatre, a table of yours, thresholds that leave, and a report without scripts: all follow the switch of the book, whatever the system prefers, also from a folder."
    ground = "const c = getComputedStyle(document.body).backgroundColor.match(/\\d+/g); return +c[0] < 60"
    for name, system in (("00_evening", "light"), ("course/01_theatre", "dark"), ("course/11_your_table", "light"), ("05_thresholds", "dark"), ("use/07_one_page", "light")):
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": system}]})
        open_page(browser, (book / "nbs" / f"{name}.html").as_uri())
        frame = browser.find_element("css selector", "div.cell_output iframe")
        browser.execute_script("arguments[0].scrollIntoView()", frame)
        try:
            for _ in range(3):   # the switch goes through the two themes and the system's
                dark = browser.execute_script("return isDark()")
                assert browser.execute_script("return getComputedStyle(document.body).backgroundColor !== 'rgb(255, 255, 255)'") is dark
                browser.switch_to.frame(frame)
                for _ in range(100):
                    if browser.execute_script(ground) is dark:
                        break
                    time.sleep(0.05)
                assert browser.execute_script(ground) is dark, (name, system, dark)
                browser.switch_to.default_content()
                assert browser.execute_script("return getComputedStyle(arguments[0]).filter", frame) == "none"
                browser.execute_script("document.querySelector('.theme-toggle').click()")
        finally:
            browser.switch_to.default_content()
            browser.execute_script("localStorage.clear()")


def test_a_theatre_in_the_book_has_the_height_that_it_needs(book, browser):
    for width in (390, 1280):
        open_page(browser, (book / "nbs" / "course" / "01_theatre.html").as_uri(), width)
        frame = browser.find_element("css selector", "div.cell_output iframe")
        browser.execute_script("arguments[0].scrollIntoView()", frame)
        browser.switch_to.frame(frame)
        try:
            scrolls = "return document.documentElement.scrollHeight - innerHeight"
            for _ in range(100):
                if browser.execute_script(scrolls) <= 0:
                    break
                time.sleep(0.05)
            assert browser.execute_script(scrolls) <= 0, width
        finally:
            browser.switch_to.default_content()


def test_a_printed_chapter_has_its_text_and_nothing_to_click(book, browser):
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print", "features": []})
    try:
        for name in ("03_brute.html", "engine/10_sweep.html"):
            open_page(browser, (book / "nbs" / name).as_uri(), width=700)
            gone = ".skip-to-content, .sidebar-drawer, .toc-drawer, .mobile-header, .badges, .code-switch, .copybtn, .headerlink, .related-pages"
            assert browser.execute_script("return [...document.querySelectorAll(arguments[0])].filter(o => o.checkVisibility()).map(o => o.className)", gone) == []
            assert browser.execute_script("return [...document.querySelectorAll('details:not([open]) > summary')].some(o => o.checkVisibility())") is False
            wide = "return [...document.querySelectorAll('article pre, article img, article table')].filter(o => o.getBoundingClientRect().right > innerWidth + 1).length"
            assert browser.execute_script(wide) == 0 and browser.execute_script("return document.documentElement.scrollWidth") <= 700
    finally:
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "", "features": []})
