// A table that stays in the page: text -> rows -> questions -> patterns -> the compiled search (search.js, in a worker) -> tree and proof.
const at = id => document.getElementById(id), esc = s => String(s).replace(/[&<>"']/g, c => `&#${c.charCodeAt(0)};`);
const MOST_VALUES = 8, MOST_CLASSES = 20, MOST_ROWS = 200000, MOST_QUESTIONS = 120, EMPTY = new Set(["", "na", "nan", "null", "?"]);
const isEmpty = s => EMPTY.has(s.trim().toLowerCase());
let table = null, worker = null, ticking = null, last = null;

function parse(text) {   // comma, semicolon or tab; quotes as spreadsheets write them
  text = text.replace(/^\uFEFF/, "");
  if (text.includes("\0") || text.startsWith("PK\u0003")) throw new Error("this is no text; save the table as CSV");
  const head = text.split(/\r?\n/, 1)[0].replace(/"[^"]*"/g, ""), count = c => head.split(c).length;
  const mark = [",", ";", "\t"].sort((a, b) => count(b) - count(a))[0], rows = [];
  let row = [], cell = "", quoted = false;
  const end = () => { row.push(cell); cell = ""; };
  const line = () => { end(); if (row.length > 1 || row[0].trim()) rows.push(row); row = []; };
  for (let i = 0; i < text.length; i++) {
    const c = text[i];
    if (quoted) {
      if (c !== '"') cell += c;
      else if (text[i + 1] === '"') { cell += '"'; i++; }
      else quoted = false;
    } else if (c === '"' && !cell) quoted = true;
    else if (c === mark) end();
    else if (c === "\n") line();
    else if (c !== "\r") cell += c;
  }
  if (quoted) throw new Error("a quotation mark is never closed");
  if (cell || row.length) line();
  if (rows.length < 3) throw new Error("a table needs a line of names and at least two rows");
  const names = rows[0].map((s, j) => s.trim() || `column ${j + 1}`), body = rows.slice(1);
  if (names.length < 2) throw new Error("a table needs at least two columns, separated by commas, semicolons or tabs");
  if (new Set(names).size < names.length) throw new Error(`two columns are named “${names.find((s, j) => names.indexOf(s) < j)}”`);
  body.forEach((r, i) => { if (r.length !== names.length) throw new Error(`line ${i + 2} has ${r.length} cells, the first line ${names.length}`); });
  if (body.length > MOST_ROWS) throw new Error(`${body.length} rows; this page takes up to ${MOST_ROWS}`);
  return {names, body, mark};
}

// Where commas do not part cells they may part decimals.
const asNumber = s => Number(table.mark !== "," && /^\s*[-+]?\d*,\d+(e[-+]?\d+)?\s*$/i.test(s) ? s.replace(",", ".") : s);

// A threshold between two neighbours, and the fewest digits (six or more) that lie between them, too.
const between = (low, high) => { const t = low / 2 + high / 2; return t < high ? t : low; };
function digits(t, low, high) {
  for (let k = 6; k < 17; k++) { const s = Number(t.toPrecision(k)); if (low <= s && s < high) return String(s); }
  return String(t);
}

function questions(column, name, most) {   // [{bins of the rows, texts of its questions}]: one for numbers, one for each value of a text
  const full = column.filter(s => !isEmpty(s)), out = [];
  const missing = {codes: column.map(s => isEmpty(s) ? 0 : 1), texts: [`${name} is missing`], no: [`${name} is there`]};
  if (full.length < column.length && full.length) out.push(missing);
  const numbers = full.map(asNumber);
  if (full.length && numbers.every(Number.isFinite)) {
    const sorted = [...numbers].sort((a, b) => a - b), values = [...new Set(sorted)];
    let cuts = values.slice(1).map((v, i) => between(values[i], v));
    const said = new Map(cuts.map((t, i) => [t, digits(t, values[i], values[i + 1])]));
    if (cuts.length > most) {   // as many rows between two of them as can be
      const wanted = [...Array(most).keys()].map(i => sorted[Math.floor((i + 1) * sorted.length / (most + 1))]);
      cuts = [...new Set(wanted.map(v => cuts[Math.min(cuts.length - 1, values.indexOf(v))]))];
    }
    const code = v => cuts.filter(t => t < v).length;
    if (cuts.length) out.push({codes: column.map(s => isEmpty(s) ? cuts.length : code(asNumber(s))),
      texts: cuts.map(t => `${name} ≤ ${said.get(t)}`), no: cuts.map(t => `${name} > ${said.get(t)}`)});
    return out;
  }
  const counts = new Map();
  column.forEach(s => { if (!isEmpty(s)) counts.set(s, (counts.get(s) ?? 0) + 1); });
  const often = [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).slice(0, counts.size === 2 ? 1 : most).map(o => o[0]);
  if (counts.size > 1 || out.length) for (const v of often) if (counts.get(v) < column.length)
    out.push({codes: column.map(s => s === v ? 0 : 1), texts: [`${name} is ${v}`], no: [`${name} is not ${v}`]});
  return out;
}

const column = k => table.body.map(r => r[k]);
const featuresOf = (j, most) => table.names.flatMap((name, k) => k === j ? [] : questions(column(k), name, most)), countOf = features => features.reduce((n, f) => n + f.texts.length, 0);

function problem(j, most) {   // what the search gets: equal rows together, with a weight for each class
  const label = table.names[j], y = column(j);
  if (y.some(isEmpty)) throw new Error(`“${label}” is missing in line ${y.findIndex(isEmpty) + 2}; a label must be there for every row`);
  const classes = [...new Set(y)].sort();
  if (classes.length < 2) throw new Error(`“${label}” has one value only; there is nothing to tell apart`);
  if (classes.length > MOST_CLASSES) throw new Error(`“${label}” has ${classes.length} values; choose a label with at most ${MOST_CLASSES}`);
  const features = featuresOf(j, most), size = countOf(features);
  if (!size) throw new Error("no other column changes from row to row");
  if (size > MOST_QUESTIONS) throw new Error(`${size} questions; this page takes up to ${MOST_QUESTIONS}: choose fewer for each column, or drop columns`);
  const patterns = new Map();
  y.forEach((label, i) => {
    const codes = features.map(f => f.codes[i]), key = codes.join();
    if (!patterns.has(key)) patterns.set(key, {codes, w: classes.map(() => 0)});
    patterns.get(key).w[classes.indexOf(label)]++;
  });
  const all = [...patterns.values()];
  return {codes: all.map(p => p.codes), weights: all.map(p => p.w), nBins: features.map(f => f.texts.length + 1), classes, size,
    yes: features.flatMap(f => f.texts), no: features.flatMap(f => f.no), of: features.flatMap((f, i) => f.texts.map((_, c) => [i, c]))};
}

function grown(p, tree, rows) {   // the tree with the rows of its nodes
  const w = p.classes.map((_, c) => rows.reduce((s, i) => s + p.weights[i][c], 0)), n = w.reduce((a, b) => a + b, 0);
  if (!tree) return {w, n, label: w.indexOf(Math.max(...w)), errors: n - Math.max(...w), leaves: 1, depth: 0};
  const [f, c] = p.of[tree.column], yes = grown(p, tree.yes, rows.filter(i => p.codes[i][f] <= c)), no = grown(p, tree.no, rows.filter(i => p.codes[i][f] > c));
  return {w, n, text: p.yes[tree.column], other: p.no[tree.column], yes, no, errors: yes.errors + no.errors, leaves: yes.leaves + no.leaves, depth: 1 + Math.max(yes.depth, no.depth)};
}

function outline(node, p, way = "") {   // a tree as nested lists reads on a phone as well as on a wall
  const share = node.n ? ` <span class="rows">${node.n} rows${node.text ? "" : `, ${node.errors} wrong`}</span>` : "";
  const here = way ? `<b>${esc(way)}</b> ` : "";
  if (!node.text) return `<li class="leaf">${here}<span class="says">→ ${esc(p.classes[node.label])}</span>${share}</li>`;
  return `<li>${here}${share}<ul>${outline(node.yes, p, node.text)}${outline(node.no, p, node.other)}</ul></li>`;
}

const lambda = () => Number(at("lam").value) / 1000;
function say(text, kind = "") { at("verdict").textContent = text; at("verdict").className = kind; }

function stop() {
  worker?.terminate();
  clearInterval(ticking);
  worker = null;
  at("stop").hidden = true;
  at("tree").className = "";
}

function run() {   // every change begins a new search; the old one is of no use any more
  stop();
  at("depth-is").textContent = at("depth").value;
  at("lam-is").textContent = lambda().toFixed(3);
  if (!table) return;
  let p;
  try { p = problem(at("label").selectedIndex, Number(at("most").value)); }
  catch (e) { at("tree").innerHTML = ""; return say(e.message[0].toUpperCase() + e.message.slice(1) + ".", "wrong"); }
  const n = table.body.length, price = Number(at("lam").value), begin = performance.now();
  say(`Searching ${p.size} questions, ${p.codes.length} different rows …`);
  at("stop").hidden = false;
  at("tree").className = "old";   // of the settings before
  ticking = setInterval(() => say(`Searching for ${((performance.now() - begin) / 1000).toFixed(0)} s …`), 1000);
  worker = new Worker(URL.createObjectURL(new Blob([at("engine").textContent], {type: "text/javascript"})));
  worker.onerror = e => { stop(); say(`The search failed: ${e.message}`, "wrong"); };
  worker.onmessage = ({data}) => {
    stop();
    if (data.error) return say(`The search failed: ${data.error}`, "wrong");
    const tree = grown(p, data.tree, p.codes.map((_, i) => i)), value = (1000 * tree.errors + price * n * tree.leaves) / (1000 * n);
    last = {...data, errors: tree.errors, leaves: tree.leaves, objective: value, questions: p.size, n};
    at("tree").innerHTML = `<ul class="outline">${outline(tree, p)}</ul>`;
    say(`No tree with at most ${at("depth").value} questions in a row, out of these ${p.size}, has a lower objective than this one: `
      + `${tree.errors} of ${n} rows wrong, ${tree.leaves} ${tree.leaves > 1 ? "leaves" : "leaf"}, objective ${value.toFixed(6)}. Proven in ${data.ms < 10 ? data.ms.toFixed(1) : data.ms.toFixed(0)} ms. `
      + "It says nothing about rows that are not in the table.", "proven");
  };
  worker.postMessage({codes: p.codes, weights: p.weights, nBins: p.nBins, leaf: 2 * price * n, error: 2000, depth: Number(at("depth").value)});
}

function take(text, name) {
  try { table = parse(text); }
  catch (e) {
    table = null; stop();
    for (const id of ["tree", "label", "name"]) at(id).innerHTML = "";
    return say(`${name}: ${e.message}.`, "wrong");
  }
  at("name").textContent = `${name}: ${table.body.length} rows, ${table.names.length} columns`;
  at("label").innerHTML = table.names.map(s => `<option>${esc(s)}</option>`).join("");
  const few = table.names.map((_, j) => new Set(column(j)).size <= MOST_CLASSES), j = few.includes(true) ? few.lastIndexOf(true) : few.length - 1;
  at("label").selectedIndex = j;   // most tables end with it
  at("lam").value = table.body.length < 100 ? 50 : 10;   // a leaf of a large table may save a smaller share of its rows
  at("most").value = [8, 4, 2].find(k => countOf(featuresOf(j, k)) <= MOST_QUESTIONS) ?? 2;
  run();
}

for (const id of ["lam", "depth", "most", "label"]) at(id).addEventListener("input", run);
at("stop").addEventListener("click", () => { stop(); say("Stopped. Nothing is proven; take fewer questions, less depth, or a higher penalty."); });
at("example").addEventListener("click", () => { at("file").value = ""; take(at("plants").textContent.trim(), "Twelve plants"); });
at("file").addEventListener("change", async e => { const f = e.target.files[0]; if (f) take(await f.text(), f.name); });
for (const kind of ["dragover", "drop"]) document.addEventListener(kind, async e => {
  e.preventDefault();
  const f = kind === "drop" && e.dataTransfer.files[0];
  if (f) take(await f.text(), f.name);
});
at("example").click();
