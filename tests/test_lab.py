"""`make lab`: JupyterLab shows the stored pictures of a notebook only if the notebook is trusted."""
import os
import shutil
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest

ROOT = Path(__file__).resolve().parent.parent
sign = pytest.importorskip("nbformat.sign")


def recipe():
    "The line of `make lab` that trusts the notebooks, as a shell would run it."
    said = subprocess.run(["make", "--always-make", "--dry-run", "lab"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    line, = (o for o in said.splitlines() if " trust " in o)
    return line.replace(".venv/bin/jupyter", f"{sys.executable} -m jupyter")


@pytest.fixture
def lab(tmp_path, monkeypatch):
    "A folder with three notebooks, and a notary of its own."
    if not shutil.which("make"):
        pytest.skip("make is not installed")
    monkeypatch.setenv("JUPYTER_DATA_DIR", str(tmp_path / "jupyter"))
    for name in ("02_data.ipynb", "course/01_theatre.ipynb", ".ipynb_checkpoints/02_data.ipynb"):
        (tmp_path / "nbs" / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / "nbs" / name.removeprefix(".ipynb_checkpoints/"), tmp_path / "nbs" / name)
    (tmp_path / "jupyter").mkdir()
    return tmp_path


def trusted(folder):
    notary = sign.NotebookNotary(data_dir=str(folder / "jupyter"))
    return [notary.check_signature(nbformat.read(p, as_version=4)) for p in sorted((folder / "nbs").rglob("[0-9]*.ipynb")) if ".ipynb_checkpoints" not in p.parts]


def test_make_lab_trusts_every_notebook_again_after_a_change(lab):
    command = recipe()
    assert trusted(lab) == [False, False]
    subprocess.run(command, shell=True, cwd=lab, env=os.environ, check=True)
    assert trusted(lab) == [True, True]
    path = lab / "nbs" / "02_data.ipynb"
    path.write_text(path.read_text(encoding="utf-8").replace("Twelve houseplants", "A dozen houseplants"), encoding="utf-8")   # as a new run does
    assert trusted(lab) == [False, True]
    subprocess.run(command, shell=True, cwd=lab, env=os.environ, check=True)
    assert trusted(lab) == [True, True]
