"""The long run against wrong trees and false certificates: random problems, random fits, interrupts at random moments.

    python tools/fuzz.py problems FIRST LAST     solve against the oracle, and against pystreed if it is installed
    python tools/fuzz.py fits FIRST LAST         the estimator against the oracle: bounds, objectives, predictions, certificates
    python tools/fuzz.py interrupts FIRST LAST   Ctrl-C in the midst of a search
    python tools/fuzz.py restless FIRST LAST     problems whose searches begin with a glance and take a break at once, as on large tables

A number from FIRST to LAST - 1 seeds one problem and everything that is drawn about it, so a run can be stopped, resumed, or shared out
between machines. Every thousand seeds a line says what was done. A failure prints its seed and the smallest problem that still fails,
as a call that can be pasted; the exit status then is 1. What has been run so far is recorded in tests/README.md.
"""
import contextlib
import os
import signal
import sys
import threading
import time
import traceback
import warnings
from collections import Counter
from fractions import Fraction
from types import SimpleNamespace
from typing import NamedTuple

import numpy as np

from guesstree import GuessTreeClassifier, Leaf, solve
from guesstree.brute import best_by_rows
from guesstree.engine import search, solver
from guesstree.engine.certificate import optimality
from guesstree.engine.prices import as_fraction
from guesstree.notation import binarize, depth, n_leaves, predict, split_points
from guesstree.engine.tables import encode_table

EXACT = ("fast", "search", "boxes", "sweep", "pairs", "dl85", "gosdt")
GUESSED = ("fast", "search", "pairs", "dl85", "gosdt")
RULED = ("search", "boxes", "pairs")   # these break ties as the oracle does
STATUS = ("optimal", "guess_optimal", "work_limit", "time_limit", "memory_limit", "interrupted")
NEAR = 1e-12


@contextlib.contextmanager
def few_boxes_are_many():
    "Inside, `fast` tries Pairs before Boxes on small problems, too."
    usual, solver._MANY_BOXES = solver._MANY_BOXES, 1
    try:
        yield
    finally:
        solver._MANY_BOXES = usual


class Problem(NamedTuple):
    "A small problem, the labels of a reference, and what to ask of whom."
    Xb: np.ndarray
    y: np.ndarray
    y_ref: np.ndarray
    weight: np.ndarray       # whole numbers
    scale: float             # the solver gets weights divided by this power of two
    lam: float
    max_depth: int | None
    min_leaf: int
    engine: str
    guess: str | None
    guess_engine: str
    limits: dict

    @property
    def options(self):
        "What every call of `solve` gets."
        return dict(lam=self.lam, max_depth=self.max_depth, sample_weight=self.weight / self.scale, min_samples_leaf=self.min_leaf / self.scale)

    def call(self, **more):
        "The call in Python."
        words = [f"np.array({self.Xb.astype(int).tolist()})", repr(self.y.tolist())]
        options = {**self.options, "sample_weight": (self.weight / self.scale).tolist(), **more}
        return f"solve({', '.join(words + [f'{k}={v!r}' for k, v in options.items()])})"


def draw_columns(rng):
    "0/1 columns: even, sparse, thresholds of few numbers, one of each kind, few distinct rows; some twice, some turned over, some constant."
    n, kind = int(rng.integers(1, 15)), rng.integers(5)
    if kind < 2:
        Xb = rng.random((n, rng.integers(1, 6))) < (0.5, 0.12)[kind]
    elif kind == 2:
        X = rng.integers(0, rng.integers(2, 6), (n, rng.integers(1, 4)))
        Xb = binarize(X, split_points(X))
    elif kind == 3:
        Xb = rng.integers(0, 4, n)[:, None] == np.arange(4)
    else:
        Xb = (rng.random((3, 4)) < 0.5)[rng.integers(0, 3, n)]
    if Xb.shape[1]:
        Xb = Xb[:, rng.integers(0, Xb.shape[1], rng.integers(1, Xb.shape[1] + 2))]
        Xb = Xb ^ (rng.random(Xb.shape[1]) < rng.choice([0, 0.3, 1]))
    if rng.random() < 0.1:
        Xb = np.column_stack([Xb, np.full(n, rng.random() < 0.5)])
    return Xb.astype(bool)


def draw_labels(rng, Xb):
    "Labels: all equal, by a rule with noise, or by lot; and a reference from perfect to adversarial."
    n, c = len(Xb), int(rng.integers(1, 5))
    y = rng.integers(0, c, n)
    if Xb.shape[1] and rng.random() < 0.5:
        y = np.where(rng.random(n) < 0.15, y, Xb[:, 0] * (c - 1) ^ Xb[:, -1])
    away = rng.random(n) < rng.choice([0, 0.1, 0.4, 1])
    y_ref = np.where(away, (y + 1 + rng.integers(0, max(1, c - 1), n)) % max(2, c), y) if rng.random() < 0.8 else np.full(n, y[0])
    return y, y_ref


def draw_weights(rng, n):
    "Whole weights and a divisor: ones, small numbers, zeros among them, large numbers, numbers of very different size."
    kind = rng.integers(6)
    if kind < 2:
        return np.ones(n, np.int64), 1.0
    if kind == 2:
        return rng.integers(1, 6, n), float(rng.choice([1, 4]))
    if kind == 3:
        w = rng.integers(0, 3, n)
        return (w if w.any() else w + 1), 1.0
    if kind == 4:
        return rng.integers(1, rng.choice([10**9, 10**11]), n), 1.0
    return 10 ** rng.integers(0, rng.choice([5, 11]), n), float(rng.choice([1, 2]))


def takes(engine, max_depth, min_leaf):
    "Can an engine take a problem with these limits?"
    if engine != "sweep":
        return True
    return max_depth is not None and max_depth != "theorem" and max_depth <= 16 and min_leaf <= 1


def draw_problem(seed):
    "Everything about one problem."
    rng = np.random.default_rng([1, seed])
    Xb = draw_columns(rng)
    (y, y_ref), (w, scale) = draw_labels(rng, Xb), draw_weights(rng, len(Xb))
    total = int(w.sum())
    lam = float(rng.choice([0, 1e-9, 0.01, 0.05, 0.2, 0.5, 2, 1 / total, 2 / total, 1.5 / total, w[0] / total]))
    max_depth, min_leaf = [0, 1, 2, 3, 4, 5, 70, None][rng.integers(8)], int(rng.choice([0, 0, 0, 0, 2, 3, max(1, total // 4)]))
    allowed = [e for e in EXACT if takes(e, max_depth, min_leaf)]
    guessing = [e for e in GUESSED if takes(e, max_depth, min_leaf)]
    guess = ("paper", "gosdt", "tight")[rng.integers(3)] if rng.random() < 0.3 else None
    limits = {} if rng.random() < 0.8 else [dict(time_limit=float(rng.choice([0, 1e-4, 1e-3, 5e-3]))), dict(memory_limit=int(rng.integers(2)))][rng.integers(2)]
    return Problem(Xb, y, y_ref, w, scale, lam, max_depth, min_leaf, str(rng.choice(allowed)), guess, str(rng.choice(guessing)), limits)


def need(fine, *words):
    if not fine:
        raise AssertionError(" ".join(map(str, words)))


def own_cost(tree, Xb, y, w, lam):
    "The exact objective of a tree, counted anew."
    wrong = int(w[predict(tree, Xb) != y].sum()) if len(Xb) else 0
    return Fraction(wrong, int(w.sum())) + as_fraction(lam) * n_leaves(tree)


def leaf_sizes(tree, Xb, w):
    if isinstance(tree, Leaf):
        return [int(w.sum())]
    yes = Xb[:, tree.column]
    return leaf_sizes(tree.yes, Xb[yes], w[yes]) + leaf_sizes(tree.no, Xb[~yes], w[~yes])


def upper(p):
    "Theorem 4.3's bound: errors of the reference plus the best tree for what it gets right."
    ok, n = p.y == p.y_ref, int(p.weight.sum())
    kept = int(p.weight[ok].sum())
    if not kept:
        return 1 + as_fraction(p.lam)
    best = best_by_rows(p.Xb[ok], p.y[ok], as_fraction(p.lam) * n / kept, p.max_depth, p.weight[ok])
    return Fraction(n - kept, n) + best.cost * kept / n


def check_result(p, r, best, engine):
    "What is true of every result, stopped or not, guessed or not."
    cost, size = float(best.cost), 1 + p.lam
    need(r.status in STATUS, "status", r.status)
    need(abs(r.objective - float(own_cost(r.tree, p.Xb, p.y, p.weight, p.lam))) <= NEAR * size, "objective", r.objective, "is not the tree's own")
    need(r.objective >= cost - NEAR * size, "objective", r.objective, "below the optimum", cost)
    need(r.lower_bound <= cost + NEAR * size, "lower bound", r.lower_bound, "above the optimum", cost)
    need(abs(r.gap - (r.objective - r.lower_bound)) <= NEAR * size, "gap", r.gap)
    need((r.n_leaves, r.depth) == (n_leaves(r.tree), depth(r.tree)), "leaves and depth")
    need(p.max_depth is None or r.depth <= p.max_depth, "too deep:", r.depth)
    need(r.n_leaves == 1 or min(leaf_sizes(r.tree, p.Xb, p.weight)) >= p.min_leaf, "leaves too small")
    if r.status == "optimal":
        need(r.objective <= cost + NEAR * size and r.gap == 0, "called optimal at", r.objective, "with an optimum of", cost)


def check_exact(p, best, count):
    "One engine without a guess; without limits it finds the tree of the oracle."
    r = solve(p.Xb, p.y, engine=p.engine, **p.options, **p.limits)
    count[f"exact {p.engine}{' limited' if p.limits else ''}"] += 1
    check_result(p, r, best, p.engine)
    if "time_limit" not in p.limits and r.status != "memory_limit":
        need(r.status == "optimal" and (r.ties_settled or p.lam == 0), r, "is not proven")
        if r.ties_settled:
            need(r.n_leaves == n_leaves(best.tree), r, "where the oracle has", n_leaves(best.tree), "leaves")
            need(p.engine not in RULED or r.tree == best.tree, "another tree than the oracle's:", repr(r.tree), repr(best.tree))


def check_guess(p, best, count):
    "One engine with a guess: never worse than Theorem 4.3 allows, and its bounds are true."
    r = solve(p.Xb, p.y, engine=p.guess_engine, y_ref=p.y_ref, lower_bound=p.guess, **p.options, **p.limits)
    count[f"{p.guess} {p.guess_engine}{' limited' if p.limits else ''}"] += 1
    check_result(p, r, best, p.guess_engine)
    if p.min_leaf <= 1 and not p.limits:
        u = float(upper(p)) + NEAR * (1 + p.lam)
        need(r.objective <= u, "objective", r.objective, "above the bound of Theorem 4.3,", u)
        need(r.guessed_lower_bound is None or r.guessed_lower_bound <= u, "guessed bound", r.guessed_lower_bound, "above", u)


def check_rival(p, best, count):
    "pystreed on the same rows, repeated by their weights; it must not find a better tree than the oracle."
    rows = np.repeat(np.arange(len(p.y)), p.weight)
    X, y = p.Xb[rows].astype(np.int32), p.y[rows].astype(np.int32)
    model = STREED("cost-complex-accuracy", max_depth=20 if p.max_depth is None else min(20, p.max_depth), cost_complexity=p.lam,
                   min_leaf_node_size=max(1, p.min_leaf), time_limit=30)
    model.fit(X, y)
    value = float((model.predict(X) != y).mean() + p.lam * model.get_n_leaves())
    need(value >= float(best.cost) - 1e-9, "pystreed has", value, "and the oracle", float(best.cost))
    count["pystreed agrees" if value <= float(best.cost) + 1e-9 else "pystreed finds a worse tree"] += 1


try:
    from pystreed import STreeDClassifier as STREED
except ImportError:
    STREED = None


def comparable(p):
    "Can pystreed take this problem? Without a depth limit it takes seconds, for a single row it has no tree."
    total = int(p.weight.sum())
    return STREED is not None and p.Xb.shape[1] and p.max_depth in (1, 2, 3, 4, 5) and p.lam < 1 and 2 <= total <= 200 and total >= p.min_leaf


def check_problem(p, count):
    "Compare everything that was drawn with the oracle."
    best = best_by_rows(p.Xb, p.y, p.lam, p.max_depth, p.weight, p.min_leaf)
    if best is None:
        count["nothing to find: all rows together are too few for a leaf"] += 1
        return
    check_exact(p, best, count)
    if p.guess:
        check_guess(p, best, count)
    if comparable(p):
        check_rival(p, best, count)


def fails(p):
    try:
        check_problem(p, Counter())
    except Exception:
        return True
    return False


def shrink(p):
    "Drop rows, then columns, as long as the problem still fails."
    def rows(p, keep): return p._replace(Xb=p.Xb[keep], y=p.y[keep], y_ref=p.y_ref[keep], weight=p.weight[keep])
    def columns(p, keep): return p._replace(Xb=p.Xb[:, keep])
    for part, axis in ((rows, 0), (columns, 1)):
        i = 0
        while i < p.Xb.shape[axis]:
            less = part(p, np.delete(np.arange(p.Xb.shape[axis]), i))
            if len(less.y) and less.weight.any() and fails(less):
                p = less
            else:
                i += 1
    return p


@few_boxes_are_many()
def problem(seed, count):
    "One random problem; a failure is made small and written as a call."
    p = draw_problem(seed)
    try:
        check_problem(p, count)
    except Exception as e:
        small = shrink(p)
        more = dict(engine=small.engine, **small.limits)
        guess = f"\n  or {small.call(**{**more, 'engine': small.guess_engine}, y_ref=small.y_ref.tolist(), lower_bound=small.guess)}" if small.guess else ""
        raise AssertionError(f"{type(e).__name__}: {e}\n  {small.call(**more)}{guess}") from e


def draw_table(rng):
    "A table of numbers, with gaps, flags or categories in some; labels of several kinds."
    n, p = int(rng.integers(2, 15)), int(rng.integers(1, 4))
    X = rng.integers(0, rng.integers(2, 7), (n, p)) * float(rng.choice([1, 0.1, 1e-300, 1e290]))
    y = (X[:, 0] > np.median(X[:, 0])).astype(int) * rng.integers(0, 4) ^ (rng.random(n) < 0.25)
    kind = rng.integers(4)
    if kind == 1:
        X = np.where(rng.random(X.shape) < 0.2, np.nan, X)
    elif kind == 2:
        X = np.column_stack([X, rng.integers(0, 3, n)]).astype(object)
        X[:, -1] = np.array(["a", "ü", "c d"], object)[X[:, -1].astype(int)]
    return X, np.array([lambda v: v, lambda v: v * 2.0, lambda v: np.array(list("pqrstuvw"))[v]][rng.integers(3)](y))


def draw_estimator(rng, n):
    "A classifier with parameters of all kinds; engines that cannot take a problem are left out."
    max_depth, min_leaf = [0, 1, 2, 3, 5, None, "theorem"][rng.integers(7)], int(rng.choice([0, 0, 0, 2]))
    engines = [e for e in EXACT if takes(e, max_depth, min_leaf)]
    thresholds = ("guess", "all", "buckets")[rng.integers(3)]
    limit = [None, None, 60, 0, 0.001][rng.integers(5)]
    return GuessTreeClassifier(
        regularization=float(rng.choice([0, 1e-6, 0.01, 0.03, 0.1, 0.6, 1 / n])), max_depth=max_depth, thresholds=thresholds,
        lower_bound=("exact", "paper", "gosdt", "tight")[rng.integers(4)], reference=(int(rng.integers(1, 8)), int(rng.integers(1, 4))),
        certify=bool(rng.integers(2)), engine=str(rng.choice(engines)), time_limit=limit, memory_limit=[None, 0][rng.integers(2)],
        n_jobs=int(rng.integers(1, 3)), class_weight=[None, None, "balanced"][rng.integers(3)], min_samples_leaf=min_leaf)


@few_boxes_are_many()
def fit(seed, count):
    "One random fit: the bound is not above the oracle's optimum, the objective is that of the tree that predicts."
    rng = np.random.default_rng([2, seed])
    X, y = draw_table(rng)
    clf, w = draw_estimator(rng, len(y)), rng.integers(0, 4, len(y)) if rng.random() < 0.3 else np.ones(len(y), int)
    w = w if w.any() else w + 1
    try:
        clf.fit(X, y, None if (w == 1).all() else w)
    except ValueError as e:
        need(clf.engine == "boxes" and "needs few boxes" in str(e), "fit raises", e)
        count["refused: too many boxes"] += 1
        return
    count[f"{clf.engine} {clf.lower_bound}{' limited' if clf.time_limit in (0, 0.001) else ''}"] += 1
    count[f"status {clf.status_}"] += 1
    p, Xb, lam = clf.facts_.patterns, clf.facts_.patterns.Xb, as_fraction(clf.regularization)
    cells = np.argwhere(p.weights)
    rows, labels, mass = Xb[cells[:, 0]], p.classes[cells[:, 1]], p.weights[cells[:, 0], cells[:, 1]]
    whole = clf.class_weight is None or clf.min_samples_leaf == 0       # else the least weight of a leaf is no whole number here
    best = best_by_rows(rows, labels, lam, clf.max_depth_, mass, clf.min_samples_leaf) if whole else None
    predicted = clf.predict(X)
    if clf.class_weight is None:
        off = float(Fraction(int(w[predicted != y].sum()), int(w.sum())) + lam * clf.n_leaves_)
        need(abs(clf.objective_ - off) <= NEAR * (1 + float(lam)), "objective_", clf.objective_, "but the tree that predicts has", off)
    own = own_cost(clf.tree_, rows, labels, mass, lam)
    need(abs(clf.objective_ - float(own)) <= NEAR * (1 + float(lam)), "objective_", clf.objective_, "but the tree has", float(own))
    need((predict(clf.tree_, binarize(encode_table(clf.encoding_, X), clf.encoded_thresholds_)) == predicted).all(), "tree_ and predict differ")
    need(clf.status_ in STATUS, "status", clf.status_)
    claim = optimality(clf.facts_).claim
    need(clf.min_samples_leaf <= 1 or "in each leaf" in claim or "of one leaf" in claim, "the least leaf is not named:", claim)
    if best is not None:
        count["compared with the oracle"] += 1
        cost, near = float(best.cost), NEAR * (1 + float(lam))
        need(clf.lower_bound_ <= cost + near, "lower_bound_", clf.lower_bound_, "above the optimum", cost)
        need(clf.objective_ >= cost - near, "objective_", clf.objective_, "below the optimum", cost)
        need(clf.status_ != "optimal" or clf.objective_ <= cost + near, "called optimal at", clf.objective_, "with an optimum of", cost)
        need(clf.max_depth_ is None or clf.depth_ <= clf.max_depth_, "too deep")
    if rng.random() < 0.1:
        count["certificates"] += 1
        for c in clf.certificate_.clauses:
            need(not (c.applies and c.holds is False), "the certificate fails:", c)


def hard_problem():
    "Columns and labels by lot, and the objective of the best tree: about a second of search."
    rng = np.random.default_rng(1)
    Xb, y = rng.random((300, 14)) < 0.5, rng.integers(0, 2, 300)
    return Xb, y, dict(lam=0.002, max_depth=6)


HARD = {}
BROKEN = []   # what threads have raised


@few_boxes_are_many()
def interrupt(seed, count):
    "Ctrl-C at a random moment of a search: a tree with true bounds comes back, and the next search works."
    if not HARD:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        Xb, y, options = hard_problem()
        HARD.update(Xb=Xb, y=y, options=options, best=solve(Xb, y, **options))
        threading.excepthook = lambda failed: BROKEN.append(failed.exc_value)
        for engine in (e for e in GUESSED if takes(e, 6, 0)):
            solve(Xb[:, :6], y, engine=engine, **options)
    rng, (Xb, y, options, best) = np.random.default_rng([3, seed]), HARD.values()
    engine, moment, before = ("search", "boxes", "pairs", "dl85", "gosdt")[seed % 5], float(rng.uniform(0.001, 0.5)), threading.active_count()
    timer = threading.Timer(moment, os.kill, (os.getpid(), signal.SIGINT))
    try:
        timer.start()
        r = solve(Xb, y, engine=engine, time_limit=120, **options)
        timer.cancel()
    except KeyboardInterrupt:
        count[f"{engine}: KeyboardInterrupt"] += 1
        r = None
    timer.join()
    if r is not None:
        count[f"{engine}: {r.status}"] += 1
        own = float(own_cost(r.tree, Xb, y, np.ones(len(y), int), options["lam"]))
        need(r.status in ("interrupted", "optimal"), r.status)
        need(abs(r.objective - own) < NEAR, "objective", r.objective, "is not the tree's own", own)
        need(r.lower_bound <= best.objective + NEAR and r.objective >= best.objective - NEAR, "bounds", r, best)
    need(solve(Xb[:, :3], y, **options).status == "optimal", "the next search")
    for _ in range(200):
        if threading.active_count() <= before:
            break
        time.sleep(0.01)
    need(threading.active_count() <= before, "a thread goes on")
    need(not BROKEN, "a thread failed", BROKEN and repr(BROKEN.pop()))


def draw_restless(seed):
    "A problem that is no kernel's: some columns decide the label, with noise, and the tree may be deep."
    rng = np.random.default_rng([3, seed])
    n, m, c = int(rng.integers(20, 120)), int(rng.integers(5, 9)), int(rng.choice([2, 2, 3, 4]))
    Xb = rng.random((n, m)) < rng.choice([0.2, 0.5])
    y = np.where(rng.random(n) < 0.15, rng.integers(0, c, n), Xb[:, :5].sum(axis=1) % c)
    w = rng.integers(1, 4, n) if rng.random() < 0.3 else np.ones(n, int)
    limits = dict(time_limit=float(rng.choice([1e-4, 1e-3, 1e-2]))) if rng.random() < 0.3 else {}
    if rng.random() < 0.3:
        limits["n_jobs"] = 2
    return Problem(Xb, y, y, w, 1, float(rng.choice([0, 0.002, 0.01, 1 / w.sum()])), [4, 5, 6, None][rng.integers(4)], int(rng.choice([0, 0, 0, 4])),
                   str(rng.choice(["search", "pairs"])), None, "", limits)


@few_boxes_are_many()
def restless(seed, count):
    "A search that does what only long ones do, against dynamic programming over boxes, which takes no breaks."
    p, usual = draw_restless(seed), (search._WIDE, search._TREES, search._STEPS, solver.PATIENCE, solver._is_soon)
    tree = solve(p.Xb, p.y, engine="boxes", **p.options).tree
    best = SimpleNamespace(tree=tree, cost=own_cost(tree, p.Xb, p.y, p.weight, p.lam))
    search._WIDE, search._TREES, search._STEPS, solver.PATIENCE, solver._is_soon = 0, 10, 10, 0, lambda engine, job: False
    try:
        check_exact(p, best, count)
    except Exception as e:
        raise AssertionError(f"{type(e).__name__}: {e}\n  {p.call(engine=p.engine, **p.limits)}") from e
    finally:
        search._WIDE, search._TREES, search._STEPS, solver.PATIENCE, solver._is_soon = usual


KINDS = {"problems": problem, "fits": fit, "interrupts": interrupt, "restless": restless}


def main(kind, first, last):
    warnings.simplefilter("ignore")
    count, failed, work = Counter(), 0, KINDS[kind]
    begin = time.process_time()
    for seed in range(first, last):
        try:
            work(seed, count)
            count["seeds"] += 1
        except Exception as e:
            failed += 1
            print(f"FAILED {kind} {seed}: {e if isinstance(e, AssertionError) else traceback.format_exc()}", flush=True)
        if (seed + 1) % 1000 == 0 or seed + 1 == last:
            print(f"{kind} {first} to {seed}: {count['seeds']} fine, {failed} failed, {time.process_time() - begin:.0f} s", flush=True)
    print(*(f"{n:8d}  {what}" for what, n in sorted(count.items())), sep="\n")
    return failed > 0


if __name__ == "__main__":
    if len(sys.argv) != 4 or sys.argv[1] not in KINDS:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3])))
