"""Ten million rows by twenty columns, from rows to certificate, on a Dask cluster of two processes: how long, and how much memory?

    python benchmarks/scale.py [rows] [partitions]

The table is made partition by partition where it is counted, so no process ever holds more than one; making it takes longer than counting it, and is
measured apart. The thresholds come from a sample; patterns, objectives and certificates from all rows. Two searches: shallow with all thresholds that the
reference needs, and deep with the 24 best.
"""
import sys
import time
from pathlib import Path

import dask.dataframe as dd
import numpy as np
import pandas as pd
from distributed import Client, LocalCluster

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


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
