// Phrases and number formats in the reader's language.

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

/** Normalizes a text for searching: lower case, with the spaces and apostrophes of a keyboard. */
export const searchKey = (text) => text.toLocaleLowerCase().normalize("NFKC").replaceAll("’", "'");

/** A phrase by name, with its placeholders filled. */
export function t(name, values = {}) {
  const text = words[`web.${name}`] ?? name;
  return text
    .replace(/\{(\w+):([^{}|]*)\|([^{}|]*)\}/g, (all, key, one, many) => (single(values[key]) ? one : many))
    .replace(/\{(\w+)\}/g, (all, key) => (typeof values[key] === "number" ? numeral(values[key]) : (values[key] ?? all)));
}

/** Formats numbers of players, ascending: `3`, `2–4`, `2 or 4`. */
export function playerCounts(counts) {
  const last = counts.at(-1);
  if (counts.length === 1) return last;
  if (last - counts[0] + 1 === counts.length) return `${counts[0]}–${last}`;
  return t("counts_or", { others: counts.slice(0, -1).join(", "), last });
}

/** Whether a number takes the singular; in French also 0. */
const single = (number) => ["1", ...(language === "fr" ? ["0"] : [])].includes(String(number));

/** Formats a number with a minus sign instead of a hyphen. */
export const numeral = (value) => String(value).replace("-", "−");

/** Formats a number with fixed digits in this language; a change (`signed`) gets a sign. Zero has none. */
export function figure(value, digits, signed = false) {
  const rounded = Number(value.toFixed(digits)) || 0;
  const sign = signed && rounded > 0 ? "+" : "";
  return sign + numeral(rounded.toLocaleString(language, { minimumFractionDigits: digits, maximumFractionDigits: digits, useGrouping: false }));
}

/** Formats a share in percent with a no-break space. */
export const percent = (value, digits = 1, signed = false) => `${figure(100 * value, digits, signed)}\u00a0%`;

/** Joins a label and a text; in French a space precedes the colon. */
export const colon = (what, text) => `${what}${language === "fr" ? "\u00a0: " : ": "}${text}`;

/** Lists names, with a conjunction before the last. */
export const listed = (names) => new Intl.ListFormat(language === "en" ? "en-GB" : language, { type: "conjunction" }).format(names);

/** The display name of a bot: its level on the game's ladder, or its method. */
export function strength(bot, level = "") {
  return words[`web.layout.level_${level}`] ?? thinking(bot);
}

/** The same with the technical name, for where bots are chosen or measured. */
export const strengthAndName = (bot, level) => `${strength(bot, level)} (${bot})`;

/** Describes in a few words how a bot chooses. */
function thinking(bot) {
  const [, learned, kind, effort = ""] = bot.match(/^(learned)?(?::[^+]*)?\+?([a-z]*):?(\w*)$/) ?? [];
  if (learned) return t(kind ? "layout.bot_learned_ahead" : "layout.bot_learned");
  if (effort.endsWith("ms")) return t("layout.bot_timed", { time: `${parseInt(effort, 10)}\u00a0ms` });
  const key = `layout.bot_${kind === "flat" ? "mc" : kind}`;
  return words[`web.${key}`] ? t(key, { count: Number(effort).toLocaleString(language) }) : bot;
}

/** Picks a language from a multilingual text of a rule file. */
export function inLanguage(texts, wanted = language) {
  if (!texts) return "";
  return texts[wanted] ?? texts.en ?? Object.values(texts)[0] ?? "";
}

/** The chosen language, from the URL or from storage; null if none was chosen. */
function chosenLanguage() {
  const asked = new URLSearchParams(location.search).get("language");
  if (asked) return asked;
  try {
    return localStorage.getItem("language");
  } catch {
    return null; // a browser that keeps nothing
  }
}

/** Stores the chosen language for all pages. */
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

/** The wanted languages as query parameters: the chosen one, and those of the browser, which for guests take
 *  precedence over the table's. */
export function languageWishes() {
  const chosen = chosenLanguage();
  const browser = [...new Set(navigator.languages.map((each) => each.slice(0, 2).toLowerCase()))].slice(0, 8).join(",");
  return { ...(chosen ? { language: chosen } : {}), ...(browser ? { browser } : {}) };
}

/** The initial language: the chosen one, or the browser's. */
export function initialLanguage(known) {
  const wanted = [chosenLanguage(), ...navigator.languages.map((each) => each.slice(0, 2))];
  return wanted.find((each) => known.includes(each)) ?? "en";
}
