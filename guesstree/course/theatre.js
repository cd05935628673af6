// The player of the search theatre. Python has drawn every node of every recording; this file only says which of them show, and how.
"use strict";
(() => {
  const show = JSON.parse(document.getElementById("recordings").textContent);
  const texts = show.texts.map((pieces) => pieces.map((o) => (typeof o === "number" ? show.phrases[o] : o)).join(""));
  for (const o of show.recordings) for (const e of o.events) e[5] = texts[e[5]];
  const byId = (id) => document.getElementById(id);
  const all = (prefix, n) => Array.from({ length: n }, (_, i) => byId(prefix + i));
  const size = show.places.length, columns = show.ands.length;
  const nodes = all("n", size), ands = all("a", columns), agains = all("g", 2 * columns), stubs = all("c", size), points = all("p", show.rows.length);
  const values = nodes.map((g) => g.querySelector(".value"));
  const [OPEN, SOLVED, CUT] = [1, 2, 3];
  const KINDS = { o: "open", b: "bound", i: "incumbent", p: "prune", c: "cache", s: "solved" };
  let which = 0, at = 0, timer = null, now = null, picked = -1;   // picked: a node that somebody has clicked, or -1

  // What the stage looks like after event `last`: replayed from the start, so that the slider can go anywhere.
  function replay(events, last) {
    const s = { node: new Uint8Array(nodes.length), guess: new Uint8Array(nodes.length), low: new Float64Array(nodes.length),
                cost: new Float64Array(nodes.length), and: new Uint8Array(ands.length), andGuess: new Uint8Array(ands.length),
                again: new Uint8Array(agains.length), stub: new Uint32Array(nodes.length), stubGuess: new Uint8Array(nodes.length),
                best: new Int32Array(nodes.length).fill(-1), via: new Int32Array(nodes.length).fill(-1), tree: -1, active: 0, cached: 0, gone: 0 };
    for (let i = 0; i <= last; i++) apply(s, events[i]);
    return s;
  }

  function apply(s, [kind, node, low, cost, guess, , more]) {
    s.low[node] = low; s.cost[node] = cost; s.active = node;
    if (kind === "o" || kind === "c") {
      if (more) { s.via[node] = more[0]; s.and[more[0]] = OPEN; s.andGuess[more[0]] = 0; s.again[2 * more[0] + more[1]] = more[2]; }
      if (kind === "o" || more[3]) { s.node[node] = OPEN; s.stub[node] = s.stubGuess[node] = 0; }          // more[3]: it is searched again
      if (kind === "c") s.cached++;
    } else if (kind === "b") s.guess[node] = guess;
    else if (kind === "i") {
      if (s.best[node] >= 0 && s.best[node] !== more[0]) s.and[s.best[node]] = CUT;
      s.best[node] = more[0];
      if (more[1] >= 0) s.tree = more[1];
    } else if (kind === "s") { s.node[node] = SOLVED; s.guess[node] = guess; }
    else if (!more) { s.node[node] = CUT; s.guess[node] = guess; s.gone++; }
    else {
      for (const [a, guessed] of more[0]) { s.and[a] = CUT; s.andGuess[a] = guessed; }
      s.stub[node] += more[1]; s.stubGuess[node] |= more[2]; s.gone += more[0].length + more[1];
    }
  }

  function put(element, name) { if (element.getAttribute("class") !== name) element.setAttribute("class", name); }
  function write(element, text) { if (element.textContent !== text) element.textContent = text; }
  const number = (v) => String(+v.toFixed(3)), four = (v) => String(+v.toPrecision(4));

  function price(s, i) {
    const asked = s.guess[i] ? "? " : "";
    if (s.node[i] === SOLVED) return asked + "= " + number(s.cost[i]) + " \u2713";
    if (s.node[i] === CUT) return asked + "\u2265 " + number(s.low[i]) + " \u2702";
    return asked + number(s.low[i]) + "\u2026" + number(s.cost[i]);
  }

  const looks = (s, i) => "or " + ["ghost", "open", "solved", "cut"][s.node[i]] + (s.node[i] && s.guess[i] ? " guess" : "") + (i === s.active ? " active" : "") + (i === picked ? " picked" : "");

  // Only what is in sight gets its looks, the lines that lead to it included; the rest follows when it is scrolled to.
  function reach(g) {
    if (!g) return null;
    const y = +/,(\d+)\)/.exec(g.getAttribute("transform"))[1], line = g.querySelector("path");
    return [line ? y + +/,(-?\d+)/.exec(line.getAttribute("d"))[1] - 10 : y, y + 24];
  }
  const reaches = [nodes, ands, agains, stubs].map((list) => list.map(reach));
  function paint(s) {
    const stage = byId("stage"), top = stage.scrollTop, end = stage.clientHeight ? top + stage.clientHeight : Infinity, best = new Set(s.best);
    const [kind, , , , , , more] = show.recordings[which].events[at], cutting = kind === "p" ? columnOf(kind, more) : -1;
    const seen = (list, k, looks) => list.forEach((g, i) => { if (g && reaches[k][i][1] >= top && reaches[k][i][0] <= end) looks(g, i); });
    seen(nodes, 0, (g, i) => {
      put(g, looks(s, i) + (cutting >= 0 && show.home[i] === cutting ? " half" : ""));
      if (s.node[i]) write(values[i], price(s, i));
    });
    seen(ands, 1, (g, i) => put(g, "and " + (s.and[i] ? s.and[i] === CUT ? "cut" : "open" : "ghost") + (s.andGuess[i] ? " guess" : "") + (best.has(i) ? " best" : "")));
    seen(agains, 2, (g, i) => put(g, "again" + (s.again[i] ? "" : " ghost")));
    seen(stubs, 3, (g, i) => {
      put(g, "stub" + (s.stub[i] ? s.stubGuess[i] ? " guess" : "" : " off"));
      write(g.lastElementChild, "\u2702 " + s.stub[i] + (s.stub[i] === 1 ? " column" : " columns"));
    });
    map(s, stage); closeUp(s);
  }

  // The question at hand with both of its halves, above the stage, where there is always room for them: the one that is asked or cut, or through which the node was reached.
  function closeUp(s) {
    const [kind, node, , , , , more] = show.recordings[which].events[at], cut = kind === "p" && more ? more[3] : null;
    const column = cut ? cut[0] : more && more[0] >= 0 ? more[0] : s.via[node] >= 0 ? s.via[node] : s.best[node], known = Number.isInteger(column);
    const name = !known ? column : column < 0 ? "" : ands[column].querySelector("title").textContent, owner = cut || !known || column < 0 ? node : show.ands[column][0];
    write(byId("owner"), `node ${owner} ` + (name ? "asks" : "has asked nothing yet"));
    write(byId("asks"), name); byId("asks").className = cut ? "cut" : "";
    write(byId("sum"), cut ? `\u2702 ${four(cut[1])} + ${four(cut[2])} = ${four(cut[1] + cut[2])}` : "");
    ["yes", "no"].forEach((side, k) => half(s, byId(side), side, known && column >= 0 ? show.ands[column][5 + k] : -1, cut ? "\u2265 " + four(cut[1 + k]) : "", !name));
  }

  // One half: its node as on the stage; if it was not opened, an empty box with the bound that was enough.
  function half(s, box, side, i, bound, none) {
    const [frame, mark, words, value] = ["rect", ".side-of", "text:not([class])", ".value"].map((o) => box.querySelector(o)), open = i >= 0 && s.node[i] > 0;
    put(frame.parentNode, none ? "or ghost" : open ? looks(s, i) : "or unopened");
    box.querySelectorAll(".mix").forEach((o) => o.remove());
    if (open) nodes[i].querySelectorAll(".mix").forEach((o) => frame.after(o.cloneNode()));
    write(mark, side); write(words, open ? nodes[i].querySelector("text:not([class])").textContent : "not opened"); write(value, open ? price(s, i) : bound);
    box.dataset.node = open ? i : -1;
    box.setAttribute("aria-label", none ? side : `${side}: ${words.textContent} ${value.textContent}`);
  }

  function draw() {
    const rec = show.recordings[which], [kind, node, , , guess, text] = rec.events[at];
    now = replay(rec.events, at);
    follow(rec.events[at]); paint(now); counts(now); chart(); panel(now);
    document.querySelectorAll(".tree").forEach((o) => { o.hidden = o.dataset.tree !== String(now.tree); });
    byId("no-tree").hidden = now.tree >= 0;
    byId("kind").textContent = KINDS[kind];
    byId("text").textContent = `node ${node} ${text}`;
    byId("said").className = guess ? "guess" : "";
    byId("where").textContent = `${at + 1} of ${rec.events.length}`;
    byId("slider").setAttribute("aria-valuetext", `event ${at + 1} of ${rec.events.length}: ${KINDS[kind]}`);
    byId("slider").value = at;
  }

  function counts(s) {
    const opened = s.node.reduce((n, v) => n + (v > 0), 0), row = document.querySelectorAll("#counts tbody tr");
    row.forEach((tr, i) => {
      const totals = show.recordings[i].totals, sofar = [at + 1, opened, s.gone, s.cached];
      tr.className = i === which ? "now" : "";
      totals.forEach((v, k) => { tr.children[k + 1].textContent = i === which && sofar[k] !== v ? `${sofar[k]} / ${v}` : v; });
    });
  }

  function chart() {
    document.querySelectorAll("#chart g[data-rec]").forEach((g) => { g.style.display = +g.dataset.rec === which ? "" : "none"; });
    const x = show.chart[0] + show.chart[1] * at;
    byId("curtain").setAttribute("width", Math.max(0, x));
    byId("cursor").setAttribute("x1", x); byId("cursor").setAttribute("x2", x);
  }

  // The column that an event is about, -1 if there is none on stage.
  const columnOf = (kind, more) => (!more ? -1 : kind === "p" ? (more[0].length ? more[0][0][0] : -1) : more[0]);

  // Scroll to the node of an event; and to the column that it is about with both of its halves, if they fit on the stage: above it they always stand.
  function follow([kind, node, , , , , more]) {
    const stage = byId("stage"), pad = 8, [x, y] = show.places[node], fits = (o) => o[1] - o[0] <= stage.clientHeight - 2 * pad && o[3] - o[2] <= stage.clientWidth - 2 * pad;
    if (!byId("follow").checked || !stage.clientHeight) return;
    const column = columnOf(kind, more);
    let box = [y, y + 24, x, x + show.width];
    if (column >= 0) {
      const [, ...halves] = show.ands[column], both = [0, 1, 2, 3].map((k) => (k % 2 ? Math.max : Math.min)(box[k], halves[k]));
      if (fits(both)) box = both;
      else if (fits(halves) && kind !== "o") box = halves;
    }
    const [top, bottom, left, right] = box;
    if (top - pad < stage.scrollTop) stage.scrollTop = top - pad;
    else if (bottom + pad > stage.scrollTop + stage.clientHeight) stage.scrollTop = bottom + pad - stage.clientHeight;
    if (right + pad > stage.scrollLeft + stage.clientWidth) stage.scrollLeft = right + pad - stage.clientWidth;
    if (left - pad < stage.scrollLeft) stage.scrollLeft = left - pad;
  }

  // The rows of a node, by number from 1 on.
  const rows = (i) => { const set = BigInt(show.sets[i]); return show.rows.flatMap((p, k) => (p >= 0 && (set >> BigInt(p)) & 1n ? [k + 1] : [])); };
  const many = (k, thing) => `${k} ${thing}${k === 1 ? "" : "s"}`;

  // All that has happened to a node so far: the one that was picked, else the one on which the search is.
  function panel(s) {
    const i = picked >= 0 ? picked : s.active, here = rows(i), events = show.recordings[which].events, lit = new Set(here);
    write(byId("who-name"), `node ${i}${picked >= 0 ? ", which you have picked" : ""}: ${many(here.length, show.thing)}`);
    write(byId("who-rows"), here.slice(0, 40).join(", ") + (here.length > 40 ? ", \u2026" : ""));
    points.forEach((g, k) => { if (g) put(g, lit.has(k + 1) ? "point" : "point pale"); });
    const lines = events.slice(0, at + 1).flatMap((e, k) => (e[1] === i ? [[k, e[5]]] : []));
    byId("story").replaceChildren(...(lines.length ? lines : absent(i, events)).map(([k, text]) => {
      const item = document.createElement("li");
      if (k >= 0) item.value = k + 1; else item.className = "plain";
      item.textContent = text;
      return item;
    }));
    byId("story").scrollTop = 1e6;
  }

  // Why a node is not there: what was said when its column was cut, or that its time may come.
  function absent(i, events) {
    const cut = events.findLastIndex((e, k) => k <= at && e[0] === "p" && e[6] && e[6][0].some((o) => o[0] === show.home[i]));
    const text = cut >= 0 ? `is not opened: node ${events[cut][1]} ${events[cut][5]}` : events.some((e) => e[1] === i) ? "is not opened yet" : "is never opened by this search";
    return [[cut, text]];
  }

  function choose(i) { picked = i === picked ? -1 : i; byId("who").setAttribute("aria-live", picked >= 0 ? "polite" : "off"); paint(now); panel(now); }

  // The next node on stage above or below, of those that are open by now.
  function climb(by) {
    const open = show.places.map(([, y], i) => [y, i]).filter(([, i]) => now.node[i]).sort((a, b) => a[0] - b[0]).map((o) => o[1]);
    const to = open[open.indexOf(picked >= 0 && now.node[picked] ? picked : now.active) + by];
    if (to === undefined) return;
    if (to !== picked) choose(to);
    nodes[to].scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  // The whole stage at a glance, beside it: one bar for each node.
  const MAP = ["--faint", "--ink", "--solved-map", "--line"], colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name);
  function map(s, stage) {
    byId("map").hidden = stage.scrollHeight <= stage.clientHeight;
    const canvas = byId("map"), pen = canvas.getContext("2d"), high = canvas.height / show.height, wide = canvas.width / show.span;
    const [guess, ink, frame] = ["--guess", "--ink", "--high"].map(colour), states = MAP.map(colour);
    pen.clearRect(0, 0, canvas.width, canvas.height);
    for (let i = 0; i < nodes.length; i++) {
      const [x, y] = show.places[i];
      pen.fillStyle = i === s.active ? ink : s.node[i] && s.guess[i] ? guess : states[s.node[i]];
      pen.fillRect(x * wide, y * high, show.width * wide, Math.max(i === s.active ? 4 : 1, 20 * high));
    }
    pen.strokeStyle = frame; pen.lineWidth = 2;
    pen.strokeRect(1, stage.scrollTop * high + 1, canvas.width - 2, Math.min(canvas.height, stage.clientHeight * high) - 2);
  }

  function go(to) { at = Math.max(0, Math.min(to, show.recordings[which].events.length - 1)); draw(); }

  // The same moment in another search: start and end stay, else an event of that kind about the same node, or about what cut it off.
  function moment(to) {
    const from = show.recordings[which].events, events = show.recordings[to].events, [kind, node] = from[at];
    if (at === 0 || at === from.length - 1) return at && events.length - 1;
    const about = (k) => events.flatMap((e, i) => (e[1] === k ? [i] : []));
    const alike = about(node).filter((i) => events[i][0] === kind), before = from.slice(0, at).filter((e) => e[1] === node && e[0] === kind).length;
    if (about(node).length) return alike.length ? alike[Math.min(before, alike.length - 1)] : about(node).at(-1);
    for (let k = node; show.home[k] >= 0;) {
      const column = show.home[k];
      k = show.ands[column][0];
      if (about(k).length) return about(k).findLast((i) => events[i][0] === "p" && events[i][6] && events[i][6][0].some((o) => o[0] === column)) ?? about(k).at(-1);
    }
    return 0;
  }

  function pick(i) {
    const to = moment(i);
    which = i;
    byId("slider").max = show.recordings[i].events.length - 1;
    document.querySelectorAll(".tabs button").forEach((b, k) => { b.setAttribute("aria-checked", k === i); b.tabIndex = k === i ? 0 : -1; });
    go(to);
  }

  // From one event of a kind to the next one of that kind, or simply to the next.
  function step(by) {
    const events = show.recordings[which].events, kind = byId("by").value;
    let to = at + by;
    while (kind && to > 0 && to < events.length - 1 && events[to][0] !== kind) to += by;
    go(to);
  }

  function play(on) {
    clearInterval(timer); timer = null;
    const last = () => at >= show.recordings[which].events.length - 1;
    if (on) {
      if (last()) go(0);
      timer = setInterval(() => { step(1); if (last()) play(false); }, 1000 / +byId("speed").value);
    }
    byId("play").textContent = on ? "pause" : "play";
    byId("said").setAttribute("aria-live", on ? "off" : "polite");
  }

  const keys = { " ": () => play(!timer), ArrowRight: () => step(1), ArrowLeft: () => step(-1), Home: () => go(0), End: () => go(Infinity),
                 ArrowUp: () => climb(-1), ArrowDown: () => climb(1), Escape: () => picked >= 0 && choose(picked) };
  document.addEventListener("keydown", (e) => {
    if (e.ctrlKey || e.metaKey || e.altKey || e.target.tagName === "SELECT" || (e.key === " " && e.target.tagName === "BUTTON")) return;
    const n = +e.key;
    if (n >= 1 && n <= show.recordings.length) pick(n - 1);
    else if (!keys[e.key] || (e.target.type === "range" && e.key !== " ")) return;
    else { if (e.key !== " ") play(false); keys[e.key](); }
    e.preventDefault();
  });
  byId("slider").addEventListener("input", (e) => { play(false); go(+e.target.value); });
  byId("stage").addEventListener("scroll", () => paint(now));
  byId("stage").addEventListener("click", (e) => {
    const g = e.target.closest(".or, .and, .stub, .again"), i = g && +g.id.slice(1);
    if (g) choose({ n: () => i, c: () => i, a: () => show.ands[i][0], g: () => +/\d+/.exec(g.textContent.replace(/^(yes|no)/, ""))[0] }[g.id[0]]());
  });
  byId("full").hidden = !document.fullscreenEnabled;
  byId("full").addEventListener("click", () => (document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen()));
  document.addEventListener("fullscreenchange", () => write(byId("full"), document.fullscreenElement ? "leave full screen" : "full screen"));
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => paint(now));
  addEventListener("repaint", () => paint(now));
  for (const side of ["yes", "no"]) byId(side).addEventListener("click", () => { const i = +byId(side).dataset.node; if (i >= 0) choose(i); });
  byId("map").addEventListener("click", (e) => { byId("stage").scrollTop = e.offsetY / e.target.clientHeight * show.height - byId("stage").clientHeight / 2; });
  byId("play").addEventListener("click", () => play(!timer));
  byId("speed").addEventListener("change", () => { if (timer) play(true); });
  byId("ghosts").addEventListener("change", (e) => document.body.classList.toggle("no-ghosts", !e.target.checked));
  for (const [id, to] of [["first", () => go(0)], ["back", () => step(-1)], ["next", () => step(1)], ["last", () => go(Infinity)]])
    byId(id).addEventListener("click", () => { play(false); to(); });
  document.querySelectorAll(".tabs button").forEach((b, i) => b.addEventListener("click", () => pick(i)));
  document.querySelector(".tabs").addEventListener("keydown", (e) => {
    const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[e.key], tabs = e.currentTarget.children;
    if (!by) return;
    const i = (which + by + tabs.length) % tabs.length;
    pick(i); tabs[i].focus(); e.preventDefault(); e.stopPropagation();
  });
  document.querySelectorAll("[data-scripts]").forEach((o) => { o.hidden = false; });
  pick(0);
  // A frame in a book or a notebook may get its size later: draw again whenever the stage gets another one.
  new ResizeObserver(() => draw()).observe(byId("stage"));
  // A book gives the frame the height that the page needs, so that nothing scrolls inside what scrolls; it may be there later than the page.
  const tell = () => parent.postMessage({ height: document.documentElement.offsetHeight }, "*");
  if (parent !== window) { new ResizeObserver(tell).observe(document.body); addEventListener("repaint", tell); }
  window.theatre = { go, pick, play, step, choose, get picked() { return picked; }, get state() { return now; }, get at() { return at; }, get which() { return which; }, get playing() { return timer !== null; } };
})();
