"""Two questions about the clock on the wall: how good is the tree after 0.1 s, and what does a second core buy?

    python benchmarks/clock.py [--limit SECONDS] [--only WORDS]

Section "early": exact `solve` with a time limit of 0.1 s, the worst objective and the longest time of a few runs, against the tree of
LicketySPLIT with look-ahead 2, however long that takes. Section "jobs": seconds with `n_jobs` 1 and 2; the trees must be the same.
"""
import inspect
import sys

from harness import REDUCED, arguments, chosen, finished, measure, show

EARLY, SAME = 0.1, 1e-9
EARLY_TASKS = [(task, 5) for task in REDUCED]
JOBS_TASKS = [(f"reduced {name}", d) for name in ("restaurant", "takeaway") for d in (5, 6)] + [("full compas", 5)]


def early(limit, only):
    "Print the early trees and on how many problems they are at least as good."
    good, seconds = [], []
    for task, depth in chosen(EARLY_TASKS, only, "early"):
        ours, theirs = measure("guesstree", task, depth, EARLY), measure("licketysplit", task, depth, limit)
        print(f"early {task} depth {depth}:")
        print(show("licketysplit", theirs, "wall"))
        print("    guesstree: failed" if ours is None else f"    guesstree: {ours['slowest']:.3f} s at worst, {ours['mb']} MB, "
              f"objective {ours['worst']:.6f} at worst ({ours['status']})", flush=True)
        if ours and theirs:
            good.append(ours["worst"] <= theirs["value"] + SAME)
            seconds.append(ours["slowest"])
    if good:
        print(f"early: at least as good as licketysplit on {sum(good)} of {len(good)} problems; back within {EARLY} s on "
              f"{sum(s <= EARLY for s in seconds)}, at the latest after {max(seconds):.3f} s\n")


def jobs(limit, only):
    "Print what the second core buys; the problems whose trees differ."
    from guesstree import solve
    if "n_jobs" not in inspect.signature(solve).parameters:
        print("jobs: left out, solve has no parameter n_jobs")
        return []
    same, different = 0, []
    for task, depth in chosen(JOBS_TASKS, only, "jobs"):
        alone, pair = (measure("guesstree", task, depth, limit, threads=n, n_jobs=n) for n in (1, 2))
        done = finished(alone) and finished(pair)
        print(f"jobs {task} depth {depth}: " + (f"{alone['wall'] / pair['wall']:.2f} times as fast with two" if done else "not finished"))
        print(show("n_jobs=1", alone, "wall"), show("n_jobs=2", pair, "wall"), sep="\n", flush=True)
        if done and alone["tree"] != pair["tree"]:
            different.append((task, depth))
        same += done and alone["tree"] == pair["tree"]
    print(f"TREES DIFFER: {different}" if different else f"jobs: the same tree on all {same} problems that both finished")
    return different


if __name__ == "__main__":
    args = arguments(__doc__)
    early(args.limit, args.only)
    sys.exit(bool(jobs(args.limit, args.only)))
