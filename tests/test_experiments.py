"""Sweeps survive: interrupts, kills, torn files, dying workers, on one machine and on a cluster."""
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest
from joblib import parallel_config
from numba.core import event

from guesstree.rerun import runs as experiments
from guesstree.rerun.cluster import patterns_from_dask
from guesstree.data import spiral
from guesstree.rerun.runs import RESULTS, grid, read_results, run_grid, run_one
from guesstree.engine.patterns import find_patterns

MINE = dict(spirals=spiral(400, noise=0.1))
SECONDS = ("wall_", "cpu_", "peak_", "start_")
SLOW = grid(dataset="spirals", method="gbdt", n_estimators=[150, 151, 152, 153], fold=range(5))  # a tenth of a second each, or more

SWEEP = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)  # whoever starts the tests may ignore it
from guesstree.data import spiral
from guesstree.rerun.runs import grid, run_grid
runs = {runs!r}
run_grid(runs, {path!r}, n_jobs={n_jobs}, data=dict(spirals=spiral(400, noise=0.1)))
"""


def same(table, other):
    "Are two tables equal, apart from what was measured?"
    keep = [c for c in table.columns if not c.startswith(SECONDS)]
    return table[keep].equals(other[keep])


def lines(path):
    return len(experiments._intact(path)[0]) if Path(path).exists() else 0


def wait_for(condition, process=None, seconds=600):
    end = time.time() + seconds
    while not condition():
        assert time.time() < end, "waited in vain"
        assert process is None or process.poll() is None, process.stderr.read()
        time.sleep(0.02)


@pytest.fixture
def sweep(tmp_path):
    "Start a sweep in a process group of its own, and end the group after the test."
    started = []

    def start(runs, n_jobs):
        path = str(tmp_path / "rows.csv")
        code = SWEEP.format(runs=runs, path=path, n_jobs=n_jobs)
        started.append(subprocess.Popen([sys.executable, "-c", code], start_new_session=True, stderr=subprocess.PIPE, text=True))
        return started[-1], path

    yield start
    for process in started:
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        process.communicate()


def finish(path, runs, n_jobs=1):
    "Run the rest: what was there stays, each run is there once."
    before = Path(path).read_bytes()
    before = before[:before.rfind(b"\n") + 1]
    table = run_grid(runs, path, n_jobs=n_jobs, data=MINE)
    assert Path(path).read_bytes().startswith(before)
    assert lines(path) == len(runs) == len(table) == len(read_results(path))
    assert set(table.status) == {"done"} and set(table.error) == {""}
    return table


def test_a_sweep_that_is_interrupted_and_then_killed_resumes(sweep):
    process, path = sweep(SLOW, 2)
    wait_for(lambda: lines(path) >= 3, process)
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does: all processes hear it
    begin = time.time()
    _, said = process.communicate(timeout=600)
    assert process.returncode != 0 and "KeyboardInterrupt" in said
    assert time.time() - begin < 20
    kept = lines(path)
    assert 3 <= kept < len(SLOW) - 3
    before = Path(path).read_bytes()
    process, path = sweep(SLOW, 2)
    wait_for(lambda: lines(path) >= kept + 3, process)
    os.kill(process.pid, signal.SIGKILL)
    assert process.wait(30) == -signal.SIGKILL
    assert kept + 3 <= lines(path) < len(SLOW) and Path(path).read_bytes().startswith(before)
    with open(path, "ab") as file:
        file.write(b"spirals,103e84")  # and the last line is torn
    finish(path, SLOW)


def test_an_interrupted_search_is_no_result(sweep):
    fast = grid(dataset="spirals", method="cart", fold=[0, 1])
    long = grid(dataset="spirals", thresholds="all", engine="search", lower_bound="exact", lam=0.0005, max_depth=None, time_limit=100)
    process, path = sweep(fast + long, 1)
    wait_for(lambda: lines(path) == 2, process)
    time.sleep(1)  # warming up, or searching
    os.kill(process.pid, signal.SIGINT)
    _, said = process.communicate(timeout=600)
    assert process.returncode != 0 and "KeyboardInterrupt" in said
    assert read_results(path).status.tolist() == ["done", "done"]


def test_processes_change_nothing():
    runs = grid(dataset="spirals", lam=[0.05, 0.01], max_depth=3, lower_bound=["paper", "exact"], fold=[0, 3]) + grid(dataset="spirals", method="cart", fold=[0, 3])
    one, two = (run_grid(runs, n_jobs=n, data=MINE) for n in (1, 2))
    assert same(one, two) and same(one, run_grid(runs, data=MINE))
    assert one.dataset.tolist() == ["spirals"] * 10 and one.fold.tolist() == [0, 3] * 5


def test_a_run_that_ends_its_process_harms_no_other(tmp_path, monkeypatch):
    work = experiments._work

    def deadly(run, *table):
        if run["max_depth"] == 3:
            os.kill(os.getpid(), signal.SIGKILL)
        return work(run, *table)

    runs = grid(dataset="spirals", method="cart", max_depth=range(1, 12))
    monkeypatch.setattr(experiments, "_work", deadly)
    table = run_grid(runs, tmp_path / "rows.csv", n_jobs=2, data=MINE)
    assert table.status.tolist() == ["done", "done", "error"] + ["done"] * 8
    assert table.error[2] == "the process died: TerminatedWorkerError"
    assert lines(tmp_path / "rows.csv") == 11
    monkeypatch.undo()
    assert set(run_grid(runs, tmp_path / "rows.csv", data=MINE).status) == {"done"}
    assert lines(tmp_path / "rows.csv") == 12  # only the one that failed was run again


@pytest.fixture
def client(request):
    "A Dask cluster of two processes, or of two threads of this one."
    distributed = pytest.importorskip("distributed")
    options = dict(n_workers=2, threads_per_worker=1, processes=request.param == "processes", dashboard_address=":0")
    with distributed.LocalCluster(**options) as cluster, distributed.Client(cluster) as client:
        yield client


def parts_of(i):
    "A partition of a table; labels of some partitions lack a class."
    import pandas as pd
    rng = np.random.default_rng(i)
    return pd.DataFrame(rng.normal(size=(70_000 if i == 3 else 500 * i, 4)), columns=list("abcd")).assign(label=lambda t: np.where(t.a > i - 2, "high", "low"))


def same_patterns():
    "Do rows on a cluster make the patterns of the same rows here?"
    import dask.dataframe as dd
    import pandas as pd
    whole, thresholds = pd.concat(map(parts_of, range(9))), [(j, v) for j in (0, 2, 3) for v in (-1.0, 0.0, 0.5)]
    ddf = dd.from_map(parts_of, range(9), meta=parts_of(1))
    return patterns_from_dask(ddf, thresholds, "label", split_every=3) == find_patterns(whole.drop(columns="label"), whole.label.to_numpy(), thresholds)


@pytest.mark.parametrize("client", ["threads"], indirect=True)
def test_a_cluster_finds_what_one_machine_finds(tmp_path, client):
    assert same_patterns()
    with parallel_config("dask"):
        table = run_grid(SLOW[::5], tmp_path / "rows.csv", n_jobs=-1, data=MINE)
    assert lines(tmp_path / "rows.csv") == 4 and set(table.status) == {"done"}
    assert same(table, run_grid(SLOW[::5], data=MINE))


@pytest.mark.slow
@pytest.mark.parametrize("client", ["processes"], indirect=True)
def test_a_cluster_that_loses_a_worker_loses_nothing(tmp_path, client):
    path, (first, second) = tmp_path / "rows.csv", client.run(os.getpid).values()
    assert len({first, second, os.getpid()}) == 3 and same_patterns()

    def kill():
        wait_for(lambda: lines(path) >= 2)
        os.kill(first, signal.SIGKILL)

    killer = threading.Thread(target=kill)
    killer.start()
    with parallel_config("dask"):
        table = run_grid(SLOW, path, n_jobs=-1, data=MINE)
    killer.join()
    wait_for(lambda: first not in client.run(os.getpid).values())
    assert lines(path) == len(SLOW) and set(table.status) == {"done"}
    assert same(table, run_grid(SLOW, path, data=MINE))


def test_nothing_is_compiled_while_the_clock_runs():
    heard = []

    class Listener(event.Listener):
        def on_start(self, e):
            heard.append(e)

        def on_end(self, e):
            pass

    listener, run = Listener(), dict(dataset="spirals", fold=1, lam=0.02)
    run_one(run | dict(fold=0), MINE)
    with event.install_listener("numba:compile", listener):
        for change in ({}, dict(thresholds="all", lower_bound="exact", max_depth=3), dict(max_depth=2, lam=0.001)):
            assert run_one(run | change, MINE)["error"] == ""
    assert not heard


def test_every_method_fills_a_row(tmp_path):
    methods = ["cart", "gbdt", "born-again", "rules", "oct", "guesstree"]
    table = run_grid(grid(dataset="spirals", method=methods, fold=0), tmp_path / "rows.csv", data=MINE)
    assert set(table.error) == {""} and table.test_accuracy.between(0.4, 1).all() and (table.leaves > 0).all()
    assert (table.wall_total > 0).all() and (table.peak_mb >= table.start_mb).all()
    assert table.option_objective[2] == "depth"  # a setting with the name of a result
    assert same(table, read_results(tmp_path / "rows.csv"))
    assert list(read_results(tmp_path / "rows.csv")[list(RESULTS)].columns) == list(RESULTS)


def test_engines_agree_where_the_search_is_exact():
    table = run_grid(grid(dataset="spirals", engine=["fast", "search", "boxes"], lower_bound="exact", lam=[0.05, 0.01], max_depth=3, fold=2), data=MINE)
    assert set(table.status) == {"optimal"}
    assert (table.groupby("lam").objective.nunique() == 1).all() and (table.certified_bound == table.objective).all()


def test_limits_are_results(tmp_path):
    runs = grid(dataset="spirals", thresholds="all", engine="search", lower_bound="exact", lam=0.001, max_depth=None, time_limit=0.02)
    table = run_grid(runs, tmp_path / "rows.csv", data=MINE)
    assert table.status.tolist() == ["time_limit"] and table.wall_search[0] < 60
    run_grid(runs, tmp_path / "rows.csv", data=MINE)
    assert lines(tmp_path / "rows.csv") == 1  # it is not tried again


def test_memory_that_runs_out_is_a_result(monkeypatch):
    def greedy(*_):
        raise MemoryError
    monkeypatch.setattr(experiments, "_fit_any", greedy)
    monkeypatch.setattr(experiments, "_warm", lambda *_: None)
    row = run_one(dict(dataset="spirals"), MINE)
    assert (row["status"], row["objective"]) == ("memory_limit", None)


def test_tables_of_ones_own(tmp_path):
    import pandas as pd
    d = MINE["spirals"]
    frame = pd.DataFrame(d.X, columns=["east", "north"])
    named = run_grid(grid(dataset="mine", fold=0), data=dict(mine=(frame, np.where(d.y == 1, "in", "out"))))
    plain = run_grid(grid(dataset="spirals", fold=0), data=MINE)
    assert named.objective[0] == plain.objective[0] and '"east <= ' in named.tree[0] and '"in"' in named.tree[0]
    with pytest.raises(TypeError, match="encode categories"):
        run_grid(grid(dataset="mine"), data=dict(mine=(frame.assign(colour="red"), d.y)))


def test_a_file_may_break_anywhere(tmp_path):
    path = tmp_path / "rows.csv"
    runs = grid(dataset="spirals", method="cart", fold=[0, 1])
    table = run_grid(runs, path, data=MINE)
    whole = path.read_bytes()
    for end in (0, 5, whole.index(b"\n"), whole.index(b"\n") + 1, len(whole) - 1):  # in the header, after it, in the last line
        path.write_bytes(whole[:end])
        assert same(run_grid(runs, path, data=MINE), table)
        assert lines(path) == 2 and path.read_bytes().count(b"\n") == 3


def test_pandas_is_an_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ImportError, match=r"pip install guesstree\[experiments\]"):
        run_grid(grid(dataset="spirals"), data=MINE)
