"""The rivals far beyond what the notebooks show: random searches, real tables, hostile input, limits."""
import itertools
import math
import pickle
import time

import numpy as np
import pytest
from sklearn.ensemble import AdaBoostClassifier, ExtraTreesClassifier, GradientBoostingClassifier, RandomForestClassifier

from guesstree import Leaf, solve
from guesstree.rivals import baselines
from guesstree.rivals.baselines import METHODS, as_table, compare, fit, is_available
from guesstree.engine.boosting import boost_table
from guesstree.rivals.forest import agrees_everywhere, agrees_in_leaves, read_forest
from guesstree.rivals.born_again import born_again
from guesstree.rivals.forest import _Boxes, _memo, _pack
from guesstree.rivals.faithful import _by_boxes, _least
from guesstree.notation import binarize, depth, n_leaves, predict, split_points
from guesstree.rivals.oct import fit_oct, lam_of_cp, oct_programme
from guesstree.rivals.rules import (
    _count_rows, _master, _whole_master, conditions, decision_set, fit_rules, holds, predict_rules)
from guesstree.rivals.faithful import _deepen, _fits
from guesstree.thresholds import guess_thresholds

SETTINGS = {"cart": {}, "gbdt": {}, "ebm": {"interactions": 0, "outer_bags": 1, "max_rounds": 100}}
TREES = ("cart", "born-again", "oct", "guesstree")


def noise(seed, n=40, p=3, values=5, classes=2):
    rng = np.random.default_rng(seed)
    return rng.integers(0, values, (n, p)) + rng.integers(0, 2, p) * 0.1, rng.integers(0, classes, n)


@pytest.mark.parametrize("seed", range(20))
def test_born_again_trees_are_faithful_and_smallest(seed):
    X, y = noise(seed, classes=2 + seed % 3)
    kind = (RandomForestClassifier, ExtraTreesClassifier)[seed % 2]
    model = kind(3 + seed % 3, max_depth=2, random_state=seed).fit(X, y)
    forest = read_forest(model)
    found = {o: born_again(model, o, time_limit=None) for o in ("greedy", "depth", "depth-leaves", "leaves")}
    for o, f in found.items():
        assert agrees_everywhere(f.tree, model) and f.agrees == "everywhere"
        assert f.status == ("greedy" if o == "greedy" else "optimal")
    d, leaves = found["depth"].depth, found["leaves"].n_leaves
    assert d == found["depth-leaves"].depth == found["depth"].lower_bound <= min(f.depth for f in found.values())
    assert leaves == found["leaves"].lower_bound <= found["depth-leaves"].n_leaves <= found["depth"].n_leaves
    boxes = _Boxes(forest)
    assert not any(_fits(boxes, forest.everything, k) for k in range(d))
    assert _least(boxes, forest.everything, math.inf, 10**6) == leaves
    assert _least(boxes, forest.everything, d, 10**6) == found["depth-leaves"].n_leaves == _count(_by_boxes(forest, "depth-leaves"))
    (sets, root), proven = _pack(forest), [0]
    assert _deepen(sets, root, _memo(16, root.size), math.inf, 1e9, proven)[1] is None and proven[-1] == d


@pytest.mark.filterwarnings("ignore:the reference T is no better than the majority class")
@pytest.mark.parametrize("seed", range(12))
def test_boosted_ensembles_are_reborn_faithful_and_smallest(seed):
    X, y = noise(seed, 30, 3, 4, 2 + seed % 2)
    kind = (GradientBoostingClassifier(n_estimators=6, max_depth=2, learning_rate=0.5), AdaBoostClassifier(n_estimators=6), (12, 1, 0.5))[seed % 3]
    model = guess_thresholds(X, y, kind, max_columns=6).reference if seed % 2 else boost_table(X, y, 4, 1, 1.0) if isinstance(kind, tuple) else kind.fit(X, y)
    found = {o: born_again(model, o, time_limit=None) for o in ("greedy", "depth", "depth-leaves", "leaves")}
    for f in found.values():
        assert agrees_everywhere(f.tree, model) and agrees_in_leaves(f.tree, model) and f.agrees == "everywhere"
    (sets, root), proven = _pack(read_forest(model)), [0]
    assert _deepen(sets, root, _memo(16, root.size), math.inf, 1e9, proven)[1] is None
    assert proven[-1] == found["depth"].depth == found["depth-leaves"].depth == found["depth"].lower_bound
    assert found["leaves"].n_leaves == found["leaves"].lower_bound <= found["depth-leaves"].n_leaves <= found["depth"].n_leaves


def _count(node):
    return _count(node[1]) + _count(node[2]) if isinstance(node, tuple) else 1


def test_a_reborn_forest_agrees_on_points_that_rounding_could_move():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 3))
    model = RandomForestClassifier(5, max_depth=3, random_state=0).fit(X, X.sum(axis=1) > 0)
    found = born_again(model, "greedy")
    near = np.repeat([[t for _, t in found.thresholds]], 3, axis=0).T
    near = np.concatenate([near, np.nextafter(near, np.inf), np.float32(near).astype(float), X])
    assert (predict(found.tree, binarize(near, found.thresholds)) == model.predict(near)).all()


def test_born_again_on_compas(paper_table):
    t = paper_table("compas")
    model = RandomForestClassifier(10, max_depth=3, random_state=0).fit(t.X, t.y)
    found = {o: born_again(model, o, time_limit=None) for o in ("greedy", "depth", "depth-leaves", "leaves")}
    for o, f in found.items():
        assert agrees_everywhere(f.tree, model) and agrees_in_leaves(f.tree, model) and f.status == ("greedy" if o == "greedy" else "optimal")
    assert found["depth"].lower_bound == found["depth"].depth == found["depth-leaves"].depth <= found["leaves"].depth
    assert found["leaves"].lower_bound == found["leaves"].n_leaves <= found["depth-leaves"].n_leaves < found["greedy"].n_leaves


@pytest.mark.parametrize("name", ["broward", "fico"])
def test_forests_that_are_too_large_keep_the_limit_and_agree_on_rows(paper_table, name):
    t = paper_table(name)
    model = RandomForestClassifier(10, max_depth=3, random_state=0).fit(t.X, t.y)
    begin = time.process_time()
    found = born_again(model, "depth", t.X, time_limit=1, memory_limit=5)
    assert time.process_time() - begin < 60 and found.status in ("time_limit", "memory_limit")
    assert found.agrees == "on rows" and found.lower_bound >= 6
    assert (predict(found.tree, binarize(t.X, found.thresholds)) == model.predict(t.X)).all()


@pytest.mark.slow
@pytest.mark.parametrize("name", ["broward", "fico", "restaurant", "takeaway"])
def test_large_forests_are_reborn_greedily_and_agree_everywhere(paper_table, name):
    t = paper_table(name)
    model = RandomForestClassifier(10, max_depth=3, random_state=0).fit(t.X, t.y)
    found = born_again(model, "greedy", time_limit=None, memory_limit=2000)
    assert (found.status, found.agrees) == ("greedy", "everywhere") and agrees_in_leaves(found.tree, model)
    assert (predict(found.tree, binarize(t.X, found.thresholds)) == model.predict(t.X)).all()


@pytest.mark.parametrize("seed", range(15))
def test_rules_against_all_small_clauses(seed):
    X, y = noise(seed, 25, 3, 3)
    lam0, lam1 = [(0.02, 0.01), (0.001, 0.001), (0.0, 0.0)][seed % 3]
    asked = conditions(X, thresholds=split_points(X))
    t = _count_rows(holds(asked, X), y == 1)
    every = [(), *(c for size in (1, 2) for c in itertools.combinations(range(len(asked)), size))]
    lp, best = _master(t, every, lam0, lam1)[0], _whole_master(t, every, lam0, lam1)[0]
    for pricing in ("beam", "exact"):
        got = fit_rules(X, y, lam0, lam1, degree=2, thresholds=split_points(X), pricing=pricing, target=1, time_limit=None)
        assert lp - 1e-7 <= got.lp_value and best - 1e-7 <= got.objective and got.lower_bound <= best + 1e-7
        assert got.loss <= got.objective + 1e-9 and got.loss == np.mean(predict_rules(got.rules, X) != y)
        if pricing == "exact":
            assert got.status == "lp_optimal" and got.lower_bound == pytest.approx(lp, abs=1e-6)


def test_rules_on_real_tables(paper_table):
    t = paper_table("compas")
    got = fit_rules(t.X, t.y, time_limit=None, max_iter=10)
    assert got.loss < 0.34 and got.lp_value <= got.objective + 1e-9 and len(got.rules.clauses) <= 5
    t = paper_table("fico")
    got = fit_rules(t.X, t.y, target=0, time_limit=None, max_iter=2)
    assert got.loss < 0.33 and got.status == "max_iter"


@pytest.mark.parametrize("seed", range(10))
def test_decision_sets_say_what_trees_say(seed):
    X, y = noise(seed, 60, 4, 6)
    points = split_points(X)
    tree = solve(binarize(X, points), y, lam=0.01, max_depth=3).tree
    new = np.random.default_rng(seed).uniform(-1, 7, (2000, 4))
    for target in (0, 1):
        rules = decision_set(tree, points, target)
        assert (predict_rules(rules, new) == predict(tree, binarize(new, points))).all()
        assert (sum(holds(c, new).all(axis=1) for c in rules.clauses) <= 1).all()  # leaves do not overlap


@pytest.mark.parametrize("seed", range(10))
def test_local_search_never_beats_the_optimum(seed):
    X, y = noise(seed, 50, 3, 6, 2 + seed % 2)
    found = fit_oct(X, y, 0.03, 3, n_starts=5, random_state=seed)
    lam = lam_of_cp(0.03, y)
    best = solve(binarize(X, found.thresholds), y, lam=lam, max_depth=3)
    assert found.loss + float(lam) * found.n_leaves >= best.objective - 1e-9
    assert depth(found.tree) <= 3 and np.mean(predict(found.tree, binarize(X, found.thresholds)) != y) == pytest.approx(found.loss)


@pytest.mark.parametrize("seed", range(6))
def test_the_programme_and_the_solver(seed):
    rng = np.random.default_rng(seed)
    Xb, y = rng.integers(0, 2, (12, 3)), rng.integers(0, 2, 12)
    lam, base = lam_of_cp(0.1, y), 12 - np.bincount(y).max()
    exact = solve(Xb, y, lam=lam, max_depth=2)
    assert oct_programme(Xb, y, 0.1, 2).objective == pytest.approx((exact.objective - float(lam)) * 12 / base, abs=1e-5)


def test_local_search_keeps_its_time_limit(paper_table):
    t = paper_table("fico")
    begin = time.process_time()
    found = fit_oct(t.X, t.y, 0.001, 6, n_starts=1000, time_limit=2)
    assert time.process_time() - begin < 15 and found.status == "time_limit" and found.loss < 0.5


@pytest.mark.parametrize("name", METHODS)
def test_every_method_on_words_and_through_pickle(name):
    if not is_available(name):
        pytest.skip(f"{name} is not available")
    X, y = noise(3, 80, 3, 6)
    words = np.where(X[:, 0] + y * 0.5 > 2, "yes", "no")
    f = fit(name, X, words, ["a", "b", "c"], **SETTINGS.get(name, {"time_limit": 5}))
    assert set(f.predict(X)) <= {"yes", "no"} and f.loss == np.mean(f.predict(X) != words) and f.loss < 0.3
    assert f.seconds > 0 and name in repr(f)
    assert (pickle.loads(pickle.dumps(f)).predict(X) == f.predict(X)).all()
    assert fit(name, X, np.zeros(80, int)).model == Leaf(0)
    with pytest.raises(ValueError, match="must be finite"):
        fit(name, np.full((4, 2), np.nan), [0, 1, 0, 1])
    with pytest.raises(ValueError, match="each of the 80 rows"):
        fit(name, X, words[:7])
    with pytest.raises(ValueError, match="at least one row"):
        fit(name, np.zeros((0, 3)), [])
    with pytest.raises(TypeError):
        fit(name, X, words, no_such_setting=1)


@pytest.mark.parametrize("name", [m for m in METHODS if m not in ("rules", "rules-cp")])
def test_three_classes(name):
    if not is_available(name):
        pytest.skip(f"{name} is not available")
    X, y = noise(5, 90, 3, 6, 3)
    f = fit(name, X, y, **SETTINGS.get(name, {"time_limit": 5}))
    assert set(f.predict(X).tolist()) <= {0, 1, 2}


def test_rules_refuse_three_classes():
    with pytest.raises(ValueError, match="two labels"):
        fit("rules", *noise(5, classes=3))


TABLE, LABELS = noise(7, 60, 3, 9)
REFUSED = {
    "no rows": (TABLE[:0], LABELS[:0], "at least one row"),
    "a gap": (np.where(TABLE == 3, np.nan, TABLE), LABELS, "X must be finite, got nan"),
    "infinity": (np.where(TABLE == 3, np.inf, TABLE), LABELS, "X must be finite, got inf"),
    "words": (np.full((60, 3), "red", object), LABELS, "X must hold numbers"),
    "too few labels": (TABLE, LABELS[:9], "each of the 60 rows, got 9"),
    "a list": (TABLE[:, 0], LABELS, "two dimensions"),
    "labels with gaps": (TABLE, np.where(LABELS == 1, np.nan, 1.0), "y must not hold NaN"),
    "labels of two kinds": (TABLE, np.array([1, "a"] * 30, object), "labels of one kind"),
}


@pytest.mark.parametrize("what", REFUSED)
@pytest.mark.parametrize("name", METHODS)
def test_bad_tables_are_refused_alike(name, what):
    X, y, words = REFUSED[what]
    if not is_available(name):
        pytest.skip(f"{name} is not available")
    with pytest.raises((ValueError, TypeError), match=words):
        fit(name, X, y)


@pytest.mark.parametrize("name", METHODS)
def test_a_constant_table_has_the_larger_class(name):
    if not is_available(name):
        pytest.skip(f"{name} is not available")
    f = fit(name, np.ones((30, 2)), np.arange(30) % 3 > 0, **SETTINGS.get(name, {}))
    assert f.loss == pytest.approx(1 / 3) and f.predict(np.zeros((4, 2))).tolist() == [True] * 4


def test_a_missing_extra_is_named(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "interpret.glassbox", None)
    with pytest.raises(ImportError, match=r"pip install guesstree\[ebm\]"):
        fit("ebm", *noise(0))
    assert not is_available("ebm")


def test_the_table_on_compas(paper_table):
    t = paper_table("compas")
    names = ["cart", "gbdt", "born-again", "rules", "oct", "guesstree"]
    found = compare(t.X, t.y, 0.001, 5, names, t.feature_names, time_limit=600, guesstree=dict(reference=(20, 3)), oct=dict(n_starts=5), born_again=dict(objective="greedy"))
    assert len(as_table(found).splitlines()) == 2 + len(names)
    price = {n: found[n].loss + 0.001 * found[n].size for n in TREES}
    assert round(price["guesstree"], 6) == 0.321437 and price["guesstree"] <= min(price.values()) + 1e-9
    assert found["guesstree"].loss <= found["gbdt"].loss + 0.03 and all(f.loss < 0.36 for f in found.values())
    assert found["born-again"].size > 5 * found["guesstree"].size


def test_compare_refuses_what_it_cannot_price():
    X, y = noise(0)
    with pytest.raises(ValueError, match="lam must be >= 0"):
        compare(X, y, lam=-1)
    with pytest.raises(ValueError, match="name must be one of"):
        compare(X, y, names=["id3"])
    assert compare(X, np.ones(len(X)), names=["oct", "cart"])["oct"].model == Leaf(1.0)
    assert baselines.fit is fit and n_leaves(fit("cart", X, y, max_depth=0).model) == 1
