"""The engine `dl85` against pydl8.5 on DL8.5's own problem, and what guesses save inside it.

    python benchmarks/host_dl85.py [--limit SECONDS] [--only WORDS]

First, training errors at price 0 with a minimum support of ceil(lam * N) rows, lam the paper's price for that table, at depth 2 to 5: `pydl8.5` is
the package, `dl85` is `solve(engine="dl85")` as a whole, and both must find the same number of errors. At depth 2 `solve` spends most of its time on
turning rows into patterns. Then the paper's price at depth 5, where `exact` is the engine without a guess and the other rows are its guesses; no guess
may beat a proven optimum. `--only own` or `--only guesses` picks one of the two parts.
"""
import math
import sys
from fractions import Fraction

from harness import LAM, REDUCED, arguments, chosen, finished, geometric_mean, measure, problem, show

OWN = [(task, depth) for depth in (2, 3, 4, 5) for task in REDUCED]
GUESSES = [(task, 5) for task in REDUCED]
KINDS = ("paper", "gosdt", "tight")
SAME = 1e-9


def least_leaf(task):
    "The minimum support that belongs to the paper's price."
    return math.ceil(Fraction(str(LAM[task.split()[1]])) * len(problem(task)[1]))


def own_problem(task, depth, limit):
    "Package and engine on errors alone."
    least = least_leaf(task)
    return {"pydl8.5": measure("dl85", task, depth, limit, lam=0, min_sup=least),
            "dl85": measure("guesstree", task, depth, limit, lam=0, engine="dl85", min_samples_leaf=least)}


def guessed(task, depth, limit):
    "The engine without and with guesses, at the paper's price."
    found = {"exact": measure("guesstree", task, depth, limit, engine="dl85")}
    return dict(found, **{kind: measure("guesstree", task, depth, limit, engine="dl85", guess=kind) for kind in KINDS})


def contradicts(found):
    "Do two finished exact runs differ, or does a guess beat the optimum?"
    done = {who: r["value"] for who, r in found.items() if finished(r) and r["value"] is not None}
    exact = [v for who, v in done.items() if who not in KINDS]
    return bool(exact) and (max(exact) - min(exact) > SAME or min(done.values()) < exact[0] - SAME)


def ratios(rows, slow, fast):
    return [r[slow]["cpu"] / r[fast]["cpu"] for r in rows if r[slow] and finished(r[fast])]


def part(name, tasks, run, limit, only):
    "Measure and print one part; return its rows and the contradictions."
    rows, wrong = [], []
    for task, depth in chosen(tasks, only, name):
        found = run(task, depth, limit)
        print(f"{name} {task} depth {depth}:")
        print(*(show(who, r) for who, r in found.items()), sep="\n", flush=True)
        rows.append(found)
        wrong += [(task, depth)] if contradicts(found) else []
    return rows, wrong


def main(limit, only):
    own, wrong = part("own", OWN, own_problem, limit, only)
    guesses, more = part("guesses", GUESSES, guessed, limit, only)
    print()
    times = ratios(own, "pydl8.5", "dl85")
    if times:
        print(f"pydl8.5 takes {geometric_mean(times):.1f} times as long as dl85 (geometric mean; least {min(times):.2f}); "
              f"dl85 is at least as fast on {sum(t >= 1 for t in times)} of {len(times)}")
    for kind in KINDS:
        times = ratios(guesses, "exact", kind)
        if times:
            print(f"{kind}: {geometric_mean(times):.1f} times as fast as exact (geometric mean)")
    print(f"CONTRADICTION: {wrong + more}" if wrong or more else "no contradiction")
    return bool(wrong or more)


if __name__ == "__main__":
    args = arguments(__doc__)
    sys.exit(main(args.limit, args.only))
