"""The program: what it prints, writes and refuses, and how it ends."""
import errno
import json
import os
import signal
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_breast_cancer

from guesstree import GuessTreeClassifier, __version__
from guesstree.use.cli import main
from guesstree.use.reading import from_json


@pytest.fixture
def run(capsys):
    "Run the program in this process: exit code, output, errors."
    def go(*argv):
        try:
            code = main([str(a) for a in argv])
        except SystemExit as e:
            code = e.code
        out, err = capsys.readouterr()
        assert "Traceback" not in err
        return code, out, err
    return go


@pytest.fixture
def cancer(tmp_path):
    "The tumours as a CSV file."
    b = load_breast_cancer(as_frame=True)
    frame = b.data.assign(diagnosis=b.target_names[b.target])
    frame.to_csv(tmp_path / "cancer.csv", index=False)
    return frame


def test_fit_and_predict_are_those_of_the_library(run, cancer, tmp_path):
    code, out, err = run("fit", tmp_path / "cancer.csv", "--target", "diagnosis", "--regularization", 0.02, "--max-depth", 3, "--out", tmp_path / "t.json",
                         "--svg", tmp_path / "t.svg", "--report", tmp_path / "t.html")
    X, y = cancer.drop(columns="diagnosis"), cancer.diagnosis
    clf = GuessTreeClassifier(0.02, 3).fit(X, y)
    assert code == 0 and err == "" and str(clf.tree_) in out and "best tree of depth at most 3" in out
    back = from_json((tmp_path / "t.json").read_text())
    assert back.tree_ == clf.tree_ and back.objective_ == clf.objective_ and back.predict(X).tolist() == clf.predict(X).tolist()
    assert (tmp_path / "t.svg").read_text().startswith("<svg") and "A decision tree for diagnosis" in (tmp_path / "t.html").read_text()
    X[X.columns[::-1]].assign(other="?").to_csv(tmp_path / "new.csv", index=False)                     # other order, another column
    assert run("predict", tmp_path / "t.json", tmp_path / "new.csv", "--proba", "--out", tmp_path / "p.csv") == (0, "", "")
    made = pd.read_csv(tmp_path / "p.csv", float_precision="round_trip")
    assert made.prediction.tolist() == clf.predict(X).tolist()
    assert made.iloc[:, 1:].to_numpy().tolist() == clf.predict_proba(X).tolist()
    assert run("predict", tmp_path / "t.json", tmp_path / "new.csv")[1] == "prediction\n" + "\n".join(made.prediction) + "\n"


def test_options_reach_the_estimator(run, cancer, tmp_path):
    cancer[::6].to_csv(tmp_path / "few.csv", index=False)
    code, out, err = run("fit", tmp_path / "few.csv", "--target", "diagnosis", "--drop", "mean radius, worst area", "--regularization", 0.05, "--max-depth", "none", "--thresholds",
                         "buckets", "--lower-bound", "tight", "--reference", "10,2", "--time-limit", "none", "--memory-limit", 100, "--n-jobs", 2, "--no-certify",
                         "--random-state", 3, "--out", tmp_path / "t.json", "--quiet")
    assert (code, out, err) == (0, "", "")
    back = from_json((tmp_path / "t.json").read_text())
    assert back.get_params() == GuessTreeClassifier(0.05, None, "buckets", "tight", (10, 2), False, time_limit=None, memory_limit=100.0, n_jobs=2, random_state=3).get_params()
    assert len(back.encoding_.names) == 28 and [c.name for c in back.certificate_.clauses] == ["Optimality"]


def test_held_out_rows_and_folds(run, cancer, tmp_path):
    common = ("fit", tmp_path / "cancer.csv", "--target", "diagnosis", "--regularization", 0.02, "--max-depth", 2)
    code, out, _ = run(*common, "--test-size", 0.2, "--report", tmp_path / "r.html")
    assert code == 0 and "right on 114 held-out rows" in out and "of 455 training rows" in out
    assert "Held out: 114 rows" in (tmp_path / "r.html").read_text()
    code, out, _ = run(*common, "--cv", 3)
    assert code == 0 and "3-fold accuracy: 9" in out and "of 569 training rows" in out
    assert run(*common, "--cv", 3, "--test-size", 0.2)[0] == 2


def test_words_flags_and_gaps(run, tmp_path):
    rng, n = np.random.default_rng(1), 300
    frame = pd.DataFrame({"age": rng.integers(18, 80, n), "town": rng.choice(["Ulm", 'Bad "X", Y', "Ålesund"], n), "code": rng.choice(["1", "b"], n), "member": rng.random(n) < 0.5})
    frame["y"] = (frame.age > 50) & frame.member | (frame.town == "Ålesund") | (frame.code == "1") & (frame.age < 30)
    frame = frame.astype({"age": object, "member": object})
    frame.loc[::9, "age"] = None
    frame.loc[::11, "member"] = None
    frame.to_csv(tmp_path / "t.csv", index=False, sep=";")
    assert run("fit", tmp_path / "t.csv", "--target", "y", "--regularization", 0.002, "--out", tmp_path / "t.json")[0] == 0
    back = from_json((tmp_path / "t.json").read_text())
    assert back.classes_.tolist() == [False, True] and {f.kind for f in back.encoding_.features} == {"low", "high", "category", "flag"}
    code, out, _ = run("predict", tmp_path / "t.json", tmp_path / "t.csv")
    labels = [line == "True" for line in out.splitlines()[1:]]
    assert code == 0 and labels == back.predict(frame[["age", "town", "code", "member"]]).tolist()
    assert np.mean(np.array(labels) == frame.y) > 0.9
    ones = frame[frame.code == "1"]                                       # a column of words that looks like numbers today
    ones.to_csv(tmp_path / "ones.csv", index=False)
    assert run("predict", tmp_path / "t.json", tmp_path / "ones.csv")[1].splitlines()[1:] == [str(o) for o in np.array(labels)[frame.code == "1"]]


MISTAKES = {
    "empty": (b"", "is empty"), "blank": (b"\n\n", "is empty"), "header": (b"a,y\n", "a header but no rows"), "twice": (b"a,a,y\n1,2,0\n", "two columns named 'a'"),
    "ragged": (b"a,y\n1,0\n1,0,3\n", "line 3: 3 cells, but the header has 2"), "latin": (b"a,y\n\xe9,0\n", "must be UTF-8"), "target": (b"a,b\n1,0\n", "target 'y' is not a column"),
    "gap": (b"a,y\n1,0\n2,\n", "must not have gaps, got one in row 2"), "alone": (b"y\n1\n0\n", "no columns left"), "quote": (b'a,y\n"1,0\n', "line 2: "),
    "many": (b"a,y\n" + b"".join(b"1,%d\n" % i for i in range(150)), "must hold classes, got 150 different values"),
    "thousand": (b"a,y\n" + b"".join(b"1,word %d\n" % i for i in range(1000)), "must hold classes, got 1000 different values"),
    "one class": (b"a,y\n1,x\n2,x\n", "two classes or more, got only 'x'"), "utf-16": ("a,y\n1,0\n".encode("utf-16"), "must be UTF-8 text, got byte 0xff at position 0"),
    "binary": (bytes(range(256)) * 9, "must be UTF-8 text, got byte 0x80"), "zeros": (b"\0" * 99, "got a zero byte"),
    "measured": (b"a,y\n" + b"".join(b"%d,%d.5\n" % (i, i) for i in range(50)), ""),   # in the words of scikit-learn
}


@pytest.mark.parametrize("name", MISTAKES)
def test_a_bad_file_gets_one_line(run, tmp_path, name):
    text, expected = MISTAKES[name]
    (tmp_path / "t.csv").write_bytes(text)
    code, out, err = run("fit", tmp_path / "t.csv", "--target", "y", "--quiet")
    assert (code, out, len(err.splitlines())) == (1, "", 1) and err.startswith("guesstree: error: ") and expected in err


def test_a_folder_and_a_locked_file(run, tmp_path):
    for suffix in ("csv", "parquet", "xlsx"):
        (tmp_path / f"f.{suffix}").mkdir()
        code, out, err = run("fit", tmp_path / f"f.{suffix}", "--target", "y")
        assert (code, out, err) == (1, "", f"guesstree: error: {tmp_path / f'f.{suffix}'} is a folder, not a file\n")
        file = tmp_path / f"locked.{suffix}"
        file.write_text("a,y\n1,0\n2,1\n")
        file.chmod(0)
        if os.access(file, os.R_OK):
            continue                                                            # root reads everything
        code, out, err = run("fit", file, "--target", "y")
        assert (code, out, err) == (1, "", f"guesstree: error: {file}: {os.strerror(errno.EACCES)}\n")


def test_any_error_of_the_system_is_one_line(run, tmp_path, monkeypatch):
    def refuse(self, *_, **__):
        raise PermissionError(errno.EACCES, "locked", str(self))
    for suffix, method in (("csv", "read_text"), ("parquet", "open"), ("xlsx", "open")):
        with monkeypatch.context() as m:
            m.setattr(Path, method, refuse)
            assert run("fit", tmp_path / f"t.{suffix}", "--target", "y") == (1, "", f"guesstree: error: {tmp_path / f't.{suffix}'}: locked\n")


def people(n=120):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"age": rng.integers(18, 80, n) * 1.0, "town": rng.choice(["Ulm", "NA", "Bonn"], n), "code": rng.choice(["01", "1", "2"], n), "member": rng.random(n) < 0.5,
                          "day": pd.Timestamp("2020-01-01") + pd.to_timedelta(rng.integers(0, 3, n), "D")})
    frame["y"] = np.where((frame.age > 50) & frame.member | (frame.code == "01"), "yes", "no")
    frame.loc[::9, "age"] = None
    return frame


WRITERS = {"parquet": lambda f, p: f.to_parquet(p), "pq": lambda f, p: f.to_parquet(p), "feather": lambda f, p: f.to_feather(p), "xlsx": lambda f, p: f.to_excel(p, index=False),
           "jsonl": lambda f, p: f.to_json(p, lines=True, orient="records", date_format="iso"), "csv": lambda f, p: f.to_csv(p, index=False)}


def written(frame, path):
    if path.suffix == ".xlsx":
        pytest.importorskip("openpyxl")
    WRITERS[path.suffix[1:]](frame, path)
    return path


@pytest.mark.parametrize("suffix", WRITERS)
def test_every_format_is_fitted_and_labelled(run, tmp_path, suffix):
    frame, file = people(), written(people(), tmp_path / f"t.{suffix}")
    code, out, err = run("fit", file, "--target", "y", "--regularization", 0.005, "--out", tmp_path / "t.json", "--report", tmp_path / "t.html")
    told = {"code": "texts that are numbers; as categories they stay words", "day": "dates, which count as days since 1970-01-01"}
    if suffix == "csv":
        del told["code"]                                                                            # a CSV file has nothing but texts
    assert code == 0 and err.splitlines() == [f"guesstree: note: column {o!r} holds {words}" for o, words in told.items()] and "120 rows, 5 columns, 2 labels" in out
    clf, typed = from_json((tmp_path / "t.json").read_text()), suffix not in ("csv", "xlsx")
    assert [[(o.kind, o.notation) for o in clf.encoding_.features if o.name == name] for name in told] == [[("number", "" if name == "code" else "date")] for name in told]
    assert any(o.name == "town" and o.value == "NA" for o in clf.encoding_.features) == typed       # a word, where the file can say so
    labels = run("predict", tmp_path / "t.json", file)[1].splitlines()[1:]
    assert np.mean(np.array(labels) == frame.y) > 0.9
    if suffix != "csv":                                                                             # new rows may come in another format
        assert run("predict", tmp_path / "t.json", written(frame, tmp_path / "new.parquet"))[1].splitlines()[1:] == labels


@pytest.mark.parametrize("suffix", ["parquet", "feather", "xlsx", "jsonl"])
def test_a_broken_table_gets_one_line(run, tmp_path, suffix):
    whole = written(people(), tmp_path / f"whole.{suffix}").read_bytes()
    cases = {"cut": whole[:len(whole) // 2], "empty": b"", "rubbish": bytes(range(256)) * 9, "text": b"a,y\n1,0\n2,1\n", "bits": bytes(o ^ 1 if i % 50 == 7 else o for i, o in enumerate(whole))}
    for name, data in cases.items():
        file = tmp_path / f"{name}.{suffix}"
        file.write_bytes(data)
        code, out, err = run("fit", file, "--target", "y", "--quiet")
        assert (code, out, len(err.splitlines())) == (1, "", 1) and err.startswith("guesstree: error: ") and file.name in err, (name, err)


@pytest.mark.parametrize("suffix", ["parquet", "feather", "xlsx", "jsonl"])
def test_a_table_without_rows_or_labels(run, tmp_path, suffix):
    for frame, expected in [(people()[:0], "t.jsonl" if suffix == "jsonl" else "has a header but no rows"), (people().assign(y=None), "must not have gaps, got one in row 1"),
                            (people().assign(y=1), "two classes or more, got only 1"), (people()[["y"]], "no columns left"), (people().drop(columns="y"), "target 'y' is not a column")]:
        code, out, err = run("fit", written(frame.reset_index(drop=True), tmp_path / f"t.{suffix}"), "--target", "y", "--quiet")
        assert (code, out, len(err.splitlines())) == (1, "", 1) and expected in err, err


def test_names_used_twice_in_typed_files(run, tmp_path):
    import pyarrow as pa
    import pyarrow.parquet
    pa.parquet.write_table(pa.table([[1, 2], [3, 4], [0, 1]], names=["a", "a", "y"]), tmp_path / "t.parquet")
    code, out, err = run("fit", tmp_path / "t.parquet", "--target", "y", "--quiet")
    assert (code, out, len(err.splitlines())) == (1, "", 1) and "t.parquet" in err
    pytest.importorskip("openpyxl")
    pd.DataFrame([["a", "a", "y"], [1, 2, 0], [1, 2, 1]]).to_excel(tmp_path / "t.xlsx", index=False, header=False)
    assert "two columns named 'a'" in run("fit", tmp_path / "t.xlsx", "--target", "y", "--quiet")[2]


def test_sheets(run, tmp_path):
    pytest.importorskip("openpyxl")
    with pd.ExcelWriter(tmp_path / "t.xlsx") as book:
        pd.DataFrame({"note": ["read me"]}).to_excel(book, sheet_name="about", index=False)
        people().to_excel(book, sheet_name="2020", index=False, startrow=3, startcol=2)        # with empty rows and columns around it
        pd.DataFrame().to_excel(book, sheet_name="blank", index=False)
    fit = ("fit", tmp_path / "t.xlsx", "--target", "y", "--regularization", 0.02, "--max-depth", 2)
    code, out, err = run(*fit)
    assert code == 1 and err.splitlines()[0].endswith("t.xlsx has 3 sheets; 'about', the first, is read") and "target 'y' is not a column; there are: note" in err
    code, _, err = run(*fit, "--sheet", "2020", "--out", tmp_path / "t.json")
    assert code == 0 and all(o.startswith("guesstree: note: column ") for o in err.splitlines()) and "120 rows, 5 columns" in run(*fit, "--sheet", 2)[1]
    assert run("predict", tmp_path / "t.json", tmp_path / "t.xlsx", "--sheet", "2020")[0] == 0
    for sheet, expected in (("2021", "sheet '2021' is not in"), ("0", "sheet '0' is not in"), ("blank", "sheet 'blank' is empty")):
        code, out, err = run(*fit, "--sheet", sheet)
        assert (code, out, len(err.splitlines())) == (1, "", 1) and expected in err, err
    assert "sheet is for Excel files" in run("fit", tmp_path / "no.csv", "--target", "y", "--sheet", "1")[2]


def test_a_missing_reader_is_named(tmp_path):
    "One process, from which one reader after the other is taken away."
    cases = [("parquet", "pandas"), ("parquet", "pyarrow"), ("jsonl", "pandas"), *[("xlsx", "pandas"), ("xlsx", "openpyxl")] * bool(find_spec("openpyxl"))]
    for suffix in {suffix for suffix, _ in cases}:
        written(people(), tmp_path / f"t.{suffix}")
    code = f"""
import sys
from guesstree.use.cli import main
for suffix, missing in {cases}:
    before = dict(sys.modules)
    sys.modules[missing] = None
    print(main(["fit", f"t.{{suffix}}", "--target", "y"]))
    sys.modules.pop(missing)
    sys.modules.update(before)
"""
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True)
    assert done.stdout == "1\n" * len(cases), done.stderr
    assert done.stderr.splitlines() == [f"guesstree: error: t.{suffix} needs {missing}: pip install guesstree[tables]" for suffix, missing in cases]


def test_the_words_of_the_leaf_penalty(run, cancer, tmp_path, monkeypatch):
    asked = []
    def fit(self, *_):
        asked.append(self.regularization)
        raise ValueError("enough")
    monkeypatch.setattr(GuessTreeClassifier, "fit", fit)
    for words in ((), ("--regularization", "auto"), ("--regularization", "one_se"), ("--regularization", "0.25")):
        assert run("fit", tmp_path / "cancer.csv", "--target", "diagnosis", *words)[0] == 1
    assert asked == [GuessTreeClassifier().regularization, "auto", "one_se", 0.25]


UNIX_ONLY = ["fcntl", "grp", "pwd", "resource", "termios", "tty", "pty", "syslog", "readline", "curses", "nis", "posix_ipc", "crypt", "spwd"]


def test_no_module_needs_unix():
    "Every module can be imported where the modules of Unix, and names such as os.fork, do not exist."
    pytest.importorskip("dask")
    code = f"""
import sys, os, signal, pkgutil, importlib
import numpy, scipy, sklearn, numba, joblib, matplotlib.pyplot, pandas, tqdm, graphviz, dask, joblib.externals.loky.process_executor  # others may look for Unix
for name in {UNIX_ONLY}: sys.modules[name] = None
for name in ("fork", "uname", "getuid", "kill", "sysconf", "sched_getaffinity", "nice", "wait3"):
    if hasattr(os, name): delattr(os, name)
for name in ("SIGALRM", "SIGKILL", "SIGUSR1", "alarm", "setitimer", "pthread_kill"):
    if hasattr(signal, name): delattr(signal, name)
import guesstree
for m in pkgutil.walk_packages(guesstree.__path__, "guesstree."): importlib.import_module(m.name); print(m.name)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0 and len(done.stdout.split()) > 60, done.stderr


def test_other_mistakes(run, cancer, tmp_path):
    data = ("fit", tmp_path / "cancer.csv", "--target", "diagnosis", "--quiet")
    for argv, expected in [(("fit", tmp_path / "no.csv", "--target", "y"), os.strerror(errno.ENOENT)), ((*data, "--regularization", -1), "regularization must be >= 0"),
                           ((*data, "--time-limit", -1), "time_limit must be"), ((*data, "--drop", "id"), "drop 'id' is not a column"), ((*data, "--n-jobs", 0), "n_jobs must be"),
                           ((*data, "--report", tmp_path / "a" / "b.html"), "there is no folder"), ((*data, "--out", tmp_path), "it is a folder"), ((*data, "--cv", 1000), "cv must be"),
                           ((*data, "--test-size", 0), "test-size must be"), (("predict", tmp_path / "no.json", tmp_path / "cancer.csv"), os.strerror(errno.ENOENT)),
                           (("predict", tmp_path / "cancer.csv", tmp_path / "cancer.csv"), "not a tree that can be read")]:
        code, out, err = run(*argv)
        assert (code, out, len(err.splitlines())) == (1, "", 1) and expected in err, err
    assert run(*data, "--regularization", 0.05, "--max-depth", 2, "--out", tmp_path / "t.json")[0] == 0
    (tmp_path / "few.csv").write_text("mean radius\n1\n")
    assert "is not a column" in run("predict", tmp_path / "t.json", tmp_path / "few.csv")[2]


@pytest.mark.parametrize("argv", [[], ["fly"], ["fit"], ["fit", "t.csv"], ["fit", "t.csv", "--target", "y", "--max-depth", "deep"], ["fit", "t.csv", "--target", "y", "--reference", "9"],
                                  ["fit", "t.csv", "--target", "y", "--thresholds", "some"], ["predict", "t.json"],
                                  ["fit", "t.csv", "--target", "y", "--regularization", "some"]])
def test_usage(run, argv):
    code, out, err = run(*argv)
    assert code == 2 and out == "" and "guesstree" in err       # in the words of argparse


@pytest.mark.parametrize("command", ["fit", "predict", "demo", "warmup"])
def test_help(run, command):
    code, out, err = run(command, "--help")
    assert code == 0 and f"guesstree {command}" in out and err == ""


def test_running_out_of_time_is_no_error(run, tmp_path):
    rng = np.random.default_rng(0)
    pd.DataFrame(rng.random((300, 24)) < 0.5).assign(y=rng.integers(0, 2, 300)).to_csv(tmp_path / "t.csv", index=False)
    code, out, err = run("fit", tmp_path / "t.csv", "--target", "y", "--thresholds", "all", "--lower-bound", "exact", "--regularization", 0.001, "--max-depth", "none", "--time-limit", 0,
                         "--out", tmp_path / "t.json")
    assert code == 0 and "ran out of time" in out and err.startswith("guesstree: note: stopped (time_limit)")
    assert json.loads((tmp_path / "t.json").read_text())["result"]["status"] == "time_limit"


def test_an_interrupt_before_the_search(run, cancer, tmp_path, monkeypatch):
    def stop(*_):
        raise KeyboardInterrupt
    monkeypatch.setattr(GuessTreeClassifier, "fit", stop)
    code, out, err = run("fit", tmp_path / "cancer.csv", "--target", "diagnosis", "--out", tmp_path / "t.json")
    assert (code, err) == (130, "guesstree: interrupted\n") and not (tmp_path / "t.json").exists()


PROGRAM = [sys.executable, "-c", "import sys; from guesstree.use.cli import main; sys.exit(main())"]

WRITES = {"out": "t.json", "svg": "t.svg", "report": "t.html", "proof": "t.proof"}


def test_what_is_written_stays_what_it_was(run, tmp_path):
    "Files of the user: a mode, a link, an umask, and the pipe of another program."
    (tmp_path / "t.csv").write_text("a,y\n" + "".join(f"{i},{int(i > 20)}\n" for i in range(60)))
    old = [tmp_path / o for o in (*WRITES.values(), "p.csv")]
    for path in old:
        (tmp_path / f"far-{path.name}").touch(0o600)
        path.symlink_to(tmp_path / f"far-{path.name}")
    usual = ("fit", tmp_path / "t.csv", "--target", "y", "--regularization", 0.1, "--quiet")
    before = os.umask(0o027)
    try:
        for end in ("", ".new"):
            assert run(*usual, *(w for k, v in WRITES.items() for w in (f"--{k}", tmp_path / (v + end)))) == (0, "", "")
            assert run("predict", tmp_path / "t.json", tmp_path / "t.csv", "--out", tmp_path / f"p.csv{end}") == (0, "", "")
    finally:
        os.umask(before)
    for path in old:
        new = path.with_name(path.name + ".new")
        assert path.is_symlink() and path.stat().st_mode & 0o777 == 0o600 and new.stat().st_mode & 0o777 == 0o640
        assert path.stat().st_size > 0 and (path.suffix in (".html", ".json") or path.read_bytes() == new.read_bytes())
    for k in WRITES:
        os.mkfifo(tmp_path / k)
        reader = subprocess.Popen(["cat", tmp_path / k], stdout=subprocess.PIPE)
        assert run(*usual, f"--{k}", tmp_path / k)[0] == 0 and len(reader.communicate(timeout=60)[0]) > 100
        assert (tmp_path / k).is_fifo()


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGINT for a child process")
def test_ctrl_c_keeps_the_best_tree(tmp_path):
    rng = np.random.default_rng(0)
    pd.DataFrame(rng.random((2000, 60)) < 0.5).assign(y=rng.integers(0, 2, 2000)).to_csv(tmp_path / "t.csv", index=False)
    argv = ["fit", "t.csv", "--target", "y", "--thresholds", "all", "--lower-bound", "exact", "--regularization", "0.0001", "--max-depth", "12", "--time-limit", "none",
            "--out", "t.json", "--report", "t.html", "--progress"]
    child = subprocess.Popen([*PROGRAM, *argv], cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler))
    try:
        assert "2000 rows" in child.stdout.readline()                   # the fit starts
        seen = ""
        while "objective" not in seen and child.poll() is None:         # the search has a tree
            seen += child.stderr.read(1)
        child.send_signal(signal.SIGINT)
        out, err = child.communicate(timeout=600)
    finally:
        child.kill()
    assert child.returncode == 130 and "Traceback" not in err, err
    back = from_json((tmp_path / "t.json").read_text())
    assert back.status_ == "interrupted" and 0 < back.lower_bound_ < back.objective_ and "was interrupted" in (tmp_path / "t.html").read_text()


STAGES = {"reading": "guesstree.use.csv_tables.read_table", "fitting": "guesstree.GuessTreeClassifier.fit", "proving": "guesstree.checks.proof_logs.log_lines",
          "verifying": "guesstree.checks.proof_logs.verify", "drawing": "guesstree.use.drawing.to_svg", "writing": "guesstree.engine.files._fill", "validating": "guesstree.GuessTreeClassifier.score"}


@pytest.mark.parametrize("stage", STAGES)
def test_ctrl_c_at_any_stage(run, tmp_path, monkeypatch, stage):
    "Code 130 and one sentence; a proof that is broken off costs the proof only."
    (tmp_path / "t.csv").write_text("a,y\n" + "".join(f"{i},{int(i > 20)}\n" for i in range(60)))
    pressed = []
    def press(*_, **__):
        pressed.append(stage)
        signal.raise_signal(signal.SIGINT)
    monkeypatch.setattr(STAGES[stage], press)
    code, out, err = run("fit", tmp_path / "t.csv", "--target", "y", "--regularization", 0.1, "--cv", 2, "--out", tmp_path / "t.json", "--svg", tmp_path / "t.svg", "--proof", tmp_path / "t.proof")
    assert code == 130 and err.splitlines()[-1] == "guesstree: interrupted" and err.count("interrupted\n") == 1 and pressed
    made = {"proving": {"t.json", "t.svg"}, "verifying": {"t.json", "t.svg", "t.proof"}, "drawing": {"t.proof"}, "validating": {"t.json", "t.svg", "t.proof"}}.get(stage, set())
    assert {o.name for o in tmp_path.iterdir()} == {"t.csv"} | made
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


@pytest.mark.parametrize("moment", ["import", "exit", "twice"])
def test_ctrl_c_before_and_after_the_work(tmp_path, moment):
    "While others are imported, after the last word, and while the first is being answered."
    (tmp_path / "t.csv").write_text("a,y\n" + "".join(f"{i},{int(i > 20)}\n" for i in range(60)))
    code = f"""
import atexit, signal, sys
from guesstree.use import cli
signal.signal(signal.SIGINT, signal.default_int_handler)
def press(*_): signal.raise_signal(signal.SIGINT)
class Finder:
    def find_spec(self, name, *_):
        if name == "numpy": press()
class Stream:
    def write(self, text): press()
    def flush(self): press()
if {moment!r} == "import": sys.meta_path.insert(0, Finder())
if {moment!r} == "exit": atexit.register(press)
if {moment!r} == "twice": sys.stdout = Stream()
sys.exit(cli.main())
"""
    done = subprocess.run([sys.executable, "-c", code, "fit", "t.csv", "--target", "y", "--regularization", "0.1"], cwd=tmp_path, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == ((0, "") if moment == "exit" else (130, "guesstree: interrupted\n"))


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_an_output_that_takes_nothing(tmp_path):
    "A reader who has left before the first word, a full disk, and no output at all: no traceback, and Python says nothing when it ends."
    def ends(redirect, *argv):
        done = subprocess.run(["sh", "-c", f'"$@" {redirect}', "sh", *PROGRAM, *argv], cwd=tmp_path, stderr=subprocess.PIPE, text=True, env={k: v for k, v in os.environ.items() if k != "PYTHONUNBUFFERED"})
        return done.returncode, done.stderr
    assert ends(">/dev/full", "--help") == (1, "guesstree: error: No space left on device\n")
    assert ends(">&-", "--version")[0] == 0 and ends("| true", "fit", "--help")[1] == ""
    assert ends("2>&- | (sleep 1; cat >&2)", "warmup", "--help")[1].startswith("usage: guesstree warmup")


def test_the_version(run):
    assert run("--version") == (0, f"guesstree {__version__}\n", "")


def test_the_program_as_a_process(tmp_path):
    done = subprocess.run([*PROGRAM, "fit", "no.csv", "--target", "y"], cwd=tmp_path, capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (1, "", f"guesstree: error: no.csv: {os.strerror(errno.ENOENT)}\n")


def test_a_reader_that_has_seen_enough(tmp_path):
    (tmp_path / "t.csv").write_text("a,y\n" + "".join(f"{i},{int(i > 20)}\n" for i in range(60)))
    (tmp_path / "long.csv").write_text("a\n" + "1\n" * 100_000)
    assert main(["fit", str(tmp_path / "t.csv"), "--target", "y", "--out", str(tmp_path / "t.json"), "--quiet"]) == 0
    child = subprocess.Popen([*PROGRAM, "predict", "t.json", "long.csv"], cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert child.stdout.readline() == "prediction\n"
    child.stdout.close()
    assert child.stderr.read() == "" and child.wait(timeout=600) == 0


def test_warmup(run, monkeypatch):
    monkeypatch.setattr("guesstree.engine.solver.warmup", lambda: 1.25)
    assert run("warmup") == (0, "ready after 1.2 s; ordinary tables compile nothing more until guesstree changes\n", "")


def test_pandas_is_not_needed(tmp_path):
    (tmp_path / "t.csv").write_text("a,w,y\n" + "".join(f"{i},{'xyz'[i % 3]},{int(i > 20)}\n" for i in range(60)))
    code = """
import sys
class Gone:
    def find_spec(name, *_):
        if name.partition(".")[0] == "pandas": raise ModuleNotFoundError(name)
sys.meta_path.insert(0, Gone)
from guesstree.use.cli import main
sys.exit(main(["fit", "t.csv", "--target", "y", "--out", "t.json"]) or main(["predict", "t.json", "t.csv"]))"""
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert [int(o) for o in done.stdout.splitlines()[-60:]] == [int(i > 20) for i in range(60)]


def test_rows_where_they_are_are_counted_as_they_were_used(run, cancer, tmp_path, monkeypatch):
    "A folder of Parquet: the log is judged aloud, and a sample that stands for all rows is not called all rows."
    from guesstree.engine import columns
    from guesstree.engine.sources import Counted
    (tmp_path / "parts").mkdir()
    cancer.to_parquet(tmp_path / "parts" / "a.parquet")
    args = ("fit", tmp_path / "parts", "--target", "diagnosis", "--regularization", "0.05", "--max-depth", "2")
    code, out, _ = run(*args, "--proof", tmp_path / "tree.proof")
    assert code == 0 and "of 569 training rows" in out and "proof: accepted, optimal" in out
    monkeypatch.setattr(columns, "count_rows", lambda *_: Counted(None, n=3, stopped="time_limit"))
    monkeypatch.setattr(columns, "SAMPLE", 200)
    code, out, err = run(*args, "--proof", tmp_path / "part.proof", "--out", tmp_path / "tree.json")
    assert code == 0 and "of 200 training rows" in out and "of 569 training rows" not in out
    assert "about the 200 of 569 rows that were drawn by lot and counted" in err
    assert "this is about 200 of 569 rows, drawn by lot; of the others nothing is known" in out and "accepted, time_limit" in out
    assert json.loads((tmp_path / "tree.json").read_text())["result"]["counted"] == {"n": 200, "of": 569, "why": "time_limit", "by_lot": True}
