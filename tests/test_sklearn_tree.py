"""Other people's tools on our tree, by way of scikit-learn; each must give the probabilities that we give."""
import json
import shutil

import numpy as np
import pandas as pd
import pytest
from sklearn.ensemble import RandomForestClassifier
from sklearn.tree import DecisionTreeClassifier, export_text

from guesstree import GuessTreeClassifier
from guesstree.use import from_json, to_json
from guesstree.use.sklearn_tree import to_sklearn


def tool(name):
    return pytest.importorskip(name, reason=f"{name} is not installed: pip install guesstree[exports]")


@pytest.fixture(scope="module")
def people():
    "A tree that asks about numbers, gaps, a category and a flag; its table with more gaps and unknown words."
    rng, n = np.random.default_rng(0), 300
    frame = pd.DataFrame({"age": rng.integers(18, 80, n) / 3, "colour": rng.choice(["red", "green", "blue"], n), "smoker": rng.random(n) < 0.3, "w": rng.normal(size=n)})
    frame.loc[rng.random(n) < 0.1, "age"] = np.nan
    y = (frame.age > 17) & (frame.age <= 22) | (frame.colour == "red") & frame.smoker | frame.age.isna() & (frame.w > 0)
    clf = GuessTreeClassifier(0.005).fit(frame, y.astype(int))
    new = frame.copy()
    new.loc[::6, "w"], new.loc[::7, "colour"], new.loc[::8, "age"] = np.nan, "unseen", [t for j, t in clf.thresholds_ if j == 0][0]
    assert {clf.encoding_.features[j].kind for j in clf.nodes_.feature if j >= 0} >= {"category", "flag"} and clf.depth_ > 3
    return clf, new, clf.predict_proba(new)


def parts(clf, new, nan):
    "Tree, its table, names of features."
    pipe = to_sklearn(clf, nan)
    return pipe[-1], pipe[:-1].transform(new), pipe[:-1].get_feature_names_out().tolist()


@pytest.mark.parametrize("nan", [True, False])
def test_shap_adds_up(people, nan):
    shap = tool("shap")
    clf, new, said = people
    tree, Z, _ = parts(clf, new, nan)
    explainer = shap.TreeExplainer(tree)
    assert explainer.shap_values(Z).sum(axis=1) + explainer.expected_value == pytest.approx(said, abs=1e-9)


@pytest.mark.parametrize("nan", [True, False])
def test_treelite_predicts_the_same(people, nan):
    "treelite reads forests: a forest of one tree."
    treelite = tool("treelite")
    clf, new, said = people
    tree, Z, _ = parts(clf, new, nan)
    forest = RandomForestClassifier(1)
    forest.estimators_, forest.classes_, forest.n_classes_, forest.n_outputs_, forest.n_features_in_ = [tree], tree.classes_, tree.n_classes_, 1, tree.n_features_in_
    assert treelite.gtil.predict(treelite.sklearn.import_model(forest), Z).reshape(said.shape) == pytest.approx(said, abs=1e-6)


def test_onnx_predicts_the_same(people):
    tool("skl2onnx")
    runtime = tool("onnxruntime")
    from skl2onnx import to_onnx
    clf, new, said = people
    tree, Z, _ = parts(clf, new, nan=False)
    model = to_onnx(tree, Z[:1], options={"zipmap": False})
    session = runtime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    labels, shares = session.run(None, {session.get_inputs()[0].name: Z})
    assert labels.tolist() == clf.predict(new).tolist() and shares == pytest.approx(said, abs=1e-6)


def test_dtreeviz_draws_and_explains(people):
    "Its pictures of trees need the program dot; the leaves and the words do not."
    dtreeviz = tool("dtreeviz")
    import matplotlib
    matplotlib.use("agg")
    clf, new, _ = people
    tree, Z, names = parts(clf, new, nan=False)
    model = dtreeviz.model(tree, Z, clf.predict(new), feature_names=names, target_name="risk", class_names=["low", "high"])
    assert model.shadow_tree.nclasses() == 2 and len(model.shadow_tree.leaves) == clf.n_leaves_
    assert [model.shadow_tree.predict(z) for z in Z[:40]] == clf.predict(new[:40]).tolist()
    assert "colour = red" in model.explain_prediction_path(Z[clf.apply(new) == clf.apply(new).max()][0])
    model.ctree_leaf_distributions()
    if shutil.which("dot"):
        picture = model.view().svg()
        assert "<svg" in picture and picture.count('class="node"') >= 2 * clf.n_leaves_ - 1


def test_supertree_has_all_leaves(people, tmp_path, capsys):
    tool("supertree")
    from supertree import SuperTree
    clf, new, _ = people
    tree, Z, names = parts(clf, new, nan=True)
    SuperTree(tree, Z, clf.predict(new), names, ["low", "high"]).save_json_tree(str(tmp_path / "tree"))
    text = json.dumps(json.loads(next(tmp_path.iterdir()).read_text()))
    assert text.count('"is_leaf": true') == clf.n_leaves_


def test_it_is_a_tree_of_scikit_learn(people):
    clf, new, said = people
    tree, Z, names = parts(clf, new, nan=True)
    assert type(tree) is DecisionTreeClassifier and export_text(tree, feature_names=names).count("class:") == clf.n_leaves_
    leaf = tree.apply(Z)
    assert len(set(leaf)) == len(set(clf.apply(new))) == len(set(zip(leaf, clf.apply(new))))
    tree, Z, _ = parts(clf, new, nan=False)                    # decision_path of scikit-learn 1.6 does not know where NaN goes
    assert tree.decision_path(Z).sum() == clf.decision_path(new).sum()
    assert tree.tree_.weighted_n_node_samples[0] == 300 and (tree.tree_.impurity >= 0).all()


def test_after_a_round_trip_through_json(people):
    clf, new, said = people
    assert to_sklearn(from_json(to_json(clf, certificate=False))).predict_proba(new).tolist() == said.tolist()


def test_columns_in_another_order_are_refused(people):
    clf, new, _ = people
    pipe = to_sklearn(clf)
    with pytest.raises(ValueError, match="X must have the columns of the fit"):
        pipe.predict(new[new.columns[::-1]])


@pytest.mark.parametrize("kind", [np.float32, np.float64, np.int64])
def test_many_classes_and_types_of_numbers(kind):
    rng = np.random.default_rng(1)
    X, y = (rng.normal(size=(150, 3)) * 10).astype(kind), rng.choice(["a", "b", "c", "d"], 150)
    clf = GuessTreeClassifier(0.005, 3, "all", "exact").fit(X, y)
    pipe = to_sklearn(clf)
    assert pipe.predict(X).tolist() == clf.predict(X).tolist() and pipe.classes_.tolist() == ["a", "b", "c", "d"]
    if kind != np.float64:
        assert pipe[-1].predict(X).tolist() == clf.predict(X).tolist(), "float32 numbers need no rounding"
