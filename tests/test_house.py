"""The repository is in order: modules, outputs and README are what the notebooks make of them."""
import filecmp
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tools"))
import house  # noqa: E402
import notebooks  # noqa: E402

ALL = notebooks.notebooks()


def test_exported_modules_match_the_notebooks(tmp_path):
    for name in ("nbs", "guesstree"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "settings.ini", tmp_path)
    for module in (tmp_path / "guesstree").rglob("*.py"):
        if module.name not in ("__init__.py", "_modidx.py"):
            module.unlink()
    subprocess.run([sys.executable, "-c", "from nbdev.doclinks import nbdev_export; nbdev_export()"], cwd=tmp_path, check=True)
    made, kept = ({p.relative_to(d / "guesstree").as_posix() for p in (d / "guesstree").rglob("*.py")} for d in (tmp_path, ROOT))
    assert made == kept
    _, different, errors = filecmp.cmpfiles(tmp_path / "guesstree", ROOT / "guesstree", sorted(made), shallow=False)
    assert not different and not errors


@pytest.mark.runs_notebooks
@pytest.mark.parametrize("path", ALL, ids=notebooks.name_of)
def test_restart_run_clean_leaves_no_diff(path):
    if notebooks.name_of(path) in notebooks.NEEDS_DATA and not notebooks.all_tables():
        pytest.skip("its outputs show the paper's tables, which are not in the folder GUESSTREE_DATA")
    stored, made = path.read_text(encoding="utf-8"), notebooks.executed(path)
    assert made == stored, f"cells {notebooks.changed_cells(stored, made)} differ"


def test_outputs_are_compared_before_they_are_rewritten(tmp_path, monkeypatch, capsys):
    "A changed output is named with its cell; only `run` keeps it."
    import nbformat
    from nbformat.v4 import new_code_cell, new_notebook, new_output
    path = tmp_path / "01_lesson.ipynb"
    stale = [new_code_cell("1 + 1", outputs=[new_output("execute_result", {"text/plain": said})]) for said in ("2", "3")]
    nbformat.write(new_notebook(cells=stale), path)
    path.write_text(notebooks.cleaned(nbformat.read(path, as_version=4)), encoding="utf-8")
    monkeypatch.setattr(notebooks, "notebooks", lambda: [path])
    before = path.read_text(encoding="utf-8")
    with pytest.raises(SystemExit, match="01_lesson"):
        notebooks.main("compare")
    assert "differ in cells 1\n" in capsys.readouterr().out and path.read_text(encoding="utf-8") == before
    notebooks.main("run")
    assert "differ in cells 1\n" in capsys.readouterr().out
    notebooks.main("compare")
    with pytest.raises(SystemExit, match="no such notebook: 02_typo"):
        notebooks.main("compare", "02_typo")
    with pytest.raises(SystemExit, match="python tools/notebooks.py compare"):
        notebooks.main("run", "--help")


def test_a_kernel_is_fresh_and_its_end_is_noticed(tmp_path):
    "Kernels may be forks of a process that has imported libraries; it has nothing of ours."
    import nbformat
    from nbclient.exceptions import DeadKernelError
    from nbformat.v4 import new_code_cell, new_notebook
    path = tmp_path / "01_lesson.ipynb"
    def run(*cells):
        nbformat.write(new_notebook(cells=[new_code_cell(o) for o in cells]), path)
        return notebooks.executed(path)
    assert "'fresh'" in run("import sys", "'stale' if [m for m in sys.modules if 'guesstree' in m] or 'seen' in globals() else 'fresh'", "seen = True")
    assert "'fresh'" in run("'stale' if 'seen' in globals() else 'fresh'")
    assert '"20"' in run("import pandas; pandas.get_option('display.max_columns')")   # as in a notebook, not in a terminal
    with pytest.raises(DeadKernelError):
        run("import os; os._exit(1)")


@pytest.mark.parametrize("path", ALL, ids=notebooks.name_of)
def test_a_notebook_reads_as_a_lesson(path):
    import nbformat
    nb = nbformat.read(path, as_version=4)
    first = nb.cells[0]
    assert first.cell_type == "markdown" and first.source.startswith("# ") and "\n> " in first.source
    frames = [d["text/html"] for c in nb.cells for o in c.get("outputs", []) if "<iframe" in (d := o.get("data", {})).get("text/html", "")]
    assert path.stat().st_size - sum(map(len, frames)) < 300_000
    for cell in nb.cells:
        assert not any(o.output_type == "error" or o.get("name") == "stderr" for o in cell.get("outputs", []))
        assert not notebooks.has_flag(cell, "eval: *false")
        assert str(ROOT) not in str(cell) and "site-packages" not in str(cell)
        assert cell.cell_type == "markdown" or "nbdev_export" not in cell.source   # Run All leaves the package alone


def test_arrows_point_one_way():
    "Reading order is import order, private names stay in their folder, numbers are used once."
    assert house.broken() == []


def test_a_broken_rule_is_noticed():
    known = house.rooms()
    def with_import(page, module, name):
        return [r._replace(imports=(*r.imports, (module, name))) if r.page == page else r for r in known]
    for page, module, name, said in [("03_brute", "lower_bounds", "sandwich", "which comes later"), ("engine/12_search", "brute", "best_by_rows", "which comes later"),
                                     ("engine/04_patterns", "engine.search", "GUESSES", "which comes later"), ("use/00_drawing", "rerun.paper", "TREES", "which comes later"),
                                     ("05_thresholds", "engine.search", "_find", "takes the private name _find")]:
        found = [o for o in house.broken(with_import(page, module, name)) if o not in house.broken(known)]
        assert len(found) == 1 and said in found[0] and found[0].startswith(page), found
    assert house.broken(with_import("engine/12_search", "engine.depth3", "_narrowest")) == []   # neighbours may share


def test_files_are_written_in_one_place():
    "`engine.files.write` knows of links, modes and full disks; besides, runs of experiments are appended to, and mutants write into folders of their own."
    elsewhere = {"engine/files.py", "rerun/runs.py", "checks/mutants.py"}
    writes = re.compile(r"""\.write_(text|bytes)\(|\bos\.(replace|rename)\(|open\([^)]*["'][wax]b?t?["']|mkstemp|NamedTemporary|\.to_csv\([^)i]""")
    found = {p.relative_to(ROOT / "guesstree").as_posix() for p in (ROOT / "guesstree").rglob("*.py") if writes.search(re.sub(r"\s*>>>.*|\s*\.\.\. .*", "", p.read_text(encoding="utf-8")))}
    assert found == elsewhere


def test_the_picture_of_the_house_is_up_to_date():
    assert house.PICTURE.read_text(encoding="utf-8") == house.picture(), "python tools/house.py picture"


def test_front_pages_list_the_rooms_behind_them():
    assert [notebooks.name_of(p) for p in house.fronts()] == [], "python tools/house.py fronts"


def test_readme_matches_index():
    for name, made in notebooks.readme().items():
        assert (ROOT / name).read_bytes() == made, f"{name} is out of date: make readme"


@pytest.mark.skipif(shutil.which("git") is None or not (ROOT / ".git").exists(), reason="not a git clone")
def test_no_dataset_is_committed():
    tracked = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
    assert not [f for f in tracked if Path(f).suffix in (".csv", ".npz", ".parquet") and not f.startswith("experiments/results/")]  # our own


@pytest.mark.runs_notebooks
def test_demo_needs_no_dot_program_and_no_data(tmp_path):
    env = {k: v for k, v in os.environ.items() if k not in ("PATH", "GUESSTREE_DATA")}
    code = "import sys; from guesstree.use.cli import main; sys.exit(main(['demo']))"
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("This is the best tree of depth at most 5") == 2 and "5-fold" in done.stdout
    made = {p.name for p in (tmp_path / "guesstree-demo").iterdir()}
    assert made == {"cancer-tree.svg", "cancer-report.html", "cancer-tree.json", "spiral-tree.svg", "spiral-regions.svg"}
    assert (tmp_path / "guesstree-demo" / "spiral-tree.svg").read_text().startswith("<svg")
