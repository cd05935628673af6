"""How the time of `solve` grows with rows, columns and depth: a table, the exponents, and a picture.

    python benchmarks/growth.py [growth.svg]
"""
import sys
import time
import warnings

import numpy as np

from guesstree import solve, warmup
from guesstree.use.drawing import figure_svg
from guesstree.notation import split_points
from guesstree.engine.patterns import find_patterns

LIMIT = 60


def table(n, features, values, seed=0):
    "A table of numbers whose labels follow a few thresholds, with noise."
    rng = np.random.default_rng(seed)
    X = rng.integers(0, values, (n, features), dtype=np.int32)
    score = (X[:, 0] > values // 2).astype(int) + (X[:, 1 % features] > values // 3) - (X[:, 2 % features] > values // 4)
    return X, ((score > 0) ^ (rng.random(n) < 0.2)).astype(int)


def cpu(X, y, lam, depth):
    "CPU seconds for patterns and search, number of patterns, status."
    begin = time.process_time()
    p = find_patterns(X, y, split_points(X[:50_000]))
    r = solve(p, lam=lam, max_depth=depth, time_limit=LIMIT, engine="search")
    return time.process_time() - begin, len(p), r.status


def growth(name, x, seconds):
    "How fast it grows, over the upper half: as a power, or per level of depth."
    half = len(x) // 2
    if len(x) - half < 2:
        return "too few points"
    slope = np.polyfit(x[half:] if name == "depth" else np.log(x[half:]), np.log(seconds[half:]), 1)[0]
    return f"times {np.exp(slope):.1f} a level" if name == "depth" else f"exponent {slope:.2f}"


SWEEPS = {
    "rows": ([10**k for k in range(3, 8)], lambda n: (*table(n, 5, 6), 0.002, 4)),
    "columns": ([10, 30, 100, 300, 1000, 2000], lambda m: (*table(3000, 10, 1 + m // 10), 0.002, 3)),
    "depth": ([2, 3, 4, 5, 6, 7, 8], lambda d: (*table(2000, 6, 5), 0.001, d)),
}


def main(picture=None):
    warnings.simplefilter("ignore")
    warmup()
    found = {}
    for name, (values, make) in SWEEPS.items():
        print(f"{name:>10} {'patterns':>9} {'CPU s':>9} status")
        rows = []
        for v in values:
            seconds, k, status = cpu(*make(v))
            print(f"{v:10} {k:9} {seconds:9.4f} {status}", flush=True)
            if status != "optimal":
                break
            rows.append((v, seconds))
        found[name] = np.array(rows, float).T
        print(f"over the upper half: {growth(name, *found[name])}\n")
    if picture:
        import matplotlib.pyplot as plt
        fig, axes = plt.subplots(1, 3, figsize=(10, 2.8))
        for ax, (name, (x, s)) in zip(axes, found.items()):
            (ax.semilogy if name == "depth" else ax.loglog)(x, s, "o-")
            ax.set(xlabel=name, ylabel="CPU seconds", title=growth(name, x, s))
        with open(picture, "w") as f:
            f.write(figure_svg(fig))


if __name__ == "__main__":
    main(*sys.argv[1:])
