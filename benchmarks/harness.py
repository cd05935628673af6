"""What the benchmarks share: the problems, how each solver is called, and one measurement in a process of its own, one thread.

Problems come from the folder GUESSTREE_BENCH (`<kind>/<name>.npz` with arrays X, y; `reduced` also has ref, `unlimited` lam) and from
`guesstree.data.load`. Imports and
compilation are not timed. `fit` or `solve` is measured as a whole, the way a user calls it. Peak memory is that of the process: where it had to
compile guesstree (the first run after a change) it holds the compiler too, so read memory from a second run.
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

LAM = dict(spiral=0.01, broward=0.005, compas=0.001, fico=0.0005, takeaway=0.001, restaurant=0.001, cancer=0.005)
REDUCED = [f"reduced {name}" for name in ("spiral", "broward", "compas", "fico", "restaurant", "takeaway")]
KINDS = ("reduced", "unlimited", "continuous", "dl85")
RUNS = 25   # at most, and none is started after 2 s: a few milliseconds need many runs to compare
FINISHED = ("optimal", "guess_optimal", "no proof")


def folder(kind):
    here = Path(os.environ.get("GUESSTREE_BENCH", "../shared/bench")) / kind
    return here if here.is_dir() else None


def problem(task):
    "0/1 matrix, labels, labels of the reference (or None), and the raw table (or None)."
    import numpy as np

    from guesstree.data import load
    from guesstree.notation import binarize, split_points
    kind, name = task.split()
    if kind in KINDS:
        z = np.load(folder(kind) / f"{name}.npz")
        if kind == "continuous":
            return z["X"][:, :0].astype(bool), z["y"], None, z["X"]
        return z["X"].astype(bool), z["y"], z["ref"] if "ref" in z else None, None
    if name == "cancer":
        from sklearn.datasets import load_breast_cancer
        X, y = load_breast_cancer(return_X_y=True)
        return X[:, :0].astype(bool), y, None, X          # 15,310 split points: never made into columns
    data = load(name)
    return binarize(data.X, split_points(data.X)), data.y, None, data.X


def own_price(kind, name):
    "The price of the paper, or the one that was published with the problem."
    import numpy as np
    return float(np.load(folder(kind) / f"{name}.npz")["lam"]) if kind == "unlimited" else LAM[name]


# Each solver: objective (None if it does not tell), status, and whatever else is worth comparing.

def run_guesstree(X, y, raw, lam, depth, limit, guess=None, y_ref=None, **options):
    from guesstree import solve
    from guesstree.notation import split_points
    from guesstree.engine.patterns import find_patterns
    if guess:
        options.update(y_ref=y_ref, lower_bound=guess)
    data = (X, y) if raw is None else (find_patterns(raw, y, split_points(raw)),)
    r = solve(*data, lam=lam, max_depth=depth, time_limit=limit, **options)
    return dict(value=r.objective, status=r.status, tree=repr(r.tree), low=r.lower_bound)


def run_streed(X, y, raw, lam, depth, limit):
    from pystreed import STreeDClassifier
    m = STreeDClassifier("cost-complex-accuracy", max_depth=20 if depth is None else depth, cost_complexity=lam, time_limit=limit)
    m.fit(X.astype("int32"), y.astype("int32"))
    value = float((m.predict(X.astype("int32")) != y).mean() + lam * m.get_n_leaves())
    return dict(value=value, status="optimal" if m.fit_result.is_optimal() else "time_limit")


def run_gosdt(X, y, raw, lam, depth, limit, guess=None, y_ref=None):
    import pandas as pd
    from gosdt import GOSDTClassifier
    m = GOSDTClassifier(regularization=lam, depth_budget=depth, time_limit=int(limit), allow_small_reg=True)
    try:
        m.fit(pd.DataFrame(X.astype(bool)), pd.Series(y), y_ref=None if y_ref is None else pd.Series(y_ref))
    except RuntimeError:                                   # "false convergence": there is no tree
        return dict(value=None, status="no tree")
    r = m.result_
    if guess:   # its bounds are guessed too: price the tree itself, and keep a tree that it calls not converged
        value, name = r.model_loss + lam * r.model.count('"prediction"'), r.status.name.lower()
        return dict(value=float(value), status=dict(converged="guess_optimal", timeout="time_limit").get(name, name))
    return dict(value=float(r.upperbound), status="optimal" if r.lowerbound >= r.upperbound - 1e-9 else "time_limit")


def run_imodels(X, y, raw, lam, depth, limit):
    "Knows no depth limit."
    from imodels import FastSmallTreeClassifier
    m = FastSmallTreeClassifier(regularization=lam, time_limit=limit).fit(X.astype("uint8"), y)
    return dict(value=float(m.objective_), status="optimal" if m.optimal_ else "time_limit")


def run_contree(X, y, raw, lam, depth, limit):
    import pandas as pd
    from pycontree import ConTree
    table = pd.DataFrame(X.astype(float) if raw is None else raw)
    m = ConTree(max_depth=20 if depth is None else depth, complexity_cost=lam, time_limit=limit)
    begin = time.perf_counter()   # its limit counts the clock on the wall, and it tells neither objective nor whether it finished
    m.fit(table, y)
    return dict(value=None, status="optimal" if time.perf_counter() - begin < 0.95 * limit else "time_limit")


def run_dl85(X, y, raw, lam, depth, limit, min_sup=1):
    "Knows no price: for `lam=0` only."
    from pydl85 import DL85Classifier
    m = DL85Classifier(max_depth=depth, min_sup=min_sup, time_limit=int(limit))
    m.fit(X.astype("int32"), y.astype("int32"))
    return dict(value=None if m.tree_ is None else m.error_ / len(y), status="time_limit" if m.timeout_ else "optimal")


def run_pytrees(X, y, raw, lam, depth, limit, rule=None):
    "Knows no price: for `lam=0` only. With a rule an anytime search, which tells when it found what."
    from pytrees import DL85Classifier, rules
    rule = {} if rule is None else {rule: dict(discrepancy=rules.DiscrepancyRule, topk=rules.TopKRule, gain=rules.GainRule)[rule]()}
    m, trace = DL85Classifier(max_depth=depth, max_time=limit, heuristic="information_gain", **rule), []
    m.fit_anytime(X.astype("int64"), y, lambda error, seconds, status: trace.append((seconds, error / len(y))))
    return dict(value=float(m.train_error_ / len(y)), status=m.status_, trace=trace)


def run_licketysplit(X, y, raw, lam, depth, limit):
    from licketysplit import LicketySPLITClassifier
    m = LicketySPLITClassifier(lambda_leaf=lam, depth_budget=depth, lookahead_k=2)
    m.fit(X.astype("uint8"), y.astype("int32"))
    return dict(value=float(m.objective_) / len(y), status="no proof")


def prepare(call, lam, options):
    "Import and compile: solve something small first."
    import numpy as np
    X = np.random.default_rng(0).integers(0, 2, (40, 4)).astype(bool)
    y = X[:, 0] ^ (X[:, 1] & X[:, 2])
    if call is run_guesstree:
        from guesstree import warmup
        warmup()
    call(X, y.astype(int), None, lam, 2, 5, **{k: y.astype(int) if k == "y_ref" else v for k, v in options.items()})


def one(who, task, depth, limit, lam, options):
    "One measurement, as a line of JSON: the least time of a few runs; of time on the wall and objective also the worst."
    warnings.simplefilter("ignore")
    X, y, ref, raw = problem(task)
    call = globals()[f"run_{who}"]
    if "guess" in options:
        options["y_ref"] = ref
    lam = own_price(*task.split()) if lam is None else lam
    prepare(call, 0.1 if lam else 0, options)
    if call is run_guesstree:     # which engine suits, and so what is compiled, depends on the problem
        for _ in range(2):        # a run that spends its limit on compiling stops before it has compiled all
            call(X, y, raw, lam, depth, min(limit, 0.1), **options)
    cpu, wall, values = [], [], []
    while not cpu or (len(cpu) < RUNS and sum(cpu) < 2):
        begin = time.process_time(), time.perf_counter()
        found = call(X, y, raw, lam, depth, limit, **options)
        cpu.append(time.process_time() - begin[0])
        wall.append(time.perf_counter() - begin[1])
        values.append(found["value"])
    found.update(cpu=min(cpu), wall=min(wall), slowest=max(wall), mb=resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)
    print("\n" + json.dumps(dict(found, worst=None if None in values else max(values))))


def measure(who, task, depth, limit, lam=None, threads=1, **options):
    "Run one measurement in its own process; None if the solver is not installed or fails. `lam=None`: the price of the paper."
    job = json.dumps([who, task, depth, limit, lam, options])
    env = dict(os.environ, OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1", NUMBA_NUM_THREADS=str(threads))
    try:
        done = subprocess.run([sys.executable, __file__, job], capture_output=True, text=True, timeout=8 * limit + 400, env=env)
        return json.loads(done.stdout.strip().splitlines()[-1]) if done.returncode == 0 else None
    except (subprocess.TimeoutExpired, IndexError, json.JSONDecodeError):
        return None


def finished(r):
    return r is not None and r["status"] in FINISHED


def show(who, r, clock="cpu"):
    "One solver's line; `>` marks a run that was stopped."
    if r is None:
        return f"    {who}: failed"
    value = "" if r["value"] is None else f", objective {r['value']:.6f}"
    status = "" if finished(r) or r["status"] == "time_limit" else f" ({r['status']})"
    return f"    {who}: {'>' if r['status'] == 'time_limit' else ''}{r[clock]:.4g} s, {r['mb']} MB{value}{status}"


def geometric_mean(ratios):
    return math.exp(sum(map(math.log, ratios)) / len(ratios))


def chosen(tasks, only, section=""):
    "The rows (task, depth, ...) of a table whose section, name and depth contain `only` and whose problem is there; the rest is named."
    for row in tasks:
        if only and only not in f"{section} {row[0]} {row[1]}":
            continue
        kind = row[0].split()[0]
        if kind in KINDS and folder(kind) is None:
            print(f"{row[0]} depth {row[1]}: left out, no folder GUESSTREE_BENCH")
        else:
            yield row


def arguments(doc, limit=60):
    parser = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--limit", type=float, default=limit, help="seconds for each solver and problem")
    parser.add_argument("--only", help="only problems whose section, name and depth contain this, as in 'reduced compas 5'")
    return parser.parse_args()


if __name__ == "__main__":
    one(*json.loads(sys.argv[1]))
