"""The set of good trees is exact for every combination of options, and the doors to it say what is wrong."""
import itertools
import pickle
import warnings
from collections import Counter
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

from guesstree import GuessTreeClassifier, Leaf, Split, near_optimal, solve
from guesstree.engine import near_optimal as good
from guesstree.engine.alternatives import Alternatives
from guesstree.engine.patterns import find_patterns
from guesstree.notation import n_leaves, predict
from guesstree.use.one_page import report


def every(Xb, y, w, d, least, any_label):
    "All trees with their errors and leaves, by the definition."
    labels = sorted(set(y[w > 0].tolist()))
    def trees(rows, d):
        weight = [int(w[rows][y[rows] == q].sum()) for q in labels]
        says = labels if any_label else [labels[weight.index(max(weight))]]
        out = [(sum(weight) - weight[labels.index(q)], 1, Leaf(q)) for q in says]
        for j in range(Xb.shape[1] if d else 0):
            sides = rows[Xb[rows, j]], rows[~Xb[rows, j]]
            if min(w[p].sum() for p in sides) >= max(1, least):
                out += [(e + f, h + k, Split(j, one, two)) for e, h, one in trees(sides[0], d - 1) for f, k, two in trees(sides[1], d - 1)]
        return out
    return trees(np.arange(len(y)), -1 if d is None else d)


@pytest.mark.parametrize("seed", range(6))
def test_the_set_is_exact(seed):
    rng = np.random.default_rng(seed)
    for lam, d, within, least, any_label in itertools.product((Fraction(0), Fraction(1, 37), Fraction(3, 20)), (None, 1, 3), (Fraction(0), Fraction(1, 7), Fraction(2)), (0, 5), (False, True)):
        n, m, c = int(rng.integers(2, 13)), int(rng.integers(1, 4)), int(rng.integers(1, 4))
        Xb, y, w = rng.integers(0, 2, (n, m)).astype(bool), rng.integers(0, c, n), rng.integers(0, 4, n)
        w[0] += 1
        trees = [(Fraction(e, int(w.sum())) + lam * h, h, t) for e, h, t in every(Xb, y, w, d, least, any_label)]
        bound = (1 + within) * min(trees, key=lambda o: o[:2])[0]
        want = Counter(t for cost, _, t in trees if cost <= bound)
        found = near_optimal(Xb, y, lam, d, within, sample_weight=w, min_samples_leaf=least, labels="any" if any_label else "majority")
        first = next(iter(found))
        assert Counter(found) == want and found.count == want.total() and found.status == "complete" and found[0] == first
        costs = {t: (cost, h) for cost, h, t in trees}
        assert [costs[t] for t in found] == sorted(costs[t] for t in want)
        assert [(round(o, 12), h) for o, h, k in found.counts() for _ in range(k)] == [(round(float(costs[t][0]), 12), h) for t in found for h in [costs[t][1]]]


@pytest.mark.parametrize("kind", ["rows", "patterns"])
def test_the_first_tree_is_that_of_solve(kind):
    rng = np.random.default_rng(0)
    for k in range(40):
        Xb, y = rng.integers(0, 2, (60, 7)), rng.integers(0, 2 + k % 2, 60)
        args = (Xb, y) if kind == "rows" else (find_patterns(Xb, y), None)
        found = near_optimal(*args, 0.02, (2, 3, 4, None)[k % 4], within=0.01)
        assert found.best.tree == solve(*args, 0.02, (2, 3, 4, None)[k % 4]).tree == found[0] == next(iter(found))


def test_weights_that_are_no_whole_numbers():
    rng = np.random.default_rng(0)
    Xb, y = rng.integers(0, 2, (20, 3)), rng.integers(0, 2, 20)
    half = near_optimal(Xb, y, 0.05, 3, within=0.3, sample_weight=np.full(20, 0.5), min_samples_leaf=2)
    assert list(half) == list(near_optimal(Xb, y, 0.05, 3, within=0.3, min_samples_leaf=4))


def people(n=200):
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"age": rng.integers(18, 90, n).astype(float), "<b>colour": rng.choice(["red", "green", None], n), "smokes": rng.random(n) < .3})
    X.loc[:9, "age"] = np.nan
    return X, np.where((X.age > 50) & X.smokes, "yes", np.where(rng.random(n) < .1, "maybe", "no"))


@pytest.mark.parametrize("asks", [dict(), dict(max_depth=None), dict(class_weight="balanced"), dict(min_samples_leaf=0.1), dict(thresholds="all", lower_bound="exact"),
                                  dict(certify=False), dict(regularization="auto")])
def test_a_fitted_tree_knows_its_alternatives(asks):
    X, y = people()
    clf = GuessTreeClassifier(**dict(dict(regularization=0.02, max_depth=3), **asks)).fit(X, y)
    other = clf.alternatives(0.1)
    assert other.found.count >= 1 and abs(other.found.best.objective - clf.objective_) < 1e-9 + clf.gap_
    assert {o.name for o in other.features} <= set(X.columns)
    for o in other.features:
        wish = other.without(o.name)
        assert wish.proven and wish.extra >= 0 and wish.within == (o.count < other.found.count)
    assert "<b>colour" not in report(clf, alternatives=0.1, certificate=False)
    assert "trees are within 10 %" in str(other) or "tree is within 10 %" in str(other)


def test_what_an_estimator_refuses():
    X, y = people()
    clf = GuessTreeClassifier(0.02, 2).fit(X, y)
    with pytest.raises(ValueError, match="set pickles_patterns"):
        pickle.loads(pickle.dumps(clf)).alternatives()
    for bad in (-1, float("nan"), "much"):
        with pytest.raises((ValueError, TypeError), match="within"):
            clf.alternatives(bad)
    with pytest.raises(ValueError, match="columns must name columns or features"):
        clf.alternatives().without("shoe size")


def test_one_class_and_nothing_to_ask():
    for Xb, y in (([[0], [1]], ["a", "a"]), ([[1], [1]], ["a", "b"]), (np.zeros((3, 0)), [0, 1, 1])):
        found = near_optimal(Xb, y, 0.1)
        assert found.count == 1 and isinstance(found[0], Leaf) and found.votes()[1].sum() == len(found.votes()[0])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        lone = GuessTreeClassifier().fit([[1.0]] * 4, [0, 1, 1, 1]).alternatives()
    assert lone.found.count == 1 and lone.columns == [] and "1 tree is within" in str(lone)


def test_stopped_sets_never_count_too_many():
    rng = np.random.default_rng(0)
    Xb = rng.integers(0, 2, (200, 12))
    y = Xb[:, 0] ^ (rng.random(200) < 0.2)
    whole = near_optimal(Xb, y, 0.01, 4, within=0.3)
    part = near_optimal(Xb, y, 0.01, 4, within=0.3, memory_limit=1)
    assert part.status == "memory_limit" and part.count is None and 0 < part.at_least < whole.count
    least = dict(((o, h), n) for o, h, n in whole.counts())
    assert all(n <= least[o, h] for o, h, n in part.counts())
    for tree in part[:200]:
        assert np.mean(predict(tree, Xb) != y) + 0.01 * n_leaves(tree) <= 1.3 * whole.best.objective + 1e-12


@pytest.mark.parametrize("how", ["limit", "interrupt"])
def test_stopped_in_the_midst_of_building(monkeypatch, how):
    "Partial sets say so: no count, true trees only, the best one first, none twice."
    rng = np.random.default_rng(0)
    Xb = rng.integers(0, 2, (400, 14)).astype(bool)
    y = (Xb[:, 0] & Xb[:, 1] | Xb[:, 2]) ^ (rng.random(400) < 0.2)
    def make(**limits): return near_optimal(Xb, y, Fraction(1, 200), 5, within=Fraction(1, 4), **limits)
    whole, watch, seen = make(), good.watch, set()
    dear = {o[:2]: o[2] for o in whole.counts()}               # compiles
    for moment in (0.0005, 0.004, 0.03, 0.1):                  # building takes longer than the first
        def stop(seconds):
            if seconds >= moment:
                raise KeyboardInterrupt
        def hurry(work, state, clock, left, show):                    # building begins: from here on, seconds are its own
            monkeypatch.undo()
            assert (left is None) == (how == "interrupt")
            return watch(work, state, clock, *((moment, show) if how == "limit" else (left, stop)))
        monkeypatch.setattr(good, "watch", hurry)
        part = make(time_limit=None if how == "interrupt" else 600)
        seen.add(part.status)
        if part.status == "complete" or part.at_least == whole.count:   # too late: all had been built
            continue
        assert part.status == ("time_limit" if how == "limit" else "interrupted") and part.best.status == "optimal"
        assert part.count is None and 1 <= part.at_least < whole.count and "at least" in repr(part)
        assert all(n <= dear[o, h] for o, h, n in part.counts()) and sum(o[2] for o in part.counts()) == part.at_least
        first = list(itertools.islice(part, 200))
        assert first[0] == part[0] == part.best.tree == whole.best.tree and len(set(first)) == len(first)
        assert [part[k] for k in range(len(first))] == first
        for tree in first:
            assert np.mean(predict(tree, Xb) != y) + n_leaves(tree) / 200 <= 1.25 * whole.best.objective + 1e-12
        assert {int(o) for o in part.votes()[1].sum(1)} == {part.at_least}
    assert seen - {"complete"}


def test_wishes_and_predictions_by_brute_force():
    "`fixed`, `without` and equal predictions, for weights, classes, least leaves, depths, penalties and ties."
    rng = np.random.default_rng(1)
    for lam, d, least, c in itertools.product((Fraction(0), Fraction(1, 40), Fraction(1, 6)), (None, 2, 3), (0, 4), (2, 3)):
        n, m = int(rng.integers(4, 12)), 3
        Xb, y, w = rng.integers(0, 2, (n, m)).astype(bool), rng.integers(0, c, n), rng.integers(1, 4, n)
        trees = [(Fraction(e, int(w.sum())) + lam * h, h, t) for e, h, t in every(Xb, y, w, d, least, False)]
        best, within = min(trees, key=lambda o: o[:2])[0], Fraction(1, 3)
        good = [t for cost, _, t in trees if cost <= (1 + within) * best]
        once = near_optimal(Xb, y, lam, d, within, sample_weight=w, min_samples_leaf=least, distinct="predictions")
        assert once.count == len(list(once)) == len({tuple(predict(t, Xb)) for t in good})
        other = Alternatives(find_patterns(Xb, y, sample_weight=w), lam, d, within, least)
        def asks(t): return set() if isinstance(t, Leaf) else {t.column} | asks(t.yes) | asks(t.no)
        def begins(t, start): return start is None or isinstance(t, Split) and t.column == start[0] and all(map(begins, (t.yes, t.no), start[1:]))
        for j in range(m):
            assert {o.name: o.count for o in other.columns}[f"x{j}"] == sum(j in asks(t) for t in good)
            want = min(cost for cost, _, t in trees if j not in asks(t))
            wish = other.without(j)
            assert (wish.objective, wish.proven, wish.within) == (float(want), True, want <= (1 + within) * best)
            for start in ((j, None, None), (j, ((j + 1) % m, None, None), None), (j, None, ((j + 2) % m, None, None))):
                fits = [cost for cost, _, t in trees if begins(t, start)]
                if fits:
                    assert other.fixed(start).objective == float(min(fits)) and other.fixed(start).proven
                else:
                    with pytest.raises(ValueError, match="fixed must"):
                        other.fixed(start)
