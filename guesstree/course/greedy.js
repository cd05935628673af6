// Greed against the best tree, at the leaf penalty of the slider and at all others.
"use strict";
let curve = null;

// Both costs at every penalty of the slider; only labels and depth change them, so they are kept.
function costs() {
  const key = state.flipped + "," + state.depth;
  if (!curve || curve.key !== key) {
    curve = { key, at: Array.from({ length: data.most + 1 }, (_, lam) => {
      const p = makeProblem(data, { ...state, lam }), best = bestTrees(p)(p.all, p.d), greed = greedy(p, p.all, p.d);
      return { best: best.cost / p.unit, greed: greed.cost / p.unit, lone: leafCost(p, p.all) / p.unit, root: best.tree.length === 1 ? "one leaf" : data.names[best.tree[0]] };
    }) };
  }
  return curve.at;
}
function chart() {
  const at = costs(), top = Math.ceil(Math.max(...at.map((o) => o.lone)) * 10 + .1) / 10, x = (k) => 100 * k / data.most, y = (v) => 100 - 100 * v / top;
  const line = (field, name) => make("path", { class: name, d: "M" + at.map((o, k) => x(k) + "," + y(o[field])).join("L") });
  const now = at[state.lam], dot = (v, name) => make("i", { class: name, style: "left:" + x(state.lam) + "%;top:" + y(v) + "%" });
  byId("chart").replaceChildren(make("svg", { viewBox: "0 0 100 100", preserveAspectRatio: "none", "aria-hidden": "true" }, line("lone", "lone"), line("greed", "greedy"), line("best", "best")),
    ...[0, .05, .1, .15, .2, .25, .3].filter((v) => v * data.parts <= data.most).map((v) => make("u", { style: "left:" + x(v * data.parts) + "%" }, v)),
    ...Array.from({ length: Math.floor(top / .2 + 1e-9) + 1 }, (_, k) => make("s", { style: "bottom:" + (20 * k / top) + "%" }, +(k * .2).toFixed(1))),
    make("i", { class: "at", style: "left:" + x(state.lam) + "%" }), dot(now.greed, "greedy"), dot(now.best, "best"));
  const runs = [];
  at.forEach((o, k) => { if (!runs.length || runs[runs.length - 1].root !== o.root) runs.push({ root: o.root, from: k }); runs[runs.length - 1].to = k; });
  byId("roots").replaceChildren(...runs.map((o) => make("span", { class: o.from <= state.lam && state.lam <= o.to ? "now" : "", title: o.root,
    style: "left:" + Math.max(0, x(o.from - .5)) + "%;width:" + (Math.min(100, x(o.to + .5)) - Math.max(0, x(o.from - .5))) + "%" }, o.root)));
}
const leavesOf = (tree) => tree.length === 1 ? 1 : leavesOf(tree[1]) + leavesOf(tree[2]);
function refresh() {
  const p = makeProblem(data, state), best = bestTrees(p)(p.all, p.d), greed = greedy(p, p.all, p.d), more = greed.cost - best.cost;
  paintPlants(p, false); showControls(p);
  for (const [id, o, name] of [["greedy", greed, "the greedy tree"], ["best", best, "the best tree"]]) {
    byId(id).replaceChildren(drawTree(o.tree, p, name)); byId(id + "-costs").textContent = plural(leavesOf(o.tree), "leaf", "leaves") + ", costs " + number(o.cost, p.unit);
  }
  byId("headline").textContent = more ? "Greed pays " + number(greed.cost, p.unit) + " and the best tree " + number(best.cost, p.unit) + ": greed has missed " + number(more, p.unit) + "."
    : "Greed finds a best tree here, at " + number(best.cost, p.unit) + ".";
  chart(); writeHash();
}
drawPlot((i) => { state = { ...state, flipped: state.flipped ^ 1 << i }; refresh(); });
bindControls(refresh); readHash(); refresh();
for (const o of document.querySelectorAll("[data-scripts]")) o.hidden = false;
window.live = { show(setting) { state = { ...data.start, ...setting }; refresh(); const p = makeProblem(data, state); return { unit: p.unit, best: bestTrees(p)(p.all, p.d), greedy: greedy(p, p.all, p.d), curve: costs() }; } };
