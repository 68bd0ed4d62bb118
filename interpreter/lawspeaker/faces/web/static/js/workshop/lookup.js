// Looks a word up: in the rules, the manual, the list of keys, and the list of diagnostic codes.

import { fill, h } from "../dom.js";
import { ask } from "../server.js";
import { t } from "../words.js";
import { inline, paragraphs } from "./markdown.js";

let manual = { pages: [], chapters: {}, words: {}, forms: [], keys: {}, codes: {} };

export async function load() {
  const answer = await ask("/api/reference");
  if (answer.ok) manual = await answer.json();
  return manual;
}

/** Shows everything about a word; false if there is nothing. `own` is the documentation in the rules. */
export function look(frame, word, own = "") {
  const parts = [...paragraphs(own), ...codes(word), ...(own ? [] : [...keys(word), ...language(word)])];
  if (!parts.length) return false;
  fill(frame, h("h3", { class: "looked" }, word), ...parts);
  frame.scrollTop = 0;
  return true;
}

/** Shows an introduction when there is no word to look up. */
export function empty(frame) {
  fill(
    frame,
    h("p", { class: "tip" }, t("workshop.lookup_tip")),
    h("ul", { class: "chapters" }, ...manual.pages.map((key) => h("li", {}, h("button", { class: "quiet", onclick: () => chapter(frame, key) }, manual.chapters[key].title)))),
  );
}

function keys(word) {
  return (manual.keys[word] ?? []).slice(0, 4).map((text) => h("p", {}, h("code", {}, `${word}:`), " ", ...inline(text)));
}

function codes(word) {
  const found = manual.codes[word];
  if (!found) return [];
  return [
    h("p", {}, h("strong", {}, found.title), ". ", ...inline(found.text)),
    found.before ? h("pre", { class: "before" }, found.before) : null,
    found.after ? h("pre", { class: "after" }, found.after) : null,
  ];
}

function language(word) {
  const explained = manual.words[word];
  if (!explained) return [];
  const forms = manual.forms.filter(([form]) => new RegExp(`\`[^\`]*\\b${word}\\b[^\`]*\``).test(form)).slice(0, 6);
  const parts = [];
  if (forms.length) parts.push(h("ul", { class: "forms" }, ...forms.map(([form]) => h("li", {}, ...inline(form)))));
  for (const key of new Set(explained)) parts.push(...told(manual.chapters[key]));
  return parts;
}

function chapter(frame, key) {
  fill(frame, h("button", { class: "quiet", onclick: () => empty(frame) }, "← ", t("back")), ...told(manual.chapters[key]));
  frame.scrollTop = 0;
}

function told({ title, text }) {
  return [h("h4", {}, title), ...paragraphs(text)];
}
