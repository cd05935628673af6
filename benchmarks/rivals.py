"""guesstree and the published exact solvers on the same problems, each in a process of its own, one thread.

    python benchmarks/rivals.py [--limit SECONDS] [--only WORDS]

Every row of the table is one problem: CPU seconds and peak memory (MB) of each solver in this run, compile time apart, and the ratio of the
fastest exact rival to guesstree. Objectives of all solvers that finish must agree; a rival that calls a worse tree optimal is named, with the
tree that beats it, and the script fails if guesstree is ever the one. Section "priced" has the paper's price of a leaf. DL8.5
knows no price, so section "free" compares training errors at the same depth with a price of 0. Section "unlimited" has no depth limit and
the price published with each problem; sections "numbers" and "sparse" have all split points of tables of numbers and the problems of DL8.5.
"""
import sys

from harness import REDUCED, arguments, chosen, finished, geometric_mean, measure, show

EXACT = ("guesstree", "streed", "gosdt", "contree", "dl85", "pytrees", "imodels")
PRICED = [(task, 5, ("guesstree", "streed", "gosdt", "contree", "guessed", "licketysplit")) for task in REDUCED]
PRICED += [("full compas", d, ("guesstree", "streed", "contree")) for d in (3, 4, 5)]
PRICED += [("full broward", 3, ("guesstree", "streed", "contree")), ("full fico", 3, ("guesstree",))]
PRICED += [("full cancer", d, ("guesstree", "contree")) for d in (2, 3)]
PRICED += [(task, None, ("guesstree", "streed", "gosdt")) for task in REDUCED[:4]]
FREE = [(task, d, ("guesstree", "dl85", "pytrees")) for d in (3, 4, 5) for task in REDUCED]
UNLIMITED = [(f"unlimited {name}", None, ("guesstree", "imodels")) for name in (
    "monk2", "tictactoe", "careval", "nursery-f", "mushroom-f", "krvskp", "zoo", "balance-f")]
NUMBERS = [(f"continuous {name}", d, ("guesstree", "contree")) for d in (2, 3) for name in ("bank", "page", "magic", "avila")]
SPARSE = [(f"dl85 {name}", 4, ("guesstree", "streed", "pytrees")) for name in (
    "german-credit", "hepatitis", "hypothyroid", "ionosphere", "kr-vs-kp", "mushroom", "segment", "splice-1", "vehicle", "zoo-1")]
SECTIONS = [("priced", PRICED, None), ("free", FREE, 0), ("unlimited", UNLIMITED, None), ("numbers", NUMBERS, 0),
            ("numbers priced", NUMBERS, 0.005), ("sparse", SPARSE, 0),
            ("sparse priced", [(task, d, who[:2]) for task, d, who in SPARSE], 0.005)]


def run(who, task, depth, limit, lam):
    if who == "guessed":
        return measure("guesstree", task, depth, limit, lam, guess="tight")
    return measure(who, task, depth, limit, lam)


def ratio(found):
    "How many times longer than guesstree the fastest exact rival takes; None if none finishes."
    rivals = [r["cpu"] for who, r in found.items() if who in EXACT[1:] and finished(r)]
    return min(rivals) / found["guesstree"]["cpu"] if rivals and finished(found["guesstree"]) else None


def proven(found):
    "The objectives that exact solvers claim to be optimal."
    return {who: r["value"] for who, r in found.items() if who in EXACT and finished(r) and r["value"] is not None}


def summary(section, ratios):
    depths = {d for s, _, d in ratios if s == section}
    for depth in sorted(depths, key=str):
        some = [r for (s, task, d), r in ratios.items() if s == section and d == depth and not task.startswith("full")]
        if some:
            print(f"{section} at depth {depth}: geometric mean {geometric_mean(some):.1f}, least {min(some):.1f}, "
                  f"over {len(some)} problems")


def main(limit, only):
    ratios, compared, beaten, wrong = {}, 0, [], []
    for section, tasks, lam in SECTIONS:
        for task, depth, solvers in chosen(tasks, only, section):
            found = {who: run(who, task, depth, limit, lam) for who in solvers}
            times = ratio(found)
            speed = f"{times:.1f} times as fast as the fastest exact rival" if times else "no ratio, a side did not finish"
            print(f"{section} {task} depth {depth}: {speed}")
            print(*(show(who, r) for who, r in found.items()), sep="\n", flush=True)
            if times:
                ratios[section, task, depth] = times
            values, ours = proven(found), found["guesstree"]
            compared += len(values) > 1
            for who, value in values.items():
                if finished(ours) and abs(value - ours["value"]) > 1e-6:     # GOSDT adds up in 32-bit floats
                    row = f"{section} {task} depth {depth}: {who} calls {value:.6f} optimal, guesstree {ours['value']:.6f}: {ours['tree']}"
                    (beaten if value > ours["value"] else wrong).append(row)
    print()
    for section, *_ in SECTIONS:
        summary(section, ratios)
    print(f"{compared} problems that two exact solvers finished; worse trees that a rival calls optimal: {len(beaten)}", *beaten, sep="\n")
    print("GUESSTREE IS BEATEN:" if wrong else "guesstree is beaten on none", *wrong, sep="\n")
    return bool(wrong)


if __name__ == "__main__":
    args = arguments(__doc__)
    sys.exit(main(args.limit, args.only))
