"""The live pages in a real browser: what they compute against the package, and what a reader can do. Skips as test_browser.py does."""
import itertools
import time
from fractions import Fraction

import numpy as np
import pytest
from test_browser import element, load, requests

from guesstree import Leaf, solve
from guesstree.brute import best_by_rows, leaf_or_split
from guesstree.course.live import MOST, PARTS, SETTINGS, Setting, _for_script, as_problem, greedy_page, greedy_tree, package_says, search_page
from guesstree.lower_bounds import KINDS, guess_problem, leaf_cost, wrong
from guesstree.notation import n_leaves

PHONE, SCREEN = 390, 1280
RIGHT, LEFT, ENTER, TAB, SPACE = "\ue014", "\ue012", "\ue007", "\ue004", " "


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    folder = tmp_path_factory.mktemp("live")
    return {"search": search_page().save(folder / "search.html"), "greedy": greedy_page().save(folder / "greedy.html")}


def random_setting(rng):
    some = [tuple(int(i) for i in np.flatnonzero(rng.random(12) < share) + 1) for share in (rng.choice([0, .1, .3, .5]), rng.choice([0, .1, .2, .35, .6, 1]))]
    depth = int(rng.integers(0, 6))
    return Setting(int(rng.integers(0, MOST + 1)), None if depth == 5 else depth, *some, str(rng.choice(KINDS)), bool(rng.integers(0, 2)))


def as_list(tree):
    return [tree.label] if isinstance(tree, Leaf) else [tree.column, as_list(tree.yes), as_list(tree.no)]


def agrees(said, setting):
    "Does the page say what the package says, to the last column of the trees?"
    want = package_says(setting)
    def value(field): return Fraction(said[field], said["unit"])
    assert (value("best"), said["tree"]) == (want.cost, as_list(want.best)), setting
    assert (value("found"), value("believed"), said["foundTree"]) == (want.found.objective, want.found.lb, as_list(want.found.tree)), setting
    assert (value("lower"), value("upper"), value("U"), value("certified")) == (*want.ends, want.ends.upper, want.certain), setting
    assert {(s, d): (v, lb, why) for s, d, v, lb, why, *_ in said["solved"]} == {k: (o.value, o.lb, o.why) for k, o in want.found.solved.items()}, setting
    return want


def test_every_number_is_that_of_the_package(browser, pages):
    "Also `solve`, whose tree is the best one with the same rule for ties; and brute force for each subproblem, solved or pruned."
    load(browser, pages["search"])
    rng = np.random.default_rng(0)
    settings = list(SETTINGS.values()) + [random_setting(rng) for _ in range(300)]
    answers = browser.execute_script("return arguments[0].map((o) => live.show(o))", [_for_script(o) for o in settings])
    n_parts = 0
    for k, (setting, said) in enumerate(zip(settings, answers)):
        want, p = agrees(said, setting), as_problem(setting)
        exact = solve(p.Xb, p.y, lam=p.lam, max_depth=p.max_depth)
        assert (as_list(exact.tree), exact.objective) == (said["tree"], said["best"] / said["unit"]), setting
        if k < 60 and setting.kind != "exact":   # other searches, other orders, the same sandwich
            for engine in ("fast", "search", "dl85", "gosdt"):
                r = solve(p.Xb, p.y, lam=p.lam, max_depth=p.max_depth, y_ref=p.y ^ p.wrong, lower_bound=setting.kind, engine=engine)
                assert float(want.cost) - 1e-12 <= r.objective <= said["U"] / said["unit"] + 1e-12
        q = guess_problem(p.Xb, p.y, p.wrong, p.lam)
        best = leaf_or_split(q.columns, lambda s, q=q: leaf_cost(q, s))
        relaxed = leaf_or_split(q.columns, lambda s, q=q: ((s & q.MC).bit_count() + wrong(q, s & ~q.MC)) * q.error + q.leaf)
        for s, d, v, lb, _, b, u in said["solved"]:
            assert (b, u) == (best(s, d), relaxed(s, d)) and b <= v <= lb <= u, (setting, s, d)
        for s, d, bound, b, u in said["pruned"]:
            assert (b, u) == (best(s, d), relaxed(s, d)) and bound <= u and (setting.kind != "exact" or bound <= b), (setting, s, d)
        n_parts += len(said["solved"]) + len(said["pruned"])
    assert n_parts > 10_000 and browser.get_log("browser") == []


def slide(driver, id, value):
    "Move a slider with the arrow keys."
    slider = element(driver, id)
    step = value - int(slider.get_property("value"))
    slider.send_keys((RIGHT if step > 0 else LEFT) * abs(step))


def touch(driver, plant, key=None):
    node = driver.find_elements("css selector", ".plant")[plant - 1]
    node.send_keys(key) if key else driver.execute_script("arguments[0].dispatchEvent(new MouseEvent('click', {bubbles: true}))", node)


def test_a_reader_reaches_every_setting_by_hand(browser, pages):
    load(browser, pages["search"])
    setting = Setting()
    agrees(browser.execute_script("return live.said()"), setting)
    for change in (dict(lam=20), dict(kind="tight"), dict(depth=3), dict(wrong=(2, 6)), dict(wrong=(2, 6, 9)), dict(flipped=(5,)), dict(backwards=True), dict(depth=None),
                   dict(kind="gosdt"), dict(flipped=(5, 7)), dict(lam=3), dict(kind="exact"), dict(depth=0), dict(lam=MOST)):
        for field, value in change.items():
            if field == "lam":
                slide(browser, "lam", value)
            elif field == "depth":
                slide(browser, "depth", 5 if value is None else value)
            elif field == "kind":
                browser.find_element("css selector", f"[name=kind][value={value}]").click()
            elif field == "backwards":
                element(browser, "backwards").click()
            else:
                browser.find_element("css selector", f"[name=touch][value={field}]").click()
                for k, plant in enumerate(set(value) ^ set(getattr(setting, field))):
                    touch(browser, plant, (ENTER, SPACE, None)[(plant + k) % 3])
        setting = setting._replace(**change)
        said = browser.execute_script("return live.said()")
        assert said["state"] == _for_script(setting)
        want = agrees(said, setting)
        text = element(browser, "headline").text
        assert f"{round(float(want.cost), 4):g}" in text and (setting.kind == "exact" or f"{round(float(want.found.objective), 4):g}" in text)
        assert element(browser, "found-panel").is_displayed() == (setting.kind != "exact")
        assert len(browser.find_elements("css selector", "#best .node:not(.ask)")) == n_leaves(want.best)
        opened = sum(o.why != "leaf test" for o in want.found.solved.values())
        exact = package_says(setting._replace(kind="exact")).found.n_opened
        assert setting.kind == "exact" or f"without a guess it would open {exact}." in text
        assert f"It opened {opened} subproblem" in text and len(browser.find_elements("css selector", ".cell.open, .cell.exit")) == opened
    element(browser, "reset").click()
    assert browser.execute_script("return live.said().state") == _for_script(Setting())
    for button, named in zip(browser.find_elements("css selector", "[data-setting]"), SETTINGS.values()):
        button.click()
        assert browser.execute_script("return live.said().state") == _for_script(named) and button.get_attribute("aria-pressed") == "true"


def test_the_address_keeps_the_setting(browser, pages):
    load(browser, pages["search"])
    slide(browser, "lam", 20)
    browser.find_element("css selector", "[name=kind][value=gosdt]").click()
    end = time.time() + 10
    while "kind=gosdt" not in browser.current_url and time.time() < end:
        time.sleep(0.05)
    address = browser.current_url
    assert "lam=20" in address and "kind=gosdt" in address
    for page in ("search", "greedy"):
        browser.get("about:blank")
        browser.get(pages[page].as_uri() + "#" + address.partition("#")[2])
        assert element(browser, "lam").get_property("value") == "20"
    browser.get("about:blank")
    browser.get(pages["search"].as_uri() + "#lam=9999&depth=x&kind=best&wrong=-1")   # nonsense is ignored
    assert browser.execute_script("return live.said().state") == _for_script(Setting())


def test_plants_light_up_and_words_follow(browser, pages):
    load(browser, pages["search"])
    lit = "return [...document.querySelectorAll('.plant')].flatMap((o, i) => o.classList.contains('lit') ? [i + 1] : [])"
    for selector, plants, words in (("#best .node", range(1, 13), "asks light <= 5"), ("#found .node.one", [1, 3, 6, 9, 10, 11, 12], "wrong about 6, 12"),
                                    (".q:nth-child(3) .part", range(1, 7), "In truth 6 is possible"), (".cell.cut", [4, 6, 7, 8, 9, 10, 11, 12], "never looked at")):
        browser.execute_script("document.querySelector(arguments[0]).focus()", selector)
        found = browser.execute_script(lit)
        assert words in element(browser, "told").text, selector
        assert selector == ".cell.cut" and found or found == list(plants)
    browser.execute_script("document.activeElement.blur()")
    assert browser.execute_script(lit) == []


def test_walks_into_a_subproblem_and_keeps_the_focus(browser, pages):
    load(browser, pages["search"])
    part = browser.find_element("css selector", ".q:nth-child(3) .part")
    part.send_keys(ENTER)
    assert [o.text for o in browser.find_elements("css selector", ".crumb")] == ["all plants", "light <= 5: yes"]
    assert "6 plants (1, 2, 3, 4, 5, 6), 1 level left" in element(browser, "this").text
    assert "the guess is wrong here" in element(browser, "this").text
    browser.find_element("css selector", ".crumb").click()
    assert len(browser.find_elements("css selector", ".q")) == 9
    plant = browser.find_elements("css selector", ".plant")[0]
    plant.send_keys(ENTER, ENTER)
    assert browser.execute_script("return document.activeElement === arguments[0]", plant)
    here = browser.find_element("css selector", ".cell.here")
    here.send_keys(RIGHT)
    assert browser.execute_script("return document.activeElement.dataset.key") != here.get_attribute("data-key")
    browser.switch_to.active_element.send_keys(ENTER)
    assert browser.execute_script("return document.activeElement.classList.contains('here')")


def test_greed_and_best_cost_what_the_package_says(browser, pages):
    load(browser, pages["greedy"])
    rng = np.random.default_rng(1)
    settings = [Setting()] + [random_setting(rng) for _ in range(60)]
    answers = browser.execute_script("return arguments[0].map((o) => live.show(o))", [_for_script(o) for o in settings])
    for k, (setting, said) in enumerate(zip(settings, answers)):
        p = as_problem(setting)
        for lam in range(MOST + 1) if k < 4 else (setting.lam,):
            best, tree = best_by_rows(p.Xb, p.y, Fraction(lam, PARTS), p.max_depth), greedy_tree(p.Xb, p.y, Fraction(lam, PARTS), p.max_depth)
            cost = Fraction(sum(p.y[i] != o for i, o in enumerate(np.array([0, 1])[labels(tree, p.Xb)])), 12) + Fraction(lam, PARTS) * n_leaves(tree)
            at = said["curve"][lam]
            assert (at["best"], at["greed"]) == pytest.approx((float(best.cost), float(cost)), abs=1e-12)
            if lam == setting.lam:
                assert (said["best"]["tree"], said["greedy"]["tree"]) == (as_list(best.tree), as_list(tree)), setting
                assert (Fraction(said["best"]["cost"], said["unit"]), Fraction(said["greedy"]["cost"], said["unit"])) == (best.cost, cost)
    browser.execute_script("live.show({})")
    roots = [o.text for o in browser.find_elements("css selector", "#roots span")]
    assert roots == ["light <= 5", "draught <= 0.5", "one leaf"]
    for lam, root in ((19, 0), (20, 1), (60, 2)):
        slide(browser, "lam", lam)
        assert browser.find_element("css selector", "#roots .now").text == roots[root]
    touch(browser, 12)
    assert "Greed" in element(browser, "headline").text and browser.get_log("browser") == []


def labels(tree, Xb):
    from guesstree.notation import predict
    return predict(tree, Xb)


@pytest.mark.parametrize("page, width", list(itertools.product(("search", "greedy"), (360, PHONE, 760, SCREEN))))
def test_fits_the_width_in_many_states(browser, pages, page, width):
    load(browser, pages[page])
    assert requests(browser) == [pages[page].as_uri()]
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": width < 600})
    try:
        for setting in (*SETTINGS.values(), Setting(0, None, (1, 4, 7, 9), (3,), "paper")):
            browser.execute_script("live.show(arguments[0])", _for_script(setting))
            assert browser.execute_script("return document.documentElement.scrollWidth") <= width, setting
    finally:
        browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    assert browser.get_log("browser") == []


@pytest.mark.parametrize("page", ["search", "greedy"])
def test_everything_to_touch_has_a_name_and_is_reached_by_keys(browser, pages, page):
    load(browser, pages[page])
    nameless = browser.execute_script("""return [...document.querySelectorAll('button, input, [tabindex]')].filter(
        o => !(o.textContent.trim() && o.matches('button') || o.getAttribute('aria-label') || o.closest('label'))).map(o => o.outerHTML)""")
    assert nameless == []
    browser.execute_script("window.stops = []; addEventListener('focusin', ({ target: o }) => stops.push(o.id || o.getAttribute('class') || o.name))")
    browser.switch_to.active_element.send_keys(TAB * 90)
    stops = set(browser.execute_script("return stops"))
    assert {"lam", "depth", "reset", "plant", "node ask"} <= stops and (page == "greedy" or {"kind", "touch", "part open", "crumb"} <= stops)


@pytest.mark.parametrize("page", ["search", "greedy"])
def test_a_frame_that_is_hidden_at_first_draws_when_it_shows(browser, tmp_path, page):
    made = {"search": search_page, "greedy": greedy_page}[page]()
    path = tmp_path / "frame.html"
    path.write_text(f"<!doctype html><meta charset=utf-8><details>{made._repr_html_()}</details>", encoding="utf-8")
    load(browser, path)
    browser.execute_script("document.querySelector('details').open = true")
    browser.switch_to.frame(0)
    try:
        end = time.time() + 10
        while not browser.find_elements("css selector", "#best .node") and time.time() < end:
            time.sleep(0.05)
        assert element(browser, "best").find_element("tag name", "svg").size["width"] > 100
        slide(browser, "lam", 20)
        assert element(browser, "lam-is").text == "0.0833"
    finally:
        browser.switch_to.default_content()
    assert browser.get_log("browser") == []


def test_is_quick_and_says_so_without_scripts(browser, pages):
    load(browser, pages["search"])
    took = browser.execute_script("""const start = performance.now();
        for (let lam = 0; lam < 20; lam++) live.show({ ...arguments[0], lam });
        return (performance.now() - start) / 20""", _for_script(Setting(depth=None, kind="exact", flipped=(1, 4, 7))))
    assert took < 500  # milliseconds on a loaded machine; about 20 on a quiet one
    browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    try:
        load(browser, pages["greedy"])
        assert "scripts are off" in browser.find_element("tag name", "body").text and not element(browser, "lam").is_displayed()
    finally:
        browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})
