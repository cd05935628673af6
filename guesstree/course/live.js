// The page on branch and bound: it solves the plants anew whenever you touch something.
"use strict";
const KEY = (s, d) => s * 16 + d;
const MARKS = { "leaf test": "\u25aa", "early exit": "\u25d0", exhausted: "\u25cf", pruned: "\u2702" };
const FATES = { "leaf test": "leaf", "early exit": "exit", exhausted: "open", pruned: "cut" };
let now = null, here = null;                                       // the answer, and the subproblem whose questions are listed

const value = (cost) => number(cost, now.p.unit);
const bounded = () => now.p.kind === "exact" ? "bound" : "guess";
const fate = (key) => now.run.solved.has(key) ? now.run.solved.get(key).why : "pruned";
const tooHigh = (s, d, lb) => lb > now.best(s, d).cost;            // a belief that is false

// ---- words
function boundWords(s) {
  const p = now.p, k = count(s & p.MC), leaf = leafCost(p, s), b = BOUNDS[p.kind](p, s);
  const errs = "the reference errs on " + (k ? numbers(s & p.MC) : "none") + ", " + k + " \u00d7 " + p.error;
  if (p.kind === "exact") return "A leaf costs " + leaf + ". Any tree costs at least " + b + ": two leaves and the errors that no tree avoids, or a leaf.";
  if (p.kind === "paper") return "A leaf costs " + leaf + ". The guess is " + b + " (" + errs + ", and a leaf, " + p.leaf + "), so a split should cost at least " + (b + p.leaf) + ".";
  if (p.kind === "gosdt") return "A leaf costs " + leaf + ". The guess is " + b + ": a leaf, or " + errs + ", and two leaves, " + 2 * p.leaf + ".";
  return "A leaf costs " + leaf + ". The guess is " + b + ": " + errs + ", and two leaves, " + 2 * p.leaf + ", or one leaf and what it gets wrong besides; never less than the true bound.";
}
function endWords(s, d) {
  const o = now.run.solved.get(KEY(s, d)), b = BOUNDS[now.p.kind](now.p, s);
  if (!o) return "It was never looked at: together with its other half, a " + bounded() + " of " + b + " was no better than the tree in hand.";
  if (o.why === "leaf test") return (d ? "That is enough: the leaf stays." : "No level is left, so it is a leaf.") + " It costs " + o.value + ".";
  if (o.why === "early exit") return "A tree for " + o.value + " is no more than " + o.lb + ", so the search stops looking here.";
  return "All questions were tried or pruned. The best that was found costs " + o.value + ".";
}
function truthWords(s, d) {
  const o = now.run.solved.get(KEY(s, d)), best = now.best(s, d).cost, lb = o ? o.lb : BOUNDS[now.p.kind](now.p, s);
  if (tooHigh(s, d, lb)) return "In truth " + best + " is possible, and the search believes in " + lb + ": the guess is wrong here.";
  return o && o.value === best ? "Nothing better is possible." : "In truth " + best + " is possible.";
}
const about = (s, d) => (s === now.p.all ? "All 12 plants, " : plural(count(s), "plant") + " (" + numbers(s) + "), ") + plural(d, "level") + " left. ";
const whole = (s, d) => about(s, d) + boundWords(s) + " " + endWords(s, d) + " " + truthWords(s, d);

function verdict(q) {
  const sum = q.knew && q.knew.map(([v, sure]) => (sure ? "" : bounded() + " ") + v).join(" + ");
  if (q.fate === "no split") return "does not split these plants";
  if (q.fate === "not asked") return "not asked: the search has stopped";
  if (q.fate === "better") return sum + " = " + q.total + ": better";
  if (q.fate === "pruned") return "pruned" + (q.looked ? " after one half" : "") + ": " + sum + " = " + q.total + ", not below " + q.hand;
  return sum + " = " + q.total + ", not below " + q.hand;
}

// ---- what is shown
const opened = (run) => [...run.solved.values()].filter((o) => o.why !== "leaf test").length;
function headline() {
  const { p, star, root, upper } = now, lost = root.value - star.cost, risk = upper - star.cost, said = [];
  if (p.kind === "exact") said.push("No guess: the search finds the best tree, at " + value(star.cost) + ", and proves it.");
  else if (lost) said.push("The best tree costs " + value(star.cost) + ". The guess ends with one for " + value(root.value) + ": it has lost " + value(lost) + ".");
  else said.push("The guess ends with a tree that costs " + value(root.value) + ", and no tree costs less.");
  if (p.kind !== "exact") said.push(risk ? "It may lose up to " + value(risk) + " with this reference (Theorem 4.3)." : "With this reference it can lose nothing (Theorem 4.3).");
  said.push("It opened " + plural(opened(now.run), "subproblem") + (p.kind === "exact" ? "." : "; without a guess it would open " + opened(search({ ...p, kind: "exact" })) + "."));
  byId("headline").textContent = said.join(" ");
}
function scale() {
  const most = Math.max(now.upper, now.root.value, now.root.lb, now.star.cost) / now.p.unit, right = Math.ceil(most * 1.12 / .2) * .2;
  const track = (name, what, marks, say) => make("div", { class: "line", title: say }, make("span", { class: "name" }, name), make("div", { class: "track" }, ...marks), make("b", {}, what));
  const at = (cost) => "left:" + (100 * cost / now.p.unit / right).toFixed(3) + "%";
  const dot = (cost, kind) => make("i", { class: kind, style: at(cost) });
  const star = dot(now.star.cost, "rule"), { p, root, lower, upper } = now, guessed = p.kind !== "exact";
  const band = make("i", { class: "band", style: at(lower) + ";width:" + (100 * (upper - lower) / p.unit / right).toFixed(3) + "%" });
  byId("scale").replaceChildren(
    track("the sandwich", value(lower) + " to U = " + value(upper), [star.cloneNode(), band], "from the best tree without the reference's errors, to the same with all of them"),
    track("certain: at least", value(now.certified), [star.cloneNode(), dot(now.certified, "floor sure")], "a true lower bound of every tree, whatever was guessed"),
    track("best tree, R*", value(now.star.cost), [star.cloneNode(), dot(now.star.cost, "star")], "the optimum"),
    ...(guessed ? [track("believed: at least", value(root.lb), [star.cloneNode(), dot(root.lb, "floor guess")], "what the search believes that every tree costs"),
      track("tree found", value(root.value), [star.cloneNode(), dot(root.value, "found")], "the tree that the guess ends with")] : []),
    make("div", { class: "line axis" }, make("span", { class: "name" }, "objective"), make("div", { class: "track" },
      ...Array.from({ length: Math.round(right / .1) + 1 }, (_, k) => make("u", { style: "left:" + (10 * k / right).toFixed(3) + "%" }, k % 2 && right > .5 ? "" : String(+(k / 10).toFixed(1))))), make("b")));
}
function trees() {
  const { p, star, root } = now, guessed = p.kind !== "exact", price = (cost, tree) => plural(leavesOf(tree), "leaf", "leaves") + ", costs " + value(cost);
  byId("best").replaceChildren(drawTree(star.tree, p, "the best tree")); byId("best-costs").textContent = price(star.cost, star.tree);
  byId("found-panel").hidden = !guessed;
  if (guessed) { byId("found").replaceChildren(drawTree(root.tree, p, "the tree that the guess finds")); byId("found-costs").textContent = price(root.value, root.tree); }
}
const leavesOf = (tree) => tree.length === 1 ? 1 : leavesOf(tree[1]) + leavesOf(tree[2]);

// The way from all plants to a subproblem, as it was first reached.
function path(key) {
  const step = now.run.seen.get(key);
  return step ? [...path(KEY(step.s, step.d)), { key, text: data.names[step.j] + ": " + (step.side ? "no" : "yes") }] : [{ key, text: "all plants" }];
}
const go = (key) => { here = key; again(questions); again(map); };
const spot = (key) => ({ s: Math.floor(key / 16), d: key % 16 });

function partButton(s, d, q) {
  const key = KEY(s, d), why = q.fate === "not asked" && !now.run.solved.has(key) ? "pruned" : fate(key), o = now.run.solved.get(key);
  const text = MARKS[why] + " " + plural(count(s), "plant") + (q.fate === "not asked" ? "" : ": " + (o ? o.value : "\u2265 " + BOUNDS[now.p.kind](now.p, s)));
  const bad = tooHigh(s, d, o ? o.lb : BOUNDS[now.p.kind](now.p, s));
  const b = make("button", { class: "part " + FATES[why] + (bad ? " false" : ""), "data-set": s, "data-ask": q.j, "data-key": "p" + key + "q" + q.j, "data-say": whole(s, d), "aria-label": text + ". " + whole(s, d) }, text + (bad ? " !" : ""));
  b.addEventListener("click", () => go(key));
  return b;
}
function questions() {
  const { s, d } = spot(here), o = now.run.solved.get(here), way = path(here), crumbs = way.map((step, k) => {
    const b = make("button", { class: "crumb", "data-set": spot(step.key).s, "data-key": "c" + step.key, "aria-current": k === way.length - 1 ? "step" : null }, step.text);
    b.addEventListener("click", () => go(step.key));
    return b;
  });
  byId("where").replaceChildren(...crumbs);
  byId("this").textContent = whole(s, d);
  const rows = (o ? o.questions : []).filter((q) => q.fate !== "no split").map((q) => make("li", { class: "q " + q.fate.replace(" ", "-"), "data-set": s, "data-ask": q.j },
    make("span", { class: "name" }, data.names[q.j]), partButton(q.parts[0], d - 1, q), partButton(q.parts[1], d - 1, q),
    make("span", { class: "verdict" }, verdict(q), q.fate === "better" ? make("b", {}, " \u2192 " + q.hand + " in hand") : null)));
  const silent = (o ? o.questions : []).filter((q) => q.fate === "no split").map((q) => data.names[q.j]);
  byId("questions").replaceChildren(...rows, ...(silent.length ? [make("li", { class: "none" }, "do not split these plants: " + silent.join(", "))] : []));
}
function map() {
  const levels = new Map(), counts = {};
  for (const key of now.run.seen.keys()) {
    const { d } = spot(key), why = fate(key);
    levels.set(d, [...levels.get(d) || [], key]); counts[why] = (counts[why] || 0) + 1;
  }
  byId("map").replaceChildren(...[...levels].sort((a, b) => b[0] - a[0]).map(([d, keys]) => make("div", { class: "level" },
    make("span", { class: "name" }, d === now.p.d ? "all plants" : "level " + (now.p.d - d)), make("div", { class: "cells", role: "group", "aria-label": plural(keys.length, "subproblem") },
      ...keys.map((key) => {
        const { s } = spot(key), why = fate(key), o = now.run.solved.get(key), bad = tooHigh(s, d, o ? o.lb : BOUNDS[now.p.kind](now.p, s));
        return make("button", { class: "cell " + FATES[why] + (bad ? " false" : "") + (key === here ? " here" : ""), tabindex: key === here ? 0 : -1, "data-set": s, "data-key": "m" + key, "data-go": key,
          "data-say": path(key).map((o) => o.text).join(" \u203a ") + ". " + whole(s, d), "aria-label": why + ", " + path(key).map((o) => o.text).join(", ") + ". " + whole(s, d) }, MARKS[why]);
      })))));
  byId("counts").textContent = Object.entries(MARKS).map(([why, mark]) => mark + " " + why + " " + (counts[why] || 0)).join("   ");
}
byId("map").addEventListener("click", (e) => { const o = e.target.closest("[data-go]"); if (o) go(+o.dataset.go); });
byId("map").addEventListener("keydown", (e) => {                    // one stop for the tabulator, arrows inside
  const cells = [...byId("map").querySelectorAll("[data-go]")], k = cells.indexOf(document.activeElement), step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[e.key];
  if (step && cells[k + step]) { e.preventDefault(); cells[k + step].focus(); }
});
tell = (at) => { byId("told").textContent = at && at.dataset.say || byId("told").dataset.idle; };

function refresh() {
  now = answer(data, state);
  if (here === null || !now.run.seen.has(here)) here = KEY(now.p.all, now.p.d);
  paintPlants(now.p, true); showControls(now.p);
  again(() => { headline(); scale(); trees(); questions(); map(); });
  writeHash();
}
drawPlot((i) => {
  const field = document.querySelector("[name=touch]:checked").value;
  state = { ...state, [field]: state[field] ^ 1 << i };
  refresh();
});
bindControls(() => { here = null; refresh(); });
readHash(); refresh(); tell(null);
for (const o of document.querySelectorAll("[data-scripts]")) o.hidden = false;

// For checks: go to a setting, and say all that was found as plain numbers.
window.live = {
  show(setting) { state = { ...data.start, ...setting }; here = null; refresh(); return this.said(); },
  said() {
    const { p, star, root, run } = now;
    return { state, unit: p.unit, best: star.cost, tree: star.tree, found: root.value, believed: root.lb, foundTree: root.tree, certified: now.certified, U: now.U(p.all, p.d),
      lower: now.lower, upper: now.upper, greedy: now.greedy,
      solved: [...run.solved.values()].map((o) => [o.s, o.d, o.value, o.lb, o.why, now.best(o.s, o.d).cost, now.U(o.s, o.d)]),
      pruned: [...run.seen.keys()].filter((key) => !run.solved.has(key)).map((key) => { const { s, d } = spot(key); return [s, d, BOUNDS[p.kind](p, s), now.best(s, d).cost, now.U(s, d)]; }) };
  } };
