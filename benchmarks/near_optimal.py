"""How long does it take to count all trees that are almost as good as the best one, and how much memory, against tree-praxis?

    python benchmarks/near_optimal.py [--praxis PYTHON] [--only WORDS]

Reduced problems of the paper; one process and one thread for each measurement, CPU seconds, imports and compilation apart; peak memory of the
process. tree-praxis prices in whole rows: the price of a leaf is rounded, and so is the bound, so guesstree is asked with exactly that price and
bound. Its default prunes with trees that it finds by looking ahead, and may miss some; it is also run with a look-ahead as deep as the tree, which misses fewer.
PYTHON is an interpreter that has tree-praxis (default: this one). The script fails if tree-praxis lists trees that guesstree does not count.
"""
import argparse
import json
import os
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

TASKS = [("compas", 0.005, 5, 0.03), ("compas", 0.01, 5, 0.05), ("broward", 0.01, 4, 0.03), ("spiral", 0.02, 4, 0.05), ("fico", 0.005, 4, 0.02)]

OURS = """
import json, resource, sys, time
from fractions import Fraction
import numpy as np
from guesstree import near_optimal
path, depth, lam, within = sys.argv[1], int(sys.argv[2]), Fraction(sys.argv[3]), Fraction(sys.argv[4])
z = np.load(path)
near_optimal(z["X"][:400], z["y"][:400], Fraction(1, 50), depth, within=0.01, labels="any").count      # compiles
best = None
for _ in range(3):
    begin = time.process_time()
    found = near_optimal(z["X"], z["y"], lam, depth, within=within, labels="any")
    next(iter(found))
    first = time.process_time() - begin
    count = found.count
    took = time.process_time() - begin
    best = min(best or (9e9,), (took, first))
print(json.dumps(dict(count=count, seconds=best[0], first=best[1], mb=resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)))
"""

THEIRS = """
import json, resource, sys, time
import numpy as np
from praxis import PRAXIS
path, depth, lam, within, look = sys.argv[1], int(sys.argv[2]), float(sys.argv[3]), float(sys.argv[4]), int(sys.argv[5])
z, best = np.load(path), 9e9
X, y = z["X"].astype(np.uint8), z["y"].astype(int)
for _ in range(3):
    begin, model = time.process_time(), PRAXIS()
    model.fit(X, y, lambda_reg=lam, depth_budget=depth, rashomon_mult=within, lookahead_k=look)
    count = model.count_trees()
    best = min(best, time.process_time() - begin)
said = dict(count=count, optimum=model.get_min_objective(), n=len(y), seconds=best, mb=resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)
print(); print(json.dumps(said))
"""


def asked(python, code, *words):
    "What a process of its own prints last; None if it fails."
    env = {**os.environ, "OMP_NUM_THREADS": "1", "NUMBA_NUM_THREADS": "1"}
    done = subprocess.run([python, "-c", code, *map(str, words)], capture_output=True, text=True, env=env, timeout=900)
    return json.loads(done.stdout.strip().splitlines()[-1]) if done.returncode == 0 else None


def line(who, r):
    first = f", first tree after {r['first']:.3f} s" if "first" in r else ""
    return f"  {who:34} {r['count']:>14,} trees {r['seconds']:8.3f} s {r['mb']:5} MB{first}"


def main(praxis, only):
    folder, wrong = Path(os.environ.get("GUESSTREE_BENCH", "")) / "reduced", 0
    if subprocess.run([praxis, "-c", "import praxis"], capture_output=True).returncode:
        print("skipped: tree-praxis is not installed (pip install tree-praxis==0.0.30, or --praxis PYTHON)")
        return 0
    for name, lam, depth, within in TASKS:
        path = folder / f"{name}.npz"
        if only and only not in f"{name} {lam} {depth}" or not path.is_file():
            print(f"skipped: {name}" + ("" if path.is_file() else f", there is no {path} (GUESSTREE_BENCH)"))
            continue
        theirs = {look: asked(praxis, THEIRS, path, depth, lam, within, look) for look in (1, depth)}
        known = next((r for r in theirs.values() if r), None)
        if known is None:
            print(f"{name}: tree-praxis failed")
            continue
        n, least = known["n"], min(r["optimum"] for r in theirs.values() if r)
        bound = Fraction(round(least * (1 + within)), least) - 1
        ours = asked(sys.executable, OURS, path, depth, Fraction(round(lam * n), n), bound)
        print(f"{name}, depth {depth}, leaf penalty {round(lam * n)} rows, within {float(bound):.4%}", line("guesstree", ours), sep="\n", flush=True)
        for look, r in theirs.items():
            if r:
                print(line(f"tree-praxis, look-ahead {look}", r), f"   ratio {r['seconds'] / ours['seconds']:.1f}, missed {ours['count'] - r['count']:,}")
                wrong += r["optimum"] == least and r["count"] > ours["count"]
    return int(wrong > 0)


if __name__ == "__main__":
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--praxis", default=sys.executable)
    options.add_argument("--only", default="")
    sys.exit(main(**vars(options.parse_args())))
