"""Run the notebooks and compare or keep their outputs; write the modules; make README.md from nbs/index.ipynb.

    python tools/notebooks.py compare [--slow] [name ...]   say which stored outputs differ, change nothing
    python tools/notebooks.py compare --changed             the same for notebooks that differ from the last commit
    python tools/notebooks.py run [--slow] [name ...]       the same, then keep the new outputs
    python tools/notebooks.py export                        write the modules; compiled code stays where it can
    python tools/notebooks.py readme
"""
import ast
import copy
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from functools import cache
from pathlib import Path
from queue import Empty
from unittest.mock import patch

sys.modules.setdefault("rfc3987_syntax", None)   # nbformat imports jsonschema, which would build 38 grammars of web addresses: three seconds, and no notebook needs them

import kernels
import nbformat
from fastcore.nbio import dict2nb, nb2str
from nbclient import NotebookClient
from nbconvert import MarkdownExporter
from nbdev.clean import clean_nb

from guesstree import data

ROOT = Path(__file__).resolve().parent.parent
NBS = ROOT / "nbs"
PACKAGE = ROOT / "guesstree"
QUIET = {"PYTHONWARNINGS": "ignore:compiling the search:UserWarning",  # whether something is compiled depends on what ran before
         "IN_TEST": "1"}                                               # a notebook does not export itself while others are imported
FOLDERS = ("", "engine", "checks", "use", "rivals", "rerun", "course", "course/solutions")   # the spine, then the rooms: the order of the book
NEEDS_DATA = {"02_data", "rerun/07_paper_trees", "rerun/09_results"}  # stored outputs show the paper's tables


def _compiled():
    "The modules with kernels, and all that they import: what compiled code depends on."
    todo, found = [p for p in PACKAGE.rglob("*.py") if re.search(r"njit|_jit\b", p.read_text(encoding="utf-8"))], set()
    while todo:
        path = todo.pop()
        found.add(path)
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.level:
                base = path.parents[node.level - 1].joinpath(*(node.module or "").split("."))
                todo += {p for p in (base.with_suffix(".py"), *(base / f"{a.name}.py" for a in node.names)) if p.exists()} - found
    return found


def drop_stale_code():
    "Delete compiled code that is older than what it depends on: Numba looks at the module of a kernel, not at those that it calls."
    newest = max(p.stat().st_mtime for p in _compiled())
    for path in PACKAGE.rglob("__pycache__/*.nb[ic]"):
        if path.stat().st_mtime < newest:
            path.unlink(missing_ok=True)


def export():
    "Write the modules that have changed; the others are not touched and keep their compiled code."
    with tempfile.TemporaryDirectory() as folder:
        for name in ("nbs", "guesstree"):
            shutil.copytree(ROOT / name, Path(folder, name), ignore=shutil.ignore_patterns("__pycache__"))
        shutil.copy(ROOT / "settings.ini", folder)
        subprocess.run([sys.executable, "-c", "from nbdev.doclinks import nbdev_export; nbdev_export()"], cwd=folder, check=True)
        for made in Path(folder, "guesstree").rglob("*.py"):
            here = PACKAGE / made.relative_to(Path(folder, "guesstree"))
            if not here.exists() or here.read_bytes() != made.read_bytes():
                shutil.copyfile(made, here)


def notebooks():
    "All notebooks in the order of the book: in each folder its front page, then the others by number."
    pages = {folder: [p for p in (NBS / folder).glob("*.ipynb") if not p.name.startswith((".", "_"))] for folder in FOLDERS}
    return [p for found in pages.values() for p in sorted(found, key=lambda p: (p.stem != "index", p.stem))]


def name_of(path):
    "The name of a notebook: its place below nbs, without suffix, such as engine/12_search."
    return path.with_suffix("").as_posix().removeprefix(NBS.as_posix() + "/")


def all_tables():
    "Are all of the paper's tables that can be had in the folder GUESSTREE_DATA?"
    return {*data.PAPER, *data.EXTRA} - {"netherlands"} <= set(data.available())


def has_flag(cell, *flags):
    "Does a code cell carry one of the directives `#| flag`?"
    return cell.cell_type == "code" and any(re.search(rf"^#\|\s*{flag}\b", cell.source, re.M) for flag in flags)


async def _answers(client, timeout):
    "Wait until a kernel answers on both channels, and no longer: Jupyter goes on for a fifth of a second, in case of messages from before, of which a new kernel has none."
    end = time.monotonic() + timeout
    while time.monotonic() < end and await client.is_alive():
        client.kernel_info()
        try:
            said = await client.get_shell_msg(timeout=1)
            await client.get_iopub_msg(timeout=0.2)
        except Empty:
            continue
        return client._handle_kernel_info_reply(said)
    raise RuntimeError("a kernel did not answer")


def executed(path, slow=False):
    "The text of the notebook as a restart, a run of all cells and a clean leave it; slow cells keep their outputs unless `slow`."
    nb = nbformat.read(path, as_version=4)
    todo = copy.deepcopy(nb)
    todo.cells = [c for c in todo.cells if slow or not has_flag(c, "slow")]
    client = NotebookClient(todo, timeout=1800, startup_timeout=300, kernel_name="python3", record_timing=False, coalesce_streams=True, shutdown_kernel="immediate", extra_arguments=["--log-level=ERROR"],
                            resources={"metadata": {"path": str(path.parent)}})
    with kernels.forked(), patch("jupyter_client.asynchronous.client.AsyncKernelClient.wait_for_ready", _answers):
        client.execute(env={**os.environ, **QUIET})
    ran = {c.id: c for c in todo.cells}
    nb.cells = [ran.get(c.id, c) for c in nb.cells]
    return cleaned(nb)


def changed():
    "Names of the notebooks that differ from the last commit."
    said = subprocess.run(["git", "status", "--porcelain", "--untracked-files=all", "nbs"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    paths = {ROOT / line[3:].rpartition(" -> ")[2].strip('"') for line in said.splitlines()}
    return [name_of(p) for p in notebooks() if p in paths]


def changed_cells(before, after):
    "Indices of the cells that differ between two texts of a notebook with the same cells."
    return [i for i, (old, new) in enumerate(zip(*(json.loads(text)["cells"] for text in (before, after)), strict=True)) if old != new]


@cache
def uses_tables(path):
    "Might the notebook do something else when the paper's tables are at hand?"
    return bool(re.search(r"\b(load|available)\(|guesstree\.(rerun\.(grids|runs)|use\.cli|rivals\.baselines) import", path.read_text(encoding="utf-8")))


def cleaned(nb):
    "The text of the notebook without execution counts and stray metadata, as nbdev writes it."
    nb = dict2nb(nb)
    clean_nb(nb, clean_ids=True)
    return nb2str(nb)


def readme():
    "README.md and its pictures: {path from the root: bytes}."
    nb = nbformat.read(NBS / "index.ipynb", as_version=4)
    nb.cells = [c for c in nb.cells if not has_flag(c, "hide", "default_exp")]
    nb.metadata["language_info"] = {"name": "python"}
    captions = re.findall(r"^#\| fig-cap: (.*)", "\n".join(c.source for c in nb.cells), re.M)
    for cell in nb.cells:
        cell.source = re.sub(r"^#\|.*\n?", "", cell.source, flags=re.M) if cell.cell_type == "code" else cell.source
    resources = {"output_files_dir": "nbs/images", "unique_key": "index"}
    body, resources = MarkdownExporter().from_notebook_node(nb, resources=resources)
    body = re.sub(r"!\[svg\]", lambda m: f"![{captions.pop(0)}]", body)
    body = re.sub(r"\]\((?!https?:|#|nbs/)", "](nbs/", body)  # links in the notebook start from nbs/
    body = re.sub(r"\n\s*\n\s*\n+", "\n\n", body.replace("](nbs/../", "]("))
    return {"README.md": (body.strip() + "\n").encode(), **resources["outputs"]}


def run(path, keep, slow):
    "Run a notebook, say which stored outputs differ, and keep the new ones if asked to. Do any differ?"
    if name_of(path) in NEEDS_DATA and not all_tables():
        print(f"skipping {name_of(path)}: its outputs show the paper's tables, which are not in the folder GUESSTREE_DATA")
        return False
    print(f"running {name_of(path)}", flush=True)
    before, after = path.read_text(encoding="utf-8"), executed(path, slow)
    if cells := changed_cells(before, after):
        print(f"    stored outputs differ in cells {', '.join(map(str, cells))}", flush=True)
    if keep:
        path.write_text(after, encoding="utf-8")
    return bool(cells)


def run_all(command, args):
    "`compare` or `run`."
    if {a for a in args if a.startswith("-")} - {"--slow", "--changed"}:
        sys.exit(__doc__)
    names = [a for a in args if not a.startswith("--")]
    if unknown := set(names) - {name_of(p) for p in notebooks()}:
        sys.exit(f"no such notebook: {', '.join(sorted(unknown))}")
    if "--changed" in args and not (names := changed()):
        return print("no notebook differs from the last commit")
    todo = [p for p in notebooks() if not names or name_of(p) in names]
    differ = [name_of(p) for p in todo if run(p, command == "run", "--slow" in args)]
    if command == "compare" and differ:
        sys.exit(f"stored outputs differ: {', '.join(differ)}; look at them, then keep the new ones with: make notebooks")


def main(command, *args):
    if command == "export":
        return export()
    drop_stale_code()
    if command in ("compare", "run"):
        run_all(command, args)
    elif command == "readme":
        for old in (NBS / "images").glob("index_*"):
            old.unlink()
        for name, data in readme().items():
            (ROOT / name).parent.mkdir(exist_ok=True)
            (ROOT / name).write_bytes(data)
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main(*(sys.argv[1:] or ["help"]))
