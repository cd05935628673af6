"""Properties of trees, binarisation and patterns that hold for whatever Hypothesis thinks of."""
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given, strategies as st
from hypothesis.extra.numpy import arrays

from guesstree import Leaf, Split, notation
from guesstree.engine import patterns
from guesstree.notation import (
    Threshold, binarize, buckets, depth, loss, midpoints, n_leaves, named, objective, predict,
    split_points, to_text)
from guesstree.engine.prices import as_fraction
from guesstree.use import drawing
from guesstree.use.drawing import to_dot, to_svg
from guesstree.engine.patterns import find_patterns, merge, patterns_from_chunks

floats = st.floats(allow_nan=False, allow_infinity=False)
few = st.one_of(st.integers(-3, 3).map(float), st.sampled_from([0.1, 0.1 + 2**-56, 1e308, -1e308, 5e-324, 2.0**53]), floats)


@st.composite
def tables(draw, max_rows=12, max_features=3):
    n, p = draw(st.integers(1, max_rows)), draw(st.integers(1, max_features))
    X = draw(arrays(np.float64, (n, p), elements=few))
    y = draw(arrays(np.int64, n, elements=st.integers(0, 3)))
    w = draw(arrays(np.int64, n, elements=st.integers(1, 5)))
    return X, y, w


@st.composite
def trees(draw, m=4, d=3):
    if d == 0 or draw(st.booleans()):
        return Leaf(draw(st.integers(0, 3)))
    return Split(draw(st.integers(0, m - 1)), draw(trees(m, d - 1)), draw(trees(m, d - 1)))


def slow_predict(tree, row):
    while isinstance(tree, Split):
        tree = tree.yes if row[tree.column] else tree.no
    return tree.label


# trees

@given(trees(), arrays(bool, st.tuples(st.integers(1, 9), st.just(4))))
def test_predict_is_a_walk_down_the_tree(tree, Xb):
    assert predict(tree, Xb).tolist() == [slow_predict(tree, row) for row in Xb]


@given(trees())
def test_representations(tree):
    names = [f"<{j}> & \"q\"" for j in range(4)]
    pretty = named(tree, names)
    assert eval(repr(tree)) == tree == pretty and hash(tree) == hash(pretty)
    assert len(to_text(pretty).splitlines()) == 2 * n_leaves(tree) - 1
    assert to_svg(pretty) == to_svg(named(tree, names))
    assert to_dot(tree).count("->") == 2 * n_leaves(tree) - 2
    assert n_leaves(tree) <= 2 ** depth(tree)
    import xml.dom.minidom
    assert len(xml.dom.minidom.parseString(to_svg(pretty)).getElementsByTagName("rect")) == 2 * n_leaves(tree)


@given(trees(d=4))
def test_boxes_of_one_level_do_not_overlap(tree):
    levels = {}
    for node, x, y, *_ in drawing._place(drawing._cards(named(tree, ["a very long name for a column"] * 4))):
        levels.setdefault(y, []).append((x - drawing._box(node) / 2, x + drawing._box(node) / 2))
    for boxes in levels.values():
        boxes.sort()
        assert all(a[1] < b[0] for a, b in zip(boxes, boxes[1:]))


def test_labels_of_any_kind():
    Xb = [[1], [0]]
    assert predict(Split(0, Leaf("a"), Leaf("bcd")), Xb).tolist() == ["a", "bcd"]
    assert predict(Split(0, Leaf("a"), Leaf(1)), Xb).tolist() == ["a", 1]
    assert predict(Split(0, Leaf(True), Leaf(False)), Xb).dtype == bool
    assert loss(Split(0, Leaf("a"), Leaf("b")), Xb, np.array(["a", "a"], dtype=object)) == 0.5


# prices

@given(st.fractions(0, 1, max_denominator=10**6))
def test_small_fractions_are_read_as_meant(q):
    assert as_fraction(float(q)) == q


@given(st.floats(min_value=0, max_value=1e300))
def test_a_price_rounds_back(lam):
    assert float(as_fraction(lam)) == lam


@given(trees(), arrays(bool, st.tuples(st.integers(1, 9), st.just(4))), st.data())
def test_objective_is_loss_plus_leaves(tree, Xb, data):
    y = data.draw(arrays(np.int64, len(Xb), elements=st.integers(0, 3)))
    lam = data.draw(st.floats(0, 1))
    wrong = sum(slow_predict(tree, row) != label for row, label in zip(Xb, y))
    assert objective(tree, Xb, y, lam) == notation.price(wrong, n_leaves(tree), len(y), lam)
    assert objective(tree, Xb, y, lam, max_depth=depth(tree)) == objective(tree, Xb, y, lam)
    if depth(tree):
        assert objective(tree, Xb, y, lam, max_depth=depth(tree) - 1) == math.inf


# thresholds

@given(arrays(np.float64, st.integers(1, 20), elements=few))
def test_split_points_part_neighbours_and_nothing_else(x):
    values = np.unique(x)
    points = midpoints(x)
    assert len(points) == len(values) - 1
    for i, t in enumerate(points):
        assert values[i] <= t < values[i + 1]
        assert t > values[i] or np.nextafter(values[i], np.inf) == values[i + 1]  # strictly between if a float is


@given(tables())
def test_binarisation_round_trip(table):
    "All split points tell all distinct rows apart, and equal rows alike."
    X, _, _ = table
    Xb = binarize(X, split_points(X))
    assert len(np.unique(Xb, axis=0)) == len(np.unique(X + 0.0, axis=0))
    for j, t in split_points(X):
        assert ((X[:, j] <= t) == binarize(X, [(j, t)])[:, 0]).all()


@given(tables())
def test_float32_and_integers_fall_on_the_side_of_their_float64_value(table):
    X, _, _ = table
    most = np.finfo(np.float32).max
    X32 = np.clip(X, -most, most).astype(np.float32)
    points = split_points(X32)
    assert (binarize(X32, points) == binarize(X32.astype(np.float64), points)).all()


@given(tables())
def test_buckets_keep_a_cut_where_two_labels_meet(table):
    "Row by row: a cut stays if the samples at the two values beside it carry more than one label."
    X, y, _ = table
    def meet(j, t):
        x = X[:, j].tolist()
        below, above = max(v for v in x if v <= t), min(v for v in x if v > t)
        return len({label for v, label in zip(x, y.tolist()) if v in (below, above)}) > 1
    assert buckets(X, y) == [o for o in split_points(X) if meet(*o)]


# patterns

def as_counts(patterns):
    return {(tuple(row), label): int(w) for row, ws in zip(patterns.Xb.tolist(), patterns.weights)
            for label, w in zip(patterns.classes.tolist(), ws) if w}


def slow_counts(Xb, y, w):
    counts = {}
    for row, label, v in zip(Xb.tolist(), y.tolist(), w.tolist()):
        counts[tuple(row), label] = counts.get((tuple(row), label), 0) + v
    return counts


@given(tables())
def test_patterns_hold_every_row(table):
    X, y, w = table
    points = split_points(X)
    found = find_patterns(X, y, points, w)
    assert as_counts(found) == slow_counts(binarize(X, points), y, w)
    assert found.n == w.sum() and found.classes.tolist() == sorted(set(y.tolist()))
    assert len(np.unique(found.codes, axis=0)) == len(found)


@given(tables(), st.randoms(use_true_random=False), st.lists(st.integers(0, 12), max_size=3))
def test_order_of_rows_and_chunks_does_not_matter(table, random, cuts):
    X, y, w = table
    points = split_points(X)
    whole = find_patterns(X, y, points, w)
    order = list(range(len(X)))
    random.shuffle(order)
    parts = [part for part in np.split(np.array(order), sorted(c for c in cuts if 0 < c < len(X))) if len(part)]
    assert patterns_from_chunks(((X[p], y[p], w[p]) for p in parts), points) == whole
    assert merge(*(find_patterns(X[p], y[p], points, w[p]) for p in parts)) == whole


@given(tables(), st.randoms(use_true_random=False))
def test_order_of_columns_does_not_matter(table, random):
    X, y, w = table
    points = split_points(X)
    order = list(range(len(points)))
    random.shuffle(order)
    shuffled = find_patterns(X, y, [points[k] for k in order], w)
    back = np.argsort(order).astype(int)
    assert {(tuple(np.array(row)[back].tolist()), label): v for (row, label), v in as_counts(shuffled).items()} \
        == as_counts(find_patterns(X, y, points, w))


@given(tables())
def test_compiled_and_plain_counting_agree(table):
    X, y, w = table
    points = split_points(X)
    plain = find_patterns(X, y, points, w)
    kept, patterns._PLAIN = patterns._PLAIN, 0
    try:
        assert find_patterns(X, y, points, w) == plain
        bits = find_patterns(binarize(X, points), y, None, w)
    finally:
        patterns._PLAIN = kept
    assert bits == find_patterns(binarize(X, points), y, None, w)


@given(tables(), trees(m=3))
def test_patterns_price_trees_as_rows_do(table, tree):
    X, y, w = table
    points = split_points(X)
    assume(len(points) >= 3)
    p = find_patterns(X, y, points, w)
    right = (p.classes[None, :] == predict(tree, p.Xb)[:, None]) * p.weights
    assert Fraction(p.n - int(right.sum()), p.n) == Fraction(int(w[predict(tree, binarize(X, points)) != y].sum()), int(w.sum()))


@pytest.mark.parametrize("labels", [
    np.array([0, 2**64 - 1, 2**64 - 2, 2**64 - 1], dtype=np.uint64), np.array([-5, 10**15, 3, 3]), np.array([True, False, True, True]),
    np.array(["a", "a\0", "b", "b"], dtype=object), np.array(["x", "yy", "", "x"]), np.array([0.1, 0.1 + 1e-17, 0.3, 1e300]),
    np.array([-128, 127, 0, 1], dtype=np.int8)], ids=str)
def test_labels_are_kept_as_they_are(labels):
    X = np.arange(4.0)[:, None]
    found = find_patterns(X, labels, split_points(X))
    assert found.n == 4 and found.classes.tolist() == sorted(set(labels.tolist()))
    assert [found.classes[row.argmax()] for row in found.weights] == labels.tolist()


def test_tuples_can_be_labels():
    y = np.empty(2, dtype=object)
    y[:] = [(1, 2), (3, 4)]
    assert find_patterns([[0], [1]], y).classes.tolist() == [(1, 2), (3, 4)]


def test_many_columns_make_many_words():
    rng = np.random.default_rng(0)
    Xb = rng.random((300, 1000)) < 0.5
    y = rng.integers(0, 3, 300)
    assert as_counts(find_patterns(Xb, y)) == slow_counts(Xb, y, np.ones(300, dtype=int))


# bad input

GOOD = np.array([[1.0, 2.0], [3.0, 4.0]])


@pytest.mark.parametrize("X, y, thresholds, w, error, words", [
    (np.zeros((0, 2)), [], [(0, 1.0)], None, ValueError, "at least one row"),
    (None, [0], [(0, 1.0)], None, ValueError, "dense table with two dimensions, got NoneType"),
    (np.zeros((2, 2, 2)), [0, 1], [(0, 1.0)], None, ValueError, "got shape (2, 2, 2)"),
    ([[10**400, 1]], [0], [(0, 1.0)], None, TypeError, "X must hold numbers"),
    (GOOD, [0, 1], 5, None, TypeError, "pairs (feature, value), got 5"),
    (GOOD, np.array(["2020-01-01", "2021-01-01"], dtype="datetime64[D]"), [(0, 1.0)], None, TypeError, "y must hold numbers, strings"),
    (GOOD[0], [0, 1], [(0, 1.0)], None, ValueError, "dense table with two dimensions"),
    ([[1, 2], [3, math.nan]], [0, 1], [(0, 1.0)], None, ValueError, "finite, got nan in row 1, column 1"),
    ([[1, 2], [3, -math.inf]], [0, 1], [(0, 1.0)], None, ValueError, "finite, got -inf in row 1, column 1"),
    ([["a", "b"]], [0], [(0, 1.0)], None, TypeError, "encode categories"),
    (GOOD, [0], [(0, 1.0)], None, ValueError, "each of the 2 rows, got 1"),
    (GOOD, [[0], [1]], [(0, 1.0)], None, ValueError, "one dimension"),
    (GOOD, [0, math.nan], [(0, 1.0)], None, ValueError, "NaN"),
    (GOOD, np.array([0, None], dtype=object), [(0, 1.0)], None, ValueError, "None, NaN"),
    (GOOD, np.array([0, "a"], dtype=object), [(0, 1.0)], None, TypeError, "labels of one kind"),
    (GOOD, [0, 1], [(2, 1.0)], None, ValueError, "feature from 0 to 1, got 2"),
    (GOOD, [0, 1], [(0, math.nan)], None, ValueError, "finite values, got nan"),
    (GOOD, [0, 1], [(0, "1")], None, ValueError, "finite values"),
    (GOOD, [0, 1], [3], None, TypeError, "pairs (feature, value), got 3"),
    (GOOD, [0, 1], [(0, 1.0)], [1], ValueError, "shape (2,), got (1,)"),
    (GOOD, [0, 1], [(0, 1.0)], [1, 0.5], ValueError, "whole numbers"),
    (GOOD, [0, 1], [(0, 1.0)], [1, -1], ValueError, "whole numbers"),
    (GOOD, [0, 1], [(0, 1.0)], [1, math.nan], ValueError, "whole numbers"),
    (GOOD, [0, 1], [(0, 1.0)], [2**60, 1], ValueError, "less than 2**53"),
    (GOOD, [0, 1], [(0, 1.0)], ["a", "b"], TypeError, "must hold numbers"),
    (GOOD, [0, 1], None, None, ValueError, "only 0 and 1, got 2.0 in row 0, column 1"),
])
def test_bad_input_is_refused_with_a_reason(X, y, thresholds, w, error, words):
    with pytest.raises(error) as caught:
        find_patterns(X, y, thresholds, w)
    assert words in str(caught.value)


def test_sensible_answers_at_the_edges():
    one = find_patterns([[1.0]], ["only"], split_points([[1.0]]))
    assert (len(one), one.m, one.classes.tolist()) == (1, 0, ["only"])
    assert split_points(np.full((5, 2), 7.0)) == []
    assert binarize(GOOD, []).shape == (2, 0)
    assert find_patterns(np.zeros((3, 0)), [0, 1, 1]).weights.tolist() == [[1, 2]]
    import pandas as pd
    frame = pd.DataFrame({"a": [1, 2, 2], "b": [True, False, False]})
    assert len(find_patterns(frame, pd.Series([0, 1, 0]), split_points(frame))) == 2
    assert split_points(frame) == [Threshold(0, 1.5), Threshold(1, 0.5)]


@pytest.mark.parametrize("lam, error", [(-1, ValueError), (math.nan, ValueError), (math.inf, ValueError), ("1", TypeError),
                                        (None, TypeError), (True, TypeError), (1j, TypeError)])
def test_bad_prices(lam, error):
    with pytest.raises(error, match="lam must be"):
        objective(Leaf(0), [[1]], [0], lam)
