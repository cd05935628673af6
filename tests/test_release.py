"""What leaves the repository: types, names, versions, and nothing in it that runs what others wrote."""
import ast
import configparser
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from guesstree import GuessTreeClassifier, data
from guesstree.use import from_json, to_json
from guesstree.use.one_page import report
from guesstree.use.drawing import to_dot, to_svg

ROOT = Path(__file__).resolve().parent.parent
MODULES = sorted((ROOT / "guesstree").rglob("*.py"))


def run(*command):
    return subprocess.run([sys.executable, "-m", *command], cwd=ROOT, capture_output=True, text=True)


def test_ruff_finds_nothing():
    pytest.importorskip("ruff")
    done = run("ruff", "check", "--quiet", "--output-format", "concise")
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_user_sees_types():
    pytest.importorskip("mypy")
    done = run("mypy")                                   # what has not changed is in .mypy_cache
    assert done.returncode == 0, done.stdout + done.stderr


def test_one_version_everywhere():
    settings = configparser.ConfigParser()
    settings.read(ROOT / "settings.ini", encoding="utf-8")
    version = settings["DEFAULT"]["version"]
    assert f"\nversion: {version}\n" in (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert f"\n## {version}" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert f'__version__ = "{version}"' in (ROOT / "guesstree" / "__init__.py").read_text(encoding="utf-8")


@pytest.mark.slow
def test_wheel_and_sdist_work_in_a_new_environment():
    pytest.importorskip("build")
    done = subprocess.run([sys.executable, str(ROOT / "tools" / "smoke.py")], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0 and done.stdout.count("scikit-learn agree") == 2, done.stdout + done.stderr


@pytest.mark.parametrize("path", MODULES, ids=lambda p: p.stem)
def test_nothing_runs_what_it_reads(path):
    "No pickle, no eval or exec, and no loader of NumPy, pandas or joblib that unpickles."
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            names = {o.name.split(".")[0] for o in node.names} | {(getattr(node, "module", None) or "").split(".")[0]}
            assert not names & {"pickle", "cloudpickle", "dill", "marshal", "shelve"}, ast.unparse(node)
        if isinstance(node, ast.Call):
            name = ast.unparse(node.func)
            assert name not in ("eval", "exec", "compile", "__import__", "os.system", "joblib.load", "pd.read_pickle"), ast.unparse(node)
            if name == "np.load":
                assert any(k.arg == "allow_pickle" and ast.unparse(k.value) == "False" for k in node.keywords), ast.unparse(node)


def test_downloads_are_https_with_checksums():
    for name, source in {**data.PAPER, **data.EXTRA}.items():
        if source.origin:
            assert data._url(source).startswith("https://"), name
            assert re.fullmatch("[0-9a-f]{64}", source.sha256), name
    for path in MODULES:
        text = path.read_text(encoding="utf-8").replace("http://www.w3.org/", "")     # names of formats, not addresses
        assert "http://" not in text and "verify=False" not in text, path.name


EVIL = ["<script>alert(1)</script>", '"><img src=x onerror=alert(1)>', "</title></style></svg>", "&lt;b&gt;", "' onload='alert(1)"]


class Tags(HTMLParser):
    "All tags of a page, with their attributes."
    def __init__(self):
        super().__init__()
        self.found = []

    def handle_starttag(self, tag, attributes):
        self.found.append((tag, sorted(name for name, _ in attributes)))


def tags(page):
    parser = Tags()
    parser.feed(page)
    parser.close()
    return parser.found


def evil_fit(names, words, labels):
    "The same table and labels under other names."
    rng = np.random.default_rng(0)
    words, labels = np.array(words, object), np.array(labels, object)
    frame = pd.DataFrame({names[0]: np.where(rng.random(90) < 0.1, np.nan, rng.integers(0, 9, 90)), names[1]: words[rng.integers(0, 3, 90)], names[2]: rng.random(90) < 0.5})
    y = labels[np.where(frame[names[1]] == words[1], 1, (frame[names[0]] > 4).to_numpy() * 2)]
    return GuessTreeClassifier(0.01, 3, "all", "exact").fit(frame, y), frame, y


def test_user_strings_are_shown_not_run():
    "A page about evil names has the tags of a page about plain ones, no more and no less."
    plain, frame, y = evil_fit(["a", "b", "c"], ["e", "f", "g"], ["a", "b", "c"])
    evil, evil_frame, evil_y = evil_fit(EVIL[:3], ["A" + EVIL[3], "B" + EVIL[0], "C" + EVIL[1]], ["a" + EVIL[0], "b" + EVIL[1], "c" + EVIL[4]])
    assert evil.n_leaves_ == plain.n_leaves_ > 2
    for one, two in ((from_json(to_json(plain)), from_json(to_json(evil))), (plain, evil)):
        a, b = report(one, X=frame, y=y, title="t"), report(two, X=evil_frame, y=evil_y, title=EVIL[0])
        assert sorted(tags(a)) == sorted(tags(b))
        assert "<script" not in b and "&lt;script&gt;alert(1)&lt;/script&gt;" in b
    assert sorted(tags(to_svg(plain.tree_))) == sorted(tags(to_svg(evil.tree_))) and "<script" not in to_svg(evil.tree_)
    assert sorted(tags(plain.certificate_._repr_html_())) == sorted(tags(evil.certificate_._repr_html_()))


def test_dot_quotes_names():
    evil, _, _ = evil_fit(['a"]; b [label="x', "\\", "c"], ["e", "f", "g"], ["a", "b", "c"])
    for line in to_dot(evil.tree_).splitlines()[2:-1]:
        assert re.fullmatch(r'  \d+ (-> \d+ )?\[label=(yes|no|"([^"\\]|\\["\\])*"(, fillcolor="#[0-9a-f]{6}"(, fontcolor="white")?)?)\];', line), line
