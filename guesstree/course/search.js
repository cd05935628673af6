// The compiled search of guesstree.engine in a page. `searcher(bytes)` gives a function that finds the best tree of a problem, by the same
// kernels as in Python and with the same rule for ties; this file only lays arrays out in its memory and reads the tree from the answers.
// tools/wasm.py makes the code; guesstree.engine.layout names the lines of the arrays.
const searcher = async bytes => {
  const code = await WebAssembly.compile(bytes);
  const [LEAF, ERROR, CLASSES, LEAST_LEAF, , BASE, BITS] = [...Array(9).keys()];
  const TIES = 6, GREEDY = 7, NODES = 3, YES = 3, NO = 4, LIVE = 6, SUMS = 7, BIG = 1n << 60n, LANES = 16, SPARE = 136, ROOM = 1 << 20;
  const KINDS = {i: [BigInt64Array, 8], u: [BigUint64Array, 8], w: [Int32Array, 4]};
  const FIELDS = "codes:w2 stat:i2 swing:i1 delta:w1 bits:u2 keys:i2 start:i1 feat:i1 rank:i1 par:i1 tab:w2 left:w2 mask:w2 lcode:w2 vec:w2 loc:i2 "
    + "words:u2 cube:w3 many:w3 one:w2 whole:w1 cell:w2 out:w1 side:i1 col:i1 at:i2 order:i1 mult:i1 block:u2 places:i1 rows:i1 table:i2 head:i1 state:i1 space:i2";

  const sum = x => x.reduce((a, b) => a + b, 0), ones = x => { let n = 0; for (; x > 0; x = Math.floor(x / 2)) n += x % 2; return n; };

  function rowKeys(k) {   // splitmix64, as in engine.depth3
    const mask = (1n << 64n) - 1n, keys = [];
    for (let i = 1n; i <= 2n * BigInt(k); i++) {
      let x = i * 0x9E3779B97F4A7C15n & mask;
      x = (x ^ x >> 30n) * 0xBF58476D1CE4E5B9n & mask;
      x = (x ^ x >> 27n) * 0x94D049BB133111EBn & mask;
      keys.push(BigInt.asIntN(64, x ^ x >> 31n));
    }
    return keys;
  }

  // codes: one list of bins for each row; nBins: bins of each feature; weights: one list of class weights for each row;
  // leaf, error: their prices, whole numbers, `error` even; depth: at most so many questions in a row; least: least weight of a leaf;
  // rank: which of several equally good columns is taken, by default the first.
  // The answer: cost and tree, null for a leaf or {column, yes, no}; columns count the cuts of the first feature, then of the second, ...
  return ({codes, nBins, weights, leaf, error, depth, least = 0, rank = null}) => {
    const e = new WebAssembly.Instance(code).exports, k = codes.length, g = nBins.length, c = weights[0].length;
    const order = [...nBins.keys()].sort((a, b) => nBins[a] - nBins[b] || a - b), first = [0];
    nBins.forEach((n, f) => first.push(first[f] + n - 1));
    const start = [0], feat = [], column = [];
    order.forEach((f, i) => {
      for (let j = 0; j < nBins[f] - 1; j++) { feat.push(i); column.push(first[f] + j); }
      start.push(feat.length);
    });
    const places = column.map(u => rank ? rank[u] : u), named = new Map(places.map((r, i) => [r, column[i]]));
    const m = feat.length, mp = Math.ceil(m / LANES) * LANES, two = c === 2 && least <= 1, bins = codes.map(row => order.map(f => row[f]));
    const counted = weights.map(w => two ? [w[1] - w[0]] : w);
    const units = Math.max(...counted[0].map((_, j) => sum(counted.map(w => ones(Math.abs(w[j]))))));
    const bits = 3 * m * m * (units / 64 + 1) < 2 * k * g * g + 4 * m * m && (m <= 128 || !two), words = Math.floor(units / 64) + SPARE;
    const net = two ? m : 0, wide = two && bits ? m : 0, q = bits ? Math.ceil(m / 64) : 1, stats = 2 + c, base = two ? 3 : 2;

    const shapes = {codes: [k, g], stat: [k, stats], swing: [k], delta: [k], bits: [k, q], keys: [k, 2], start: [g + 1], feat: [m], rank: [m], par: [9],
      tab: [net, mp], left: [bits ? 0 : net, mp], mask: [two && !bits ? k : 1, mp], lcode: [k, g], vec: [5, mp], loc: [3, m + g + 3],
      words: [bits ? m + 1 : 0, words], cube: [wide, wide, mp], many: [two ? 0 : c, m, mp], one: [c, mp], whole: [c], cell: [4, mp], out: [8 * LANES],
      side: [2 * m], col: [m], at: [2, m + 3], order: [k], mult: [words], block: [Math.ceil(m / 64), 64], places: [64],
      rows: [k], table: [ROOM, 5], head: [3], state: [16], space: [SUMS + stats, m]};
    const address = {}, list = Number(e.grab(2048n)), at = {};
    let n = 0;
    const put = x => { new BigInt64Array(e.memory.buffer)[list / 8 + n++] = BigInt(x); };
    for (const field of FIELDS.split(" ")) {
      const name = field.split(":")[0], kind = field.split(":")[1][0], size = shapes[name].reduce((a, b) => a * b, 1);
      address[name] = [Number(e.grab(BigInt(size * KINDS[kind][1] + 64))), kind, size];
      at[name] = n;
      [address[name][0], ...shapes[name]].forEach(put);
    }
    const view = name => new KINDS[address[name][1]][0](e.memory.buffer, address[name][0], address[name][2]);
    const fill = (name, x) => view(name).set(address[name][1] === "w" ? x : Array.from(x, BigInt));

    fill("codes", bins.flat());
    fill("stat", weights.flatMap(w => [sum(w) - Math.max(...w), sum(w) - Math.min(...w), ...w]));
    fill("swing", weights.map(w => Math.max(...w) - Math.min(...w)));
    fill("delta", weights.map(w => two ? w[1] - w[0] : 0));
    if (bits) view("bits").set(bins.flatMap(row => {
      const packed = Array(q).fill(0n);
      feat.forEach((f, u) => { if (row[f] <= u - start[f]) packed[u >> 6] |= 1n << BigInt(u & 63); });
      return packed;
    }));
    const keys = rowKeys(k), par = Array(9).fill(0);
    [par[LEAF], par[ERROR], par[CLASSES], par[LEAST_LEAF], par[BASE], par[BITS]] = [leaf, error, c, least, base, bits ? 1 : 0];
    fill("keys", keys); fill("start", start); fill("feat", feat); fill("par", par); fill("rank", places); fill("head", [1024, 0, 0]);
    const kernel = base === 2 ? e.at_counts() : bits ? e.at_bits() : e.at_tables();
    [kernel, e.at_open(), e.at_try(), e.at_search()].forEach(put);

    function ask(what, rows, d, most = BIG, u = 0) {   // what: 0 search, 1 open, 2 try column u
      new BigInt64Array(e.memory.buffer, address.rows[0], rows.length).set(rows.map(BigInt));
      const o = new BigInt64Array(e.memory.buffer, list, 256), xor = s => rows.reduce((h, i) => h ^ keys[2 * i + s], 0n);
      o[at.rows + 1] = BigInt(rows.length);
      o.set([BigInt(what), xor(0), xor(1), BigInt(d), BigInt(most), 0n, 0n, BigInt(u), 0n], n);
      if (e.run(BigInt(list)) !== 0n) throw new Error("the search failed");
      const [low, cost, col, live] = new BigInt64Array(e.memory.buffer, list + 8 * (n + 5), 4);
      return {low: Number(low), cost: Number(cost), column: Number(col), live: Number(live)};
    }
    const set = (i, x) => { view("state")[i] = x; };

    function firstRanks(rows) {   // for each column the lowest rank among those of its feature that split the rows alike
      const out = [...places];
      for (let f = 0; f < g; f++) {
        const used = new Set(rows.map(i => bins[i][f]));
        for (let u = start[f] + 1; u < start[f + 1]; u++) if (!used.has(u - start[f])) out[u] = Math.min(out[u], out[u - 1]);
        for (let u = start[f + 1] - 2; u >= start[f]; u--) if (!used.has(u + 1 - start[f])) out[u] = Math.min(out[u], out[u + 1]);
      }
      return out;
    }
    function bestTree(rows, d) {   // the first column that attains the best cost; a leaf comes before all
      if (d === 0) return null;
      const ranks = firstRanks(rows), best = d > base ? ask(0, rows, d).cost : Infinity;
      fill("rank", ranks);
      set(TIES, 1n);
      const node = ask(1, rows, d);
      set(TIES, 0n);
      let [u, place] = node.cost <= best ? [node.column, node.column < 0 ? -1 : ranks[node.column]] : [-2, Infinity];
      const space = Array.from(view("space"), Number), live = space.slice(LIVE * m, LIVE * m + node.live);
      for (const v of live.sort((a, b) => ranks[a] - ranks[b])) {
        if (ranks[v] >= place) break;
        if (space[YES * m + v] + space[NO * m + v] <= best && ask(2, rows, d, BigInt(best) + 1n, v).cost === best) [u, place] = [v, ranks[v]];
      }
      if (u < 0) return null;
      const f = feat[u], yes = rows.filter(i => bins[i][f] <= u - start[f]), no = rows.filter(i => bins[i][f] > u - start[f]);
      return {column: named.get(place), yes: bestTree(yes, d - 1), no: bestTree(no, d - 1)};
    }

    const rows = [...Array(k).keys()];
    if (depth > base) {   // a first tree, then the proof
      set(GREEDY, 1n);
      ask(0, rows, depth);
      set(GREEDY, 0n);
    }
    const {cost} = ask(0, rows, depth);
    return {cost, tree: bestTree(rows, depth), opened: Number(view("state")[NODES])};
  };
};
