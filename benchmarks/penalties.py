"""The default fit, which chooses its leaf penalty, against CART pruned by cross-validation and against boosting: accuracy on rows held out, leaves, seconds of
the processor.

    python benchmarks/penalties.py [--limit SECONDS] [--only NAME ...] [--folder FOLDER]

With a folder: the tables are its CSV files, the last column of each is the label. Numbers, categories and gaps come as pandas reads them; CART gets
a 0/1 column for each category, and handles gaps in numbers itself.

Five folds of each table; each fit chooses on its own training rows only, by five inner folds, the same ones for both (ours deals small tables again).
CART: scikit-learn's, `ccp_alpha` by the best mean over these folds, among the steps of its pruning path: all of them, or the last fifty and fifty of the
others. A row is marked `+` if our mean accuracy is at least CART's less half a standard error of CART's, with fewer leaves; `*` if it is more accurate
by two standard errors of the difference, where CART has settled for fewer leaves. Boosting is scikit-learn's, a hundred trees of depth 3, which see gaps as -1; behind its
accuracy are its seconds, and what part of them our fit takes. The last column but one is the accuracy that our fits expected (`path_`).

    python benchmarks/penalties.py --ends [--limit 10]

One fit without a limit of work of each whole table, and of three made ones with 4 to 12 classes and 100 columns or more: does it end within the limit, with which gap?
"""
import argparse
import os
import time
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.datasets import load_breast_cancer, load_digits, load_iris, load_wine, make_classification
from sklearn.ensemble import GradientBoostingClassifier
from sklearn.model_selection import StratifiedKFold
from sklearn.tree import DecisionTreeClassifier

from guesstree import GuessTreeClassifier, data
from guesstree.engine.penalties import deal

OURS = {"iris": load_iris, "wine": load_wine, "cancer": load_breast_cancer, "digits": load_digits}
PAPER = ("spiral", "compas", "broward", "restaurant", "takeaway", "netherlands_thresholded", "fico")
NUMBERS = ("bank", "page", "magic", "avila")
MADE = {"made, 4 classes": (2000, 120, 8, 4), "made, 8 classes": (5000, 100, 12, 8), "made, 12 classes": (3000, 200, 15, 12)}


def table(name, folder=None):
    "X and y, or None if the table is not at hand."
    if folder is not None:
        path = Path(folder, f"{name}.csv")
        frame = pd.read_csv(path) if path.exists() else None
        return frame if frame is None else (frame.iloc[:, :-1], frame.iloc[:, -1].to_numpy())
    if name in OURS:
        return OURS[name](return_X_y=True)
    if name in PAPER:
        t = data.load(name) if name in data.available() else None
        return t and (np.asarray(t.X), np.asarray(t.y))
    if name in MADE:
        n, p, informative, classes = MADE[name]
        return make_classification(n, p, n_informative=informative, n_classes=classes, random_state=0)
    path = Path(os.environ.get("GUESSTREE_BENCH", "."), "continuous", f"{name}.npz")
    return tuple(np.load(path)[k] for k in "Xy") if path.exists() else None


def some(X, rows):
    "Rows of an array or of a data frame."
    return X.iloc[rows] if hasattr(X, "iloc") else X[rows]


def numbers(X):
    "A table as CART reads it: a 0/1 column for each category, NaN for gaps of numbers."
    if not hasattr(X, "iloc"):
        return X
    words = [c for c in X if not pd.api.types.is_numeric_dtype(X[c])]
    coded = pd.get_dummies(X, columns=words, dummy_na=bool(X[words].isna().any(axis=None)))
    return coded.to_numpy(float, na_value=np.nan)


def links(model):
    "The penalty at which pruning makes a leaf of each node; -1: it is one."
    t = model.tree_
    left, right, n = t.children_left, t.children_right, t.node_count
    cost = t.impurity * t.weighted_n_node_samples / t.weighted_n_node_samples[0]
    above, below, leaves = np.full(n, -1), np.where(left < 0, cost, 0.0), (left < 0).astype(int)
    for i in range(n - 1, -1, -1):                        # children come after their parents
        for child in (left[i], right[i]) if left[i] >= 0 else ():
            above[child] = i
            below[i] += below[child]
            leaves[i] += leaves[child]
    link, now = np.where(left < 0, -1.0, np.inf), 0.0
    gain = np.full(n, np.inf)
    gain[left >= 0] = (cost - below)[left >= 0] / (leaves[left >= 0] - 1)
    while leaves[0] > 1:
        i = int(gain.argmin())
        now, under = max(now, gain[i]), [i]
        while under:
            j = under.pop()
            gain[j] = np.inf
            if link[j] == np.inf:
                link[j] = now
                under += [left[j], right[j]]
        saved, fewer, j = cost[i] - below[i], leaves[i] - 1, i
        while j >= 0:
            below[j] += saved
            leaves[j] -= fewer
            gain[j] = (cost[j] - below[j]) / (leaves[j] - 1) if leaves[j] > 1 else np.inf
            j = above[j]
    return link


def pruned_labels(model, link, alpha, X):
    "What the tree says when it is pruned with this penalty."
    t, X, at = model.tree_, X.astype(np.float32), np.zeros(len(X), int)
    while (rows := np.flatnonzero(link[at] > alpha)).size:
        i = at[rows]
        x = X[rows, t.feature[i]]
        left = np.where(np.isnan(x), t.missing_go_to_left[i] != 0, x <= t.threshold[i])
        at[rows] = np.where(left, t.children_left[i], t.children_right[i])
    return model.classes_[t.value[at, 0].argmax(axis=1)]


def pruned(X, y):
    "CART with the penalty that five folds choose."
    def grow(rows, **how): return DecisionTreeClassifier(random_state=0, **how).fit(X[rows], y[rows])
    everything, fold = np.arange(len(y)), deal(y)
    alphas = np.unique(np.maximum(0, links(grow(everything))))
    alphas = np.unique(np.r_[0, alphas[-50:], np.quantile(alphas, np.linspace(0, 1, 50), method="nearest")])
    scores = np.zeros((5, len(alphas)))
    for f in range(5):
        model = grow(fold != f)
        link = links(model)
        scores[f] = [np.mean(pruned_labels(model, link, a, X[fold == f]) == y[fold == f]) for a in alphas]
    best = alphas[scores.mean(axis=0).argmax()]
    return grow(everything, ccp_alpha=best * (1 + 1e-9))   # its own sums may be off by a rounding


def boosted(X, y): return GradientBoostingClassifier(random_state=0).fit(X, y)


def measure(X, y, limit):
    "Accuracy, leaves and seconds of all three on each of five folds; what our fits expected; how they ended."
    ours, cart, trees, hopes, ends = [], [], [], [], []
    def fitted(X, y): return GuessTreeClassifier(time_limit=limit).fit(X, y)
    for train, test in StratifiedKFold(5, shuffle=True, random_state=1).split(y, y):
        for out, make, Z in ((ours, fitted, X), (cart, pruned, numbers(X)), (trees, boosted, np.nan_to_num(numbers(X), nan=-1.0))):
            begin = time.process_time()
            model = make(some(Z, train), y[train])
            seconds = time.process_time() - begin - getattr(model, "timings_", {}).get("jit", 0)
            out.append((model.score(some(Z, test), y[test]), model.get_n_leaves() if out is not trees else 0, seconds))
            if out is ours:
                hopes.append(model.path_.trials[model.path_.chosen].mean if model.path_.trials else np.nan)
                ends.append(model.status_)
    return np.array(ours), np.array(cart), np.array(trees), np.array(hopes), ends


def compare(names, limit, folder=None):
    print(f"limit {limit:g} s\n| table | ours: accuracy / leaves / s | CART: accuracy / leaves / s | boosting: accuracy / s / ours takes | half se | | expected | ended |\n| --- | --- | --- | --- | --- | --- | --- | --- |")
    good = done = 0
    for name in names:
        found = table(name, folder)
        if found is None:
            print(f"| {name} | not at hand |")
            continue
        ours, cart, trees, hopes, ends = measure(*found, limit)
        (a, la, sa), (b, lb, sb), (g, _, sg) = (o.mean(axis=0) for o in (ours, cart, trees))
        half = cart[:, 0].std(ddof=1) / np.sqrt(len(cart)) / 2
        fine = a >= b - half and la < lb
        better = a - b > 2 * (ours - cart)[:, 0].std(ddof=1) / np.sqrt(len(cart))
        good, done = good + fine, done + 1
        mark = "+" if fine else "*" if better else ""
        ended = ", ".join(f"{ends.count(o)} {o}" for o in dict.fromkeys(ends))
        print(f"| {name} | {a:.4f} / {la:.1f} / {sa:.2f} | {b:.4f} / {lb:.1f} / {sb:.2f} | {g:.4f} / {sg:.2f} / {sa / sg:.2f} | {half:.4f} | {mark} | {np.nanmean(hopes):.4f} | {ended} |", flush=True)
    print(f"{good} of {done} tables: about as accurate as CART or more, with fewer leaves")


def end(names, limit, folder=None):
    print(f"limit {limit:g} s\n| table | rows, columns, classes | s | status | objective | gap / objective | penalty | leaves |\n| --- | --- | --- | --- | --- | --- | --- | --- |")
    for name in names:
        found = table(name, folder)
        if found is None:
            print(f"| {name} | not at hand |")
            continue
        begin = time.process_time()
        clf = GuessTreeClassifier(time_limit=limit, work_limit=None).fit(*found)
        seconds = time.process_time() - begin - clf.timings_["jit"]
        print(f"| {name} | {', '.join(map(str, found[0].shape))}, {len(clf.classes_)} | {seconds:.1f} | {clf.status_} | {clf.objective_:.4f} | {clf.gap_ / clf.objective_:.2f} "
              f"| {clf.regularization_:g} | {clf.n_leaves_} |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--limit", type=float, help="seconds for a fit of ours; 60, with --ends 10")
    parser.add_argument("--only", nargs="+")
    parser.add_argument("--folder", help="of CSV files, with the label in the last column")
    parser.add_argument("--ends", action="store_true", help="do fits end within the limit?")
    args = parser.parse_args()
    warnings.simplefilter("ignore")
    GuessTreeClassifier(time_limit=5).fit(*load_iris(return_X_y=True))   # compile
    own = args.folder and sorted(path.stem for path in Path(args.folder).glob("*.csv"))
    if args.ends:
        return end(args.only or own or (*NUMBERS, "digits", "wine", "cancer", *MADE), args.limit or 10, args.folder)
    compare(args.only or own or (*OURS, *PAPER, *NUMBERS), args.limit or 60, args.folder)


if __name__ == "__main__":
    main()
