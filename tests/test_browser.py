"""The pages in a real browser, with the network off. Needs chromium and its driver, and selenium; skips where they are missing."""
import json
import shutil
import time
import xml.etree.ElementTree as ET

import numpy as np
import pytest

from guesstree.data import spiral
from guesstree.notation import binarize, split_points
from guesstree.course.pictures import elimination
from guesstree.course.trace import record
from guesstree.course.theatre import theatre
from guesstree.thresholds import guess_thresholds

CHROMIUM, DRIVER = shutil.which("chromium") or shutil.which("chromium-browser"), shutil.which("chromedriver")
webdriver = pytest.importorskip("selenium.webdriver", reason="selenium is not installed: pip install selenium")
pytestmark = pytest.mark.skipif(not (CHROMIUM and DRIVER), reason="no chromium with chromedriver on the PATH: apt-get install chromium chromium-driver")
HOSTILE = "</script><script>document.title='broken'</script>"


@pytest.fixture(scope="module")
def browser():
    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM
    for flag in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--window-size=1200,900"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(DRIVER))
    driver.execute_cdp_cmd("Network.enable", {})
    driver.execute_cdp_cmd("Network.emulateNetworkConditions", {"offline": True, "latency": 0, "downloadThroughput": 0, "uploadThroughput": 0})
    yield driver
    driver.quit()


def problem(n=60, m=7):
    rng = np.random.default_rng(0)
    Xb = rng.integers(0, 2, (n, m))
    rule = (Xb[:, 0] & Xb[:, 1]) | (Xb[:, 2] & (1 - Xb[:, 0]))
    return Xb, rule ^ (rng.random(n) < 0.15), rule


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    Xb, y, ref = problem()
    recordings = {"exact": record(Xb, y, 0.02, 3), HOSTILE: record(Xb, y, 0.02, 3, ref, "tight")}
    path = theatre(recordings, [HOSTILE] + [f"column {j}" for j in range(1, 7)]).save(tmp_path_factory.mktemp("theatre") / "theatre.html")
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
    looks = """return Object.fromEntries([...document.querySelectorAll('.stage > g')].filter(g => !/ghost|off/.test(g.getAttribute('class'))).map(
        g => [g.id, g.getAttribute('class').replace(/ (active|best|half)/g, '') + '|' + g.textContent]))"""
    drawn = ET.fromstring(still_of(recordings))
    expected = {g.get("id"): g.get("class") + "|" + "".join(g.itertext()) for g in drawn if g.get("id") and not {"ghost", "off"} & set(g.get("class").split())}
    browser.execute_script("document.getElementById('stage').style.height = '1000000px'; theatre.go(Infinity)")
    assert browser.execute_script(looks) == expected


def still_of(recordings):
    "The stage of all recordings, at the end of the first, without its page."
    page = theatre(recordings)
    return page[page.index('<svg xmlns="http://www.w3.org/2000/svg" class="stage"'):page.index("</svg>") + 6]


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
