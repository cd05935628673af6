"""How long do writing and verifying a proof log take, compared with the search, and how large is the log?

    python benchmarks/proofs.py [--depths 3,4,5] [--only compas] [--limit 100]

The six reduced problems of the paper's tables; hepatitis, where another solver's optimum is refuted; problems without a depth
limit; default fits of scikit-learn's tables. CPU seconds of one thread, best of three searches, one writing (with a limit in
seconds) and, if it takes less than a second, the best of three readings. Fails only if a log is rejected.
"""
import argparse
import gzip
import os
import sys
import tempfile
import time
from fractions import Fraction
from pathlib import Path

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # before NumPy: small products are slower on more threads

import numpy as np  # noqa: E402

from sklearn.datasets import load_breast_cancer, load_digits, load_iris, load_wine  # noqa: E402

from guesstree import GuessTreeClassifier, solve  # noqa: E402
from guesstree.checks.proof_logs import write_log  # noqa: E402
from guesstree.checks.verifier import verify  # noqa: E402
from guesstree.engine.patterns import Patterns, find_patterns  # noqa: E402

REDUCED = dict(spiral="0.01", broward="0.005", compas="0.001", fico="0.0005", takeaway="0.001", restaurant="0.001")


def seconds(run, times=1):
    "(CPU seconds, best of several, what came out)."
    best = []
    for _ in range(times):
        begin = time.process_time()
        out = run()
        best.append(time.process_time() - begin)
    return min(best), out


def row(name, X, y, lam, depth, folder, limit=None):
    "One line of the table; True unless a log was rejected."
    lam, path = Fraction(lam), Path(folder) / f"{name}.proof"
    solve(X, y, lam=lam, max_depth=depth)  # compiles
    search, r = seconds(lambda: solve(X, y, lam=lam, max_depth=depth), 3)
    rows = X if isinstance(X, Patterns) else find_patterns(X, y)
    writing, proven = seconds(lambda: write_log(path, rows, r, lam, depth, time_limit=limit))
    if proven is None:
        print(f"| {name} | {depth} | {r.objective:.6f} | {search:.4f} | {writing:.2f}: no log |", flush=True)
        return True
    if isinstance(X, Patterns):
        X = None
    reading, verdict = seconds(lambda: verify(path, X, y))
    if reading < 1:
        reading = min(reading, seconds(lambda: verify(path, X, y), 2)[0])
    data = path.read_bytes()
    steps = data.count(b'"look"')
    print(f"| {name} | {depth} | {r.objective:.6f} | {search:.4f} | {writing:.2f} | {reading:.2f} | {reading / search:.1f} | {steps} | "
          f"{len(data) / 1000:.0f} | {len(gzip.compress(data)) / 1000:.0f} | {verdict.words.split(',')[0]} |", flush=True)
    return verdict.accepted


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--depths", default="3,4,5")
    parser.add_argument("--only", default="")
    parser.add_argument("--limit", type=float)
    args = parser.parse_args()
    bench, fine = Path(os.environ["GUESSTREE_BENCH"]), True
    print("| problem | depth | objective | search, s | writing, s | verifying, s | verifying / search | lines | kB | kB, gzip | verdict |")
    print("| --- " * 11 + "|")
    with tempfile.TemporaryDirectory() as folder:
        for name, lam in REDUCED.items():
            z = np.load(bench / "reduced" / f"{name}.npz")
            for depth in map(int, args.depths.split(",")):
                if args.only in name:
                    fine &= row(name, z["X"], z["y"], lam, depth, folder)
        if args.only in "hepatitis":
            z = np.load(bench / "dl85" / "hepatitis.npz")
            fine &= row("hepatitis", z["X"], z["y"], "0.005", 4, folder)
        for path in sorted((bench / "unlimited").glob("*.npz")):
            z = np.load(path)
            if args.only in path.stem:
                fine &= row(path.stem, z["X"], z["y"], str(z["lam"]), None, folder, args.limit)
        for load in (load_iris, load_wine, load_breast_cancer, load_digits):
            if args.only in load.__name__:
                f = GuessTreeClassifier(random_state=0).fit(*load(return_X_y=True)).facts_
                fine &= row(load.__name__, f.patterns, None, f.lam, f.max_depth, folder, args.limit)
    return int(not fine)


if __name__ == "__main__":
    sys.exit(main())
