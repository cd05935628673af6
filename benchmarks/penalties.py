"""The default fit, which chooses its leaf penalty, against CART pruned by cross-validation: accuracy on rows held out, leaves, seconds.

    python benchmarks/penalties.py [--limit SECONDS] [--only NAME ...]

Five folds of each table; each fit chooses on its own training rows only, by five inner folds. CART: scikit-learn's, `ccp_alpha` by `GridSearchCV`
over forty quantiles of its pruning path. A row is marked `+` if our mean accuracy is at least CART's less half a standard error of CART's, with
fewer leaves. The last lines compare the accuracy that a fit expects (`path_`) with the one that it has.
"""
import argparse
import os
import time
import warnings
from pathlib import Path

import numpy as np
from sklearn.datasets import load_breast_cancer, load_digits, load_iris, load_wine
from sklearn.model_selection import GridSearchCV, StratifiedKFold
from sklearn.tree import DecisionTreeClassifier

from guesstree import GuessTreeClassifier, data

OURS = {"cancer": load_breast_cancer, "iris": load_iris, "wine": load_wine, "digits": load_digits}
PAPER = ("broward", "compas", "fico", "restaurant", "takeaway")
NUMBERS = ("bank", "page", "magic", "avila")


def table(name):
    "X and y, or None if the table is not at hand."
    if name in OURS:
        return OURS[name](return_X_y=True)
    if name in PAPER:
        t = data.load(name) if name in data.available() else None
        return t and (np.asarray(t.X), np.asarray(t.y))
    path = Path(os.environ.get("GUESSTREE_BENCH", "."), "continuous", f"{name}.npz")
    return tuple(np.load(path)[k] for k in "Xy") if path.exists() else None


def pruned(X, y):
    "CART with the penalty that five folds choose."
    alphas = np.clip(DecisionTreeClassifier(random_state=0).cost_complexity_pruning_path(X, y).ccp_alphas, 0, None)
    few = np.unique(np.quantile(alphas, np.linspace(0, 1, 40)))
    return GridSearchCV(DecisionTreeClassifier(random_state=0), {"ccp_alpha": few}, cv=5).fit(X, y).best_estimator_


def measure(X, y, limit):
    "Accuracy, leaves and seconds of both on each of five folds; what our fits expected; how they ended."
    ours, cart, hopes, ends = [], [], [], []
    for train, test in StratifiedKFold(5, shuffle=True, random_state=1).split(X, y):
        for out, make in ((ours, lambda X, y: GuessTreeClassifier(time_limit=limit).fit(X, y)), (cart, pruned)):
            begin = time.perf_counter()
            model = make(X[train], y[train])
            seconds = time.perf_counter() - begin
            out.append((model.score(X[test], y[test]), model.get_n_leaves(), seconds))
            if out is ours:
                hopes.append(model.path_.trials[model.path_.chosen].mean if model.path_.trials else np.nan)
                ends.append(model.status_)
    return np.array(ours), np.array(cart), np.array(hopes), ends


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--limit", type=float, default=60, help="seconds for a fit of ours")
    parser.add_argument("--only", nargs="+", default=[*OURS, *PAPER, *NUMBERS])
    args = parser.parse_args()
    warnings.simplefilter("ignore")
    GuessTreeClassifier(time_limit=5).fit(*load_iris(return_X_y=True))   # compile
    print(f"limit {args.limit:g} s\n| table | ours: accuracy / leaves / s | CART: accuracy / leaves / s | half se | | expected | ended |\n| --- | --- | --- | --- | --- | --- | --- |")
    good = done = 0
    for name in args.only:
        found = table(name)
        if found is None:
            print(f"| {name} | not at hand |")
            continue
        ours, cart, hopes, ends = measure(*found, args.limit)
        (a, la, sa), (b, lb, sb) = ours.mean(axis=0), cart.mean(axis=0)
        half = cart[:, 0].std(ddof=1) / np.sqrt(len(cart)) / 2
        fine = a >= b - half and la < lb
        good, done = good + fine, done + 1
        ended = ", ".join(f"{ends.count(o)} {o}" for o in dict.fromkeys(ends))
        print(f"| {name} | {a:.4f} / {la:.1f} / {sa:.1f} | {b:.4f} / {lb:.1f} / {sb:.1f} | {half:.4f} | {'+' if fine else ''} | {np.nanmean(hopes):.4f} | {ended} |", flush=True)
    print(f"{good} of {done} tables: about as accurate as CART or more, with fewer leaves")


if __name__ == "__main__":
    main()
