// The arithmetic of the live pages. A set of plants is the bits of an integer. Costs are whole numbers, so that ties are ties:
// an error costs `error`, a leaf costs `leaf`, and `unit` of these make an objective of 1.
"use strict";
const count = (s) => { let k = 0; for (; s; s &= s - 1) k++; return k; };
const gcd = (a, b) => b ? gcd(b, a % b) : a;

// What is to be solved: the plants of the page at one setting. lambda is state.lam / data.parts.
function makeProblem(data, state) {
  const n = data.X.length, all = 2 ** n - 1, share = gcd(state.lam * n, data.parts), depth = data.columns.length;
  const columns = data.columns.map((yes, j) => ({ j, yes })), alike = {};
  for (let i = 0; i < n; i++) {
    const row = columns.map((c) => c.yes >> i & 1).join("");
    alike[row] |= 1 << i;
  }
  return {
    n, all, columns, asked: state.backwards ? [...columns].reverse() : columns, twins: Object.values(alike),
    one: data.labels ^ state.flipped, MC: state.wrong, kind: state.kind, d: state.depth < data.depths ? Math.min(state.depth, depth) : depth,
    leaf: state.lam * n / share, error: data.parts / share, unit: n * data.parts / share };
}

const wrong = (p, s) => Math.min(count(s & p.one), count(s & ~p.one));       // outside the largest class
const leafCost = (p, s) => p.error * wrong(p, s) + p.leaf;
const label = (p, s) => +(count(s & p.one) > count(s & ~p.one));             // of equal classes the first
const splits = (columns, s) => columns.filter((c) => s & c.yes && s & ~c.yes);
const remember = (f) => { const memo = new Map(); return (s, d) => { const key = s * 16 + d; if (!memo.has(key)) memo.set(key, f(s, d)); return memo.get(key); }; };

// Brute force: a leaf, or a question with the best trees on both sides. Of equal costs the fewest leaves, then the first column.
function bestTrees(p) {
  const best = remember((s, d) => {
    let found = { cost: leafCost(p, s), leaves: 1, tree: [label(p, s)] };
    for (const c of d ? splits(p.columns, s) : []) {
      const yes = best(s & c.yes, d - 1), no = best(s & ~c.yes, d - 1), cost = yes.cost + no.cost, leaves = yes.leaves + no.leaves;
      if (cost < found.cost || cost === found.cost && leaves < found.leaves) found = { cost, leaves, tree: [c.j, yes.tree, no.tree] };
    }
    return found;
  });
  return best;
}

// Greed: the best single question now, if it pays, then the same for the parts.
function greedy(p, s, d) {
  let best = null, cost = leafCost(p, s);
  for (const c of d ? splits(p.columns, s) : []) {
    const stump = leafCost(p, s & c.yes) + leafCost(p, s & ~c.yes);
    if (stump < cost) { best = c; cost = stump; }
  }
  if (!best) return { cost, tree: [label(p, s)] };
  const yes = greedy(p, s & best.yes, d - 1), no = greedy(p, s & ~best.yes, d - 1);
  return { cost: yes.cost + no.cost, tree: [best.j, yes.tree, no.tree] };
}
