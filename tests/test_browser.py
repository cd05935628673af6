"""The pages in a real browser, with the network off. Needs chromium and its driver, and selenium; skips where they are missing."""
import base64
import json
import re
import time
import xml.etree.ElementTree as ET

import numpy as np
import pytest

from guesstree.data import spiral, toy
from guesstree.notation import binarize, column_names, split_points
from guesstree.course.lecture import handout
from guesstree.course.live import elimination
from guesstree.course.trace import record
from guesstree.course.theatre import theatre
from guesstree.thresholds import guess_thresholds

HOSTILE = "</script><script>document.title='broken'</script>"


def problem(n=60, m=7):
    rng = np.random.default_rng(0)
    Xb = rng.integers(0, 2, (n, m))
    rule = (Xb[:, 0] & Xb[:, 1]) | (Xb[:, 2] & (1 - Xb[:, 0]))
    return Xb, rule ^ (rng.random(n) < 0.15), rule


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    Xb, y, ref = problem()
    recordings = {"exact": record(Xb, y, 0.02, 3), HOSTILE: record(Xb, y, 0.02, 3, ref, "tight")}
    path = theatre(recordings, NAMES["theatre.html"]).save(tmp_path_factory.mktemp("theatre") / "theatre.html")
    return path, recordings


def requests(driver):
    "Addresses that the browser has asked for since the last call."
    messages = (json.loads(o["message"])["message"] for o in driver.get_log("performance"))
    return [m["params"]["request"]["url"] for m in messages if m["method"] == "Network.requestWillBeSent"]


def load(driver, path):
    requests(driver), driver.get_log("browser")
    driver.get(path.as_uri())
    return driver


def element(driver, id):
    return driver.find_element("id", id)


def said(driver):
    return element(driver, "where").text, element(driver, "kind").text


def test_loads_alone_and_without_complaints(browser, page):
    load(browser, page[0])
    assert requests(browser) == [page[0].as_uri()]
    assert browser.get_log("browser") == []
    assert browser.title == "A search, event by event"  # no name was run


def test_steps_by_button_key_and_slider(browser, page):
    load(browser, page[0])
    n = len(page[1]["exact"].events)
    assert said(browser) == (f"1 of {n}", "open")
    element(browser, "next").click()
    assert said(browser) == (f"2 of {n}", "bound")
    body = browser.find_element("tag name", "body")
    body.send_keys("\ue014")  # right arrow
    assert said(browser)[0] == f"3 of {n}"
    body.send_keys("\ue010")  # end
    assert said(browser) == (f"{n} of {n}", "solved")
    body.send_keys("\ue011", "\ue012")  # home, left arrow: stays at the first event
    assert said(browser)[0] == f"1 of {n}"
    browser.execute_script("const s = document.getElementById('slider'); s.value = 40; s.dispatchEvent(new Event('input'))")
    assert said(browser)[0] == f"41 of {n}"
    browser.execute_script("document.getElementById('by').value = 'i'")
    element(browser, "next").click()
    assert said(browser)[1] == "incumbent"


def test_plays_and_pauses(browser, page):
    load(browser, page[0])
    browser.execute_script("document.getElementById('speed').value = '60'")
    element(browser, "play").click()
    end = time.time() + 20
    while browser.execute_script("return theatre.at") < 5 and time.time() < end:
        time.sleep(0.02)
    assert element(browser, "play").text == "pause" and browser.execute_script("return theatre.at") >= 5
    element(browser, "play").click()
    at = browser.execute_script("return theatre.at")
    time.sleep(0.2)
    assert browser.execute_script("return [theatre.at, theatre.playing]") == [at, False]


def test_switches_and_shows_what_the_guess_saves(browser, page):
    load(browser, page[0])
    exact, guess = page[1].values()
    for key, rec in (("1", exact), ("2", guess)):
        browser.find_element("tag name", "body").send_keys(key, "\ue010")
        assert said(browser)[0] == f"{len(rec.events)} of {len(rec.events)}"
        opened = browser.execute_script("return theatre.state.node.reduce((n, v) => n + (v > 0), 0)")
        assert opened == len(rec.nodes)
        row = browser.find_element("css selector", "#counts tr.now").text
        assert str(len(rec.events)) in row and str(len(rec.nodes)) in row
    assert len(guess.nodes) < len(exact.nodes)
    assert browser.execute_script("return document.querySelectorAll('#stage .or.ghost').length") > 0
    assert browser.find_element("css selector", "#counts tr.now td").text == HOSTILE  # shown, not run


def test_the_player_agrees_with_the_recording_at_every_event(browser, page):
    "Bounds of the whole problem, and how many nodes are open, solved and cut."
    load(browser, page[0])
    for which, rec in enumerate(page[1].values()):
        low, cost, state = 0.0, 0.0, {}
        shown = browser.execute_script("""theatre.pick(arguments[0]); const out = [];
            for (let i = 0; i < arguments[1]; i++) {
                theatre.go(i);
                const s = theatre.state;
                out.push([s.low[0], s.cost[0], ...[1, 2, 3].map(v => s.node.filter(o => o === v).length)]);
            } return out;""", which, len(rec.events))
        for e, numbers in zip(rec.events, shown):
            if e.node == 0:
                low, cost = e.low, e.cost
            if e.kind == "solved":
                state[e.node] = 2
            elif e.kind == "prune" and e.columns is None:
                state[e.node] = 3
            elif e.kind == "open" or e.kind == "bound" and state[e.node] == 3:
                state[e.node] = 1
            assert numbers == pytest.approx([low, cost, *(list(state.values()).count(v) for v in (1, 2, 3))], abs=1e-6)


@pytest.mark.parametrize("width", [360, 390, 768, 1200])
def test_fits_the_width(browser, page, width):
    load(browser, page[0])
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": width < 600})
    try:
        assert browser.execute_script("return document.documentElement.scrollWidth") <= width
    finally:
        browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def test_controls_have_names(browser, page):
    load(browser, page[0])
    nameless = browser.execute_script("""return [...document.querySelectorAll('button, input, select')].filter(
        o => !(o.textContent.trim() || o.getAttribute('aria-label') || o.closest('label'))).map(o => o.outerHTML)""")
    assert nameless == []


def test_without_scripts_the_end_of_the_search_is_drawn(browser, page):
    browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    try:
        load(browser, page[0])
        assert "Scripts are off" in browser.find_element("tag name", "body").text
        assert not element(browser, "play").is_displayed()
        assert "solved" in element(browser, "n0").get_attribute("class")
    finally:
        browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})


def test_a_notebook_frame_plays_too(browser, page, tmp_path):
    path = tmp_path / "frame.html"
    path.write_text("<!doctype html><meta charset=utf-8>" + theatre(page[1])._repr_html_(), encoding="utf-8")
    load(browser, path)
    browser.switch_to.frame(0)
    try:
        element(browser, "next").click()
        assert said(browser)[1] == "bound"
    finally:
        browser.switch_to.default_content()
    assert browser.get_log("browser") == []


@pytest.mark.parametrize("kind, other", [("exact", "paper"), ("paper", "exact"), ("tight", "exact"), ("gosdt", "tight")])
def test_the_player_ends_where_the_drawing_without_scripts_does(browser, tmp_path, kind, other):
    "Two programs follow the events, one in Python and one in the page: at the end every element has the same class and the same words."
    rng = np.random.default_rng(1)
    X, y, bad = rng.integers(0, 4, (50, 3)), rng.integers(0, 2, 50), rng.random(50) < 0.2
    recordings = {o: record(binarize(X, split_points(X)), y, 0.01, 4, y ^ bad, o) for o in (kind, other)}
    assert any(e.kind == "cache" and e.why for e in recordings[kind].events)  # some node is searched again
    load(browser, theatre(recordings).save(tmp_path / "theatre.html"))
    looks = """return Object.fromEntries([...document.querySelectorAll('#stage svg > g')].filter(g => !/ghost|off/.test(g.getAttribute('class'))).map(
        g => [g.id, g.getAttribute('class').replace(/ (active|best|half)/g, '') + '|' + g.textContent]))"""
    drawn = ET.fromstring(still_of(recordings))
    expected = {g.get("id"): g.get("class") + "|" + "".join(g.itertext()) for g in drawn if g.get("id") and not {"ghost", "off"} & set(g.get("class").split())}
    browser.execute_script("document.getElementById('stage').style = 'max-height: none; height: 1000000px'; theatre.go(Infinity)")
    assert browser.execute_script(looks) == expected


NAMES = {"theatre.html": [HOSTILE] + [f"column {j}" for j in range(1, 7)]}


@pytest.fixture(scope="module")
def garden(tmp_path_factory):
    "The plants, searched exactly and with the guess of the draught: the page, its file, and the recordings."
    data = toy()
    thresholds = split_points(data.X)
    Xb, draught = binarize(data.X, thresholds), (data.X[:, 2] == 0).astype(int)
    recordings = {"exact": record(Xb, data.y, 0.05, 2), "draught": record(Xb, data.y, 0.05, 2, draught, "paper")}
    NAMES["plants.html"] = column_names(thresholds, data.feature_names)
    made = theatre(recordings, NAMES["plants.html"], "Plants", data.X, ["light", "water"], data.X[:, 2] == 1, "plant")
    return made, made.save(tmp_path_factory.mktemp("garden") / "plants.html"), recordings


def sized(browser, width, height=900):
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600})


@pytest.fixture
def window(browser):
    "The browser; whatever a test does to its size and colours is undone."
    yield browser
    browser.switch_to.default_content()
    browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})


FIRST = """const stage = document.getElementById('stage'), shown = [...document.querySelectorAll('#stage .or')].filter(g => !g.classList.contains('ghost'));
    return [theatre.at, stage.scrollTop, stage.scrollLeft, shown.map(g => g.id), shown[0].getAttribute('class'), shown[0].querySelector('.value').textContent,
            document.getElementById('text').textContent.slice(0, 12), stage.clientHeight > 100,
            document.querySelectorAll('#stage .and:not(.ghost), #stage .stub:not(.off)').length]"""
BEGINNING = [0, 0, 0, ["n0"], "or open active", "0\u20260.55", "node 0 opens", True, 0]


def until(browser, script, want):
    "What a script returns, as soon as it is what is wanted, or after ten seconds."
    end = time.time() + 10
    while (got := browser.execute_script(script)) != want and time.time() < end:
        time.sleep(0.02)
    return got


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("start", ["alone", "frame", "hidden", "no size", "far below"])
def test_the_first_thing_to_see_is_the_first_event(window, garden, tmp_path, request, start, width):
    page, path, _ = garden
    sized(window, width)
    if start != "alone":
        style = {"hidden": "display:none", "no size": "width:0;height:0;overflow:hidden", "far below": "padding-top:9000px"}.get(start, "")
        path = tmp_path / "frame.html"
        path.write_text(f'<!doctype html><meta charset=utf-8><div id="box" style="{style}">{page._repr_html_()}</div>', encoding="utf-8")
    for _ in range(20 if request.config.getoption("--slow") else 2):   # whatever comes first: drawing or a size
        load(window, path)
        if start != "alone":
            if start != "frame":
                time.sleep(0.05)
                window.execute_script("document.getElementById('box').removeAttribute('style')")
            window.switch_to.frame(0)
            assert until(window, "return typeof theatre", "object") == "object"
        assert until(window, FIRST, BEGINNING) == BEGINNING
        window.switch_to.default_content()


def test_another_size_shows_the_same_moment(window, garden):
    load(window, garden[1])
    window.execute_script("theatre.go(30)")
    for width in (390, 1280, 500):
        sized(window, width)
        assert until(window, """const s = document.getElementById('stage').getBoundingClientRect(), n = document.querySelector('#stage .active').getBoundingClientRect();
            return [theatre.at, n.left >= s.left - 1 && n.right <= s.right + 1 && n.top >= s.top && n.bottom <= s.bottom]""", [30, True]) == [30, True]


@pytest.mark.parametrize("width", [390, 1280])
def test_both_halves_of_a_column_that_is_cut_are_in_view(window, garden, page, width):
    "Above the stage always, as they are; and on the stage wherever they fit."
    sized(window, width)
    for path, recordings, least in ((garden[1], garden[2], 8), (page[0], page[1], 20)):
        load(window, path)
        seen, missed, above = window.execute_script("""const stage = document.getElementById('stage'), data = JSON.parse(document.getElementById('recordings').textContent), text = (id) => document.getElementById(id).textContent;
            const inside = (a, b) => a.width > 50 && a.left >= b.left && a.right <= b.right && a.top >= b.top && a.bottom <= b.bottom, screen = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
            let seen = 0; const missed = [], above = [];
            data.recordings.forEach((rec, r) => { theatre.pick(r); rec.events.forEach((e, i) => {
                if (e[0] !== 'p' || !e[6]) return;
                theatre.go(i);
                above.push([r, i, text('owner'), text('asks'), text('sum'), ...['yes', 'no'].map(id => {
                    const box = document.getElementById(id);
                    return [box.getAttribute('aria-label'), +box.dataset.node, inside(box.querySelector('rect').getBoundingClientRect(), screen)]; })]);
                if (!e[6][0].length) return;
                const a = e[6][0][0][0], [, top, bottom] = data.ands[a], box = stage.getBoundingClientRect();
                if (bottom - top > stage.clientHeight - 16) return;
                const halves = data.home.flatMap((h, k) => h === a ? [document.getElementById('n' + k)] : []).concat(
                    [2 * a, 2 * a + 1].map(k => document.getElementById('g' + k)).filter(o => o));
                for (const rect of halves.map(o => o.querySelector('rect').getBoundingClientRect())) { seen++; if (!inside(rect, box)) missed.push([r, i]); }
            }); });
            return [seen, missed, above]""")
        assert seen >= 7 and missed == [] and len(above) >= least
        numbers = {o[:2]: k for k, o in enumerate(next(iter(recordings.values())).nodes)}   # the first recording keeps its numbers
        for r, i, owner, asks, total, *halves in above:
            rec = list(recordings.values())[r]
            event = rec.events[i]
            column, low_yes, _, low_no, _ = event.columns[0]
            assert owner == f"node {numbers.get(rec.nodes[event.node][:2], owner[5:-5])} asks" and total == f"✂ {low_yes:.4g} + {low_no:.4g} = {low_yes + low_no:.4g}"
            assert asks == (NAMES[path.name][column])
            opened = {e.via[2]: e for e in rec.events[:i] if e.via and e.via[:2] == [event.node, column]}
            for side, low, (said, node, visible) in zip((0, 1), (low_yes, low_no), halves):
                assert visible and said.startswith(("yes: ", "no: ")[side])
                if side in opened:
                    child = rec.nodes[opened[side].node]
                    assert node == numbers.get(child[:2], node) >= 0 and f": {sum(child.counts)} " in said
                elif node < 0:
                    assert said.endswith(f"not opened \u2265 {low:.4g}")


def test_a_switch_keeps_the_moment(window, garden, page):
    load(window, garden[1])
    moment = "return [theatre.which, theatre.at]"
    for at, there in ((0, 0), ("Infinity", 5), (2, 2), (29, 4), (11, 4)):   # start, end, the same event, and what cut the node off
        window.execute_script(f"theatre.pick(0); theatre.go({at}); theatre.pick(1)")
        assert window.execute_script(moment) == [1, there]
    window.execute_script("theatre.go(Infinity); theatre.pick(0)")
    assert window.execute_script(moment) == [0, 47]
    load(window, page[0])
    about = "return [theatre.state.active, document.getElementById('kind').textContent]"
    for i in range(1, 60, 7):
        window.execute_script(f"theatre.pick(0); theatre.go({i})")
        before = window.execute_script(about)
        window.execute_script("theatre.pick(1)")
        if window.execute_script(about) != before:      # then the guess has no such event
            node, kind = before
            exact, guess = page[1].values()
            number = [o[:2] for o in guess.nodes].index(exact.nodes[node][:2]) if exact.nodes[node][:2] in [o[:2] for o in guess.nodes] else None
            assert number is None or not any(e.node == number and e.kind == kind for e in guess.events)


def panel(browser):
    return element(browser, "who-name").text, element(browser, "who-rows").text, [o.text for o in browser.find_elements("css selector", "#story li")]


def test_a_click_says_why_a_node_was_opened_or_cut(window, garden):
    load(window, garden[1])
    assert panel(window)[:2] == ("node 0: 12 plants", "1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12")
    window.execute_script("theatre.go(47)")
    window.find_element("css selector", "#n8 rect.box").click()
    name, rows, story = panel(window)
    assert (name, rows) == ("node 8, which you have picked: 7 plants", "4, 5, 6, 9, 10, 11, 12")
    assert story[0].startswith("opens, no to water <= 2.5 at node 0: 7 plants") and story[-1].startswith("is solved, at 0.1833")
    lit = window.execute_script("return [...document.querySelectorAll('.point:not(.pale)')].map(o => o.textContent).join()")
    assert lit == "4,5,6,9,10,11,12"
    window.execute_script("theatre.pick(1)")                          # the same node, in the search that never gets there
    assert panel(window)[2][0].startswith("is not opened: node 0 drops the question draught <= 0.5 (and 8 more")
    window.find_element("css selector", "#n8 rect.box").click()
    assert window.execute_script("return theatre.picked") == -1 and panel(window)[0] == "node 0: 12 plants"
    window.find_element("css selector", "#a0 text").click()           # a column tells of its node
    assert window.execute_script("return theatre.picked") == 0


def test_nodes_are_picked_by_key(window, garden):
    load(window, garden[1])
    body = window.find_element("tag name", "body")
    body.send_keys("\ue010", "\ue015", "\ue015")   # end, down twice
    assert panel(window)[0].startswith("node 2, which you have picked")
    body.send_keys("\ue013")                        # up
    assert panel(window)[0].startswith("node 1, which you have picked")
    body.send_keys("\ue00c")                        # escape
    assert panel(window)[0] == "node 0: 12 plants"
    body.send_keys("\ue011", "\ue015")              # at the start there is no other node
    assert panel(window)[0] == "node 0: 12 plants"


def test_captions_say_what_they_mean(window, garden, page):
    for path in (garden[1], page[0]):
        load(window, path)
        said = window.execute_script("""const data = JSON.parse(document.getElementById('recordings').textContent), out = [];
            data.recordings.forEach((rec, r) => { theatre.pick(r); rec.events.forEach((_, i) => { theatre.go(i); out.push(document.getElementById('text').textContent); }); });
            return out""")
        assert not [o for o in said if any(word in o for word in ("equal rows", "neighbour", "whole", "(three leaves)", "(columns)", "(search)", "(cache)", "undefined", "{thing}"))]


def test_opens_alone_from_a_file(window, garden, tmp_path):
    path = tmp_path / "book.html"
    path.write_text("<!doctype html><meta charset=utf-8>" + garden[0]._repr_html_(), encoding="utf-8")
    load(window, path)
    before = set(window.window_handles)
    window.find_element("link text", "open alone").click()
    end = time.time() + 10
    while not (new := set(window.window_handles) - before) and time.time() < end:
        time.sleep(0.02)
    window.switch_to.window(new.pop())
    try:
        assert window.current_url.startswith("blob:") and until(window, FIRST, BEGINNING) == BEGINNING
        assert window.title == "Plants"
    finally:
        window.close()
        window.switch_to.window(before.pop())


def test_fills_the_screen_alone_and_in_a_frame(window, garden, tmp_path):
    path = tmp_path / "book.html"
    path.write_text("<!doctype html><meta charset=utf-8>" + garden[0]._repr_html_(), encoding="utf-8")
    for where in (garden[1], path):
        load(window, where)
        if where is path:
            window.switch_to.frame(0)
        element(window, "full").click()
        assert until(window, "return document.fullscreenElement !== null", True)
        assert until(window, "return document.getElementById('full').textContent", "leave full screen") == "leave full screen"
        element(window, "full").click()
        assert until(window, "return document.fullscreenElement === null", True)
        window.switch_to.default_content()


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_can_be_read_by_day_and_by_night(window, garden, theme):
    "The contrast of every kind of text on its ground is 4.5 or more."
    window.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": theme}]})
    load(window, garden[1])
    window.execute_script("theatre.pick(1); theatre.go(Infinity); theatre.pick(0)")
    pairs = window.execute_script("""const style = (q, k) => getComputedStyle(document.querySelector(q))[k], page = style('body', 'backgroundColor');
        return [['body', 'color', page], ['#said', 'color', style('#said', 'backgroundColor')], ['h2', 'color', page], ['.hint', 'color', page], ['#chart .upper', 'color', page], ['#chart .lower', 'color', page],
                ['.or.solved text', 'fill', style('.or.solved rect.box', 'fill')], ['.and.cut text', 'fill', page], ['.stub text', 'fill', page], ['.axis', 'fill', page],
                ['button[aria-checked=true]', 'color', style('button[aria-checked=true]', 'backgroundColor')]].map(([q, k, ground]) => [q, style(q, k), ground])""")
    for what, ink, ground in pairs:
        assert contrast(ink, ground) >= 4.5, (what, ink, ground)


@pytest.mark.parametrize("system", ["light", "dark"])
def test_a_frame_takes_the_colours_that_it_is_told_to_take(window, garden, tmp_path, system):
    "Whatever the system prefers, and in browsers that do not hand a frame the colours of its element."
    window.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": system}]})
    path = tmp_path / "book.html"
    path.write_text("<!doctype html><meta charset=utf-8>" + garden[0]._repr_html_(), encoding="utf-8")
    load(window, path)
    window.switch_to.frame(0)
    assert until(window, "return document.readyState", "complete") == "complete"     # else nobody listens yet
    window.switch_to.default_content()
    for theme, ground in (("dark", "rgb(24, 24, 24)"), ("nonsense", "rgb(24, 24, 24)"), ("light", "rgb(255, 255, 255)"), ("nonsense", "rgb(255, 255, 255)"), ("dark", "rgb(24, 24, 24)")):
        window.execute_script("document.querySelector('iframe').contentWindow.postMessage({ theme: arguments[0] }, '*')", theme)
        window.switch_to.frame(0)
        assert until(window, "return getComputedStyle(document.body).backgroundColor", ground) == ground
        window.switch_to.default_content()
    assert window.get_log("browser") == []


def contrast(one, other):
    "Of two colours rgb(...), as WCAG counts it."
    def light(text):
        r, g, b = (int(v) / 255 for v in re.findall(r"\d+", text)[:3])
        return sum(w * (v / 12.92 if v <= 0.03928 else ((v + 0.055) / 1.055) ** 2.4) for w, v in zip((0.2126, 0.7152, 0.0722), (r, g, b)))
    low, high = sorted((light(one), light(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("paper, width, height", [("A4", 8.27, 11.69), ("Letter", 8.5, 11)])
def test_the_handout_is_one_page(window, tmp_path, paper, width, height):
    path = handout().save(tmp_path / "handout.html")
    load(window, path)
    assert requests(window) == [path.as_uri()]
    made = window.execute_cdp_cmd("Page.printToPDF", {"paperWidth": width, "paperHeight": height, "preferCSSPageSize": True})
    assert len(re.findall(rb"/Type\s*/Page\b", base64.b64decode(made["data"]))) == 1
    for pixels in (390, 1280):
        sized(window, pixels)
        assert window.execute_script("return document.documentElement.scrollWidth") <= pixels


def still_of(recordings):
    "The stage of all recordings, at the end of the first, without its page."
    page = theatre(recordings)
    page = page[page.index('<svg xmlns="http://www.w3.org/2000/svg" class="stage"'):]
    return page[:page.index("</svg>") + 6]


def test_thresholds_leave_and_come_back(browser, tmp_path):
    arms = spiral()
    guess = guess_thresholds(arms.X, arms.y)
    path = elimination(guess, [HOSTILE, "y"]).save(tmp_path / "elimination.html")
    load(browser, path)
    assert requests(browser) == [path.as_uri()] and browser.title == "Thresholds that leave"

    def at(k):
        browser.execute_script("slider.value = arguments[0]; slider.dispatchEvent(new Event('input'))", k)
        count = [len(browser.find_elements("css selector", f"line.mark{o}")) for o in ("", ".going", ".gone")]
        return count[0] - count[1] - count[2]

    assert [at(k) for k in range(len(guess.history))] == [s.n_columns for s in guess.history]
    assert at(len(guess.history)) == len(guess.thresholds)
    assert element(browser, "text").text.startswith(f"kept: {len(guess.thresholds)} thresholds")
    element(browser, "play").click()
    assert element(browser, "play").text == "pause" and browser.get_log("browser") == []


def test_thousands_of_events_stay_usable(browser, tmp_path):
    rng = np.random.default_rng(2)
    Xb = rng.integers(0, 2, (200, 12))
    y = (Xb[:, :4].sum(axis=1) % 2) ^ (rng.random(200) < 0.2)
    rec = record(Xb, y, 0.005, 4, max_events=100_000)
    assert len(rec.events) > 3000
    load(browser, theatre({"exact": rec}).save(tmp_path / "long.html"))
    jump = browser.execute_script("""const n = arguments[0], start = performance.now();
        for (let i = 0; i < 20; i++) theatre.go((i * 997) % n);
        return (performance.now() - start) / 20""", len(rec.events))
    assert jump < 500  # milliseconds on a loaded machine; about 25 on a quiet one
