// Short words to the player: why something is not allowed, what a rule says, what just happened.

import { byId, fill, h } from "./dom.js";
import { t } from "./words.js";

let fading = 0;

/** A rule with its sentence and its sources; `name` is what was pointed at, `lead` what the sentence answers. */
export function rule({ clause, lead, sentence, citations, guards }, name = "") {
  show(
    "why",
    name ? h("p", { class: "about" }, name) : null,
    lead ? h("p", { class: "lead" }, lead) : null,
    h("p", { class: "sentence" }, sentence),
    guards?.length ? h("ul", { class: "guards" }, ...guards.map(([, says]) => h("li", {}, says))) : null,
    citations?.length ? h("ul", { class: "cites" }, ...citations.map((each) => h("li", {}, each))) : null,
    clause ? h("p", { class: "clause" }, clause) : null,
  );
}

/** What would have been otherwise: `sides` are lists of lines, each under its title. */
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

/** What a bot would do: `rows` are names with what was found of them, the best first. */
export function advice(lead, rows, how, words, act) {
  show(
    "why",
    h("p", { class: "about" }, lead),
    h("ol", { class: "advice" }, ...rows.map(([name, found]) => h("li", {}, h("strong", {}, name), h("small", {}, found)))),
    h("p", { class: "lead" }, how),
    h("button", { class: "main", onclick: () => { hide(); act(); } }, words),
  );
}

/** A sentence that goes away by itself. */
export function note(text) {
  show("", h("p", {}, text));
  clearTimeout(fading);
  fading = setTimeout(hide, 5000);
}

/** A sentence with a link that opens beside this page. */
export function offer(text, words, href) {
  show("", h("p", {}, text), h("p", {}, h("a", { class: "button main", href, target: "_blank" }, words)));
}

function show(kind, ...parts) {
  clearTimeout(fading);
  const frame = byId("note");
  frame.className = `note ${kind}`;
  fill(frame, h("button", { class: "close", "aria-label": t("close"), onclick: hide }, "×"), ...parts);
  frame.hidden = false;
}

export function hide() {
  byId("note").hidden = true;
}
