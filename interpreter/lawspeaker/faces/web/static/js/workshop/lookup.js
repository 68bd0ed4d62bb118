// What a word means: from the rules themselves, from the manual, from the list of keys and of messages.

import { fill, h } from "../dom.js";
import { t } from "../words.js";

let manual = { chapters: {}, words: {}, forms: [], keys: {}, codes: {} };
let names = [];

export async function load() {
  const answer = await fetch("/api/reference");
  if (answer.ok) manual = await answer.json();
  return manual;
}

export function know(found) {
  names = found;
}

/** Shows all there is to say about a word; false if there is nothing. */
export function look(frame, word) {
  const parts = [...own(word), ...codes(word), ...keys(word), ...language(word)];
  if (!parts.length) return false;
  fill(frame, h("h3", { class: "looked" }, word), ...parts);
  frame.scrollTop = 0;
  return true;
}

/** How one may begin, when there is no word to look up. */
export function empty(frame) {
  const chapters = Object.entries(manual.chapters).filter(([, { title }]) => /^\d+\. /.test(title));
  fill(
    frame,
    h("p", { class: "tip" }, t("workshop.lookup_tip")),
    h("ul", { class: "chapters" }, ...chapters.map(([slug, { title }]) => h("li", {}, h("button", { class: "quiet", onclick: () => chapter(frame, slug) }, title)))),
  );
}

function own(word) {
  const found = names.filter((each) => each.name === word || each.name.split(".").at(-1) === word).slice(0, 4);
  return found.map(({ name, kind, says }) => h("p", { class: "own" }, h("code", {}, name), " ", h("small", {}, kind), says ? h("span", { class: "says" }, says) : null));
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
  const slugs = manual.words[word];
  if (!slugs) return [];
  const forms = manual.forms.filter(([form]) => new RegExp(`\`[^\`]*\\b${word}\\b[^\`]*\``).test(form)).slice(0, 6);
  const parts = [];
  if (forms.length) parts.push(h("ul", { class: "forms" }, ...forms.map(([form]) => h("li", {}, ...inline(form)))));
  for (const slug of new Set(slugs)) if (manual.chapters[slug]) parts.push(...told(manual.chapters[slug]));
  return parts;
}

function chapter(frame, slug) {
  fill(frame, h("button", { class: "quiet", onclick: () => empty(frame) }, "← ", t("back")), ...told(manual.chapters[slug]));
  frame.scrollTop = 0;
}

function told({ title, text }) {
  const parts = [h("h4", {}, title)];
  for (const [number, block] of text.split(/^```.*$/m).entries()) {
    if (number % 2) parts.push(h("pre", {}, block.trim()));
    else {
      const paragraphs = block.split(/\n\n+/).filter((each) => each.trim() && !each.includes("|---"));
      parts.push(...paragraphs.map((each) => h("p", {}, ...inline(each.trim().replace(/\n/g, " ")))));
    }
  }
  return parts;
}

/** Code, bold words and links of a text; links stay words. */
function inline(text) {
  return text
    .replace(/\[([^\]]+)\]\([^)]*\)/g, "$1")
    .split(/(`[^`]+`|\*\*[^*]+\*\*)/)
    .filter(Boolean)
    .map((part) => {
      if (part.startsWith("`")) return h("code", {}, part.slice(1, -1));
      return part.startsWith("**") ? h("strong", {}, part.slice(2, -2)) : part;
    });
}
