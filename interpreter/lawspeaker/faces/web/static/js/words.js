// The page's own words, in the language of whoever reads it.

import { ask } from "./server.js";

let words = {};
export let language = "en";

export async function load(wanted) {
  const answer = await ask(`/api/words?language=${encodeURIComponent(wanted)}`).catch(() => null);
  if (!answer?.ok) return; // the words there are will have to do
  const found = await answer.json();
  words = found.words;
  language = found.language;
  document.documentElement.lang = language;
  for (const each of document.querySelectorAll("[data-words]")) each.textContent = t(each.dataset.words);
  for (const each of document.querySelectorAll("[data-label]")) each.setAttribute("aria-label", t(each.dataset.label));
}

/** A text as it is searched: by small letters, with the spaces and apostrophes that a keyboard has. */
export const searched = (text) => text.toLocaleLowerCase().normalize("NFKC").replaceAll("’", "'");

/** A phrase by its name, its placeholders filled. */
export function t(name, values = {}) {
  const text = words[`web.${name}`] ?? name;
  return text
    .replace(/\{(\w+):([^{}|]*)\|([^{}|]*)\}/g, (all, key, one, many) => (single(values[key]) ? one : many))
    .replace(/\{(\w+)\}/g, (all, key) => (typeof values[key] === "number" ? numeral(values[key]) : (values[key] ?? all)));
}

/** Numbers of players, from the fewest: `3`, `2–4`, `2 or 4`. */
export function counted(counts) {
  const last = counts.at(-1);
  if (counts.length === 1) return last;
  if (last - counts[0] + 1 === counts.length) return `${counts[0]}–${last}`;
  return t("counts_or", { others: counts.slice(0, -1).join(", "), last });
}

/** Whether a word stands in the singular with a number; in French nought is singular, too. */
const single = (number) => ["1", ...(language === "fr" ? ["0"] : [])].includes(String(number));

/** A number as people read it: what is below nought with a minus sign, not a hyphen. */
export const numeral = (value) => String(value).replace("-", "−");

/** A number with so many digits after the point, as it is written in this language; a change (`signed`) has its sign.
 *  What is rounded to nothing has none. */
export function figure(value, digits, signed = false) {
  const rounded = Number(value.toFixed(digits)) || 0;
  const sign = signed && rounded > 0 ? "+" : "";
  return sign + numeral(rounded.toLocaleString(language, { minimumFractionDigits: digits, maximumFractionDigits: digits, useGrouping: false }));
}

/** A share in percent; no line breaks before the sign. */
export const percent = (value, digits = 1, signed = false) => `${figure(100 * value, digits, signed)}\u00a0%`;

/** Something and what is said of it; in French a space stands before the colon. */
export const colon = (what, text) => `${what}${language === "fr" ? "\u00a0: " : ": "}${text}`;

/** Some names as they are said: with a word before the last. */
export const listed = (names) => new Intl.ListFormat(language === "en" ? "en-GB" : language, { type: "conjunction" }).format(names);

/** What a bot is called at a table: how well it plays, where it is a step of the game's ladder, or else how it thinks. */
export function strength(bot, level = "") {
  return words[`web.layout.level_${level}`] ?? thinking(bot);
}

/** The same with its name, as on every command line and in every table of the lab: where one is chosen or measured. */
export const technical = (bot, level) => `${strength(bot, level)} (${bot})`;

/** How a bot comes to its choices, in a few words. */
function thinking(bot) {
  const [, learned, kind, effort = ""] = bot.match(/^(learned)?(?::[^+]*)?\+?([a-z]*):?(\w*)$/) ?? [];
  if (learned) return t(kind ? "layout.bot_learned_ahead" : "layout.bot_learned");
  if (effort.endsWith("ms")) return t("layout.bot_timed", { time: `${parseInt(effort, 10)}\u00a0ms` });
  const key = `layout.bot_${kind === "flat" ? "mc" : kind}`;
  return words[`web.${key}`] ? t(key, { count: Number(effort).toLocaleString(language) }) : bot;
}

/** A text that a rule file gives in several languages. */
export function told(texts, wanted = language) {
  if (!texts) return "";
  return texts[wanted] ?? texts.en ?? Object.values(texts)[0] ?? "";
}

/** The language that was chosen: it stands in the address, or is kept by the browser, and so goes from
 *  page to page; null if none was. */
export function chosenLanguage() {
  const asked = new URLSearchParams(location.search).get("language");
  if (asked) return asked;
  try {
    return localStorage.getItem("language");
  } catch {
    return null; // a browser that keeps nothing
  }
}

/** A language was chosen here, and is from now on on all pages. */
function keep(wanted) {
  const address = new URL(location.href);
  let kept = true;
  try {
    localStorage.setItem("language", wanted);
  } catch {
    kept = false;
  }
  if (kept && !address.searchParams.has("language")) return;
  address.searchParams.set("language", wanted);
  history.replaceState(null, "", address);
}

document.addEventListener("change", ({ target }) => target.matches("#language, [data-speaks]") && keep(target.value), { capture: true });

/** What a server is told of the languages wanted, as fields of a query: the one chosen, and those of the browser, which
 *  count for guests before the one in which somebody else has set up a table. */
export function wishes() {
  const chosen = chosenLanguage();
  const browser = [...new Set(navigator.languages.map((each) => each.slice(0, 2).toLowerCase()))].slice(0, 8).join(",");
  return { ...(chosen ? { language: chosen } : {}), ...(browser ? { browser } : {}) };
}

/** The language to begin with: the one chosen, or the browser's. */
export function preferred(known) {
  const wanted = [chosenLanguage(), ...navigator.languages.map((each) => each.slice(0, 2))];
  return wanted.find((each) => known.includes(each)) ?? "en";
}
