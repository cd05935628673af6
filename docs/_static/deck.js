// Turns slides by key, click and address; keeps a window with the notes of the presenter.
const slides = [...document.querySelectorAll(".slide")], started = Date.now();
let at = 0, beside = null;

const minute = (k) => Number(slides[k].dataset.minute);
const title = (k) => slides[k].querySelector("h2").textContent;

function go(k, say = true) {
  at = Math.min(Math.max(k, 0), slides.length - 1);
  slides.forEach((o, i) => o.classList.toggle("here", i === at));
  document.getElementById("where").textContent = `${at + 1} of ${slides.length}`;
  if (say) history.replaceState(null, "", `#${at + 1}`);
  tell();
}

// What the presenter sees: the notes, what comes next, and how the time compares with the plan
function tell() {
  if (!beside || beside.closed) return;
  const passed = Math.floor((Date.now() - started) / 60000), next = at + 1 < slides.length;
  const until = next ? minute(at + 1) : 120;
  const doc = beside.document, row = (name, text) => { const o = doc.createElement(name); o.textContent = text; return o; };
  const notes = doc.importNode(slides[at].querySelector(".notes"), true);
  doc.title = "Notes";
  doc.body.replaceChildren(row("p", `minute ${minute(at)} to ${until}; ${passed} have passed since the slides were opened`), row("h1", title(at)), notes,
    row("p", next ? `Next: ${title(at + 1)}` : "This is the last slide."));
}

function openNotes() {
  if (!beside || beside.closed) {
    beside = window.open("", "guesstree-notes", "width=700,height=520");
    if (!beside) { document.body.classList.toggle("with-notes"); return; }   // no second window: below the slide
    beside.document.head.innerHTML = "<style>body { font: 22px/1.4 Helvetica, Arial, sans-serif; margin: 1.2em; color-scheme: light dark } p { color: GrayText } h1 { font-size: 1.2em }</style>";
    beside.addEventListener("keydown", turn);
  }
  tell();
}

function turn(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const key = event.key, step = { ArrowRight: 1, ArrowDown: 1, PageDown: 1, " ": 1, ArrowLeft: -1, ArrowUp: -1, PageUp: -1 }[key];
  if (matchMedia("(max-width: 700px)").matches && event.view === window) return;   // there the page scrolls
  if (step) go(at + step);
  else if (key === "Home") go(0);
  else if (key === "End") go(slides.length - 1);
  else if (key === "n") return openNotes();
  else if (key === "s") return document.body.classList.toggle("with-notes");
  else return;
  event.preventDefault();
}

addEventListener("keydown", turn);
addEventListener("hashchange", () => go(Number(location.hash.slice(1)) - 1 || 0, false));
document.getElementById("back").addEventListener("click", () => go(at - 1));
document.getElementById("on").addEventListener("click", () => go(at + 1));
document.getElementById("notes").addEventListener("click", openNotes);
setInterval(tell, 20000);
go(Number(location.hash.slice(1)) - 1 || 0, false);
