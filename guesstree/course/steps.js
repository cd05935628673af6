"use strict";
const byId = (id) => document.getElementById(id);
const texts = JSON.parse(byId("texts").textContent), slider = byId("slider"), play = byId("play");
const marks = [...document.querySelectorAll(".mark")], dot = byId("dot");
let timer = null;
function show() {
  const k = +slider.value;
  for (const m of marks) {
    const gone = +m.dataset.gone, lent = +m.dataset.lent;
    const going = gone === k || (lent >= 0 && lent <= k && k < texts.length - 1);
    m.setAttribute("class", "mark" + (going ? " going" : gone >= 0 && gone < k ? " gone" : ""));
  }
  byId("text").textContent = texts[k][0];
  dot.setAttribute("cx", texts[k][1]); dot.setAttribute("cy", texts[k][2]);
}
function step() {
  slider.value = +slider.value + 1; show();
  if (slider.value === slider.max) run(false);
}
function run(on) {
  clearInterval(timer); timer = null;
  if (on && slider.value === slider.max) slider.value = 0;
  if (on) timer = setInterval(step, 400);
  play.textContent = on ? "pause" : "play"; show();
}
slider.addEventListener("input", () => { run(false); show(); });
play.addEventListener("click", () => run(!timer));
document.querySelector(".bar").hidden = false;
slider.value = 0; show();
