// How search results are ordered: a chapter that is called like the query comes first.
var Scorer = {
  score: ([page, title, anchor, descr, score]) => {
    const words = (text) => text.toLowerCase().replace(/<[^>]*>/g, "").split(/[^\p{L}\p{N}]+/u).filter((o) => o);
    const asked = words(new URLSearchParams(location.search).get("q") ?? "");
    if (!asked.length || !page.startsWith("nbs/") || anchor) return score;
    const stem = words(page.replace(/^.*\/(\d+_)?/, "").replaceAll("_", " ")), named = words(title);
    const spine = /^nbs\/\d/.test(page) ? 20 : 0;
    if ([stem, named].some((o) => o.join(" ") === asked.join(" "))) return score + 1000 + spine;
    return asked.every((o) => named.includes(o) || stem.includes(o)) ? score + 200 + spine : score;
  },
  objNameMatch: 11, objPartialMatch: 6, objPrio: { 0: 15, 1: 5, 2: -5 }, objPrioDefault: 0,
  title: 15, partialTitle: 7, term: 5, partialTerm: 2,
};
