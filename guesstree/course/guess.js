// Guessed lower bounds, U, and the search that believes them.
"use strict";
const writtenOff = (p, s) => p.error * (count(s & p.MC) + wrong(p, s & ~p.MC)) + p.leaf;

// U: the same recursion, with leaves that are charged for all that the reference gets wrong.
function relaxed(p) {
  const least = remember((s, d) => Math.min(writtenOff(p, s), ...(d ? splits(p.columns, s) : []).map((c) => least(s & c.yes, d - 1) + least(s & ~c.yes, d - 1))));
  return least;
}

// Lower bounds of a set: a true one, and the three guesses.
const BOUNDS = {
  exact: (p, s) => Math.min(leafCost(p, s), 2 * p.leaf + p.error * p.twins.reduce((sum, g) => sum + wrong(p, s & g), 0)),
  paper: (p, s) => p.error * count(s & p.MC) + p.leaf,
  gosdt: (p, s) => Math.min(leafCost(p, s), BOUNDS.paper(p, s) + p.leaf),
  tight: (p, s) => Math.max(BOUNDS.exact(p, s), Math.min(writtenOff(p, s), BOUNDS.paper(p, s) + p.leaf)) };

// Branch and bound that believes the bound, as guess_search of chapter 7 does, question by question. `solved` keeps a record of
// every subproblem, `seen` how each was reached first, those included that were never looked at.
function search(p) {
  const solved = new Map(), seen = new Map(), bound = BOUNDS[p.kind], key = (s, d) => s * 16 + d;
  const known = (s, d) => solved.has(key(s, d)) ? solved.get(key(s, d)).value : bound(p, s);
  seen.set(key(p.all, p.d), null);

  function solve(s, d) {
    if (!solved.has(key(s, d))) {
      const ub = leafCost(p, s), lb = bound(p, s), enough = p.kind === "paper" ? lb + p.leaf : lb;
      const leaf = { s, d, value: ub, lb: Math.max(lb, ub), guess: lb, tree: [label(p, s)], why: "leaf test", questions: [] };
      solved.set(key(s, d), d && ub > enough ? split(s, d, lb, leaf) : leaf);
    }
    return solved.get(key(s, d));
  }

  function split(s, d, lb, leaf) {
    let best = leaf, least = leaf.value, over = false;
    const questions = [];
    for (const c of p.asked) {
      const parts = [s & c.yes, s & ~c.yes], q = { j: c.j, parts, fate: "no split", hand: best.value };
      questions.push(q);
      if (!parts[0] || !parts[1]) continue;
      parts.forEach((part, side) => { if (!seen.has(key(part, d - 1))) seen.set(key(part, d - 1), { s, d, j: c.j, side }); });
      if (over) { q.fate = "not asked"; continue; }
      ask(q, parts, d - 1, best.value);
      least = Math.min(least, q.total);
      if (q.total < best.value) {
        best = { ...leaf, value: q.total, tree: [c.j, ...parts.map((part) => solved.get(key(part, d - 1)).tree)] };
        q.fate = "better"; q.hand = best.value;
      }
      over = best.value <= lb;                                             // the reference is matched: stop looking
    }
    return { ...best, lb: over ? lb : Math.max(lb, least), why: over ? "early exit" : "exhausted", questions };
  }

  // Solve the parts of a question until what is known of them adds up to the best cost in hand.
  function ask(q, parts, d, limit) {
    q.looked = 0;
    for (const part of parts) {
      q.knew = parts.map((o) => [known(o, d), solved.has(key(o, d))]);
      q.total = q.knew[0][0] + q.knew[1][0];
      if (q.total >= limit) { q.fate = "pruned"; return; }
      solve(part, d); q.looked++;
    }
    q.knew = parts.map((o) => [known(o, d), true]);
    q.total = q.knew[0][0] + q.knew[1][0]; q.fate = "no better";
  }

  return { root: solve(p.all, p.d), solved, seen };
}

// All that a page shows of one setting.
function answer(data, state) {
  const p = makeProblem(data, state), best = bestTrees(p), U = relaxed(p), run = search(p), off = p.error * count(p.MC);
  const lower = best(p.all & ~p.MC, p.d).cost, root = run.root;
  const certified = p.kind === "exact" ? root.value : Math.min(root.value, Math.max(root.lb - off, BOUNDS.exact(p, p.all)));
  return { p, best, U, run, root, lower, upper: lower + off, certified, star: best(p.all, p.d), greedy: greedy(p, p.all, p.d) };
}
