"""Pages of all kinds of fits: what they say about rows held out, names that would break them, and how they look in a browser."""
import json
import re
from functools import cache

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer

from guesstree import GuessTreeClassifier, GuessTreeClassifierCV
from guesstree.use import from_json, report, to_json

CANCER = load_breast_cancer(as_frame=True)
X, Y = CANCER.data, CANCER.target_names[CANCER.target]


def stopped():
    rng = np.random.default_rng(0)
    with pytest.warns(UserWarning):
        return GuessTreeClassifier(0.0005, 10, "all", "exact", time_limit=0).fit(rng.random((500, 40)) < 0.5, rng.integers(0, 2, 500))


@cache
def saved():
    return to_json(GuessTreeClassifier("one_se", 3).fit(X, Y))


FITS = {
    "auto": lambda: GuessTreeClassifier(max_depth=3).fit(X, Y),
    "given": lambda: GuessTreeClassifier(0.02, 3).fit(X, Y),
    "weighted": lambda: GuessTreeClassifier(max_depth=3).fit(X, Y, np.where(Y == "benign", 0.5, 1.5)),
    "stopped": stopped,
    "read": lambda: from_json(saved()),
    "leaf": lambda: GuessTreeClassifier(0.5).fit(X, Y),
    "few": lambda: GuessTreeClassifier(thresholds="all").fit([[1], [2], [3]], [0, 1, 0]),
    "searched": lambda: GuessTreeClassifierCV(None, (0.1, 0.02), (1, 2), 3, rule="one_se").fit(X, Y),
    "one fold": lambda: GuessTreeClassifierCV(None, (0.1, 0), (1, None), [(np.arange(100), np.arange(100, 150))]).fit(X[:150], Y[:150]),
    "losses": lambda: GuessTreeClassifierCV(None, (0.1, 0.02), (2,), 3, "neg_log_loss").fit(X, Y),
}
HELD = {"auto", "weighted", "read", "searched", "one fold"}      # accuracy on rows held out is known


@pytest.fixture(scope="module")
def pages():
    return {name: report(fit(), certificate=name not in ("stopped", "one fold")) for name, fit in FITS.items()}


def words(page):
    return re.sub(r"\s+", " ", re.sub("<.*?>", " ", page.split("</style>")[1]))


@pytest.mark.parametrize("name", FITS)
def test_the_first_lines_say_whether_rows_were_held_out(pages, name):
    lead = words(pages[name]).split("The rules")[0]
    assert (" held out." in lead) == (name in HELD)
    assert ("held nothing out" in pages[name]) == (name in ("given", "stopped", "leaf", "few"))
    assert ("The leaf penalty was given" in pages[name]) == (name in ("given", "stopped", "leaf"))
    assert pages[name].count("role=\"img\"") == 1 + (name not in ("given", "stopped", "leaf", "few"))
    assert pages[name].count("<details>") == 1 and not re.search(r"(?:src|href)=|url\(|@import|<script|<link|\bnan\b", pages[name])


def test_words_of_a_file_are_shown_not_run():
    d = json.loads(saved())
    d["path"]["why"] = "<script>alert(1)</script>"
    page = report(from_json(json.dumps(d)))
    assert "<script" not in page and "&lt;script&gt;alert(1)" in page


CONTRAST = """
const light = c => { const [r, g, b] = c.match(/[\\d.]+/g).map(v => (v /= 255) <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4); return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
const paper = light(getComputedStyle(document.body).backgroundColor);
const ink = e => light(e.ownerSVGElement ? getComputedStyle(e).fill : getComputedStyle(e).color);
const ratio = e => { const a = ink(e), b = e.matches('b.used, pre') ? light(getComputedStyle(e).backgroundColor) : paper; return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05); };
const tree = document.querySelector('svg');
return [paper, Math.min(...[...document.querySelectorAll('h1, h2, p, li, td, th, dd, summary, pre, b.used, svg text')].filter(e => !tree.contains(e)).map(ratio))];
"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("wide", [390, 1280])
@pytest.mark.parametrize("name", FITS)
def test_a_page_fits_the_screen_by_day_and_by_night(browser, pages, tmp_path, name, wide, scheme):
    "No page scrolls sideways, and all text stands out from its ground (WCAG asks for 4.5)."
    (tmp_path / "page.html").write_text(pages[name], encoding="utf-8")
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", dict(width=wide, height=800, deviceScaleFactor=1, mobile=wide < 500))
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", dict(features=[dict(name="prefers-color-scheme", value=scheme)]))
    browser.get((tmp_path / "page.html").as_uri())
    browser.execute_script("document.querySelector('details').open = true")
    assert browser.execute_script("return document.documentElement.scrollWidth") <= wide
    paper, contrast = browser.execute_script(CONTRAST)
    assert (paper > 0.5) == (scheme == "light") and contrast >= 4.5
