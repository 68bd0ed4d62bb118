// A puzzle: the table of a scenario, the possible answers, and their results.

import { Choosing } from "./choosing.js";
import { byId, chip, fill, h } from "./dom.js";
import * as notes from "./notes.js";
import { Panel } from "./panel.js";
import { Picture } from "./picture.js";
import { puzzleData } from "./server.js";
import { Story } from "./story.js";
import { colon, language, load, initialLanguage, t } from "./words.js";
import { Zoom } from "./zoom.js";

const narrow = matchMedia("(max-width: 760px)");
const { puzzles } = await puzzleData;

let at = 0; // which puzzle,
let step = 0; // which of its questions,
let over = false; // and whether it is solved
let tried = null; // the number of the answer that was given last
let gaveUp = false; // whether that was told, and not found
let choosing = null;

const zoom = new Zoom(byId("table"), byId("zooming"));
const picture = new Picture(byId("table"), pointed, zoom);
const panel = new Panel(byId("question"), {
  chosen: choose,
  picked: pick,
  hinted: (keys) => picture.hint(keys),
  ruled: () => ruled(),
  inPicture: (key) => picture.has(key),
});
const story = new Story(byId("log"), { ruled: () => {} });

const spoken = () => (puzzles[at].languages.includes(language) ? language : puzzles[at].languages[0]);
const told = () => puzzles[at].told[spoken()];
const asked = () => told().steps[step] ?? null;

/** Redraws everything: for another puzzle, question, language or screen shape. */
function show() {
  const { title, asks, players, steps, before, after, story: lines } = told();
  document.title = `${title} – Lawspeaker`;
  byId("title").textContent = title;
  byId("asks").textContent = asks || t(steps.length ? "puzzle.what_would_you_do" : "puzzle.how_many_points");
  byId("which").textContent = puzzles.length > 1 ? `${at + 1} / ${puzzles.length}` : "";
  const pictures = over ? after : (asked()?.scene ?? before);
  picture.players = players;
  picture.show(puzzles[at].pictures[pictures[narrow.matches ? "tall" : "wide"]], false);
  const reached = over ? Infinity : (asked()?.told ?? 0);
  const seen = lines.filter((entry) => entry.reply && entry.reply <= reached && entry.lines.length);
  story.tell(seen, players, true);
  byId("before").hidden = !seen.length;
  byId("give-up").hidden = over;
  document.body.dataset.step = over ? "solved" : step;
  if (over || !asked()) choosing = null;
  question();
  verdict();
}

function question() {
  byId("question").hidden = over;
  picture.about(choosing ? asked().question.about : []);
  picture.mark(choosing?.next ?? new Set(), choosing?.picked ?? [], choosing?.others);
  if (over) return;
  if (choosing) panel.ask(choosing, told().players[asked().seat]);
  else points();
}

// ---------------------------------------------------------------- answering

function pointed(keys, name) {
  const here = choosing && keys.find((key) => choosing.next.has(key) || choosing.picked.includes(key) || choosing.others.has(key));
  if (here) pick(here);
  else if (choosing) notes.note(t("puzzle.not_asked_for", { name: name.split(": ")[0].trim() }));
}

function pick(key) {
  const option = choosing.pick(key);
  if (option) choose(option);
  else question();
}

function choose(option) {
  notes.hide();
  tried = option.number;
  gaveUp = false;
  settle();
}

/** Evaluates the answer; if it is right, the puzzle goes on. */
function settle() {
  const found = asked().results[tried];
  choosing = new Choosing(asked().question);
  if (found.verdict === "right" && step === told().steps.length - 1) over = true;
  show();
  byId("verdict").scrollIntoView({ block: "nearest" });
}

function ruled() {
  const { rule, clause, citations, guards } = asked().question;
  notes.rule({ sentence: rule, clause, citations, guards });
}

/** A question without a choice: how many points does everyone get? */
function points() {
  const { players, points: right } = told();
  const fields = players.map((player) => h("input", { type: "number", inputmode: "numeric", id: `points-${player.seat}`, required: true }));
  const check = (event) => {
    event.preventDefault();
    tried = fields.map((field) => Number(field.value));
    gaveUp = false;
    over = tried.every((guess, seat) => guess === right[seat].points);
    if (over) show();
    else verdict();
  };
  const rows = players.map((player, seat) => h("p", { class: "guess" }, chip(player), h("label", { for: `points-${player.seat}` }, player.name), fields[seat]));
  fill(byId("question"), h("form", { class: "points", onsubmit: check }, ...rows, h("button", { class: "main" }, t("puzzle.check"))));
  if (Array.isArray(tried)) fields.forEach((field, seat) => (field.value = tried[seat]));
}

// ---------------------------------------------------------------- results

function verdict() {
  const frame = byId("verdict");
  frame.hidden = tried === null;
  if (frame.hidden) return;
  const kind = asked() ? asked().results[tried].verdict : over ? "right" : "other";
  frame.className = `card verdict ${kind}`;
  frame.dataset.verdict = kind;
  const last = step === told().steps.length - 1 || !asked();
  fill(
    frame,
    h("h2", {}, t(gaveUp ? "puzzle.answer" : asked() || over ? `puzzle.${kind}` : "puzzle.wrong_points")),
    ...(asked() ? came(asked().question.options[tried].name, asked().results[tried]) : over ? sums() : []),
    over ? about() : null,
    kind === "right" && !last ? h("p", { class: "buttons" }, h("button", { class: "main next", onclick: further }, t("puzzle.further"))) : null,
    over && at < puzzles.length - 1 ? h("p", { class: "buttons" }, h("button", { class: "main next", onclick: () => open(at + 1) }, t("puzzle.next"))) : null,
    over ? h("p", { class: "buttons" }, h("button", { class: "quiet again", onclick: () => open(at) }, t("puzzle.again"))) : null,
  );
}

/** Shows the effects of an answer line by line with their rules, or the rule that forbids it. */
function came(name, { why, lines = [], scored = [], broken = "" }) {
  const { players } = told();
  if (why) {
    return [
      h("p", {}, h("b", {}, name)),
      h("p", { class: "sentence" }, why.sentence),
      why.citations.length ? h("ul", { class: "cites" }, ...why.citations.map((each) => h("li", {}, each))) : null,
    ];
  }
  const rules = new Set(); // each is said once
  const rows = lines.map(({ text, seat, rule }) => {
    const fresh = rule && !rules.has(rule);
    rules.add(rule);
    return h("li", {}, seat === null ? text : colon(players[seat].name, text), fresh ? h("span", { class: "rule" }, rule) : null);
  });
  const gained = players.filter((_, seat) => scored[seat]).map(({ name: who, seat }) => colon(who, `${scored[seat] > 0 ? "+" : ""}${scored[seat]}`));
  return [
    h("p", {}, h("b", {}, name)),
    rows.length ? h("ul", {}, ...rows) : null,
    gained.length ? h("p", {}, gained.join(" · ")) : null,
    broken ? h("p", {}, broken) : null,
  ];
}

/** The points of everyone by rule. */
function sums() {
  const { players, points: right } = told();
  return players.map((player, seat) =>
    h("div", {}, h("p", {}, h("b", {}, colon(player.name, String(right[seat].points)))),
      h("ul", {}, ...right[seat].rows.map(({ points: given, name, rule }) => h("li", { title: name }, `${given > 0 ? "+" : ""}${given} `, h("span", { class: "rule" }, rule || name))))),
  );
}

/** Shows the scenario's title and description, which contain the solution. */
function about() {
  const { about: { text, more, language: own }, cites } = told();
  return h("div", { class: "about" },
    h("p", { lang: own }, h("b", {}, text), more ? ` ${more}` : ""),
    cites.length ? h("ul", { class: "cites" }, ...cites.map((each) => h("li", {}, each))) : null,
  );
}

function further() {
  step += 1;
  tried = null;
  choosing = new Choosing(asked().question);
  show();
}

/** Shows the solution when the reader gives up. */
function giveUp() {
  gaveUp = true;
  if (!asked()) {
    tried = told().points.map(({ points: right }) => right);
    over = true;
    show();
    return;
  }
  tried = asked().results.findIndex(({ verdict: found }) => found === "right");
  settle();
}

function open(which) {
  [at, step, over, tried] = [which, 0, false, null];
  if (puzzles.length > 1) history.replaceState(null, "", `#${at + 1}`);
  zoom.forget();
  choosing = asked() ? new Choosing(asked().question) : null;
  show();
}

// ---------------------------------------------------------------- start

const languages = [...new Set(puzzles.flatMap((each) => each.languages))];
await load(initialLanguage(languages));
zoom.named();
fill(byId("language"), ...languages.map((each) => h("option", { value: each, selected: each === language }, each.toUpperCase())));
byId("language").hidden = languages.length < 2;
byId("language").onchange = async ({ target }) => {
  const said = asked()?.question.options[tried]?.text;
  await load(target.value);
  zoom.named();
  if (choosing) choosing = new Choosing(asked().question);
  // Answers are sorted by name, which depends on the language.
  if (said) tried = asked().question.options.findIndex(({ text }) => text === said);
  show();
};
byId("give-up").onclick = giveUp;
narrow.addEventListener("change", show);
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, select")) return;
  if (choosing && !over && event.key.length === 1 && panel.press(event.key)) event.preventDefault();
  else if (event.key === "Escape") notes.hide();
});
const wanted = Number(location.hash.slice(1)) - 1;
open(wanted in puzzles ? wanted : 0);
