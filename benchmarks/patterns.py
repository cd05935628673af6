"""Rows become patterns: how long it takes compared with reading the rows, and with `np.unique(axis=0)`.

    python benchmarks/patterns.py [rows]
"""
import resource
import sys
import time

import numpy as np

from guesstree.notation import split_points
from guesstree.engine.patterns import find_patterns


def seconds(call, repeat=3):
    "CPU seconds of the fastest of a few calls."
    best = float("inf")
    for _ in range(repeat):
        start = time.process_time()
        call()
        best = min(best, time.process_time() - start)
    return best


def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def report(title, X, y, thresholds, plain):
    find_patterns(X[:100_000], y[:100_000], thresholds)  # compile first
    before = peak()
    ours = seconds(lambda: find_patterns(X, y, thresholds))
    grown = peak() - before
    read = seconds(lambda: X.sum())
    sample = len(X) // 20  # the plain way is too slow for all rows; it is linear, or a little worse
    unique = 20 * seconds(lambda: plain(sample), repeat=1)
    found = find_patterns(X, y, thresholds)
    print(f"{title:34} {len(found):9} {read:8.2f} {ours:8.2f} {ours / read:11.1f} {unique:11.1f} {unique / ours:9.0f} {grown:8.0f}")


def main(n=10_000_000, p=20):
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, n)
    print(f"{n} rows x {p} columns, CPU seconds, one thread\n")
    print(f"{'table':34} {'patterns':>9} {'X.sum()':>8} {'patterns':>8} {'/ reading':>11} {'np.unique*':>11} {'ratio':>9} {'MB grown':>8}")
    bits = np.empty((n, p), dtype=bool)
    for a in range(0, n, 1 << 20):
        bits[a:a + (1 << 20)] = rng.random((min(1 << 20, n - a), p), dtype=np.float32) < 0.1
    both = lambda k: np.unique(np.column_stack([bits[:k], y[:k]]), axis=0, return_counts=True)
    report("0/1 matrix, one yes in ten", bits, y, None, both)
    bits = None   # its memory is free again
    X = np.empty((n, p))
    for a in range(0, n, 1 << 20):
        X[a:a + (1 << 20)] = rng.integers(0, 50, (min(1 << 20, n - a), p))
    thresholds = [t for t in split_points(X[:1000]) if t.value in (4.5, 24.5, 39.5) and t.feature < 6]
    both = lambda k: np.unique(np.column_stack([*(X[:k, j] <= t for j, t in thresholds), y[:k]]), axis=0, return_counts=True)
    report(f"numbers, {len(thresholds)} thresholds", X, y, thresholds, both)
    print("\n* extrapolated from a twentieth of the rows")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
