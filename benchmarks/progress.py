"""The best tree and the certified bound of a search as time goes by, against the anytime searches of pytrees-rs.

    python benchmarks/progress.py [FILE.svg] [--limit SECONDS] [--only WORDS]

Problems of DL8.5 at depths 5 to 8, price 0. guesstree is stopped after each of a few times, each run in a process of its own; pytrees-rs
runs once with each of its three rules, and the best of the three counts. It gives no bounds. Times are those of the clock on the wall,
compilation apart. The picture has the share of errors of both (lines) and the bound (filled).
"""
import sys

from harness import arguments, chosen, measure

NAMES = ("german-credit", "hypothyroid", "ionosphere", "kr-vs-kp", "splice-1", "vehicle")
TASKS = [(f"dl85 {name}", depth) for name in NAMES for depth in (5, 6, 7, 8)]
TIMES = (0.1, 0.3, 1.0, 3.0, 10.0)
RULES = ("discrepancy", "topk", "gain")


def progress(task, depth, times):
    "(Our errors, our bounds, their errors or None) at each time, as shares of the rows."
    ours = [measure("guesstree", task, depth, t, 0) for t in times]
    traces = [r["trace"] for rule in RULES if (r := measure("pytrees", task, depth, times[-1], 0, rule=rule))]
    theirs = [min((e for trace in traces for seconds, e in trace if seconds <= t), default=None) for t in times]
    return [r["value"] for r in ours], [r["low"] for r in ours], theirs


def draw(found, times, path):
    import matplotlib
    matplotlib.use("svg")
    import matplotlib.pyplot as plt
    names = list(dict.fromkeys(task for task, _ in found))
    depths = sorted({d for _, d in found})
    fig, axes = plt.subplots(len(names), len(depths), figsize=(2.4 * len(depths), 1.6 * len(names)), sharex=True, squeeze=False)
    for (task, depth), (ours, low, theirs) in found.items():
        ax = axes[names.index(task)][depths.index(depth)]
        ends = [*times, 1.5 * times[-1]]                 # else the last value would have no width
        ax.fill_between(ends, [*low, low[-1]], step="post", color="tab:blue", alpha=0.2, label="its bound")
        seen = [(t, e) for t, e in zip(ends, [*theirs, theirs[-1]]) if e is not None]
        if seen:
            ax.step(*zip(*seen), where="post", color="tab:orange", ls="--", label="pytrees-rs, best of three")
        ax.step(ends, [*ours, ours[-1]], where="post", color="tab:blue", label="guesstree")
        ax.set(xscale="log", ylim=(-0.05 * (max(ours + [e for _, e in seen]) or 1), None))
        ax.set_title(f"{task.split()[1]}, depth {depth}", fontsize=7)
        ax.tick_params(labelsize=6)
    axes[0][0].legend(fontsize=5, frameon=False)
    fig.supxlabel("seconds", fontsize=8)
    fig.supylabel("share of errors", fontsize=8)
    fig.tight_layout()
    fig.savefig(path)


def main(limit, only, path):
    times = [t for t in TIMES if t <= limit]
    found, behind = {}, []
    for task, depth in chosen(TASKS, only, "progress"):
        found[task, depth] = ours, low, theirs = progress(task, depth, times)
        cells = [f"{t:g} s: {o:.4f} (bound {b:.4f}) / {'-' if e is None else f'{e:.4f}'}" for t, o, b, e in zip(times, ours, low, theirs)]
        print(f"{task} depth {depth}: " + "; ".join(cells), flush=True)
        behind += [(task, depth, t) for t, o, e in zip(times, ours, theirs) if e is not None and o > e + 1e-9]
    print(f"{len(found)} problems, {len(found) * len(times)} moments; behind pytrees-rs at {len(behind)}", *behind, sep="\n")
    if path:
        draw(found, times, path)


if __name__ == "__main__":
    files = [o for o in sys.argv[1:] if o.endswith(".svg")]
    sys.argv = [o for o in sys.argv if o not in files]
    args = arguments(__doc__, limit=10)
    main(args.limit, args.only, files[0] if files else None)
