// Short notes to the player: why something is not allowed, what a rule says, what just happened.

import { byId, fill, h } from "./dom.js";
import { t } from "./words.js";

let fading = 0;
let kept = null; // the frame: it may lie in a dialog that was closed,
let home = null; // and this is where it belongs

/** Shows a rule: its sentence, or the condition that forbids something with the `rule` it belongs to. Sources are
 *  folded. `name` is what was clicked, `away` an element not to cover. */
export function rule({ clause, sentence, rule: whole, citations, guards }, name = "", away = null) {
  const cited = citations?.length ? h("ul", { class: "cites" }, ...citations.map((each) => h("li", {}, each))) : null;
  const id = clause ? h("p", { class: "clause" }, clause) : null;
  show(
    "why",
    name ? h("p", { class: "about" }, name) : null,
    h("p", { class: "sentence" }, sentence),
    whole ? h("p", { class: "lead" }, whole) : null,
    guards?.length ? h("ul", { class: "guards" }, ...guards.map(([, says]) => h("li", {}, says))) : null,
    cited || id ? h("details", { class: "where" }, h("summary", {}, t("stage.where_it_says")), cited, id) : null,
  );
  if (away) clear([away]);
}

/** Moves the note to where it covers least of some elements. */
function clear(away) {
  const frame = byId("note");
  const spared = [...away].map((each) => each.getBoundingClientRect());
  const covered = (high) => {
    frame.classList.toggle("high", high);
    const own = frame.getBoundingClientRect();
    return spared.reduce((sum, each) => {
      const wide = Math.min(own.right, each.right) - Math.max(own.left, each.left);
      const down = Math.min(own.bottom, each.bottom) - Math.max(own.top, each.top);
      return sum + Math.max(0, wide) * Math.max(0, down);
    }, 0);
  };
  const [above, below] = [covered(true), covered(false)];
  frame.classList.toggle("high", above < below);
}

/** Shows how a game would have diverged: `sides` are lists of lines, each with a title. */
export function otherwise(about, { sentence, sides, citations, clause }) {
  const columns = sides.map(([title, lines, kind]) =>
    h("div", { class: kind }, h("h4", {}, title), h("ul", {}, ...lines.map((each) => h("li", {}, each)))),
  );
  show(
    "why wide",
    h("p", { class: "about" }, about),
    h("p", { class: "sentence" }, sentence),
    h("div", { class: "sides" }, ...columns),
    citations.length ? h("ul", { class: "cites" }, ...citations.map((each) => h("li", {}, each))) : null,
    clause ? h("p", { class: "clause" }, clause) : null,
  );
}

/** Shows a hint: `rows` are options with their estimates, the best first; `away` are elements not to cover. */
export function advice(lead, rows, how, words, act, away = []) {
  show(
    "why",
    h("p", { class: "about" }, lead),
    h("ol", { class: "advice" }, ...rows.map(([name, found]) => h("li", {}, h("strong", {}, name), h("small", {}, found)))),
    h("p", { class: "lead" }, how),
    h("button", { class: "main", onclick: () => { hide(); act(); } }, words),
  );
  clear(away);
}

/** A sentence that disappears by itself. */
export function note(text) {
  show("", h("p", {}, text));
  clearTimeout(fading);
  fading = setTimeout(hide, 5000);
}

/** A sentence with a link that opens in another tab. */
export function offer(text, words, href) {
  show("", h("p", {}, text), h("p", {}, h("a", { class: "button main", href, target: "_blank" }, words)));
}

function show(kind, ...parts) {
  clearTimeout(fading);
  const frame = (kept ??= byId("note"));
  home ??= frame.parentElement;
  // Over a modal dialog only its own contents are visible.
  const over = [...document.querySelectorAll("dialog:modal")].at(-1) ?? home;
  if (frame.parentElement !== over) over.append(frame);
  frame.className = `note ${kind}`;
  fill(frame, h("button", { class: "close", "aria-label": t("close"), onclick: hide }, "×"), ...parts);
  frame.hidden = false;
}

export function hide() {
  (kept ??= byId("note")).hidden = true;
}
