"""guesstree and the published solvers on the same problems, each in a process of its own, one thread.

    python benchmarks/rivals.py [--limit SECONDS] [--only WORD]

Every row of the table is one problem: CPU seconds and peak memory (MB) of each solver in this run, compile time apart, and the ratio of the
fastest exact rival to guesstree. Objectives of all solvers that finish must agree. Problems come from the folder GUESSTREE_BENCH (0/1
problems `<name>.npz` with arrays X, y, ref) and from `guesstree.data.load`; those that are not there are left out and named.
"""
import argparse
import json
import math
import os
import resource
import subprocess
import sys
import time
import warnings
from pathlib import Path

os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1", NUMBA_NUM_THREADS="1")
LAM = dict(spiral=0.01, broward=0.005, compas=0.001, fico=0.0005, takeaway=0.001, restaurant=0.001, cancer=0.005)
EXACT = ("guesstree", "streed", "gosdt", "contree")
REDUCED = ("spiral", "broward", "compas", "fico", "restaurant", "takeaway")
TASKS = [(f"reduced {name}", 5, EXACT + ("guessed", "licketysplit")) for name in REDUCED]
TASKS += [("full compas", d, ("guesstree", "streed", "contree")) for d in (3, 4, 5)]
TASKS += [("full broward", 3, ("guesstree", "streed", "contree")), ("full fico", 3, ("guesstree",))]
TASKS += [("full cancer", d, ("guesstree", "contree")) for d in (2, 3)]
TASKS += [(f"reduced {name}", None, ("guesstree", "streed", "gosdt")) for name in ("spiral", "broward", "compas", "fico")]


def folder():
    here = Path(os.environ.get("GUESSTREE_BENCH", "../shared/bench/reduced"))
    return here if here.is_dir() else None


def problem(task):
    "0/1 matrix, labels, labels of the reference (or None), and the raw table (or None)."
    import numpy as np

    from guesstree.data import load
    from guesstree.notation import binarize, split_points
    kind, name = task.split()
    if kind == "reduced":
        z = np.load(folder() / f"{name}.npz")
        return z["X"].astype(bool), z["y"], z["ref"], None
    if name == "cancer":
        from sklearn.datasets import load_breast_cancer
        X, y = load_breast_cancer(return_X_y=True)
        return X[:, :0].astype(bool), y, None, X          # 15,310 split points: never made into columns
    data = load(name)
    return binarize(data.X, split_points(data.X)), data.y, None, data.X


def run_guesstree(X, y, raw, lam, depth, limit, **guess):
    from guesstree import solve
    from guesstree.notation import find_patterns, split_points
    if raw is None:
        r = solve(X, y, lam=lam, max_depth=depth, time_limit=limit, **guess)
    else:
        r = solve(find_patterns(raw, y, split_points(raw)), lam=lam, max_depth=depth, time_limit=limit)
    return r.objective, r.status


def run_streed(X, y, raw, lam, depth, limit):
    from pystreed import STreeDClassifier
    m = STreeDClassifier("cost-complex-accuracy", max_depth=20 if depth is None else depth, cost_complexity=lam, time_limit=limit)
    m.fit(X.astype("int32"), y.astype("int32"))
    return float((m.predict(X.astype("int32")) != y).mean() + lam * m.get_n_leaves()), "optimal" if m.fit_result.is_optimal() else "time_limit"


def run_gosdt(X, y, raw, lam, depth, limit):
    import pandas as pd
    from gosdt import GOSDTClassifier
    m = GOSDTClassifier(regularization=lam, depth_budget=depth, time_limit=int(limit), allow_small_reg=True)
    m.fit(pd.DataFrame(X.astype(bool)), pd.Series(y))
    r = m.result_
    done = r.lowerbound >= r.upperbound - 1e-9
    return float(r.upperbound), "optimal" if done else "time_limit"


def run_contree(X, y, raw, lam, depth, limit):
    import pandas as pd
    from pycontree import ConTree
    table = pd.DataFrame(X.astype(float) if raw is None else raw)
    m = ConTree(max_depth=20 if depth is None else depth, complexity_cost=lam, time_limit=limit)
    begin = time.perf_counter()   # its limit counts the clock on the wall, and it tells neither objective nor whether it finished
    m.fit(table, y)
    return None, "optimal" if time.perf_counter() - begin < 0.95 * limit else "time_limit"


def run_licketysplit(X, y, raw, lam, depth, limit):
    from licketysplit import LicketySPLITClassifier
    m = LicketySPLITClassifier(lambda_leaf=lam, depth_budget=depth, lookahead_k=2)
    m.fit(X.astype("uint8"), y.astype("int32"))
    return float(m.objective_) / len(y), "no proof"


def one(who, task, depth, limit):
    "One measurement, as a line of JSON."
    warnings.simplefilter("ignore")
    X, y, ref, raw = problem(task)
    lam, call = LAM[task.split()[1]], globals().get(f"run_{who}")
    if who in ("guesstree", "guessed"):
        from guesstree import warmup
        warmup()
        call = run_guesstree
    else:
        call(X[:40, :4] if raw is None else raw[:40, :4] > raw[0, :4], y[:40], None, 0.1, 2, 5)   # imports are not part of the measurement
    guess = dict(y_ref=ref, lower_bound="tight") if who == "guessed" else {}
    times, (value, status) = [], (None, None)
    while not times or (len(times) < 5 and sum(times) < 2):
        begin = time.process_time()
        value, status = call(X, y, raw, lam, depth, limit, **guess)
        times.append(time.process_time() - begin)
    print("\n" + json.dumps(dict(cpu=min(times), mb=resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024, value=value, status=status)))


def measure(who, task, depth, limit):
    "Run one measurement in its own process; None if the solver is not installed or fails."
    command = [sys.executable, __file__, "--one", who, task, str(depth), "--limit", str(limit)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=8 * limit + 120)
        return json.loads(done.stdout.strip().splitlines()[-1])
    except (subprocess.TimeoutExpired, IndexError, json.JSONDecodeError):
        return None


def show(who, r, limit):
    if r is None:
        return f"{who}: failed"
    mark = "" if r["status"] in ("optimal", "guess_optimal", "no proof") else ">"
    return f"{who}: {mark}{r['cpu']:.4g} s, {r['mb']} MB"


def main(limit, only):
    ratios, wrong = {}, []
    for task, depth, solvers in TASKS:
        if only and only not in f"{task} {depth}":
            continue
        if task.startswith("reduced") and folder() is None:
            print(f"{task}: left out, no folder GUESSTREE_BENCH")
            continue
        found = {who: measure(who, task, depth, limit) for who in solvers}
        ours = found["guesstree"]
        rivals = {w: r for w, r in found.items() if w in EXACT[1:] and r and r["status"] == "optimal"}
        best = min((r["cpu"] for r in rivals.values()), default=None)
        if best and ours:
            ratios[task, depth] = best / ours["cpu"]
        values = {round(r["value"], 6) for w, r in found.items() if r and w in EXACT and r["status"] == "optimal" and r["value"] is not None}
        if len(values) > 1:
            wrong.append((task, depth, values))
        ratio = f"{ratios[task, depth]:.1f} times the fastest exact rival" if (task, depth) in ratios else "no exact rival finished"
        print(f"{task} depth {depth}: objective {ours['value']:.6f} ({ours['status']}), {ratio}")
        for who, r in found.items():
            value = "" if r is None or r["value"] is None else f", objective {r['value']:.6f}"
            print("    " + show(who, r, limit) + value, flush=True)
    six = [v for (task, d), v in ratios.items() if task.startswith("reduced") and d == 5]
    if six:
        print(f"\nreduced problems at depth 5: geometric mean {math.exp(sum(map(math.log, six)) / len(six)):.1f}, least {min(six):.1f}, over {len(six)} problems")
    print("objectives agree" if not wrong else f"OBJECTIVES DIFFER: {wrong}")
    return bool(wrong)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--limit", type=float, default=60, help="seconds for each solver and problem")
    parser.add_argument("--only", help="only problems whose name and depth contain this")
    parser.add_argument("--one", nargs=3, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.one:
        one(args.one[0], args.one[1], None if args.one[2] == "None" else int(args.one[2]), args.limit)
    else:
        sys.exit(main(args.limit, args.only))
