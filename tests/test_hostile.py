"""Odd tables, odd orders of calls, random problems: each gets a right answer or a clear error."""
import pickle
import sys
import warnings
from collections import Counter
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule
from scipy.sparse import csr_matrix
from sklearn.exceptions import NotFittedError

from guesstree import GuessTreeClassifier, Leaf, Split, solve
from guesstree.brute import best_by_rows
from guesstree.use import from_json, to_json
from guesstree.use.one_page import report

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tools"))
import fuzz  # noqa: E402

pytestmark = pytest.mark.filterwarnings("ignore")
MAX = np.finfo(float).max


def fit(X, y, w=None, **more):
    "All split points, no guess, so that the best tree is known by hand."
    return GuessTreeClassifier(**{**dict(regularization=0.01, max_depth=3, thresholds="all", lower_bound="exact"), **more}).fit(X, y, w)


# The long run, in short.

@pytest.mark.parametrize("block", range(4))
def test_random_problems(block):
    for seed in range(10**6 + 60 * block, 10**6 + 60 * (block + 1)):
        fuzz.problem(seed, Counter())


@pytest.mark.parametrize("block", range(2))
def test_random_fits(block):
    for seed in range(10**6 + 40 * block, 10**6 + 40 * (block + 1)):
        fuzz.fit(seed, Counter())


@pytest.mark.slow
def test_random_problems_and_fits_at_length():
    for seed in range(2 * 10**6, 2 * 10**6 + 3000):
        fuzz.problem(seed, Counter())
    for seed in range(2 * 10**6, 2 * 10**6 + 600):
        fuzz.fit(seed, Counter())


def test_the_long_run_can_fail(monkeypatch, capsys):
    "A solver that reports a bound a hair too high is found, and its problem made small."
    def liar(*args, **options):
        r = solve(*args, **options)
        return r._replace(lower_bound=r.objective + 1e-6, gap=-1e-6)
    monkeypatch.setattr(fuzz, "solve", liar)
    assert fuzz.main("problems", 0, 1)
    told = capsys.readouterr().out
    assert "FAILED problems 0: AssertionError: lower bound" in told and "solve(np.array([[" in told
    p = fuzz.shrink(fuzz.draw_problem(3))
    assert fuzz.fails(p) and p.Xb.shape[0] == 1


# The life of an estimator: any order of calls leaves it as good as a new one.

NUMBERS = np.array([[1.0, 5], [2, 4], [3, 3], [4, 2], [5, 1], [1, 1], [3, 5], [5, 5]])
WORDS = pd.DataFrame({"größe": [1.0, None, 3, 4, 5, 6], "farbe": ["rot", "blau", None, "rot", "grün", "blau"], "ja": [True, False, True, True, False, False]})
TABLES = [(NUMBERS, [0, 0, 1, 1, 0, 1, 0, 1]), (NUMBERS[:, :1], list("abcabcab")), (WORDS, ["x", "y", "x", "x", "y", "z"]), (NUMBERS[:1], [7])]


class Life(RuleBasedStateMachine):
    "fit, refit, change parameters, predict odd tables, pickle, write and read."
    def __init__(self):
        super().__init__()
        self.clf, self.table = GuessTreeClassifier(0.05, 2, "all", "exact"), None

    @rule(which=st.integers(0, len(TABLES) - 1))
    def fit(self, which):
        self.clf.fit(*TABLES[which])
        self.table = which
        fresh = GuessTreeClassifier(**self.clf.get_params()).fit(*TABLES[which])
        if self.clf.time_limit is None:
            assert self.clf.tree_ == fresh.tree_ and self.clf.objective_ == fresh.objective_

    @rule(change=st.sampled_from([dict(regularization=0.2), dict(regularization=0), dict(max_depth=None), dict(max_depth=1), dict(engine="search"), dict(engine="gosdt"),
                                  dict(engine="fast"), dict(time_limit=0), dict(time_limit=None), dict(lower_bound="paper"), dict(lower_bound="exact"),
                                  dict(thresholds="buckets"), dict(thresholds="guess", reference=(3, 1)), dict(thresholds="all"), dict(memory_limit=0)]))
    def change(self, change):
        self.clf.set_params(**change)  # what was fitted stays until the next fit

    @rule(bad=st.sampled_from([dict(regularization=-1), dict(max_depth=-2), dict(engine="steam"), dict(thresholds="none"), dict(time_limit=-1)]))
    def refuse(self, bad):
        before = self.clf.get_params()
        with pytest.raises(ValueError, match=next(iter(bad))):
            self.clf.set_params(**bad).fit(*TABLES[0])
        self.clf.set_params(**before)

    @precondition(lambda self: self.table is None)
    @rule()
    def too_early(self):
        with pytest.raises(NotFittedError):
            self.clf.predict(NUMBERS)

    @precondition(lambda self: self.table is not None)
    @rule()
    def odd_predictions(self):
        X = TABLES[self.table][0]
        with pytest.raises(ValueError):
            self.clf.predict(np.zeros((2, 7)))
        with pytest.raises(ValueError):
            self.clf.predict(X[:0])
        if X is WORDS:
            odd = pd.DataFrame({"größe": [np.nan, 1e300], "farbe": ["lila", ""], "ja": [None, True]})
            assert set(self.clf.predict(odd)) <= set(self.clf.classes_)

    @precondition(lambda self: self.table is not None)
    @rule(way=st.sampled_from(["pickle", "json"]))
    def carry(self, way):
        new = pickle.loads(pickle.dumps(self.clf)) if way == "pickle" else from_json(to_json(self.clf, certificate=False))
        X = TABLES[self.table][0]
        assert new.tree_ == self.clf.tree_ and (new.predict(X) == self.clf.predict(X)).all() and new.lower_bound_ == self.clf.lower_bound_
        self.clf = new

    @invariant()
    def certificates_are_true(self):
        if self.table is not None:
            X, y = TABLES[self.table]
            wrong = Fraction(int((self.clf.predict(X) != np.array(y)).sum()), len(y))
            assert abs(self.clf.loss_ - float(wrong)) < 1e-12 and self.clf.lower_bound_ <= self.clf.objective_
            assert np.allclose(self.clf.predict_proba(X).sum(axis=1), 1)


Life.TestCase.settings = settings(max_examples=12, stateful_step_count=12, deadline=None)
TestLife = Life.TestCase


# Tables with a known answer.

@pytest.mark.parametrize("X, y, tree", [
    (np.ones((6, 3)), [1, 1, 1, 1, 0, 0], Leaf(1)),                                              # all rows equal, labels contradict
    (np.arange(6)[:, None], [3] * 6, Leaf(3)),                                                   # all labels equal
    ([[4.0, 5.0]], ["one"], Leaf("one")),                                                        # one row
    ([[0], [1]] * 3, [0, 1] * 3, Split(0, Leaf(0), Leaf(1))),                                    # one column
    ([[0, 0], [1, 1]] * 3, [0, 1] * 3, Split(0, Leaf(0), Leaf(1))),                              # a column twice: the first is asked
    ([[0, 1], [1, 0]] * 3, [0, 1] * 3, Split(0, Leaf(0), Leaf(1))),                              # a column and its complement
    ([[0.0], [5e-324], [1e-323], [1.5e-323]], [0, 0, 1, 1], Split(1, Leaf(0), Leaf(1))),         # denormal neighbours
    ([[1.0], [np.nextafter(1, 2)]] * 2, [0, 1] * 2, Split(0, Leaf(0), Leaf(1))),                 # neighbours
    ([[-MAX], [MAX]] * 2, [0, 1] * 2, Split(0, Leaf(0), Leaf(1))),                               # their difference overflows
    ([[np.nextafter(MAX, 0)], [MAX]] * 2, [0, 1] * 2, Split(0, Leaf(0), Leaf(1))),               # and their sum
    ([[-0.0], [0.0]] * 2, [0, 1] * 2, Leaf(0)),                                                  # two zeros are one
    (np.array([[-2**63], [2**63 - 1]] * 2), [0, 1] * 2, Split(0, Leaf(0), Leaf(1))),             # the ends of int64
    (np.array([[2**63 - 2], [2**63 - 1]] * 2), [0, 1] * 2, Leaf(0)),                             # the same float64
    (np.array([[0], [2**64 - 1]] * 2, np.uint64), [0, 1] * 2, Split(0, Leaf(0), Leaf(1))),
    (np.array([[0], [10**30]] * 2, object), [0, 1] * 2, Split(0, Leaf(0), Leaf(1))),             # whole numbers beyond int64
    ([[0], [1]] * 2, [-2**63, 2**63 - 1] * 2, Split(0, Leaf(-2**63), Leaf(2**63 - 1))),          # labels at the ends of int64
    ([[-1.7e308], [1.7e308], [np.nan], [np.nan]], [0, 0, 1, 1], Split(0, Leaf(1), Leaf(0))),     # gaps beyond the largest numbers
    ([[1], [2], [3]], ["", " ", "\u202e"], None),                                                # labels that cannot be seen
])
def test_tables_with_a_known_tree(X, y, tree):
    clf = fit(X, y)
    assert clf.status_ == "optimal" and (tree is None or clf.tree_ == tree), clf.tree_
    assert tree is not None or clf.predict(X).tolist() == y
    assert clf.score(X, y) == pytest.approx(1 - clf.loss_, abs=1e-12)
    back = from_json(to_json(clf))
    assert back.tree_ == clf.tree_ and (back.predict(X) == clf.predict(X)).all()


@pytest.mark.parametrize("column, seen, unseen", [
    (np.array(["a", 1, 2.5, True], object), [0, 1, 1, 1], np.array(["b", None, 7], object)),     # a mixture
    (np.array([b"a", b"b", b"a", b"b"], object), [0, 1, 0, 1], np.array([b"c", b"", b"a "], object)),
    (np.array(["ä", "a\u0308", "ä", "a\u0308"], object), [0, 1, 0, 1], np.array(["a", "", "<b>"], object)),  # they look the same
])
def test_categories_of_all_kinds(column, seen, unseen):
    clf = fit(column[:, None], seen, regularization=0.001)
    assert clf.predict(column[:, None]).tolist() == seen and clf.status_ == "optimal"
    none = clf.predict(np.array([[object.__name__ + "?"]], object))     # never seen: says no to every question
    assert (clf.predict(unseen[:, None]) == none).all()


def test_categories_unseen_at_predict_say_no():
    table = pd.DataFrame({"colour": pd.Categorical(["red", "blue", "red", "green"])})
    clf = fit(table, [1, 0, 1, 0], max_depth=1)
    other = pd.DataFrame({"colour": pd.Categorical(["violet", "red", None], categories=["violet", "red"])})
    assert clf.predict(other).tolist() == [0, 1, 0]


@pytest.mark.parametrize("names", [["größe 👍", "\u202eabc\n", ""], ["<script>alert(1)</script>", "a,b", "'; DROP TABLE x"], ["x <= 1", "x", "None"]])
def test_names_of_all_kinds(names):
    table = pd.DataFrame(np.array([[1, 0, 1], [2, 0, 1], [1, 1, 1], [2, 1, 0]]), columns=names)
    clf = fit(table, [0, 1, 1, 0], regularization=0.001)
    back = from_json(to_json(clf))
    assert clf.score(table, [0, 1, 1, 0]) == 1 and back.predict(table).tolist() == [0, 1, 1, 0]
    page = report(clf)
    assert "<script>alert" not in page and page.endswith("</html>\n")


@pytest.mark.parametrize("X, y, w, words", [
    (np.array([[10**400], [0]], object), [0, 1], None, "too large for float64, got one in column 'x0'"),
    ([[np.inf], [0]], [0, 1], None, "infinity"), ([[0], [1]], [0, 1], [np.inf, 1], "sample_weight"), ([[0], [1]], [0, 1], [np.nan, 1], "sample_weight"),
    ([[0], [1]], [0, 1], [2**53, 1], "sample_weight"), ([[0], [1]], [0, 1], [-1, 1], "sample_weight"), ([[0], [1]], [0, 1], [0, 0], "sample_weight"),
    ([[0], [1]], [0, 1], [1e-300, 1e-300], "sample_weight"), ([[0], [1]], [0, 1], ["a", "b"], "sample_weight"),
    (pd.DataFrame({"a": [[1], [2]]}), [0, 1], None, "column 'a'"), (pd.DataFrame({"a": [{}, {}]}), [0, 1], None, "column 'a'"),
    (pd.DataFrame([[1, 2], [2, 1]], columns=["a", "a"]), [0, 1], None, "unique|two columns of one name"), (pd.DataFrame([[1, 2], [2, 1]], columns=[1, "1"]), [0, 1], None, ""),
    (np.zeros((2, 2, 2)), [0, 1], None, ""), (np.zeros((2, 1), [("a", int)]), [0, 1], None, "column 'x0'"), ([[0], [1]], np.array([1, "a"], object), None, "label"),
    ([[0], [1]], np.array(["2020", "2021"], "datetime64[D]"), None, "y must"),
])
def test_what_is_refused(X, y, w, words):
    with pytest.raises((ValueError, TypeError)) as caught:
        fit(X, y, w)
    assert any(o in str(caught.value) for o in words.split("|"))


@pytest.mark.parametrize("column, odd, words", [([True, False], ["no"], "held flags in fit, got 'no'"), ([True, False], [2], "held flags in fit, got 2"),
                                                ([0.5, 1.5], ["many"], "held numbers in fit, got 'many'"), ([1, 2], [10**400], "too large for float64")])
def test_what_is_refused_at_predict(column, odd, words):
    clf = fit(np.array(column)[:, None], [0, 1])
    with pytest.raises(ValueError, match=words):
        clf.predict(np.array(odd, object)[:, None])


def test_infinite_numbers_at_predict_lie_at_the_ends():
    clf = fit([[0.0], [1.0]] * 2, [0, 1] * 2)
    assert clf.predict([[np.inf], [-np.inf]]).tolist() == [1, 0]


@pytest.mark.parametrize("w", [[1, 10**6, 10**12, 1, 10**6, 1], [2.0**-30, 1, 2.0**9, 1, 1, 2.0**-30], [0, 0, 0, 1, 0, 2**52]])
def test_weights_of_very_different_size(w):
    Xb, y = np.array([[0, 0], [0, 1], [1, 0], [1, 1], [0, 0], [1, 1]]), [0, 1, 1, 0, 1, 1]
    whole = np.array([int(Fraction(v) * 2**30) for v in w], object) if max(w) < 2**20 else np.array(w)
    best = best_by_rows(Xb, y, 0.001, None, whole.astype(np.int64))
    for engine in ("search", "boxes", "dl85", "gosdt"):
        r = solve(Xb, y, lam=0.001, sample_weight=w, engine=engine)
        assert r.status == "optimal" and r.objective == pytest.approx(float(best.cost), abs=1e-12)


@pytest.mark.parametrize("shift", [0, 8])
def test_large_weights_make_no_false_certificate(shift):
    Xb, y = np.array([[1, 0, 1], [1, 0, 0], [0, 1, 1], [0, 0, 1], [0, 0, 0]]), [0, 1, 0, 0, 0]
    w = np.array([183251937962, 549755813888, 91625968981, 183251937962, 91625968981]) >> shift
    assert solve(Xb, y, lam=0, max_depth=3, sample_weight=w, engine="search").objective == 0
    assert solve(Xb, y, lam=0, max_depth=3, sample_weight=w, engine="gosdt").objective == 0


def test_certificates_know_the_least_weight_of_a_leaf():
    X, y = np.array([[0.2], [0.2], [0.1], [0.0], [0.2], [0.05], [0.3]]), list("ppqppqr")
    clf = GuessTreeClassifier(1e-6, 3, "all", min_samples_leaf=2, reference=(7, 1), certify=False).fit(X, y)
    assert not [c for c in clf.certificate_.clauses if c.applies and c.holds is False]


def test_weights_that_are_too_small_are_called_small():
    with pytest.raises(ValueError, match="small|add up"):
        solve([[0], [1]], [0, 1], sample_weight=[1e-300, 1e-300])


def test_a_hundred_thousand_columns():
    "Most of them copies; the answer is known, and the first copy is asked."
    rng = np.random.default_rng(0)
    Xb = np.repeat(rng.random((60, 50)) < 0.5, 2000, axis=1)
    y = Xb[:, 77_777] ^ Xb[:, 5]
    r = solve(Xb, y, lam=0.01, max_depth=2)
    assert (r.status, r.objective, r.n_leaves) == ("optimal", pytest.approx(0.04), 4) and r.tree.column == 0 and r.tree.yes.column == 76_000


def test_a_million_rows():
    rng = np.random.default_rng(0)
    X = rng.integers(0, 9, (10**6, 3)).astype(float)
    y = (X[:, 0] < 4) ^ (X[:, 2] > 6)
    clf = fit(X, y, regularization=0.001)
    assert (clf.status_, clf.loss_, clf.n_leaves_) == ("optimal", 0, 4) and clf.score(X, y) == 1


def test_warnings_are_no_errors():
    "A library user who turns warnings into errors still gets trees from what is in order."
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert fit([[0.0], [1.0]] * 3, [0, 1] * 3).status_ == "optimal"


def test_masked_values_are_gaps_in_x_and_errors_elsewhere():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 3))
    y, hidden = (X[:, 0] > 0).astype(int), np.abs(X) > 1.5
    masked, gaps = (GuessTreeClassifier(0.02, 3).fit(t, y) for t in (np.ma.array(X, mask=hidden), np.where(hidden, np.nan, X)))
    assert masked.objective_ == gaps.objective_ > GuessTreeClassifier(0.02, 3).fit(X, y).objective_
    assert (masked.predict(np.ma.array(X, mask=hidden)) == gaps.predict(np.where(hidden, np.nan, X))).all()
    for table in (X, pd.DataFrame(X)):
        with pytest.raises(ValueError, match="y must not hold masked values"):
            GuessTreeClassifier().fit(table, np.ma.masked_equal(y, 0))
    with pytest.raises(ValueError, match="sample_weight must not hold masked values"):
        GuessTreeClassifier().fit(X, y, np.ma.masked_equal(np.arange(60.0), 3))


# Messy tables: each column is read as it is meant, or refused by name; and new rows as the fit has read the old.

NUMBER = np.random.default_rng(0).normal(size=60).round(3) * 1000
GERMAN = str.maketrans(",.", ".,")


@pytest.mark.parametrize("write, new, odd", [
    (lambda v: f"{v:g}", 7.5, "7,5"), (lambda v: f" {v:.1f} ", "7.5", "seven"), (lambda v: f"{v:,.1f}", "1,007.5", "1.007,5"),
    (lambda v: f"{v:,.1f}".translate(GERMAN), "1.007,5", "1,007.5"), (lambda v: f"{v:.1f}".replace(".", ","), 7.5, "7.5"), (lambda v: f"{v:.2f} %", "7 %", "7"),
    (lambda v: f"-${-v:.2f}" if v < 0 else f"${v:.2f}", "$7", "7"), (lambda v: f"{v:,.1f}".replace(",", "\u202f"), "1 007.5", "1.007,5"), (lambda v: f"{v:,.1f}".replace(",", "'"), 7.5, "7,5"),
    (lambda v: str(np.datetime64("2020-01-01") + int(v)), np.datetime64("2020-01-01"), 18262.0), (lambda v: np.datetime64("2020-01-01T00:00") + int(v), "2020-01-01", "1.1.2020"),
    (lambda v: pd.Timestamp("2020-01-01", tz="UTC") + pd.Timedelta(hours=v), "2020-01-01T01:00+01:00", 7), (lambda v: np.timedelta64(int(v), "h"), pd.Timedelta(hours=2), 2.0),
    (lambda v: v if v > 100 else f"{v:g}", "7.5", "7,5"), (lambda v: f"{v:g}".encode(), b"7.5", "x"), (Decimal, "7.5", "x"), (lambda v: "N/A" if abs(v) < 9 else f"{v:g}", "n/a", "?")])
def test_numbers_in_other_clothes(write, new, odd):
    column, y = [write(v) for v in NUMBER], NUMBER > 10
    frames = [pd.DataFrame({"a": column}), np.array(column, object)[:, None]]
    for X in frames:
        clf = fit(X, y, max_depth=2)
        assert clf.loss_ <= 2 / 60 and len(clf.encoding_.features) <= 2 and (clf.predict(X) != y).mean() == pytest.approx(clf.loss_)
        back = from_json(to_json(clf))
        assert back.encoding_ == clf.encoding_ and (back.predict(X) == clf.predict(X)).all()
        def cell(v, X=X): return pd.DataFrame({"a": pd.Series([v], dtype=object)}) if hasattr(X, "columns") else np.array([[v]], object)
        clf.predict(cell(new))
        clf.predict(cell(None))
        with pytest.raises(ValueError, match="held (numbers|dates|durations).* in fit, got"):
            clf.predict(cell(odd))
    halves = [fit(X.iloc[k::2], y[k::2], max_depth=2).predict(frames[0]) for X in frames[:1] for k in (0, 1)]
    assert np.mean(halves[0] == halves[1]) > 0.9


@pytest.mark.parametrize("column, words", [
    (["1", "2", "x", "4"] * 9, "read as words, since 'x' is no number; 27 of 36"), (["2020-01-01", "2020-02-01", "2020-03-01", "soon"] * 9, "since 'soon' is no date"),
    (["1", "2", "3", "4"] * 9, "texts that are numbers"), (pd.to_timedelta([1, 2, 3, 4] * 9, "D"), "durations"), ([2**60 + k for k in range(36)], r"beyond 2\*\*53")])
def test_what_may_not_be_meant_is_told(column, words):
    with pytest.warns(UserWarning, match=words):
        fit(pd.DataFrame({"a": column}), [0, 1, 0, 1] * 9)


@pytest.mark.parametrize("column", [["yes", "no", "yes", "no"], pd.Categorical(["u", "v", "u", "v"], categories=["z", "u", "v"]), pd.Categorical(["1", "2", "1", "2"]),
                                    pd.Series([True, False, True, False], dtype=object), ["true", "false"] * 2, pd.arrays.SparseArray([1, 0, 1, 0]), [Decimal(1), Decimal(2)] * 2,
                                    np.array([1, 2, 1, 2], np.longdouble), np.array([1, 2, 1, 2], np.float16), pd.array([1, 0, 1, 0], "Int8"), pd.array(["a", "b"] * 2, "string")])
def test_columns_of_odd_types_are_sensible(column):
    frame = pd.DataFrame({"a": column, "gaps": [None] * 4, "same": 3})
    for X in (frame, frame.set_index(pd.MultiIndex.from_arrays([[4, 3, 2, 1], list("abcd")])), frame.set_axis(["a", "b", "c"], axis=1), frame.set_axis([0, 1, 2], axis=1)):
        assert fit(X, pd.DataFrame({"y": [0, 1, 0, 1]})).score(X, [0, 1, 0, 1]) == 1


@pytest.mark.parametrize("X, y, w, words", [
    ([[1], [2]], [0, None], None, "got None in row 1"), ([[1], [2], [3]], [0, 1, np.nan], None, "nan in row 2"), ([[1], [2]], pd.Series(["a", pd.NA]), None, "in row 1"),
    ([[1], [2]], pd.Categorical(["a", None]), None, "in row 1"), ([[1], [2]], pd.array([1, None], "Int64"), None, "in row 1"), ([[1], [2]], ["a", "b"], [-1, 1], "got -1.0 in row 0"),
    ([[1], [2]], ["a", "b"], [1, np.nan], "got nan in row 1"), ([[1], [2]], ["a", "b"], pd.array([1, None], "Int64"), "in row 1"), ([[1], [2], [3]], np.array([1, "a", 2], object), None, "one kind"),
    ([[1], [2]], np.array([[0, 1], [1, 0]]), None, "one dimension"), ([[1], [2]], [0, 1, 1], None, "one label for each of the 2 rows, got 3"),
    (np.array([[1j], [2]]), [0, 1], None, "real numbers"), (pd.DataFrame({"a": [[1], [2]]}), [0, 1], None, "column 'a'"), (pd.DataFrame({"a": pd.period_range("2020", periods=2, freq="M")}), [0, 1], None, "column 'a'"),
    (pd.DataFrame({"a": [pd.Timestamp("2020-01-01"), "soon"]}), [0, 1], None, "column 'a' must hold dates or durations alone"), (pd.DataFrame({"a": [pd.Timestamp("2020-01-01"), 7]}), [0, 1], None, "column 'a'"),
    (csr_matrix([[1.0], [2]]), [0, 1], None, "dense")])
def test_the_trouble_is_named(X, y, w, words):
    with pytest.raises((ValueError, TypeError)) as caught:
        fit(X, y, w)
    assert words in str(caught.value) and len(str(caught.value)) < 400, caught.value


def test_one_class_is_a_leaf_and_is_told():
    with pytest.warns(UserWarning, match="y holds one class, b: the tree is a leaf"):
        assert GuessTreeClassifier().fit(NUMBERS, ["b"] * 8).tree_ == Leaf("b")
