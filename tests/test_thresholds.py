"""Threshold guessing: against scikit-learn on the paper's tables, with other libraries, and as a scikit-learn transformer."""
import inspect
import os
import subprocess
import sys
import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.ensemble import GradientBoostingClassifier, RandomForestClassifier
from sklearn.pipeline import make_pipeline
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.estimator_checks import check_estimator

from guesstree import thresholds as th
from guesstree.engine.boosting import boost, boost_table
from guesstree.notation import binarize, split_points
from guesstree.engine.patterns import find_patterns
from guesstree.engine.readers import _read_trees
from guesstree.thresholds import ThresholdGuesser, guess_thresholds
from guesstree.engine.readers import ebm_thresholds, thresholds_of

PAIRS = [(40, 1), (30, 2), (50, 2), (20, 3)]
TABLES = ["compas", "broward", "fico", "takeaway", "restaurant", "spiral"]


def is_function_of(score, Xb):
    _, at = np.unique(Xb, axis=0, return_inverse=True)
    first = np.unique(at.ravel(), return_index=True)[1]
    return np.array_equal(score, score[first][at.ravel()])


@pytest.mark.parametrize("pair", PAIRS)
@pytest.mark.parametrize("name", TABLES)
def test_boosting_is_scikit_learns_on_the_papers_tables(paper_table, name, pair):
    if name == "fico" and pair != (40, 1):
        pytest.skip("scikit-learn takes a second for each; one is enough")
    t = paper_table(name)
    theirs = GradientBoostingClassifier(n_estimators=pair[0], max_depth=pair[1], random_state=0).fit(t.X, t.y)
    ours = boost_table(t.X, t.y, *pair)
    assert np.abs(ours.decision_function(t.X) - theirs.decision_function(t.X)).max() < 1e-10
    assert ours.thresholds == thresholds_of(theirs, t.X) or name not in ("compas", "fico")   # elsewhere lots decide between equal splits


@pytest.mark.parametrize("pair", PAIRS)
@pytest.mark.parametrize("name", TABLES)
def test_the_premise_holds_on_the_papers_tables(paper_table, name, pair):
    t = paper_table(name)
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        g = guess_thresholds(t.X, t.y, pair)
    assert bool(said) == ((name, pair) == ("takeaway", (40, 1)))   # 40 stumps say what the majority says
    assert g.slack >= 0 and g.loss_kept == (g.y_ref != t.y).mean() and g.loss_T - g.loss_kept == pytest.approx(g.slack)
    assert np.array_equal(g.y_ref, g.reference.predict(t.X))
    assert is_function_of(g.y_ref, binarize(t.X, g.thresholds))
    assert g.thresholds == sorted(set(g.thresholds)) and set(g.thresholds) <= set(split_points(t.X))
    if g.history:
        assert [o.kept for o in g.history] == [True] * (len(g.history) - 1) + [False]
        assert len(g.thresholds) == g.history[-1].n_columns + 1


@pytest.mark.parametrize("name, pair, kept", [("fico", (20, 3), 25), ("takeaway", (50, 2), 8), ("restaurant", (20, 3), 24), ("broward", (40, 1), 6)])
def test_patience_finds_fewer_columns_with_the_same_promise(paper_table, name, pair, kept):
    t = paper_table(name)
    paper, patient = guess_thresholds(t.X, t.y, pair), guess_thresholds(t.X, t.y, pair, patience=np.inf)
    assert patient.slack >= 0 and len(patient.thresholds) == kept < len(paper.thresholds)
    assert is_function_of(patient.y_ref, binarize(t.X, patient.thresholds)) and patient.loss_kept == (patient.y_ref != t.y).mean()


KEPT = {"compas": 31, "broward": 17, "fico": 21, "takeaway": 39, "restaurant": 35}


@pytest.mark.parametrize("name", KEPT)
def test_columns_kept_with_the_papers_settings(paper_table, name):
    "As many as gosdt 1.0.4's guesser keeps."
    t = paper_table(name)
    assert len(guess_thresholds(t.X, t.y, th.PAPER_SETTINGS[name]).thresholds) == KEPT[name]


def test_spiral_keeps_t_when_the_refit_is_worse(paper_table):
    t = paper_table("spiral")
    model = GradientBoostingClassifier(n_estimators=20, max_depth=3, random_state=0)
    g = guess_thresholds(t.X, t.y, model)
    assert (g.loss_T, g.loss_kept, len(g.history)) == (0.02, 0.02, 1) and g.history[0].loss > 0.02
    assert g.thresholds == thresholds_of(g.reference.model, t.X)
    ours = guess_thresholds(t.X, t.y, (20, 3))                      # equal splits in a fixed order: the refit is T, and elimination goes on
    assert ours.loss_kept == 0.02 and len(ours.thresholds) < len(g.thresholds)


@given(st.integers(0, 2**32 - 1), st.integers(1, 3), st.integers(2, 4), st.booleans())
def test_own_boosting_against_rows_and_scikit_learn(seed, depth, classes, weighted):
    "Scores of a stump ensemble agree with scikit-learn unless two splits tie; a weight is a number of rows."
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(40, 2)).round(1), rng.integers(0, classes, 40)
    y[:classes] = np.arange(classes)
    w = rng.integers(1, 4, 40) if weighted else None
    ours = boost_table(X, y, 5, depth, sample_weight=w)
    if weighted:
        again = boost_table(X.repeat(w, axis=0), y.repeat(w), 5, depth)
        assert ours.thresholds == again.thresholds and np.array_equal(ours.value, again.value) and ours.wrong == again.wrong
    theirs = GradientBoostingClassifier(n_estimators=1, max_depth=1, random_state=0).fit(X, y, sample_weight=w)
    first = boost_table(X, y, 1, 1, sample_weight=w)
    gains = [_read_trees(theirs)[2].sum(), first.importance.sum() / (40 if w is None else w.sum())]
    assert gains[0] == pytest.approx(gains[1], abs=1e-9)            # the best gain does not depend on who wins a tie


@given(st.integers(0, 2**32 - 1), st.sampled_from(PAIRS), st.integers(2, 3))
def test_elimination_keeps_its_promises(seed, pair, classes):
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(30, 3)).round(1), rng.integers(0, classes, 30)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        g = guess_thresholds(X, y, pair)
        loose = guess_thresholds(X, y, pair, tolerance=0.1)
    assert not g.history or g.history[0].loss == g.loss_T            # on the questions of T, our refit makes the choices of T
    assert g.slack >= 0 and loose.slack >= -0.1 and len(loose.thresholds) <= len(g.thresholds)
    assert is_function_of(g.y_ref, binarize(X, g.thresholds)) if g.thresholds else len(set(g.y_ref)) == 1


@given(st.integers(0, 2**32 - 1))
def test_unasked_columns_may_leave_together(seed):
    "A refit on the asked columns alone is the same ensemble."
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(40, 3)).round(1), rng.integers(0, 2, 40)
    patterns = find_patterns(X, y, split_points(X))
    full = boost(patterns, 10, 2)
    alive = np.zeros(patterns.m, dtype=bool)
    alive[full.asked] = True
    again = boost(patterns, 10, 2, alive=alive)
    assert np.abs(full.decision_function(X) - again.decision_function(X)).max() < 1e-9


@pytest.mark.parametrize("values", [[1, 1 + 1e-9, 1 + 2e-9, 1.5], [16777218, 16777219, 16777220, 16777222], [1e30, 1.0000000001e30, 2e30, 3e30],
                                    [0, 5e-324, 1e-323, 1.]])
def test_values_that_collide_in_single_precision(values):
    X = np.repeat(values, 2)[:, None]
    for y in ([0, 0, 0, 0, 1, 1, 1, 1], [0, 0, 1, 1, 1, 1, 0, 0], [0, 1, 0, 0, 1, 1, 0, 1]):
        for d in (1, 2):
            model = GradientBoostingClassifier(n_estimators=5, max_depth=d, random_state=0).fit(X, y)
            placed = thresholds_of(model, X)
            assert is_function_of(model.decision_function(X), binarize(X, placed) if placed else np.zeros((8, 1)))
            ours = boost_table(X, y, 5, d)
            assert is_function_of(ours.decision_function(X), X)


def library(name):
    module = pytest.importorskip(name, reason=f"{name} is not installed")
    return {"xgboost": lambda: module.XGBClassifier(n_estimators=10, max_depth=2, n_jobs=1),
            "lightgbm": lambda: module.LGBMClassifier(n_estimators=10, max_depth=2, n_jobs=1, verbose=-1)}[name]()


@pytest.mark.filterwarnings("ignore:X does not have valid feature names")
@pytest.mark.parametrize("name", ["xgboost", "lightgbm"])
@pytest.mark.parametrize("labels", [np.array([0, 1]), np.array(["bad", "good"])])
def test_other_libraries(name, labels):
    model, (X, y) = library(name), load_breast_cancer(return_X_y=True)
    y = labels[y]
    g = guess_thresholds(X, y, model)
    assert g.slack >= 0 and g.loss_kept == (g.reference.predict(X) != y).mean() and len(g.history) > 1
    fitted = clone(model).fit(X, np.searchsorted(labels, y))
    assert is_function_of(fitted.predict_proba(X)[:, 1].round(6), binarize(X, thresholds_of(fitted, X)))
    X, y = load_iris(return_X_y=True)
    assert guess_thresholds(X, y, model).slack >= 0


@pytest.mark.parametrize("name", ["xgboost", "lightgbm"])
def test_other_libraries_with_named_features(name):
    model, table = library(name), load_breast_cancer(as_frame=True)
    named = table.data.rename(columns=lambda o: o.replace(" ", "_"))
    model.fit(named, table.target)
    g = guess_thresholds(named, table.target, model)
    assert g.loss_T == (model.predict(named) != table.target).mean() and g.slack >= 0


def test_categorical_splits_are_refused():
    from sklearn.ensemble import HistGradientBoostingClassifier
    rng = np.random.default_rng(0)
    X = rng.integers(0, 5, (200, 1)).astype(float)
    model = HistGradientBoostingClassifier(categorical_features=[0]).fit(X, np.isin(X[:, 0], (1, 3)))
    with pytest.raises(TypeError, match="must not split on categories"):
        thresholds_of(model, X)


def test_a_fitted_reference_is_not_touched():
    X, y = load_breast_cancer(return_X_y=True)
    model = RandomForestClassifier(5, max_depth=2, random_state=3).fit(X, y)
    before = model.predict_proba(X)
    g = guess_thresholds(X, y, model)
    assert np.array_equal(before, model.predict_proba(X)) and model.n_features_in_ == 30
    assert g.loss_T == (model.predict(X) != y).mean()


def test_a_fitted_reference_that_knows_names():
    table = load_breast_cancer(as_frame=True)
    model = GradientBoostingClassifier(n_estimators=5, random_state=0).fit(table.data, table.target)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        guess_thresholds(table.data, table.target, model)


def test_unsupported_references():
    X, y = load_iris(return_X_y=True)
    for reference in (DecisionTreeClassifier(), "gbdt", 3, object()):
        with pytest.raises(TypeError, match="reference must be None, a pair .* HistGradientBoostingClassifier, XGBClassifier, LGBMClassifier"):
            guess_thresholds(X, y, reference)
    for reference in ((1,), (0, 1), (1, 0), (1, 11), (1, 1, 0), ("a", 1), (True, 1), (1.5, 2)):
        with pytest.raises(ValueError, match="reference must be"):
            guess_thresholds(X, y, reference)


def test_scikit_learns_checker():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        check_estimator(ThresholdGuesser())


def test_pandas_in_and_out():
    pd = pytest.importorskip("pandas")
    table = load_iris(as_frame=True)
    guesser = ThresholdGuesser((20, 1)).set_output(transform="pandas")
    out = guesser.fit_transform(table.data, table.target)
    assert isinstance(out, pd.DataFrame) and list(out.columns) == list(guesser.get_feature_names_out())
    assert out.columns[0].split(" <= ")[0] in table.data.columns and set(out.dtypes.astype(str)) == {"bool"}
    assert np.array_equal(out.to_numpy(), binarize(table.data, guesser.thresholds_))
    with pytest.raises(ValueError):
        guesser.get_feature_names_out(["a", "b", "c", "d"])


def test_in_a_pipeline():
    X, y = load_breast_cancer(return_X_y=True)
    pipe = make_pipeline(ThresholdGuesser((20, 1)), DecisionTreeClassifier(max_depth=3, random_state=0)).fit(X, y)
    assert pipe.score(X, y) > 0.9
    assert list(inspect.signature(ThresholdGuesser).parameters) == [
        "reference", "tolerance", "max_columns", "patience", "random_state", "verbose"]


def test_verbose_shows_the_steps(capsys):
    X, y = load_breast_cancer(return_X_y=True)
    guess_thresholds(X, y, verbose=1)
    assert "columns, training loss" in capsys.readouterr().err


def test_importing_compiles_nothing():
    code = "import guesstree.thresholds, guesstree.engine.boosting as b; assert not any(o.signatures for o in (b._pull, b._boost, b._add_up))"
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize("mode", ["NUMBA_DISABLE_JIT", pytest.param("NUMBA_BOUNDSCHECK", marks=pytest.mark.slow)])
def test_without_the_compiler_and_with_bounds_checks(mode, tmp_path):
    code = """if True:
        import numpy as np
        from sklearn.datasets import load_iris
        from sklearn.ensemble import GradientBoostingClassifier
        from guesstree.engine.boosting import boost_table
        X, y = load_iris(return_X_y=True)
        for X, y, d in ((X[50:, :2], y[50:], 1), (X[50:, :2], y[50:], 2), (X[::3, 2:], y[::3], 1)):
            a = boost_table(X, y, 4, d).decision_function(X)
            b = GradientBoostingClassifier(n_estimators=4, max_depth=d, random_state=0).fit(X, y).decision_function(X)
            assert np.allclose(a - (a.ndim == 2) * a.mean(-1, keepdims=True), b - (b.ndim == 2) * b.mean(-1, keepdims=True))
        """
    env = {**os.environ, mode: "1", "NUMBA_CACHE_DIR": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2000:]


def test_ebm_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "interpret.glassbox", None)
    with pytest.raises(ImportError, match=r"pip install guesstree\[ebm\]"):
        ebm_thresholds(np.eye(2), [0, 1])


def test_ebm_on_small_tables():
    glassbox = pytest.importorskip("interpret.glassbox", reason="interpret is not installed: pip install guesstree[ebm]")
    quick = glassbox.ExplainableBoostingClassifier(interactions=0, outer_bags=1, max_rounds=100, random_state=0, n_jobs=1)
    X, y = load_breast_cancer(return_X_y=True)
    few, more = (ebm_thresholds(X[:, :4], y, t, ebm=quick) for t in (0.3, 0.1))
    assert len(few) < len(more) and set(few) <= set(more) <= set(split_points(X[:, :4]))
    X, y = load_iris(return_X_y=True)
    assert set(ebm_thresholds(X, y, 0.1, ebm=quick)) <= set(split_points(X))
    with pytest.raises(ValueError, match="tolerance must be >= 0, got -1"):
        ebm_thresholds(X, y, -1)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["compas", "fico"])
def test_ebm_on_the_papers_tables(paper_table, name):
    pytest.importorskip("interpret", reason="interpret is not installed: pip install guesstree[ebm]")
    t = paper_table(name)
    few, more = (ebm_thresholds(t.X, t.y, tolerance) for tolerance in (0.1, 0.08))
    assert 0 < len(few) <= len(more) < 150 and set(few) <= set(more)
