"""Ten million rows by twenty columns, from rows to certificate, on a Dask cluster of two processes: how long, and how much memory?

    python benchmarks/scale.py [rows] [partitions]
    python benchmarks/scale.py files [rows] [folder]

The table is made partition by partition where it is counted, so no process ever holds more than one; making it takes longer than counting it, and is
measured apart. The thresholds come from a sample; patterns, objectives and certificates from all rows. Two searches: shallow with all thresholds that the
reference needs, and deep with the 24 best.

`files` needs no cluster: the rows are written as Parquet files of 500,000 rows to a temporary folder (9 GB for 10^8 rows; removed at the end), and `fit` reads them where they
are. Each reading is timed by itself, in one process; peak memory is that of a process that does nothing but the fit.
"""
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pandas as pd

from guesstree.engine.certificate import Facts, certify
from guesstree.rerun.cluster import patterns_from_dask, right_of
from guesstree.notation import column_names, named
from guesstree.engine.patterns import find_patterns, merge
from guesstree.engine.solver import solve, warmup
from guesstree.thresholds import guess_thresholds

P, LAM, LIMIT = 20, 0.001, 60
NAMES = [f"x{j}" for j in range(P)]


def make(i, n):
    "Partition `i`: ten measurements with a common cause, six counts, four flags. No tree says it all: the label is drawn from a score of nine of them."
    rng = np.random.default_rng(i)
    cause = rng.normal(size=(n, 1))
    X = np.hstack([0.6 * cause + rng.normal(size=(n, 10)), rng.poisson(3, (n, 6)) + (cause > 1), rng.random((n, 4)) < 0.3])
    score = X[:, 0] + X[:, 1] * (X[:, 16] > 0) - X[:, 2] + np.abs(X[:, 3]) + 0.5 * (X[:, 10] - 3) * (X[:, 4] > 0) + 0.3 * (X[:, 11] > 4) - X[:, 17] - 0.5
    return pd.DataFrame(X, columns=NAMES).assign(y=(rng.random(n) < 1 / (1 + np.exp(-2 * score))).astype(np.int64))


def peak():
    "Largest resident memory of this process, in MB."
    return next(int(o.split()[1]) / 1024 for o in Path("/proc/self/status").read_text().splitlines() if o.startswith("VmHWM"))


class Clock:
    "Prints how long a step takes, in seconds on the wall and of all processors."
    def __init__(self, client):
        self.client = client

    def cpu(self):
        return sum(self.client.run(time.process_time).values()) + time.process_time()

    def __call__(self, step, call):
        wall, busy = time.perf_counter(), self.cpu()
        found = call()
        print(f"  {step:34} {time.perf_counter() - wall:7.1f} {self.cpu() - busy:7.1f}", flush=True)
        return found


def end_to_end(ddf, sample, rows, max_columns, depth, clock):
    "From a sample to a certificate; returns the thresholds."
    X, y = sample.drop(columns="y").to_numpy(), sample.y.to_numpy()
    print(f"\ncolumns at most {max_columns or 'as many as needed'}, depth {depth}, lam {LAM}: seconds on the wall, of processors")
    guess = clock("thresholds of the sample", lambda: guess_thresholds(X, y, (40, 2), max_columns=max_columns))
    patterns = clock("patterns, with making the rows", lambda: patterns_from_dask(ddf, guess.thresholds, "y"))
    right = clock("answers of the reference", lambda: right_of(patterns, guess.reference, P))
    guessed = clock("guessed search", lambda: solve(patterns, lam=LAM, max_depth=depth, y_ref=right, time_limit=LIMIT))
    exact = clock("exact search", lambda: solve(patterns, lam=LAM, max_depth=depth, time_limit=LIMIT))
    tree = named(exact.tree, column_names(guess.thresholds, NAMES))
    proof = clock("certificate", lambda: certify(Facts(tree, LAM, depth, exact.lower_bound, exact.status, patterns, right)))
    size = patterns.codes.nbytes + patterns.weights.nbytes
    print(f"  {len(guess.thresholds)} thresholds, bins {patterns.grid.n_bins.tolist()}, {len(patterns)} patterns, {size / 2**20:.1f} MB\n  {guess}\n  {guessed}\n  {exact}")
    print("  " + "\n  ".join(f"{c.name}: {c.left} <= {c.right}: {c.holds}" for c in proof.clauses if c.holds is not None))
    assert rows == patterns.n and exact.objective <= guessed.objective and all(c.holds in (None, True) for c in proof.clauses)
    return guess.thresholds


def print_rates(thresholds, size):
    "How fast rows are counted, and partial counts added up, by one processor."
    parts = [make(i, size) for i in range(4)]
    tables = [(part.drop(columns="y").to_numpy(), part.y.to_numpy()) for part in parts]
    begin = time.process_time()
    found = [find_patterns(X, y, thresholds) for X, y in tables]
    middle = time.process_time()
    merge(*found)
    n, k, end = 4 * size, sum(map(len, found)), time.process_time()
    print(f"  per CPU second: {n / (middle - begin) / 1e6:.1f} million rows counted, {k / (end - middle) / 1e6:.1f} million patterns added up; {k // 4} patterns a partition")


def main(rows=10_000_000, partitions=40):
    import dask.dataframe as dd
    from distributed import Client, LocalCluster
    size = rows // partitions
    with LocalCluster(n_workers=2, threads_per_worker=1, processes=True, memory_limit="2GB", dashboard_address=":0") as cluster, Client(cluster) as client:
        client.run(warmup)
        warmup()
        ddf, clock = dd.from_map(make, range(partitions), n=size, meta=make(0, 0)), Clock(client)
        print(f"{rows} rows x {P} columns in {partitions} partitions, {rows * P * 8 / 2**20:.0f} MB in all")
        clock("making the rows", lambda: ddf.map_partitions(lambda part: part.iloc[:1], meta=ddf._meta).compute())
        sample = clock("a sample, with making the rows", lambda: ddf.sample(frac=min(1, 100_000 / rows), random_state=0).compute())
        for max_columns, depth in ((None, 3), (24, 5)):
            thresholds = end_to_end(ddf, sample, size * partitions, max_columns, depth, clock)
            print_rates(thresholds, size)
        print(f"\npeak memory: workers {[round(o) for o in client.run(peak).values()]} MB, this process {peak():.0f} MB")


PIECE = 500_000   # rows of a file


def write_files(folder, rows):
    "The same rows as Parquet files; returns their size in bytes."
    for i, first in enumerate(range(0, rows, PIECE)):
        make(i, min(PIECE, rows - first)).to_parquet(folder / f"{i:05}.parquet", index=False)
    return sum(o.stat().st_size for o in folder.iterdir())


def fit_files(folder):
    "A fit, alone in its process: seconds of each phase, and peak memory."
    from guesstree import GuessTreeClassifier
    warmup()
    before, busy = peak(), time.process_time()
    clf = GuessTreeClassifier(LAM, max_depth=5, time_limit=None).fit(folder, "y")
    print(f"  {clf.status_}, objective {clf.objective_:.6f}, {clf.n_leaves_} leaves, {len(clf.thresholds_)} columns, {len(clf.facts_.patterns)} patterns; {clf.elimination_}")
    print("  seconds: " + ", ".join(f"{k} {v:.1f}" for k, v in clf.timings_.items()) + f"; {time.process_time() - busy:.1f} of processors")
    print(f"  peak memory {peak():.0f} MB, {before:.0f} MB before the fit", flush=True)
    assert clf.facts_.patterns.n == clf.leaf_weights_.sum()


def files(rows=10_000_000, parent=None):
    "Parquet files, read where they are: rows per CPU second of each reading, then a fit."
    from guesstree.engine.sources import count_rows, learn_rows, open_source
    folder = Path(tempfile.mkdtemp(dir=parent))
    try:
        room = shutil.disk_usage(folder).free
        if room < 120 * rows: sys.exit(f"{rows} rows need {120 * rows / 2**30:.0f} GB, {folder} has {room / 2**30:.0f}")
        print(f"{rows} rows x {P} columns in files of {PIECE} rows: {write_files(folder, rows) / 2**20:.0f} MB", flush=True)
        source = open_source(folder)
        sample = make(0, 100_000)
        X, y = sample.drop(columns="y").to_numpy(), sample.y.to_numpy()
        guess = guess_thresholds(X, y, max_work=2**24)
        def timed(step, call):
            begin = time.process_time(), time.perf_counter()
            found = call()
            cpu, wall = time.process_time() - begin[0], time.perf_counter() - begin[1]
            print(f"  {step:44} {rows / cpu / 1e6:6.2f} million rows per CPU second, {wall:7.1f} s on the wall", flush=True)
            return found
        timed("Arrow hands out its batches", lambda: sum(o.num_rows for o in source.batches()))
        learned = timed("first reading: columns, labels, lots", lambda: learn_rows(source, "y"))
        timed("second reading: patterns", lambda: count_rows(learned, guess.thresholds))
        found = timed("second reading, with losses of T and T'", lambda: count_rows(learned, guess.thresholds, guess.reference, guess.reference))
        assert found.patterns.n == rows
        subprocess.run([sys.executable, __file__, "fit", str(folder)], check=True)
    finally:
        shutil.rmtree(folder)


if __name__ == "__main__":
    if sys.argv[1:2] == ["files"]: files(*map(int, sys.argv[2:3]), *sys.argv[3:4])
    elif sys.argv[1:2] == ["fit"]: fit_files(sys.argv[2])
    else: main(*map(int, sys.argv[1:]))
