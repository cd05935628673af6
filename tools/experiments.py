"""Rerun the paper's experiments; what is done is kept in experiments/runs and not done again.

    python tools/experiments.py [--jobs 2] [--again] [name ...]

The names are those of `guesstree.rerun.grids.GRIDS`, by default all. With --again, runs that a time limit ended are done once more,
which is worth it after a sweep on a busy machine. The small tables in experiments/results are made anew from the runs,
and what they change in the committed ones is told. Two more tables need no grid and are made every time: printed.csv,
the paper's own trees on our rows, and bounds.csv, what Theorem 4.3 promises on each table.
"""
import argparse
import csv
import warnings
from pathlib import Path

from guesstree.rerun.runs import run_grid
from guesstree.rerun.grids import GRIDS, KEEP_TREES, WITHIN, condense, results, save, score_fits, score_printed

ROOT = Path(__file__).resolve().parent.parent
RUNS, RESULTS = ROOT / "experiments" / "runs", ROOT / "experiments" / "results"
SETTINGS = ["dataset", "fold", "method", "guesses", "thresholds", "reference", "price", "max_depth"]


def changes(old, new):
    "How many runs that ended in both tables have another objective."
    both = old.merge(new, on=SETTINGS, suffixes=("_old", "_new"))
    ended = both[both.status_old.isin(WITHIN) & both.status_new.isin(WITHIN)]
    differ = (ended.objective_old - ended.objective_new).abs() > 1e-12
    return f"{len(ended)} runs ended in both, {int(differ.sum())} with another objective"


def forget_unfinished(path):
    "Drop the rows of runs that a time limit ended."
    with open(path, newline="", encoding="utf-8") as file:
        head, *rows = csv.reader(file)
    with open(path, "w", newline="", encoding="utf-8") as file:
        csv.writer(file, lineterminator="\n").writerows([head, *(r for r in rows if r[head.index("status")] != "time_limit")])


def run(name, jobs, again):
    "Run a grid and make its small table."
    if again and (RUNS / f"{name}.csv").exists():
        forget_unfinished(RUNS / f"{name}.csv")
    table = run_grid(GRIDS[name], RUNS / f"{name}.csv", n_jobs=jobs, verbose=1)
    old = results(name, RESULTS) if (RESULTS / f"{name}.csv").exists() else None
    save(condense(GRIDS[name], table, name in KEEP_TREES), name, RESULTS)
    print(f"{name}: {len(table)} runs, {table.cpu_total.sum():.0f} processor seconds, {table.status.value_counts().to_dict()}")
    if old is not None:
        print(f"{name}: compared with the table before: {changes(old, results(name, RESULTS))}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", help="grids to run: " + ", ".join(GRIDS))
    parser.add_argument("--jobs", type=int, default=2, help="processes")
    parser.add_argument("--again", action="store_true", help="repeat runs that a time limit ended")
    args = parser.parse_args()
    unknown = set(args.names) - set(GRIDS)
    if unknown:
        parser.error(f"names must be of {', '.join(GRIDS)}, got {', '.join(sorted(unknown))}")
    warnings.filterwarnings("ignore", message="compiling")
    for name in args.names or GRIDS:
        run(name, args.jobs, args.again)
    save(score_printed(), "printed", RESULTS)
    save(score_fits(), "bounds", RESULTS)


if __name__ == "__main__":
    main()
