"""`help` helps: every public name has a docstring in numpydoc's form that says what its signature takes, type hints, and examples that run."""
import ast
import doctest
import importlib
import inspect
import sys
from pathlib import Path

import pytest

validate = pytest.importorskip("numpydoc.validate").validate
from numpydoc.docscrape import get_doc_object  # noqa: E402

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = ["guesstree", *(f"guesstree.{o}" for o in ("engine", "checks", "use", "rivals", "rerun", "course"))]
NOTATION = ["predict", "n_leaves", "depth", "loss", "objective", "split_points", "binarize"]
NEEDS = {"patterns_from_dask": "dask", "ebm_thresholds": "interpret", "rules_frame": "pandas", "run_grid": "pandas", "read_results": "pandas", "results": "pandas"}
RULES = {"GL03", "GL07", "GL08", "SS03", "SS06", "PR02", "PR03", "PR05", "PR09", "PR10", "RT01", "RT05", "EX01"}   # of numpydoc.validate


def public():
    "Full names of what each folder offers, each definition once."
    names = [f"{folder}.{name}" for folder in FOLDERS for name in importlib.import_module(folder).__all__]
    once = {id(thing(o)): o for o in [*names, *(f"guesstree.notation.{o}" for o in NOTATION)][::-1]}
    return sorted(once.values())


def thing(name):
    module, _, last = name.rpartition(".")
    return getattr(importlib.import_module(module), last)


ALL = public()
DEFINED = [o for o in ALL if callable(thing(o))]


def named(doc, section):
    "Names that a section of a docstring describes."
    return [name for o in doc[section] for name in o.name.split(", ")]


@pytest.mark.parametrize("folder", FOLDERS)
def test_dir_lists_what_a_folder_offers(folder):
    module = importlib.import_module(folder)
    assert dir(module) == sorted(module.__all__) and all(hasattr(module, o) for o in module.__all__)


@pytest.mark.parametrize("name", DEFINED)
def test_the_docstring_says_what_the_signature_takes(name):
    said = {code: text for code, text in validate(name)["errors"] if code in RULES}
    assert not said
    doc, found = get_doc_object(thing(name)), inspect.signature(thing(name))
    stars = {inspect.Parameter.VAR_POSITIONAL: "*", inspect.Parameter.VAR_KEYWORD: "**"}
    takes = [stars.get(p.kind, "") + p.name for p in found.parameters.values()]
    if doc["Parameters"] or not inspect.isclass(thing(name)):
        assert named(doc, "Parameters") == takes
    else:                                                # a result: nobody makes it by hand
        assert named(doc, "Attributes")[:len(takes)] == takes
    if {"lam", "lam_min"} & set(takes):
        assert "lambda in the paper" in str(doc) or "As in" in str(doc)


@pytest.mark.parametrize("name", DEFINED)
def test_everything_has_a_type(name):
    found = inspect.signature(thing(name))
    assert [p.name for p in found.parameters.values() if p.annotation is p.empty] == []
    assert inspect.isclass(thing(name)) or found.return_annotation is not found.empty
    assert "numpy._typing" not in str(found), "quote it, and help shows \"ArrayLike\""


@pytest.mark.parametrize("name", DEFINED)
def test_examples_run(name, capsys):
    last = name.rpartition(".")[2]
    if last in NEEDS:
        pytest.importorskip(NEEDS[last])
    test, = doctest.DocTestFinder(recurse=False).find(thing(name), name, globs={})   # an example imports what it uses
    assert test.examples and doctest.DocTestRunner(verbose=False).run(test).failed == 0, capsys.readouterr().out


@pytest.mark.parametrize("name", sorted(set(ALL) - set(DEFINED)))
def test_a_value_has_a_comment(name):
    "Lists and dictionaries have no docstring of their own: the comment behind them is what the book shows."
    folder, _, last = name.rpartition(".")
    sys.path.insert(0, str(ROOT / "docs"))
    import api
    path = ROOT.joinpath(*folder.split("."), f"{sys.modules[folder]._LATER[last]}.py")
    symbol = next(o for o in api.exported(path) if o.name == last)
    assert isinstance(symbol.node, ast.Assign) and api.comment(path.read_text(encoding="utf-8").splitlines(), symbol.node)
