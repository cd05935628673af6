"""Build wheel and sdist, install each in a new environment without development tools, and use it there.

    python tools/smoke.py [--keep FOLDER] [pip's requirement ...]      # e.g. numpy==1.26.4 numba==0.60.0
"""
import argparse
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

TRY = r'''
import importlib.util, importlib.metadata, sqlite3, subprocess, sys, time
begin = time.perf_counter()
import guesstree
solver = time.perf_counter() - begin
from guesstree import GuessTreeClassifier, solve
import numpy as np
from sklearn.datasets import load_breast_cancer
imported = time.perf_counter() - begin
assert "site-packages" in guesstree.__file__, guesstree.__file__
assert guesstree.__version__ == importlib.metadata.version("guesstree")
present = [name for name in ("nbdev", "fastcore", "pytest", "pandas", "hypothesis", "ruff", "mypy") if importlib.util.find_spec(name)]
assert not present, f"development tools are installed: {present}"
assert importlib.resources.files("guesstree").joinpath("py.typed").is_file()
from guesstree.use.source import to_python, to_sql
from guesstree.use import from_json, to_json
from guesstree.use.one_page import report
from guesstree.use.words import rules
from guesstree.use.sklearn_tree import to_sklearn
X, y = load_breast_cancer(return_X_y=True)
clf = GuessTreeClassifier(0.01).fit(X, y)
said = clf.predict(X)
assert clf.status_ == "optimal" and clf.score(X, y) > 0.95
assert (from_json(to_json(clf)).predict(X) == said).all() and (to_sklearn(clf).predict(X) == said).all()
names = {}
exec(to_python(clf), names)
assert [names["predict"](row) for row in X] == said.tolist()
assert "CASE" in to_sql(clf) and len(rules(clf)) == clf.n_leaves_ and report(clf).endswith("</html>\n")
assert solve(X > X.mean(axis=0), y, lam=0.01, max_depth=3).status == "optimal"
subprocess.run([sys.executable, "-m", "guesstree.use.cli", "--version"], check=True, stdout=subprocess.DEVNULL)
versions = " ".join(f"{name} {importlib.metadata.version(name)}" for name in ("numpy", "numba", "scikit-learn", "scipy", "joblib", "matplotlib", "graphviz", "pooch", "tqdm"))
print(f"Python {sys.version.split()[0]}, {versions}")
print(f"import guesstree {solver:.2f} s, with scikit-learn {imported:.2f} s; fit, JSON, rules, page, Python, SQL and scikit-learn agree")
'''


def run(*command, **options):
    subprocess.run([str(o) for o in command], check=True, **options)


def build(folder):
    "Wheel and sdist of this repository."
    run(sys.executable, "-m", "build", "--outdir", folder, ROOT, stdout=subprocess.DEVNULL)
    return next(folder.glob("*.whl")), next(folder.glob("*.tar.gz"))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--keep", type=Path, help="folder for wheel and sdist")
    parser.add_argument("requirement", nargs="*", help="versions to install besides")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        here = Path(temporary)
        wheel, sdist = build(args.keep or here / "dist")
        print(f"wheel {wheel.stat().st_size / 1000:.0f} KB, sdist {sdist.stat().st_size / 1000:.0f} KB", flush=True)
        venv.create(here / "env", with_pip=True)
        python = here / "env" / ("Scripts" if sys.platform == "win32" else "bin") / "python"
        (here / "work").mkdir()
        run(python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", wheel, *args.requirement)
        for package in (wheel, sdist):
            if package is sdist:
                run(python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps", "--force-reinstall", sdist)
            print(package.name, flush=True)
            run(python, "-I", "-c", TRY, cwd=here / "work")


if __name__ == "__main__":
    main()
