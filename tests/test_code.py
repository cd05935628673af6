"""Python and SQL source, run and compared with predict on rows that the fit has not seen."""
import datetime
import enum
import sqlite3

import numpy as np
import pandas as pd
import pytest

from guesstree import GuessTreeClassifier, GuessTreeClassifierCV
from guesstree.use.source import _sql_literal, _sql_name, to_python, to_sql

NAMES = ["age", 'x"; DROP TABLE data; --', "a' OR ''='", "grün\n\t\\ 🌳", "select", "row['x']", "<script>", "%s", "{0}", "x0"]


def table(seed, n=80):
    "Numbers, words and flags under odd names, gaps in some, and labels that do not care."
    rng = np.random.default_rng(seed)
    words = np.array(["red", "it's", 'a"b\\', "grün", "", "'); DROP TABLE data; --"], object)
    columns = [rng.integers(0, 6, n) / 3, rng.choice(words, n), rng.choice(np.array([True, False], object), n), np.round(rng.normal(size=n), 1) * 10.0 ** rng.integers(-30, 30)]
    frame = pd.DataFrame(dict(zip(rng.permutation(NAMES).tolist(), columns)))
    for name in frame.columns[rng.random(4) < 0.5]:
        frame.loc[rng.random(n) < 0.2, name] = None if frame[name].dtype == object else np.nan
    labels = [np.array([0, 1, 2]), np.array(["no", "yes'", 'a"\\n']), np.array([False, True, True]), np.array([0.0, -2.0, 1e15])][seed % 4]
    return frame, labels[rng.integers(0, 3, n)]


def hostile(clf, frame, seed, n=200):
    "Rows on the thresholds and beside them, far away, in float32, unknown, missing."
    rng = np.random.default_rng(seed)
    new = frame.sample(n, replace=True, random_state=seed).reset_index(drop=True)
    for j, name in enumerate(frame.columns):
        if new[name].dtype == float:
            cuts = np.array([t for i, t in clf.thresholds_ if i == j] + [0.0])
            odd = np.concatenate([cuts, np.nextafter(cuts, np.inf), np.nextafter(cuts, -np.inf), cuts.astype(np.float32), [1e300, -1e300, 5e-324, -0.0, np.nan]])
            new[name] = np.where(rng.random(n) < 0.7, rng.choice(odd, n), new[name])
        else:
            new.loc[rng.random(n) < 0.2, name] = None
            if not isinstance(frame[name].dropna().iloc[0], bool):
                new.loc[rng.random(n) < 0.2, name] = "RED"
    return new


def plain(v):
    return None if pd.isna(v) else v.item() if isinstance(v, np.generic) else v


def fill(db, frame, types):
    names = ", ".join(f"{_sql_name(name)} {kind}" for name, kind in zip(frame.columns, types))
    db.execute(f"CREATE TABLE data ({names})")
    db.executemany(f"INSERT INTO data VALUES ({', '.join('?' * len(types))})", [[plain(v) for v in row] for row in frame.astype(object).to_numpy()])


def by_sqlite(clf, frame, **options):
    db = sqlite3.connect(":memory:")
    fill(db, frame, [""] * frame.shape[1])
    return [row[-1] for row in db.execute(to_sql(clf, **options))]


def by_python(clf, rows):
    names = {}
    exec(to_python(clf), names)
    return [names["predict"](row) for row in rows]


@pytest.fixture(scope="module", params=range(12))
def case(request):
    frame, y = table(request.param)
    clf = GuessTreeClassifier(0.002, 4, "all", "exact").fit(frame, y)
    return clf, hostile(clf, frame, request.param)


def test_python_source(case):
    clf, new = case
    assert by_python(clf, new.to_dict("records")) == clf.predict(new).tolist()
    assert "import" not in to_python(clf)


def test_sqlite(case):
    clf, new = case
    assert by_sqlite(clf, new) == clf.predict(new).tolist()


def test_duckdb(case):
    "DuckDB has types and NaN: with `nan` both NULL and NaN are gaps."
    duckdb = pytest.importorskip("duckdb", reason="duckdb is not installed: pip install guesstree[exports]")
    clf, new = case
    types = ["DOUBLE" if new[name].dtype == float else "BOOLEAN" if isinstance(new[name].dropna().iloc[0], bool) else "VARCHAR" for name in new.columns]
    with duckdb.connect() as db:
        fill(db, new, types)
        said = clf.predict(new).tolist()
        assert [row[-1] for row in db.execute(to_sql(clf)).fetchall()] == said
        for name, kind in zip(new.columns, types):
            if kind == "DOUBLE":
                db.execute(f"UPDATE data SET {_sql_name(name)} = 'NaN'::DOUBLE WHERE {_sql_name(name)} IS NULL")
        assert [row[-1] for row in db.execute(to_sql(clf, nan=True)).fetchall()] == said


def test_duckdb_reads_every_float():
    duckdb = pytest.importorskip("duckdb", reason="duckdb is not installed: pip install guesstree[exports]")
    bits = np.random.default_rng(0).integers(0, 2**64, 4000, dtype=np.uint64).view(np.float64)
    values = [*bits[np.isfinite(bits)].tolist(), 0.1, 0.3, 1 / 3, 5e-324, -1.7976931348623157e308, -0.0]
    with duckdb.connect() as db:
        assert list(db.execute("SELECT " + ", ".join(map(_sql_literal, values))).fetchone()) == values


def test_a_table_is_not_dropped():
    frame = pd.DataFrame({NAMES[1]: ["a", "b'); DROP TABLE data; --"] * 6})
    clf = GuessTreeClassifier(0.01, 1).fit(frame, ["x'; DROP TABLE data; --", "y"] * 6)
    db = sqlite3.connect(":memory:")
    fill(db, frame, [""])
    for options in ({}, {"column": '"; DROP TABLE data; --'}):
        assert [row[-1] for row in db.execute(to_sql(clf, **options))] == clf.predict(frame).tolist()
    name = 'data"; DROP TABLE data; --'
    with pytest.raises(sqlite3.OperationalError):                      # there is no such table
        db.execute(to_sql(clf, name))
    db.execute(f"CREATE TABLE {_sql_name(name)} AS SELECT * FROM data")
    assert [row[-1] for row in db.execute(to_sql(clf, name))] == clf.predict(frame).tolist()
    assert db.execute("SELECT count(*) FROM data").fetchone() == (12,)


def test_a_column_that_is_not_there_is_an_error():
    "SQLite would take a lone name in double quotes for a text."
    clf = GuessTreeClassifier(0.01, 1).fit(pd.DataFrame({"age": [1.0, 2.0] * 6}), [0, 1] * 6)
    db = sqlite3.connect(":memory:")
    db.execute("CREATE TABLE data (years)")
    with pytest.raises(sqlite3.OperationalError):
        db.execute(to_sql(clf))
    db.execute("ALTER TABLE data ADD age")
    assert db.execute(to_sql(clf)).fetchall() == []


def test_names_that_sql_cannot_write():
    name = "a\0b"
    clf = GuessTreeClassifier(0.01, 1).fit(pd.DataFrame({name: [1.0, 2.0] * 6}), [0, 1] * 6)
    with pytest.raises(ValueError, match="a name must not hold"):
        to_sql(clf)
    assert by_python(clf, [{name: 1.0}, {name: 2.0}]) == [0, 1]


class Colour(enum.StrEnum):
    RED = "red"
    BLUE = "it's"


def test_categories_of_other_types():
    "Members of an enum and NumPy's strings are written as what they hold; numbers stay numbers."
    for values in ([Colour.RED, Colour.BLUE], [np.str_("red"), np.str_("it's")]):
        frame = pd.DataFrame({"c": np.array(values * 6, object)})
        clf = GuessTreeClassifier(0.01, 1).fit(frame, [0, 1] * 6)
        assert by_python(clf, [{"c": "red"}, {"c": "it's"}, {"c": None}]) == [0, 1, clf.predict(pd.DataFrame({"c": [None]}))[0]]
        assert "Colour" not in to_sql(clf) and "str_" not in to_sql(clf)
    sizes = pd.DataFrame({"c": pd.Categorical([36, 42] * 6)})
    clf = GuessTreeClassifier(0.01, 1).fit(sizes, [0, 1] * 6)
    assert by_sqlite(clf, sizes) == by_python(clf, sizes.to_dict("records")) == [0, 1] * 6


def test_labels_that_are_no_literals_are_refused():
    y = np.array([datetime.date(2020, 1, 1), datetime.date(2021, 1, 1)] * 6, object)
    clf = GuessTreeClassifier(0.01, 1).fit(pd.DataFrame({"a": [1.0, 2.0] * 6}), [0, 1] * 6)
    clf.leaf_labels_ = y[:len(clf.leaf_labels_)]
    for write in (to_python, to_sql):
        with pytest.raises(TypeError, match="of type date"):
            write(clf)


def test_cross_validated_estimators_are_unwrapped():
    frame = pd.DataFrame({"a": [1.0, 2.0] * 20})
    clf = GuessTreeClassifierCV(regularizations=(0.02,), max_depths=(1,), cv=2).fit(frame, [0, 1] * 20)
    assert to_sql(clf) == to_sql(clf.best_estimator_) and to_python(clf) == to_python(clf.best_estimator_)
