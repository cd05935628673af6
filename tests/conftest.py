import os
import shutil
import signal
import subprocess
import sys
import time
from importlib.util import find_spec
from pathlib import Path

import pytest
from hypothesis import settings

from guesstree import data

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tools"))
import notebooks  # noqa: E402

settings.register_profile("house", deadline=None, max_examples=60)
settings.register_profile("ci", parent=settings.get_profile("house"), derandomize=True)  # the same examples every time
settings.register_profile("long", parent=settings.get_profile("house"), max_examples=1500)   # make slow
settings.load_profile("ci" if os.environ.get("CI") else "house")


def pytest_addoption(parser):
    parser.addoption("--slow", action="store_true", help="also run the tests marked slow")


def pytest_configure(config):
    config.addinivalue_line("markers", "slow: takes more than a few seconds; runs with --slow")
    config.addinivalue_line("markers", "runs_notebooks: runs a notebook or the demo from start to end; make quick leaves it out")
    config.addinivalue_line("markers", "tables: does more when the paper's tables are at hand; must pass without them, too")
    signal.signal(signal.SIGINT, signal.default_int_handler)   # a shell switches it off for what it starts in the background
    if config.getoption("--slow"):
        settings.load_profile("long")
    if not hasattr(config, "workerinput"):  # once, before workers start
        notebooks.drop_stale_code()


COMPILES_NOTHING = ("test_book", "test_browser_book", "test_lab", "test_release")


def pytest_collection_modifyitems(config, items):
    """Of two processes one begins with the notebooks, which take longest, so that what is left at the end is short and can be shared; the other
    with tests that compile nothing: until it needs them, most kernels are compiled."""
    free = [item for item in items if item.path.stem in COMPILES_NOTHING]
    long = [item for item in items if item.get_closest_marker("runs_notebooks")]
    rest = [item for item in items if item.path.stem not in COMPILES_NOTHING and not item.get_closest_marker("runs_notebooks")]
    here = max(0, len(items) // 2 - len(long))
    items[:] = [*long, *rest[:here], *free, *rest[here:]]
    for item in items:
        path = getattr(item, "callspec", None) and item.callspec.params.get("path")
        if "paper_table" in item.fixturenames or isinstance(path, Path) and notebooks.uses_tables(path):
            item.add_marker("tables")
    if not config.getoption("--slow"):
        for item in items:
            if "slow" in item.keywords:
                item.add_marker(pytest.mark.skip(reason="slow; run with --slow"))


@pytest.fixture
def paper_table():
    "Load one of the paper's tables, or skip the test and say what is missing."
    def load(name):
        if name not in data.available():
            pytest.skip(f"{name}.csv is not in the folder GUESSTREE_DATA")
        return data.load(name)
    return load


@pytest.fixture(scope="session")
def chromium():
    "Chromium with logs kept, or skip: one for all tests of a process."
    webdriver = pytest.importorskip("selenium.webdriver", reason="selenium is not installed: pip install selenium")
    program, driver = shutil.which("chromium") or shutil.which("chromium-browser"), shutil.which("chromedriver")
    if not (program and driver):
        pytest.skip("no chromium with chromedriver on the PATH: apt-get install chromium chromium-driver")
    options = webdriver.ChromeOptions()
    options.binary_location = program
    for flag in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--window-size=1200,900"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    tab = webdriver.Chrome(options=options, service=webdriver.ChromeService(driver))
    yield tab
    tab.quit()


@pytest.fixture(scope="module")
def browser(chromium):
    "Chromium with the network off and a new tab for each file of tests: sizes, colours and time limits are as in a new browser."
    old = chromium.window_handles
    chromium.switch_to.new_window("tab")
    new = chromium.current_window_handle
    for tab in old:
        chromium.switch_to.window(tab)
        chromium.close()
    chromium.switch_to.window(new)
    chromium.set_script_timeout(30)
    chromium.execute_cdp_cmd("Network.enable", {})
    chromium.execute_cdp_cmd("Network.emulateNetworkConditions", {"offline": True, "latency": 0, "downloadThroughput": 0, "uploadThroughput": 0})
    for kind in ("browser", "performance"):
        chromium.get_log(kind)
    return chromium


@pytest.fixture(scope="session")
def book(tmp_path_factory):
    "The folder of the built site, made once for all processes; Sphinx runs with -W."
    missing = [m for m in ("sphinx", "myst_nb", "furo", "sphinx_copybutton", "sphinx-mathjax-offline") if find_spec(m) is None]
    if missing:
        pytest.skip(f"{', '.join(missing)} not installed: pip install 'guesstree[book]'")
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "book"
    said, make = folder / "said", Path(__file__).resolve().parent.parent / "docs" / "make.py"
    try:
        folder.mkdir()   # whoever makes the folder makes the book
        done = subprocess.run([sys.executable, str(make), str(folder)], capture_output=True, text=True)
        (folder / "saying").write_text("" if done.returncode == 0 else done.stderr + done.stdout, encoding="utf-8")
        (folder / "saying").rename(said)
    except FileExistsError:
        while not said.exists():
            time.sleep(0.5)
    assert said.read_text(encoding="utf-8") == ""
    return folder / "html"
