"""The estimator as scikit-learn, tables and people will use it."""
import pickle
import time
import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.ensemble import GradientBoostingClassifier, RandomForestClassifier
from sklearn.model_selection import GridSearchCV, KFold, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from sklearn.utils.estimator_checks import check_estimator

from guesstree import (
    GuessTreeClassifier, GuessTreeClassifierCV, Leaf, ThresholdGuesser, regularization_path, solve)
from guesstree.brute import best_by_rows
from guesstree.notation import binarize, n_leaves, objective, predict

CANCER = load_breast_cancer(return_X_y=True)


@pytest.mark.parametrize("estimator", [pytest.param(GuessTreeClassifier(), marks=pytest.mark.slow), GuessTreeClassifier(0.02), GuessTreeClassifierCV(regularizations=(0.1, 0.02), max_depths=(2,), cv=2)])
def test_scikit_learns_whole_checker(estimator):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        results = check_estimator(estimator, on_fail=None)
    assert len(results) > 50
    assert {r["check_name"] for r in results if r["status"] not in ("passed", "skipped")} == set()
    assert {r["check_name"] for r in results if r["status"] == "skipped"} <= {"check_array_api_input"}  # needs an environment variable of SciPy


def test_the_tree_of_the_paper_on_compas(paper_table):
    "20 trees of depth 3, a price of .001, depth 5: nine leaves, proven."
    t = paper_table("compas")
    clf = GuessTreeClassifier(0.001, 5, reference=(20, 3)).fit(t.X, t.y)
    assert (clf.n_leaves_, round(clf.objective_, 6), clf.status_) == (9, 0.321437, "optimal")
    assert objective(clf.tree_, binarize(t.X, clf.encoded_thresholds_), t.y, 0.001) == pytest.approx(clf.objective_, abs=1e-12)
    held = {c.name: (c.applies, c.holds) for c in clf.certificate_.clauses}
    assert all(holds is True for applies, holds in held.values() if applies)
    assert held["Theorem 4.3"] == held["Optimality"] == (True, True)


def test_held_out_accuracy_is_close_to_boosting_on_compas(paper_table):
    t = paper_table("compas")
    folds = KFold(5, shuffle=True, random_state=2021)
    ours = cross_val_score(GuessTreeClassifier(0.001, 5, reference=(20, 3)), t.X, t.y, cv=folds).mean()
    theirs = cross_val_score(GradientBoostingClassifier(n_estimators=100, max_depth=3, random_state=2021), t.X, t.y, cv=folds).mean()
    assert ours >= theirs - 0.005


def test_several_classes_and_string_labels():
    X, y = load_iris(return_X_y=True)
    names = np.array(["setosa", "versicolor", "virginica"])[y]
    clf = GuessTreeClassifier(0.01, 3).fit(X, names)
    assert clf.score(X, names) > 0.95 and clf.classes_.tolist() == sorted(set(names)) and clf.status_ == "optimal"
    assert np.allclose(clf.predict_proba(X).sum(axis=1), 1) and clf.predict_proba(X).shape == (150, 3)


@pytest.mark.parametrize("labels", [[True, False], [2.0, 7.0], ["b", "a"], [np.str_("x"), np.str_("y")], [-1, 1]])
def test_any_kind_of_label(labels):
    X, y = CANCER
    y = np.array(labels)[y]
    clf = GuessTreeClassifier(0.02, 2).fit(X, y)
    assert set(clf.predict(X)) <= set(y) and clf.predict(X).dtype == y.dtype and clf.score(X, y) > 0.9


def people(n=300, seed=0):
    rng = np.random.default_rng(seed)
    table = pd.DataFrame({"age": rng.integers(18, 90, n).astype(float), "smokes": rng.random(n) < 0.3, "colour": rng.choice(["red", "green", "blue"], n)})
    y = (table.smokes & (table.age > 50)) | (table.colour == "red")
    table.loc[rng.random(n) < 0.1, "age"] = np.nan
    table.loc[rng.random(n) < 0.1, "colour"] = None
    return table, np.where(y ^ (rng.random(n) < 0.03), "high", "low")


@pytest.mark.parametrize("convert", [
    lambda t: t.convert_dtypes(), lambda t: pytest.importorskip("pyarrow") and t.convert_dtypes(dtype_backend="pyarrow"), lambda t: t.astype({"colour": "category"}),
    lambda t: t.to_numpy(dtype=object), lambda t: pytest.importorskip("polars").from_pandas(t), lambda t: pytest.importorskip("pyarrow").Table.from_pandas(t)])
def test_every_kind_of_table_gives_the_same_tree(convert):
    table, y = people()
    clf = GuessTreeClassifier(0.02, 3).fit(table, y)
    other = GuessTreeClassifier(0.02, 3).fit(convert(table), y)
    assert clf.tree_ == other.tree_ and (clf.predict(table) == other.predict(convert(table))).all()


def test_gaps_and_unknown_categories_at_prediction():
    table, y = people()
    clf = GuessTreeClassifier(0.02, 3).fit(table.dropna(), y[table.notna().all(axis=1)])
    odd = pd.DataFrame({"age": [np.nan, 30.0], "smokes": [None, True], "colour": ["purple", None]})
    assert len(clf.predict(odd)) == 2 and np.allclose(clf.predict_proba(odd).sum(axis=1), 1)
    with pytest.raises(ValueError):
        clf.predict(odd.rename(columns={"age": "years"}))


def test_prediction_is_the_trees_own():
    table, y = people()
    clf = GuessTreeClassifier(0.01, 4).fit(table, y)
    from guesstree.engine.tables import encode_table
    Xb = binarize(encode_table(clf.encoding_, table), clf.encoded_thresholds_)
    assert (predict(clf.tree_, Xb) == clf.predict(table)).all() and clf.n_leaves_ == n_leaves(clf.tree_)
    path = clf.decision_path(table)
    assert path.shape == (len(y), 2 * clf.n_leaves_ - 1) and (path[np.arange(len(y)), clf.apply(table)] == 1).all()


def test_weights_are_repetitions():
    X, y = CANCER
    w = np.random.default_rng(0).integers(0, 4, len(y))
    a, b = GuessTreeClassifier(0.01, 3).fit(X, y, w), GuessTreeClassifier(0.01, 3).fit(X.repeat(w, axis=0), y.repeat(w))
    assert a.tree_ == b.tree_ and a.objective_ == pytest.approx(b.objective_)
    halves = GuessTreeClassifier(0.01, 3).fit(X, y, w / 2)
    assert halves.tree_ == a.tree_ and halves.objective_ == pytest.approx(a.objective_)


def test_class_weights():
    X, y = CANCER
    by_hand = GuessTreeClassifier(0.01, 3).fit(X, y, np.where(y == 1, 1.0, 3.0))
    by_name = GuessTreeClassifier(0.01, 3, class_weight={0: 3, 1: 1}).fit(X, y)
    assert by_hand.tree_ == by_name.tree_
    assert GuessTreeClassifier(0.01, 3, class_weight="balanced").fit(X, y).score(X, y) > 0.9


@pytest.mark.parametrize("reference", [(20, 3), (40, 1, 0.3), RandomForestClassifier(10, max_depth=3, random_state=0),
                                       GradientBoostingClassifier(n_estimators=20, max_depth=2), GradientBoostingClassifier(n_estimators=10).fit(*CANCER)])
def test_references(reference):
    X, y = CANCER
    clf = GuessTreeClassifier(0.01, 4, reference=reference).fit(X, y)
    assert clf.status_ == "optimal" and clf.score(X, y) > 0.95
    premise = clf.certificate_["Theorem 4.1"].premises[0]
    assert premise.holds is True


def test_any_classifier_can_lend_its_labels():
    X, y = CANCER
    clf = GuessTreeClassifier(0.01, 3, "buckets", "paper", make_pipeline(StandardScaler(), SVC()), certify=False).fit(X, y)
    assert clf.status_ in ("guess_optimal", "optimal") and clf.guessed_lower_bound_ is None or clf.guessed_lower_bound_ <= clf.objective_
    with pytest.raises(TypeError, match="reference must be"):
        GuessTreeClassifier(reference=SVC()).fit(X, y)  # its thresholds cannot be read


def test_a_fitted_guesser_as_thresholds():
    X, y = CANCER
    guesser = ThresholdGuesser((40, 1)).fit(X, y)
    clf = GuessTreeClassifier(0.01, 4, thresholds=guesser).fit(X, y)
    assert clf.encoded_thresholds_ == guesser.thresholds_ and clf.status_ == "optimal"
    assert solve(guesser.transform(X), y, lam=0.01, max_depth=4).objective == pytest.approx(clf.objective_)


def test_depth_by_the_theorem():
    X, y = CANCER
    clf = GuessTreeClassifier(0.01, "theorem").fit(X, y)
    assert clf.max_depth_ >= 5 and clf.status_ == "optimal"
    assert clf.objective_ == pytest.approx(GuessTreeClassifier(0.01, None).fit(X, y).objective_)


def test_grid_search_pipeline_clone_pickle():
    X, y = CANCER
    grid = GridSearchCV(make_pipeline(StandardScaler(), GuessTreeClassifier(max_depth=2)), {"guesstreeclassifier__regularization": [0.1, 0.01]}, cv=3, n_jobs=2)
    grid.fit(X, y)
    assert grid.best_score_ > 0.85
    clf = pickle.loads(pickle.dumps(GuessTreeClassifier(0.02, 2).fit(X, y)))
    assert clf.certificate_["Optimality"].holds and not hasattr(clone(clf), "tree_")
    assert clf.set_params(max_depth=1).fit(X, y).depth_ == 1


def test_threads_do_not_change_the_tree():
    X, y = CANCER
    one, two = (GuessTreeClassifier(0.004, 4, n_jobs=j, engine="search").fit(X, y) for j in (1, 2))
    assert one.tree_ == two.tree_


def test_the_limit_covers_the_whole_fit():
    rng = np.random.default_rng(0)
    X, y = rng.random((300, 24)) < 0.5, rng.integers(0, 2, 300)   # with more columns the certificate would take all of its 15 seconds
    GuessTreeClassifier(0.01, 3).fit(X, y)  # compile
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        begin = time.perf_counter()
        clf = GuessTreeClassifier(0.001, 8, time_limit=0.5).fit(X, y)
    assert clf.status_ in ("time_limit", "guess_optimal") and 0 < clf.lower_bound_ < clf.objective_   # the proof did not end
    assert time.perf_counter() - begin < 60  # a guard against hanging
    assert clf.certificate_["Corollary"].applies is (clf.status_ == "guess_optimal")   # only if a search ran to its end
    assert set(clf.timings_) == {"reference", "thresholds", "penalty", "search", "certify", "jit"}


def test_certificates_never_claim_too_much():
    rng = np.random.default_rng(0)
    for k in range(25):
        X, d = rng.integers(0, 4, (int(rng.integers(10, 80)), 3)), int(rng.integers(1, 4))
        y = rng.integers(0, 2 + k % 2, len(X)) if k % 3 else (X.sum(axis=1) > 4).astype(int)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            clf = GuessTreeClassifier(float(rng.choice([0.01, 0.05])), d, reference=(5, 1 + k % 2), certify=bool(k % 2), engine="search",
                                      lower_bound=["paper", "gosdt", "tight"][k % 3]).fit(X, y)
        exact = solve(binarize(X, clf.encoded_thresholds_), y, lam=clf.regularization, max_depth=d) if clf.encoded_thresholds_ else None
        if exact:
            assert clf.lower_bound_ <= exact.objective + 1e-12 <= clf.objective_ + 2e-12
        for c in clf.certificate_.clauses:
            assert not (c.applies and c.holds is False), c
        assert "Optimality" in repr(clf.certificate_) and "<table>" in clf.certificate_._repr_html_()


def test_regularization_path_agrees_with_single_fits():
    X, y = CANCER
    path = regularization_path(X, y, lam_min=0.004, max_depth=3)
    assert path.proven
    for lam in (0.004, 0.01, 0.03, 0.3):
        assert path.at(lam) == GuessTreeClassifier(lam, 3).fit(X, y).tree_


def test_cross_validated_choice():
    X, y = CANCER
    cv = GuessTreeClassifierCV(regularizations=(0.1, 0.01), max_depths=(1, 3), cv=3, n_jobs=2).fit(X, y)
    assert cv.best_params_ in [dict(regularization=r, max_depth=d) for r in (0.1, 0.01) for d in (1, 3)]
    assert cv.score(X, y) == cv.best_estimator_.score(X, y) and len(cv.cv_results_["mean_test_score"]) == 4
    with pytest.raises(ValueError, match="rule must be one of"):
        GuessTreeClassifierCV(rule="worst").fit(X, y)
    with pytest.raises(ValueError, match="must not be empty"):
        GuessTreeClassifierCV(regularizations=()).fit(X, y)


@pytest.mark.parametrize("change, words", [
    (dict(regularization="x"), "regularization must be a number"), (dict(regularization=float("nan")), "regularization"), (dict(max_depth=-1), "max_depth must be"),
    (dict(max_depth=2.5), "max_depth must be"), (dict(thresholds=3), "thresholds must be one of"), (dict(lower_bound=None), "lower_bound must be one of"),
    (dict(engine="steam"), "engine must be one of"), (dict(time_limit="1"), "time_limit must be"), (dict(memory_limit=-1), "memory_limit must be"),
    (dict(n_jobs=0), "n_jobs must be"), (dict(reference="boost"), "reference"), (dict(reference=(3,)), "reference must be"), (dict(min_samples_leaf=-1), "min_samples_leaf"),
])
def test_bad_parameters(change, words):
    with pytest.raises((ValueError, TypeError), match=words.split()[0]) as caught:
        GuessTreeClassifier(**change).fit(*CANCER)
    assert words in str(caught.value)


@pytest.mark.parametrize("X, y, words", [
    ([[1.0, np.inf], [2.0, 3.0]], [0, 1], "infinity"), ([[1.0], [2.0]], [0], ""), (np.zeros((0, 2)), [], ""),   # "": in the words of scikit-learn
    (np.zeros((3, 0)), [0, 1, 0], ""), ([1.0, 2.0], [0, 1], ""), ([[1.0], [2.0]], [0.5, 0.7], "label"), ([[1.0], [2.0]], [0, None], ""), ([[1 + 2j], [3.0]], [0, 1], ""),
])
def test_bad_tables(X, y, words):
    with pytest.raises((ValueError, TypeError)) as caught:
        GuessTreeClassifier().fit(X, y)
    assert words in str(caught.value)


def test_a_weak_reference_is_told_once_and_not_for_each_fold():
    rng = np.random.default_rng(0)
    X, y = rng.random((200, 2)), (rng.random(200) < 0.1).astype(int)
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        clf = GuessTreeClassifier(reference=(1, 1), max_depth=2).fit(X, y)   # one round does not turn a majority
    weak = [str(o.message) for o in told if "no better" in str(o.message)]
    assert weak == ["the reference T is no better than the majority class: no column is eliminated; try a stronger reference"]
    assert clf.path_.trials


def test_a_small_table_of_many_classes_keeps_few_columns():
    "214 rows, 6 classes: patterns x columns^2 x classes is small, and yet a search over 100 columns does not end."
    rng = np.random.default_rng(0)
    X = rng.random((214, 9))
    y = (3 * X[:, 0] + 2 * X[:, 1] + X[:, 2] + 0.3 * rng.normal(size=214)).astype(int)
    clf = GuessTreeClassifier(0.01, time_limit=600, work_limit=None).fit(X, y)
    assert clf.status_ in ("optimal", "guess_optimal") and len(clf.encoded_thresholds_) <= 60


def test_tiny_and_constant_tables():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert GuessTreeClassifier().fit([[1.0]], ["a"]).tree_ == Leaf("a")
        assert GuessTreeClassifier().fit(np.ones((5, 3)), [0, 1, 1, 1, 0]).predict(np.ones((1, 3))).tolist() == [1]
        assert GuessTreeClassifier().fit(np.full((4, 2), np.nan), [0, 0, 1, 0]).predict(np.ones((2, 2))).tolist() == [0, 0]
        assert GuessTreeClassifier(0.1).fit([[1e300], [-1e300], [1e300], [-1e300]], [0, 1, 0, 1]).score([[1e300], [-1e300]], [0, 1]) == 1


def test_a_least_leaf_may_be_a_share_of_all_weight():
    "Weights in halves, thirds and tenths against brute force in whole numbers; the limit is a share of all weight."
    draw, matters = np.random.default_rng(0), 0
    for _ in range(60):
        X, y, unit = draw.integers(0, 4, (14, 2)), draw.integers(0, 2, 14), int(draw.choice([2, 3, 10]))
        parts, k = draw.integers(1, 4, 14), int(draw.integers(1, 17))
        clf = GuessTreeClassifier(0.01, 2, "all", "exact", min_samples_leaf=k / (2 * int(parts.sum()))).fit(X, y, parts / unit)
        def oracle(least):
            return best_by_rows(binarize(X, clf.encoded_thresholds_), y, 0.01, 2, 2 * parts, least).cost
        assert abs(clf.objective_ - oracle(k)) < 1e-9
        matters += oracle(k) > oracle(0)
    assert matters > 20
