// What the live pages share: plants, trees, and the light that falls on the plants of whatever is pointed at or has the focus.
"use strict";
const data = JSON.parse(document.getElementById("plants").textContent);
const byId = (id) => document.getElementById(id);
const number = (cost, unit) => String(+(cost / unit).toFixed(4));
const plural = (k, thing, more = thing + "s") => k + " " + (k === 1 ? thing : more);
const members = (s) => data.X.map((_, i) => i).filter((i) => s >> i & 1);
const numbers = (s) => members(s).map((i) => i + 1).join(", ");

// An element with attributes and what is inside; `hover` of its attributes makes it light up plants.
function make(name, attributes = {}, ...inside) {
  const drawn = /^(svg|g|path|rect|circle|line|text|title)$/.test(name);
  const node = drawn ? document.createElementNS("http://www.w3.org/2000/svg", name) : document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) if (value !== null && value !== false) node.setAttribute(key, value === true ? "" : value);
  node.append(...inside.filter((o) => o !== null));
  return node;
}

// ---- the plants: squares fail, circles thrive, a dashed ring is a draught, a cross an error of the reference
const PLOT = { left: 34, top: 10, wide: 290, high: 190 };
const plotX = (light) => PLOT.left + PLOT.wide * (light - 1.3) / 7.4, plotY = (water) => PLOT.top + PLOT.high * (4.6 - water) / 4.1;
let plants = [];
function drawPlot(touch) {
  const plot = make("svg", { viewBox: "0 0 330 236", role: "group", "aria-label": "the twelve plants by light and water" });
  for (const v of [2, 3, 4, 5, 6, 7, 8]) plot.append(make("text", { x: plotX(v), y: 216, "text-anchor": "middle", class: "tick" }, v));
  for (const v of [1, 2, 3, 4]) plot.append(make("text", { x: 22, y: plotY(v) + 4, "text-anchor": "end", class: "tick" }, v));
  plot.append(make("text", { x: plotX(5), y: 231, "text-anchor": "middle", class: "tick" }, "light (hours a day)"),
    make("text", { transform: "translate(9 " + plotY(2.5) + ") rotate(-90)", "text-anchor": "middle", class: "tick" }, "water (cups a week)"),
    make("rect", { x: PLOT.left - 6, y: PLOT.top, width: PLOT.wide, height: PLOT.high, class: "field" }), make("path", { id: "cut", d: "" }));
  plants = data.X.map(([light, water, draught], i) => {
    const twin = data.X.slice(0, i).some((o) => o.join() === data.X[i].join());       // stands where another one stands
    const g = make("g", { class: "plant", tabindex: 0, role: "button", transform: "translate(" + (plotX(light) + 24 * twin) + " " + plotY(water) + ")" },
      make("circle", { r: 17, class: "halo" }), draught ? make("circle", { r: 15.5, class: "draught" }) : null,
      make("rect", { x: -9.5, y: -9.5, width: 19, height: 19, class: "shape fails" }), make("circle", { r: 10.5, class: "shape thrives" }),
      make("text", { y: 4, "text-anchor": "middle" }, i + 1), make("path", { d: "M7,-15l8,8m0,-8l-8,8", class: "off" }), make("title"));
    g.addEventListener("click", () => touch(i));
    g.addEventListener("keydown", (e) => { if (e.key === "Enter" || e.key === " ") { e.preventDefault(); touch(i); } });
    plot.append(g);
    return g;
  });
  byId("plot").replaceChildren(plot);
}
function paintPlants(p, hasReference) {
  plants.forEach((g, i) => {
    const thrives = p.one >> i & 1, off = hasReference && p.MC >> i & 1, [light, water, draught] = data.X[i];
    g.classList.toggle("one", !!thrives); g.classList.toggle("wrong", !!off);
    const said = "plant " + (i + 1) + ": light " + light + ", water " + water + (draught ? ", in a draught" : ", no draught") + ", "
      + (thrives ? "thrives" : "does not thrive") + (hasReference ? ", the reference is " + (off ? "wrong" : "right") : "");
    g.setAttribute("aria-label", said); g.querySelector("title").textContent = said;
  });
}

// ---- light: an element says with data-set which plants are its own, with data-ask which question it asks
function light(set, ask) {
  plants.forEach((g, i) => { g.classList.toggle("lit", set !== null && !!(set >> i & 1)); g.classList.toggle("dim", set !== null && !(set >> i & 1)); });
  const [feature, value] = ask ? data.thresholds[ask] : [];
  byId("cut").setAttribute("d", feature === 0 ? "M" + plotX(value) + "," + PLOT.top + "v" + PLOT.high : feature === 1 ? "M" + (PLOT.left - 6) + "," + plotY(value) + "h" + PLOT.wide : "");
}
let tell = () => {};                                               // a page may say in words what is lit
function follow(event) {
  const at = event.target.closest && event.target.closest("[data-set]");
  light(at ? +at.dataset.set : null, at ? at.dataset.ask : "");
  tell(at);
}
for (const kind of ["pointerover", "focusin"]) document.addEventListener(kind, follow);
for (const kind of ["pointerleave", "focusout"]) document.documentElement.addEventListener(kind, () => { light(null, ""); tell(null); });

// ---- trees
function layOut(tree, s, level, row) {
  const at = { tree, s, level };
  if (tree.length === 1) { at.x = row.next; row.next += 1; row.deep = Math.max(row.deep, level); return at; }
  const yes = data.columns[tree[0]];
  at.parts = [layOut(tree[1], s & yes, level + 1, row), layOut(tree[2], s & ~yes, level + 1, row)];
  at.x = (at.parts[0].x + at.parts[1].x) / 2;
  return at;
}
function drawTree(tree, p, name) {
  const row = { next: 0, deep: 0 }, top = layOut(tree, p.all, 0, row), slot = row.next > 6 ? 58 : row.next > 1 ? 74 : 110, high = 62;
  const out = make("svg", { width: row.next * slot, height: row.deep * high + 46, role: "group", "aria-label": name });
  const x = (at) => (at.x + .5) * slot, y = (at) => at.level * high + 16;
  (function visit(at) {
    for (const [k, part] of (at.parts || []).entries()) {
      out.append(make("path", { d: "M" + x(at) + "," + (y(at) + 12) + "L" + x(part) + "," + (y(part) - 13), class: "branch" + (k ? " no" : "") }),
        make("text", { x: (x(at) + x(part)) / 2 + (k ? 6 : -6), y: (y(at) + y(part)) / 2 + 2, "text-anchor": k ? "start" : "end", class: "tick" }, k ? "no" : "yes"));
    }
    const off = at.parts ? 0 : at.tree[0] ? at.s & ~p.one : at.s & p.one, says = at.parts ? "asks " + data.names[at.tree[0]] : at.tree[0] ? "thrives" : "does not thrive";
    const said = says + ": " + plural(count(at.s), "plant") + (off ? ", wrong about " + numbers(off) : "");
    const g = make("g", { class: "node" + (at.parts ? " ask" : at.tree[0] ? " one" : ""), transform: "translate(" + x(at) + " " + y(at) + ")", tabindex: 0, role: "img",
      "aria-label": said, "data-set": at.s, "data-ask": at.parts ? at.tree[0] : null, "data-say": said });
    if (at.parts) {
      const text = data.names[at.tree[0]], wide = 7 * text.length + 8;
      g.append(make("rect", { x: -wide / 2, y: -12, width: wide, height: 24, rx: 5 }), make("text", { y: 4, "text-anchor": "middle" }, text));
    } else g.append(at.tree[0] ? make("circle", { r: 12 }) : make("rect", { x: -11, y: -11, width: 22, height: 22 }), make("text", { y: 4, "text-anchor": "middle" }, count(at.s)),
      make("text", { y: 27, "text-anchor": "middle", class: off ? "bad" : "tick" }, off ? plural(count(off), "error") : "right"));
    out.append(g);
    for (const part of at.parts || []) visit(part);
  })(top);
  const left = Math.max(0, 40 - slot / 2), wide = row.next * slot + 2 * left;    // a long question may be wider than two leaves
  out.setAttribute("viewBox", [-left, 0, wide, row.deep * high + 46].join(" ")); out.setAttribute("width", wide);
  return out;
}

// ---- the setting: what the controls say, kept in the address where that is possible
let state = { ...data.start };
const FIELDS = ["lam", "depth", "flipped", "wrong", "kind", "backwards"];
function readHash() {
  const said = new URLSearchParams(location.hash.slice(1));
  const number = (key, most) => /^\d{1,5}$/.test(said.get(key) || "") && +said.get(key) <= most ? +said.get(key) : state[key];
  state = { lam: number("lam", data.most), depth: number("depth", data.depths), flipped: number("flipped", 2 ** data.X.length - 1), wrong: number("wrong", 2 ** data.X.length - 1),
    kind: data.kinds.includes(said.get("kind")) ? said.get("kind") : state.kind, backwards: said.has("backwards") ? said.get("backwards") === "true" : state.backwards };
}
let soon = 0;
function writeHash() {                                             // a moment later: browsers refuse hundreds of changes in a row
  clearTimeout(soon);
  soon = setTimeout(() => { try { history.replaceState(null, "", "#" + FIELDS.map((o) => o + "=" + state[o]).join("&")); } catch { /* a frame has no address */ } }, 200);
}

// Draw anew without losing the focus: elements that mean the same have the same data-key.
function again(draw) {
  const key = document.activeElement && document.activeElement.dataset && document.activeElement.dataset.key;
  draw();
  const same = key && document.querySelector('[data-key="' + key + '"]');
  if (same && same !== document.activeElement) same.focus({ preventScroll: true });
}
function bindControls(refresh) {
  const set = (change) => { state = { ...state, ...change }; refresh(); };
  byId("lam").addEventListener("input", () => set({ lam: +byId("lam").value }));
  byId("depth").addEventListener("input", () => set({ depth: +byId("depth").value }));
  byId("reset").addEventListener("click", () => set(data.start));
  for (const o of document.querySelectorAll("[name=kind]")) o.addEventListener("change", () => set({ kind: o.value }));
  for (const o of document.querySelectorAll("[data-setting]")) o.addEventListener("click", () => set(data.settings[o.dataset.setting]));
  if (byId("backwards")) byId("backwards").addEventListener("change", () => set({ backwards: byId("backwards").checked }));
  addEventListener("hashchange", () => { readHash(); refresh(); });
}
function showControls(p) {
  byId("lam").value = state.lam; byId("depth").value = state.depth;
  const lam = String(+(state.lam / data.parts).toFixed(4)), levels = state.depth < data.depths ? String(state.depth) : "no limit";
  byId("lam-is").textContent = lam; byId("depth-is").textContent = levels;
  byId("lam").setAttribute("aria-valuetext", lam); byId("depth").setAttribute("aria-valuetext", levels);
  for (const o of document.querySelectorAll("[name=kind]")) o.checked = o.value === state.kind;
  if (byId("backwards")) byId("backwards").checked = state.backwards;
  for (const o of document.querySelectorAll("[data-setting]")) o.setAttribute("aria-pressed", FIELDS.every((f) => data.settings[o.dataset.setting][f] === state[f]));
  byId("units").textContent = "Counted in " + p.unit + "ths: an error costs " + p.error + ", a leaf " + p.leaf + ".";
}
