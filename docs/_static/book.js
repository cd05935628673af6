// The reader's choice of code: folded, shown, or shown with checks. A page has a choice of its own until the reader makes one.
const KEY = "guesstree-code", CHOICES = { folded: [], shown: ["exported", "code"], "with checks": ["exported", "code", "checks", "imports"] };
const remembered = () => { try { return localStorage.getItem(KEY); } catch { return null; } };
const remember = (choice) => { try { localStorage.setItem(KEY, choice); } catch { /* a browser that keeps nothing */ } };

function showCode(choice) {
  document.querySelectorAll("div.cell[class*=tag_kind-]").forEach((cell) => {
    const kind = cell.className.match(/tag_kind-(\w+)/)[1], box = cell.querySelector(":scope > details");
    if (box) box.open = CHOICES[choice].includes(kind);
  });
}

function press(choice) {
  document.querySelectorAll(".code-switch button").forEach((o) => o.setAttribute("aria-pressed", o.textContent === choice));
}

function addSwitch() {
  const place = document.querySelector(".badges");
  if (!place || !document.querySelector("div.cell > details")) return;
  const group = document.createElement("span"), own = /\/nbs\/(\d[^/]*|course\/10_deck\.html)$/.test(location.pathname) ? "folded" : "shown";
  group.className = "code-switch"; group.setAttribute("role", "group"); group.setAttribute("aria-label", "Code on all pages");
  group.append("Code: ");
  for (const choice of Object.keys(CHOICES)) {
    const button = document.createElement("button");
    button.type = "button"; button.textContent = choice;
    button.addEventListener("click", () => { remember(choice); showCode(choice); press(choice); });
    group.append(button);
  }
  place.append(group);
  const before = remembered();
  if (before in CHOICES) showCode(before);
  press(before in CHOICES ? before : own);
}

// The sidebar shows the current page, however long the list is.
function showCurrent() {
  const box = document.querySelector(".sidebar-scroll"), here = document.querySelector(".sidebar-tree .current-page");
  if (!box || !here) return;
  const [a, b] = [box.getBoundingClientRect(), here.getBoundingClientRect()];
  if (b.top < a.top || b.bottom > a.bottom) box.scrollBy({ top: b.top - a.top - a.height / 3, behavior: "instant" });
}

// A page in a frame is as dark as the page around it. Where it may not be touched it is told, and does it by itself.
const frames = () => [...document.querySelectorAll("div.cell_output iframe")];

function isDark() {
  const theme = document.body.dataset.theme;
  return theme === "dark" || (theme !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
}

function matchFrame(frame) {
  const dark = isDark(), theme = dark ? "dark" : "light", page = frame.contentDocument;
  frame.style.colorScheme = theme;
  frame.classList.toggle("has-night", frame.srcdoc.includes("prefers-color-scheme"));   // others are dimmed like pictures
  if (!page) return frame.contentWindow.postMessage({ theme }, "*");
  if (!page.documentElement) return;   // it is just being loaded, and will be matched then
  frame.nights ??= []; page.documentElement.style.colorScheme = theme;
  for (const rule of [...page.styleSheets].flatMap((o) => [...o.cssRules])) if (/prefers-color-scheme/.test(rule.media?.mediaText)) frame.nights.push(rule);
  for (const rule of frame.nights) rule.media.mediaText = dark ? "screen" : "not all";
}

const matchFrames = () => frames().forEach(matchFrame);

// A page in a frame may say how high it is.
addEventListener("message", ({ data, source }) => {
  const frame = Number.isFinite(data?.height) && frames().find((o) => o.contentWindow === source);
  if (frame) frame.style.height = `${Math.min(Math.ceil(data.height), 4000)}px`;
});

// A full stop or a comma stays on the line of the formula before it.
function keepStops() {
  document.querySelectorAll("article span.math").forEach((formula) => {
    const after = formula.nextSibling, stop = after?.nodeType === Node.TEXT_NODE && /^[.,;:!?)\]’”]+/.exec(after.data)?.[0];
    if (!stop) return;
    const both = document.createElement("span");
    both.className = "with-stop";
    formula.replaceWith(both); both.append(formula, stop);
    after.data = after.data.slice(stop.length);
  });
}

// A formula in the text that is wider than the text scrolls in its line.
function fitFormulas() {
  document.querySelectorAll("article span.math mjx-container").forEach((o) => {
    o.classList.remove("wide");
    o.classList.toggle("wide", o.getBoundingClientRect().width > o.closest("p, li, td, dd, figcaption, article").clientWidth);
  });
}

// Search results show a few words of each page. They fetch it, which a browser does not do in a folder: the texts come with texts.js.
if (typeof TEXTS !== "undefined") {
  const safe = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  window.fetch = async (url) => {
    const page = String(url).replace(document.documentElement.dataset.content_root, "").replace(/^\.\//, "").replace(/\.html$/, "");
    const parts = (TEXTS[page] ?? []).map(([id, text]) => `<section id="${id}">${safe(text)} </section>`);
    return { ok: true, text: async () => `<div role="main">${parts.join("")}</div>` };
  };
}

addEventListener("DOMContentLoaded", () => {
  addSwitch(); showCurrent(); keepStops(); matchFrames();
  frames().forEach((o) => o.addEventListener("load", () => matchFrame(o)));   // they load when they come into view
  addEventListener("load", () => window.MathJax?.startup?.promise?.then(fitFormulas));
  addEventListener("resize", fitFormulas);
  new MutationObserver(matchFrames).observe(document.body, { attributes: true, attributeFilter: ["data-theme"] });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", matchFrames);
});
