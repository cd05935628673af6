"""Files of fitted trees that were damaged, and tables that are odd."""
import copy
import json
import pickle
import re

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_iris, load_wine

from guesstree import GuessTreeClassifier, GuessTreeClassifierCV
from guesstree.use.one_page import comparison, report
from guesstree.use import from_json, to_json
from guesstree.use.words import leaf_weights, rules, sentence

CANCER = load_breast_cancer(as_frame=True)
ODD = [None, True, -1, 0, 7, 10**400, 1e308, -0.5, "", "x", [], [1], {}, {"float": "inf"}, {"text": "?"}, {"tuple": [1, {"bytes": "zz"}]}, {"fraction": "1e999999999"}]


def people(seed=0, n=80):
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame({"age": rng.integers(0, 9, n).astype(float), "colour": rng.choice(np.array(["red", "green", None], object), n), "member": rng.random(n) < 0.5})
    frame.loc[::7, "age"] = np.nan
    return frame, rng.choice(["no", "yes"], n)


@pytest.fixture(scope="module")
def small():
    "A tree with every kind of feature, its text, and its table."
    frame, y = people()
    clf = GuessTreeClassifier(0.001, 4, "all", "exact", time_limit=None).fit(frame, y)
    return clf, to_json(clf), frame


def same(a, b, X):
    for name in ("apply", "predict", "predict_proba"):
        one, two = getattr(a, name)(X), getattr(b, name)(X)
        assert one.dtype == two.dtype and one.tolist() == two.tolist()
    assert (a.decision_path(X) != b.decision_path(X)).nnz == 0


def places(d, path=()):
    "Paths of all values in the text."
    for k, v in d.items() if isinstance(d, dict) else enumerate(d):
        yield (*path, k)
        if isinstance(v, (dict, list)):
            yield from places(v, (*path, k))


def changed(d, path, value):
    d = copy.deepcopy(d)
    inner = d
    for k in path[:-1]:
        inner = inner[k]
    inner[path[-1]] = value
    return json.dumps(d)


def test_a_damaged_file_is_refused_or_works(small):
    "Put odd values everywhere: from_json raises ValueError and nothing else, or gives a tree that predicts."
    clf, text, frame = small
    d = json.loads(text)
    where = list(dict.fromkeys(p for p in places(d)))
    thin = [p for i, p in enumerate(where) if len(p) <= 2 and p[0] not in ("questions", "nodes") or i % 5 == 0]
    refused = 0
    for path in thin:
        for value in ODD:
            try:
                back = from_json(changed(d, path, value))
            except ValueError as e:
                assert str(e)
                refused += 1
            else:
                assert len(back.predict(frame)) == len(frame) and report(back).endswith("</html>\n")
    assert refused > 0.5 * len(thin) * len(ODD)


@pytest.mark.parametrize("text", ["", "[]", "null", "3", '"tree"', "{}", "{", '{"format": "guesstree"}', "[" * 100_000, '{"format": "guesstree", "version": NaN}'])
def test_no_tree_at_all(text):
    with pytest.raises(ValueError):
        from_json(text)


def test_a_long_chain_is_refused(small):
    d = json.loads(small[1])
    leaf = next(n for n in d["nodes"] if "label" in n)
    d["nodes"] = [n for i in range(1000) for n in ({"question": 0, "yes": 2 * i + 1, "no": 2 * i + 2}, leaf)] + [leaf]
    with pytest.raises(ValueError, match="questions deep"):
        from_json(json.dumps(d))


def test_cycles_and_orphans_are_refused(small):
    d = json.loads(small[1])
    for path, value in ((("nodes", 1, "yes"), 0), (("nodes", 1, "no"), 1), (("nodes", 0, "no"), 1)):
        with pytest.raises(ValueError, match=r"nodes\[\d+\]"):
            from_json(changed(d, path, value))
    d["nodes"].append(d["nodes"][-1])
    with pytest.raises(ValueError, match="has no parent"):
        from_json(json.dumps(d))


@pytest.mark.parametrize("make", [lambda y: y, lambda y: y.astype(np.int8), lambda y: y * 2.0, lambda y: y.astype(np.float32), lambda y: y == 1,
                                  lambda y: np.array(["a", "b,\n", "ü"])[y], lambda y: np.array(["a", "b", "c"], object)[y]])
def test_every_type_of_label(make):
    X, y = load_wine(return_X_y=True)
    clf = GuessTreeClassifier(0.02, 3).fit(X, make(y))
    same(clf, from_json(to_json(clf, certificate=False)), X)


def test_thresholds_keep_all_their_digits():
    X = np.nextafter(0.1 * np.arange(1, 9), 1)[:, None]
    clf = GuessTreeClassifier(0.001, 3, "all", "exact").fit(X, [0, 1] * 4)
    back = from_json(to_json(clf))
    assert [t for _, t in back.encoded_thresholds_] == [t for _, t in clf.encoded_thresholds_] and back.nodes_.value[0] == clf.nodes_.value[0]
    same(clf, back, X)


def test_everything_that_was_fitted_comes_back(small):
    clf, text, frame = small
    back = from_json(text)
    same(clf, back, frame)
    for name in ("objective_", "loss_", "lower_bound_", "guessed_lower_bound_", "gap_", "status_", "n_leaves_", "depth_", "max_depth_", "n_subproblems_", "thresholds_",
                 "column_names_", "timings_", "encoding_", "tree_", "n_features_in_", "certificate_"):
        assert getattr(back, name) == getattr(clf, name), name
    assert back.feature_names_in_.tolist() == list(frame.columns)
    same(clf, pickle.loads(pickle.dumps(back)), frame)
    assert back.get_params() == clf.get_params() and clone(back).get_params() == clf.get_params()
    with pytest.raises(ValueError):
        back.predict(frame.rename(columns={"age": "years"}))


def test_what_cannot_be_written_is_described():
    X, y = load_iris(return_X_y=True)
    labels = GuessTreeClassifier(0.05, 2, "buckets", reference=y.copy(), class_weight={0: 2, 1: 1, 2: 1}).fit(X, y)
    d = json.loads(to_json(labels))
    assert d["parameters"]["reference"] == {"text": "150 labels"} and d["reference"]["text"] == "labels that were given"
    back = from_json(to_json(labels))
    assert back.reference is None and back.class_weight == {0: 2, 1: 1, 2: 1}
    same(labels, back, X)
    assert "units of weight" in report(back) and " rows are right" not in report(back)


def test_weights_of_zero_leave_a_class_without_rows():
    X, y = load_iris(return_X_y=True)
    clf = GuessTreeClassifier(0.02, 3).fit(X, y, sample_weight=(y != 1) * 2)
    assert leaf_weights(clf).sum(axis=0).tolist() == [100, 0, 100]
    same(clf, from_json(to_json(clf)), X)


def test_cross_validated_estimators_are_unwrapped():
    X, y = load_iris(return_X_y=True)
    clf = GuessTreeClassifierCV(regularizations=(0.1, 0.02), max_depths=(2,), cv=2).fit(X, y)
    assert to_json(clf) == to_json(clf.best_estimator_) and rules(clf) == rules(clf.best_estimator_)
    alone, page = report(clf.best_estimator_), report(clf)         # the search has held rows out, the fit has not
    assert page.split("<h2>How often each rule")[1] == alone.split("<h2>How often each rule")[1] and "in 2 folds" in page and "in 2 folds" not in alone
    with pytest.raises(TypeError, match="clf must be a GuessTreeClassifier"):
        rules(__import__("sklearn.tree").tree.DecisionTreeClassifier().fit(X, y))


@pytest.mark.parametrize("seed", range(8))
def test_rules_cover_every_row_once(seed):
    frame, y = people(seed)
    clf = GuessTreeClassifier(0.002, 5, "all", "exact").fit(frame, y)
    found = rules(clf)
    assert sum(r.weight for r in found) == len(y)
    assert sum(r.share * r.weight for r in found) == pytest.approx((clf.predict(frame) == y).sum())
    for r in found:
        about = [re.search("age|colour|member", c)[0] for c in r.conditions]
        assert len(about) == len(set(about)), "a column is spoken of once"


def test_close_thresholds_are_told_apart_in_words():
    X = (1 + 1e-9 * np.arange(8))[:, None]
    clf = GuessTreeClassifier(0.001, 3, "all", "exact").fit(X, [0, 1] * 4)
    texts = [sentence(r) for r in rules(clf)]
    assert len({t.split(":")[0] for t in texts}) == clf.n_leaves_


def test_the_page_of_a_paper_table(paper_table, tmp_path):
    t = paper_table("compas")
    clf = GuessTreeClassifier(0.001, 5, reference=(20, 3)).fit(t.X[:5000], t.y[:5000])
    page = report(clf, tmp_path / "compas.html", t.X[5000:], t.y[5000:])
    (_, _, plain), (_, train, held), (_, ref_train, ref_held) = comparison(clf, t.X[5000:], t.y[5000:])
    assert held == np.mean(clf.predict(t.X[5000:]) == t.y[5000:]) > plain and abs(ref_held - held) < 0.05 and train <= ref_train + 0.05
    assert (tmp_path / "compas.html").read_text(encoding="utf-8") == page and len(page) < 100_000
