// The page's own words, in the language of whoever reads it.

let words = {};
export let language = "en";

export async function load(wanted) {
  const answer = await fetch(`/api/words?language=${encodeURIComponent(wanted)}`).catch(() => null);
  if (!answer?.ok) return; // the words there are will have to do
  const found = await answer.json();
  words = found.words;
  language = found.language;
  document.documentElement.lang = language;
  for (const each of document.querySelectorAll("[data-words]")) each.textContent = t(each.dataset.words);
  for (const each of document.querySelectorAll("[data-label]")) each.setAttribute("aria-label", t(each.dataset.label));
}

/** A phrase by its name, its placeholders filled. */
export function t(name, values = {}) {
  const text = words[`web.${name}`] ?? name;
  return text.replace(/\{(\w+)\}/g, (all, key) => values[key] ?? all);
}

/** A number with so many digits after the point, as it is written in this language. */
export function figure(value, digits) {
  return value.toLocaleString(language, { minimumFractionDigits: digits, maximumFractionDigits: digits, useGrouping: false });
}

/** A share in percent; no line breaks before the sign. */
export const percent = (value, digits = 1) => `${figure(100 * value, digits)}\u00a0%`;

/** Something and what is said of it; in French a space stands before the colon. */
export const colon = (what, text) => `${what}${language === "fr" ? "\u00a0: " : ": "}${text}`;

/** What a bot is like; one that nobody described is called by its name. */
export function strength(bot) {
  return words[`web.strength_${bot}`] ?? bot;
}

/** A text that a rule file gives in several languages. */
export function told(texts, wanted = language) {
  if (!texts) return "";
  return texts[wanted] ?? texts.en ?? Object.values(texts)[0] ?? "";
}

/** The language to begin with: the last one chosen here, or the browser's. */
export function preferred(known) {
  const asked = new URLSearchParams(location.search).get("language");
  const wishes = [asked, ...navigator.languages.map((each) => each.slice(0, 2))];
  return wishes.find((each) => known.includes(each)) ?? "en";
}
