"""Threshold guessing by guesstree and by gosdt's ThresholdGuessBinarizer, on the same tables in the same run, one thread.

    python benchmarks/thresholds.py [--only WORD] [--repeat K]

Every line is one table and one setting (trees, depth) of the reference: CPU seconds of both (the best of K), their ratio, columns kept, and
the training accuracy of the references: T on the raw table, and the refit on the columns that each keeps. Compile time is apart. Tables that are
not in the folder GUESSTREE_DATA are left out and named.
"""
import argparse
import math
import os
import sys
import time
import warnings

os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1", NUMBA_NUM_THREADS="1")
TABLES = ("fico", "compas", "broward", "takeaway", "restaurant", "spiral")
PAIRS = ((40, 1), (30, 2), (50, 2), (20, 3))


def best(call, repeat):
    "Least CPU seconds of several calls, and the last result."
    times = []
    for _ in range(repeat):
        begin = time.process_time()
        result = call()
        times.append(time.process_time() - begin)
    return min(times), result


def gosdt_accuracy(guesser, X, y, k, d):
    "Training accuracy of the reference refitted on the columns that gosdt keeps."
    from sklearn.ensemble import GradientBoostingClassifier
    Xb = guesser.transform(X)
    return GradientBoostingClassifier(n_estimators=k, max_depth=d, random_state=0).fit(Xb, y).score(Xb, y)


def main(only, repeat):
    import numpy as np

    from guesstree.data import available, load
    from guesstree.thresholds import guess_thresholds
    try:
        from gosdt import ThresholdGuessBinarizer
    except ImportError:
        print("gosdt is not installed: pip install guesstree[bench]")
        return 1
    warnings.simplefilter("ignore")
    guess_thresholds(np.arange(40.).reshape(20, 2), np.arange(20) % 2)   # compile
    ratios, worse = {}, []
    for name in TABLES:
        if name not in available():
            print(f"{name}: left out, not in the folder GUESSTREE_DATA")
            continue
        t = load(name)
        for k, d in PAIRS:
            if only and only not in f"{name} {k} {d}":
                continue
            ours, guess = best(lambda: guess_thresholds(t.X, t.y, (k, d)), repeat)
            theirs, rival = best(lambda: ThresholdGuessBinarizer(n_estimators=k, max_depth=d, random_state=0).fit(t.X, t.y), repeat)
            accuracy, other = 1 - guess.loss_kept, gosdt_accuracy(rival, t.X, t.y, k, d)
            ratios[name, k, d] = theirs / ours
            if guess.loss_kept > guess.loss_T:
                worse.append((name, k, d))
            print(f"{name} {k} {d}: {theirs / ours:.1f} times gosdt ({ours:.4f} s, {theirs:.3f} s), columns {len(guess.thresholds)} and "
                  f"{len(rival.thresholds_)}, training accuracy {accuracy:.4f} and {other:.4f}, T {1 - guess.loss_T:.4f}", flush=True)
    for name in ("fico", "compas"):
        found = [v for key, v in ratios.items() if key[0] == name]
        if found:
            print(f"{name}: geometric mean {math.exp(sum(map(math.log, found)) / len(found)):.1f}, least {min(found):.1f}")
    print("no kept reference is worse than T" if not worse else f"WORSE THAN T: {worse}")
    return bool(worse)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", help="only tables and settings that contain this, such as 'fico 40'")
    parser.add_argument("--repeat", type=int, default=2)
    args = parser.parse_args()
    sys.exit(main(args.only, args.repeat))
