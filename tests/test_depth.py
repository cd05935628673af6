"""Depth limits on random problems, against brute force, and ensembles of every kind."""
import math

import numpy as np
import pytest
from sklearn.ensemble import (
    AdaBoostClassifier, BaggingClassifier, ExtraTreesClassifier, GradientBoostingClassifier, HistGradientBoostingClassifier,
    RandomForestClassifier)
from sklearn.linear_model import LogisticRegression
from sklearn.tree import DecisionTreeClassifier

from guesstree.brute import all_trees, best_by_rows
from guesstree.depth import (
    count_functions, cut_tree, depth_from_vc, depth_gap, equivalent_points, safe_depth, shatters,
    theorem_depth, vc_dimension, vc_upper, weak_learners)
from guesstree.notation import Leaf, Split, depth, loss, n_leaves, objective, predict
from guesstree.engine.patterns import find_patterns


def random_problem(seed, classes=3):
    rng = np.random.default_rng(seed)
    n, m = rng.integers(3, 13), rng.integers(1, 5)
    return rng.integers(0, 2, (n, m)), rng.integers(0, classes, n), float(rng.choice([0, 0.02, 1 / n]))


@pytest.mark.parametrize("seed", range(40))
def test_gap_against_brute_force(seed):
    Xb, y, lam = random_problem(seed)
    best = best_by_rows(Xb, y, lam)
    for d in range(depth(best.tree) + 1):
        o = depth_gap(best.tree, Xb, y, lam, d)
        assert 0 <= best_by_rows(Xb, y, lam, d).cost - best.cost <= o.gap <= o.local <= o.bound
        assert float(o.gap) == pytest.approx(objective(o.cut, Xb, y, lam) - float(best.cost), abs=1e-12)


@pytest.mark.parametrize("seed", range(40))
def test_second_inequality_holds_for_any_tree(seed):
    Xb, y, lam = random_problem(seed, 2)
    rng, trees = np.random.default_rng(seed), list(all_trees(Xb.shape[1], 2))
    for i in rng.integers(0, len(trees), 20):
        for d in (0, 1, 2):
            o = depth_gap(trees[i], Xb, y, lam, d)
            assert o.gap <= o.local <= o.bound and depth(o.cut) <= d and n_leaves(o.cut) <= n_leaves(trees[i])


@pytest.mark.parametrize("seed", range(40))
def test_safe_depth_loses_nothing(seed):
    Xb, y, lam = random_problem(seed)
    best = best_by_rows(Xb, y, lam)
    assert best_by_rows(Xb, y, lam, safe_depth(Xb, y, lam)).cost == best.cost
    sharp = safe_depth(Xb, y, lam, float(best.cost))
    assert sharp <= safe_depth(Xb, y, lam) and best_by_rows(Xb, y, lam, sharp).cost == best.cost


@pytest.mark.parametrize("seed", range(20))
def test_equivalent_points_are_what_patterns_say(seed):
    Xb, y, _ = random_problem(seed)
    w = find_patterns(Xb, y).weights
    assert equivalent_points(Xb, y) == w.sum() - w.max(axis=1).sum() == best_by_rows(Xb, y, 0).wrong


def test_cut_keeps_leaves_names_and_labels_of_any_kind():
    Xb, y = np.array([[1, 1], [1, 0], [0, 0]]), np.array(["b", "a", "a"])
    tree = Split(0, Split(1, Leaf("b"), Leaf("a"), name="second"), Leaf("z"), name="first")
    cut = cut_tree(tree, Xb, y, 1)
    assert cut == Split(0, Leaf("a"), Leaf("z")) and cut.name == "first" and type(cut.yes.label) is str
    assert cut_tree(Split(0, tree, Leaf("b")), Xb[2:], y[2:], 1).yes == Leaf("a")  # no row arrives there
    assert loss(cut_tree(tree, Xb, y, 0), Xb, y) == pytest.approx(1 / 3)


def test_vc_of_random_classes_by_definition():
    rng = np.random.default_rng(0)
    for _ in range(60):
        F = rng.integers(0, 2, (rng.integers(1, 20), rng.integers(1, 5)))
        sizes = [bin(s).count("1") for s in range(2**F.shape[1])
                 if len({tuple(f[[i for i in range(F.shape[1]) if s >> i & 1]]) for f in F}) == 2**bin(s).count("1")]
        assert vc_dimension(F) == max(sizes) and vc_dimension(F[::-1]) == max(sizes)
        assert shatters(F) == (max(sizes) == F.shape[1])


def test_upper_bounds_are_monotone_and_consistent():
    for d in range(12):
        by_columns = [vc_upper(d, n_columns=m) for m in range(40)]
        assert by_columns == sorted(by_columns) and all(v <= 2**m for m, v in enumerate(by_columns))
        by_features = [vc_upper(d, n_features=p) for p in (1, 2, 5, 30, 1000)]
        assert by_features == sorted(by_features) and by_features[0] >= 2**d
    assert count_functions(2, 5) <= 5**3 * 2**4
    assert math.log2(count_functions(6, 100)) <= 2**6 + (2**6 - 1) * math.log2(100)
    assert vc_upper(40, n_features=20) > 2**40 and vc_upper(2000, n_columns=10) == 2**10


def test_real_trees_shatter_no_more_than_the_bound():
    rng = np.random.default_rng(0)
    bound = vc_upper(1, n_features=2)
    for _ in range(200):
        X = rng.normal(size=(bound + 1, 2))
        cuts = [X[:, j] <= c for j in (0, 1) for c in X[:, j]]
        F = np.array([c ^ f for c in cuts for f in (False, True)] + [np.zeros(bound + 1, bool), np.ones(bound + 1, bool)])
        assert not shatters(F)


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("model", [
    GradientBoostingClassifier(n_estimators=4, max_depth=2, random_state=0), RandomForestClassifier(5, max_depth=3, random_state=0),
    ExtraTreesClassifier(5, random_state=0), BaggingClassifier(n_estimators=4, random_state=0), AdaBoostClassifier(n_estimators=4),
    HistGradientBoostingClassifier(max_iter=4, max_depth=2, min_samples_leaf=3), DecisionTreeClassifier(max_depth=3)],
    ids=lambda m: type(m).__name__)
def test_ensembles_of_every_kind(model, classes):
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(60, 3)), np.arange(60) % classes
    weak = weak_learners(model.fit(X, y))
    assert weak.n_features == 3 and weak.max_depth >= 1 and weak.n_signs >= weak.n_trees >= 1
    d = theorem_depth(model)
    assert isinstance(d, int) and d >= theorem_depth(model, count="trees") >= depth_from_vc(3, 3)
    assert theorem_depth(model, n_columns=4) <= 4 and type(weak.n_signs) is int


def test_gradient_boosting_is_the_sum_of_signs_that_was_counted():
    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(80, 3)), rng.integers(0, 2, 80)
    model = GradientBoostingClassifier(n_estimators=5, max_depth=3, random_state=0).fit(X, y)
    columns = [np.ones(80)]
    for t in model.estimators_.ravel():
        values = t.predict(X)
        leaves = t.tree_.value[t.tree_.children_left < 0].ravel()
        columns += [np.where(values >= v, 1, -1) for v in np.sort(leaves)[1:]]
    assert len(columns) == weak_learners(model).n_signs
    score = model.decision_function(X)
    fit = np.linalg.lstsq(np.column_stack(columns), score, rcond=None)[0]
    assert np.allclose(np.column_stack(columns) @ fit, score)


def test_bad_input():
    for call, text in [
        (lambda: depth_from_vc(3, 2), "vc_base must be >= 3"), (lambda: depth_from_vc(True, 3), "n_weak must be an integer"),
        (lambda: vc_upper(-1, n_columns=2), "max_depth must be >= 0"), (lambda: vc_upper(2, 3, 4), "one of n_columns and n_features"),
        (lambda: theorem_depth((0, 8)), "n_weak must be >= 1"), (lambda: theorem_depth(LogisticRegression()), "model must be"),
        (lambda: theorem_depth("model"), "model must be"), (lambda: vc_dimension([0, 1]), "predictions must have two dimensions"),
        (lambda: depth_gap(Leaf(0), [[0]], [0], 0.1, None), "max_depth must be an integer"),
        (lambda: depth_gap(Leaf(0), [[0]], [0], -1, 0), "lam must be >= 0"), (lambda: safe_depth([[2]], [0], 0.1), "Xb must hold only 0 and 1"),
    ]:
        with pytest.raises((ValueError, TypeError), match=text):
            call()


def test_predict_agrees_after_a_cut_that_changes_nothing():
    Xb = np.array([[0, 1], [1, 0], [1, 1]])
    tree = Split(0, Split(1, Leaf(1), Leaf(0)), Leaf(0))
    assert (predict(cut_tree(tree, Xb, [0, 0, 1], 5), Xb) == [0, 0, 1]).all()
