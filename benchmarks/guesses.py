"""Guessed search against exact search and against GOSDT's own guessed search, on the same reference labels in the same run.

    python benchmarks/guesses.py [--limit SECONDS] [--only WORDS]

Every row is a reduced problem at depth 5 with its stored reference. `exact` is guesstree without a guess; `paper`, `gosdt` and `tight` are its
three guessed bounds; `rival` is GOSDT with `y_ref`. Objectives are those of the trees that come back: under guessing a solver's own bounds
prove nothing. GOSDT may report that it did not converge; its tree counts all the same, and the row says so. Times of a few milliseconds vary
between processes, on a busy machine by a factor of two: the last lines count the pairs within it, where one run does not tell which is faster.

DL8.5 with guessing is not here. pydl8.5 takes no reference and no lower bound: `max_error` is an upper bound, and an error function that
subtracts the reference's errors changes what is minimised, since excess errors do not add up to errors where a leaf beats the reference.
A comparison needs an engine that implements the paper's listing.
"""
import sys

from harness import REDUCED, arguments, chosen, finished, geometric_mean, measure, show

TASKS = [(task, 5) for task in REDUCED]
MODES = ("paper", "gosdt", "tight")
NOISE = 2     # times below 10 ms that differ by less are too close to call
SAME = 1e-6   # GOSDT adds up in 32-bit floats


def run(task, depth, limit):
    found = {"exact": measure("guesstree", task, depth, limit)}
    for mode in MODES:
        found[mode] = measure("guesstree", task, depth, limit, guess=mode)
    return dict(found, rival=measure("gosdt", task, depth, limit, guess="own"))


def below_optimum(found):
    "Guessed trees better than what exact search has proven best: there must be none."
    best = found["exact"]
    if not best or best["status"] != "optimal":
        return []
    return [who for who, r in found.items() if r and r["value"] is not None and r["value"] < best["value"] - SAME]


def against(rows, mode, other):
    "Problems where `mode` and `other` both ran; of these, where `mode` finishes at least as fast; and where also its objective is no worse."
    both = [(r[mode], r[other]) for r in rows if r[mode] and r[other]]
    fast = [(a, b) for a, b in both if finished(a) and a["cpu"] <= b["cpu"]]
    good = [(a, b) for a, b in fast if b["value"] is None or a["value"] <= b["value"] + SAME]
    return both, fast, good


def summary(rows):
    for mode in MODES:
        for other in ("exact", "rival"):
            both, fast, good = against(rows, mode, other)
            if both:
                cut = sum(b["status"] == "time_limit" for _, b in both)
                close = sum(max(a["cpu"], b["cpu"]) < min(0.01, NOISE * min(a["cpu"], b["cpu"])) for a, b in both)
                ratios = [b["cpu"] / a["cpu"] for a, b in both if finished(a)] or [float("nan")]
                print(f"{mode} against {other}: at least as fast on {len(fast)} of {len(both)} ({close} too close to call), "
                      f"at an objective no worse on {len(good)}; {'at least ' if cut else ''}{geometric_mean(ratios):.1f} times as fast (geometric mean)"
                      + (f", {cut} stopped at the limit" if cut else ""))


def main(limit, only):
    rows, wrong = [], []
    for task, depth in chosen(TASKS, only, "guesses"):
        found = run(task, depth, limit)
        print(f"{task} depth {depth}:")
        print(*(show(who, r) for who, r in found.items()), sep="\n", flush=True)
        rows.append(found)
        wrong += [(task, depth, who) for who in below_optimum(found)]
    print()
    summary(rows)
    proven = sum(bool(r["exact"]) and r["exact"]["status"] == "optimal" for r in rows)
    print(f"BETTER THAN OPTIMAL: {wrong}" if wrong else f"no guess beats the optimum on the {proven} problems where it is proven")
    return bool(wrong)


if __name__ == "__main__":
    args = arguments(__doc__)
    sys.exit(main(args.limit, args.only))
