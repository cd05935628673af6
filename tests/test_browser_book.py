"""Every page of the book in a real browser, with the network off. Skips where chromium, its driver or selenium are missing."""
import shutil
import time

import pytest


@pytest.fixture(scope="module")
def browser():
    "Chromium with the network off, or skip."
    webdriver = pytest.importorskip("selenium.webdriver", reason="selenium is not installed: pip install selenium")
    chromium, driver = shutil.which("chromium") or shutil.which("chromium-browser"), shutil.which("chromedriver")
    if not (chromium and driver):
        pytest.skip("no chromium with chromedriver on the PATH: apt-get install chromium chromium-driver")
    options = webdriver.ChromeOptions()
    options.binary_location = chromium
    for flag in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    tab = webdriver.Chrome(options=options, service=webdriver.ChromeService(driver))
    tab.execute_cdp_cmd("Network.enable", {})
    tab.execute_cdp_cmd("Network.emulateNetworkConditions", {"offline": True, "latency": 0, "downloadThroughput": 0, "uploadThroughput": 0})
    yield tab
    tab.quit()


CUT = "return [...document.querySelectorAll('div.cell_input pre')].filter(o => o.scrollWidth > o.clientWidth).map(o => o.textContent)"
TYPESET = "const done = arguments[0]; (window.MathJax?.startup?.promise ?? Promise.resolve()).then(() => done(true))"


def open_page(browser, path, width=1200):
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", dict(width=width, height=900, deviceScaleFactor=1, mobile=False))
    browser.get(path)
    browser.execute_async_script(TYPESET)
    return [o["message"] for o in browser.get_log("browser") if o["level"] in ("SEVERE", "WARNING")]


def test_pages_open_without_a_complaint_on_a_screen_and_on_a_phone(book, browser):
    for page in sorted(book.rglob("*.html")):
        if "_static" in page.parts:
            continue
        name = page.relative_to(book).as_posix()
        assert open_page(browser, page.as_uri()) == [], name
        assert browser.execute_script("return document.querySelectorAll('mjx-merror').length") == 0, f"{name}: mathematics that cannot be read"
        for width in (390, 1200):
            browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", dict(width=width, height=900, deviceScaleFactor=1, mobile=False))
            assert browser.execute_script("return document.documentElement.scrollWidth") <= width, f"{name} is wider than {width} pixels"
            assert browser.execute_script(CUT) == [], f"{name}: code that is cut off at {width} pixels"


def test_search_finds_the_sandwich_and_mathematics_is_typeset(book, browser):
    assert open_page(browser, (book / "search.html").as_uri() + "?q=sandwich") == []
    for _ in range(50):
        found = browser.execute_script("return [...document.querySelectorAll('#search-results a')].map(o => o.href)")
        if found:
            break
        time.sleep(0.1)
    assert any("07_lower_bounds.html" in url for url in found)
    open_page(browser, (book / "nbs" / "07_lower_bounds.html").as_uri())
    assert browser.execute_script("return document.querySelectorAll('mjx-container').length") > 50
    assert browser.execute_script("return [...document.fonts].some(f => f.family.startsWith('MJX') && f.status == 'loaded')")


def test_pictures_stand_on_white_at_night(book, browser):
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": "dark"}]})
    open_page(browser, (book / "nbs" / "02_data.html").as_uri())
    colour = "return getComputedStyle(document.querySelector(arguments[0])).backgroundColor"
    assert browser.execute_script(colour, "div.cell_output img") == "rgb(255, 255, 255)"
    assert browser.execute_script(colour, "body") != "rgb(255, 255, 255)"
