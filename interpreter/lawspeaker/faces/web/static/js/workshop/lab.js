// The lab: simulations, sweeps, tuning and reviews.

import "../head.js";
import { byId, fill, h } from "../dom.js";
import { ask } from "../server.js";
import { language, load, initialLanguage, t, inLanguage } from "../words.js";
import { ownDrafts, openDraft } from "./own_drafts.js";
import { Line } from "./line.js";
import * as results from "./results.js";
import { review } from "./reviews.js";
import { sheet } from "./sheets.js";
import { tuning } from "./tunings.js";

const WAYS = ["simulate", "sweep", "tune", "review", "worth", "drama", "variety", "ladder"];
const ANSWERS = { simulated: "simulate", swept: "sweep", tuned: "tune", reviewed: "review", dramatic: "drama", varied: "variety", laddered: "ladder", worthy: "worth" };
const SAMPLES = { drama: 200, variety: 200, ladder: 20, worth: 1000 }; // the most games, where each takes long
const COUNTED = { review: "lab.random_games", ladder: "lab.deals", worth: "lab.pairs_each" };
const MOST_ROWS = { vary: { sweep: 2, tune: 4 }, target: { tune: 4 }, measure: { sweep: 8, tune: 8 } };

let games = [];
let game = null;
let variants = [];
let drafts = []; // rules in the making: { id, name, rules }, and { files } when they are played by
let draft = null; // the one that games are played by, if any
let way = "simulate";
const wish = { players: 0, bot: "random", games: 500, seed: 1, vary: [["", ""]], target: [["length", ""]], measure: [] };
let known = { choices: [], measures: [], bots: [] };
let running = false;
let begun = 0; // when the run was asked for, in milliseconds
let found = null;
let line;

const rules = () => (draft ? draft.rules : [game.name, ...variants].join("+"));

async function open() {
  const catalogue = await (await ask("/api/games")).json();
  games = [...catalogue.games].sort((one, other) => other.variants.length - one.variants.length || one.name.localeCompare(other.name));
  await load(initialLanguage(catalogue.languages));
  const select = byId("language");
  fill(select, ...catalogue.languages.map((each) => h("option", { value: each, selected: each === language }, each.toUpperCase())));
  select.onchange = async () => {
    await load(select.value);
    await turn();
  };
  line = new Line(hear, (there) => { byId("line").textContent = there ? "" : t("line_broken"); });
  const asked = new URLSearchParams(location.search);
  drafts = await ownDrafts();
  if (asked.has("draft")) await take(asked.get("draft"));
  const wanted = (draft ? draft.rules : asked.get("rules") ?? "").split("+");
  game = games.find((each) => each.name === wanted[0]) ?? games[0];
  variants = draft ? [] : wanted.slice(1);
  if (WAYS.includes(asked.get("way"))) way = asked.get("way");
  if (way === "review") wish.bot = "mc:100";
  await turn();
}

/** Uses a draft: one's own, or one shared by link. */
async function take(id) {
  const found = await openDraft(id);
  if (!found) return;
  draft = found;
  if (!drafts.some((each) => each.id === id)) drafts = [draft, ...drafts];
}

/** Changes the rules: loads their choices, measures and player counts. */
async function turn() {
  const answer = rules() ? await ask(`/api/choices?${new URLSearchParams({ rules: rules(), language })}`) : null;
  if (answer?.ok) known = await answer.json();
  if (!game.players.includes(wish.players)) wish.players = game.players.at(-1);
  if (!known.choices.some(({ id }) => id === wish.vary[0][0])) {
    const first = known.choices.find(({ is }) => /^\d+$/.test(is)) ?? known.choices[0];
    wish.vary = [[first?.id ?? "", around(first)]];
  }
  draw();
  show();
}

function around(choice) {
  const value = choice?.is === undefined || choice.is === "" ? NaN : Number(choice.is);
  return Number.isInteger(value) ? `${Math.max(0, value - 2)}..${value + 2}` : choice?.is ?? "";
}

// ------------------------------------------------------------ asking

function draw() {
  const most = way === "review" ? 2000 : Math.min(SAMPLES[way] ?? 2000, known.bots.find((each) => each.name === wish.bot)?.games ?? 2000);
  wish.games = Math.min(wish.games, most);
  const bots = known.bots.filter(({ name }) => way !== "review" || name !== "random");
  fill(
    byId("wish"),
    h("div", { class: "ways", role: "group", "aria-label": t("lab.title") }, ...WAYS.map((each) => h("button", { "aria-pressed": String(way === each), onclick: () => turnTo(each) }, t(`lab.${each}`)))),
    h("div", { class: "fields" }, ...which(),
      draft && !draft.rules
        ? number(t("how_many"), "players", 64)
        : select(t("how_many"), game.players.map((each) => [each, String(each)]), wish.players, (count) => { wish.players = Number(count); }),
      way === "ladder" ? null : select(t("workshop.bots"), bots.map((each) => [each.name, each.name]), wish.bot, (bot) => { wish.bot = bot; draw(); }),
      number(t(COUNTED[way] ?? "lab.games"), "games", most, t("lab.most", { count: most })),
      number(t("lab.seed"), "seed", 999999),
    ),
    way === "sweep" || way === "tune" ? rows("vary", "lab.choice", "lab.values", "choices", "lab.values_tip") : null,
    way === "tune" ? rows("target", "lab.target", "lab.wanted", "measures", "lab.target_tip") : null,
    way === "sweep" || way === "tune" ? rows("measure", "lab.measure", null, "measures", "lab.measure_tip") : null,
    datalist("choices", known.choices.map(({ id, is }) => [id, `${id} (${is})`])),
    datalist("measures", known.measures.map((each) => [each, each])),
    h("div", { class: "fields" },
      running
        ? h("button", { class: "main", onclick: stop }, t("workshop.stop"))
        : h("button", { class: "main", onclick: run }, t("lab.run")),
      h("span", { class: "tip" }, t("lab.tip")),
    ),
  );
}

function turnTo(other) {
  way = other;
  if (way === "review" && wish.bot === "random") wish.bot = "mc:100";
  found = null;
  draw();
  show();
}

/** The fields for the rules: a game with any of its variants, or a draft. */
function which() {
  const named = ({ name, rules: base, id }) => name || base || id;
  const own = drafts.length ? select(t("lab.draft"), [["", "–"], ...drafts.map((each) => [each.id, named(each)])], draft?.id ?? "", choose) : null;
  if (draft) return [own];
  const ticked = (name) => (event) => {
    variants = event.target.checked ? [...variants, name] : variants.filter((each) => each !== name);
    turn();
  };
  return [
    select(t("workshop.which_game"), games.map((each) => [each.name, inLanguage(each.title)]), game.name, (name) => { game = games.find((each) => each.name === name); variants = []; turn(); }),
    game.variants.length
      ? h("details", { class: "variants", open: variants.length > 0 }, h("summary", {}, variants.length ? t("lab.with_variants", { names: variants.join(" + ") }) : t("base_edition")),
        ...game.variants.map((each) => h("label", { class: "check" }, h("input", { type: "checkbox", checked: variants.includes(each.name), onchange: ticked(each.name) }), inLanguage(each.title))))
      : null,
    own,
  ];
}

async function choose(id) {
  draft = null;
  if (id) await take(id);
  if (draft) game = games.find((each) => each.name === draft.rules.split("+")[0]) ?? game;
  await turn();
}

function select(label, options, value, change) {
  return h("label", {}, label, h("select", { onchange: (event) => change(event.target.value) }, ...options.map(([key, words]) => h("option", { value: key, selected: String(key) === String(value) }, words))));
}

function number(label, name, high, tip) {
  const least = name === "games" ? 2 : name === "players" ? 1 : 0;
  const change = (event) => {
    wish[name] = Math.max(least, Math.min(high, Math.floor(Number(event.target.value) || 0)));
    event.target.value = wish[name];
  };
  return h("label", {}, label, h("input", { type: "number", min: least, max: high, value: wish[name], onchange: change }), tip ? h("small", {}, tip) : null);
}

/** Rows of fields: choices and values, targets, further measures. */
function rows(name, label, other, list, tip) {
  const all = wish[name];
  const line = (row, at) => h("div", { class: "row" },
    h("input", { type: "text", list, value: row[0], "aria-label": t(label), placeholder: t(label), onchange: (event) => {
      row[0] = event.target.value.trim();
      const choice = name === "vary" ? known.choices.find(({ id }) => id === row[0]) : null;
      if (choice) { row[1] = around(choice); draw(); }
    } }),
    other ? h("input", { type: "text", value: row[1], "aria-label": t(other), placeholder: t(other), onchange: (event) => { row[1] = event.target.value.trim(); } }) : null,
    name !== "measure" && all.length === 1 ? null : h("button", { class: "quiet", "aria-label": t("lab.remove", { what: row[0] || t(label) }), onclick: () => { all.splice(at, 1); draw(); } }, "×"),
  );
  const says = name === "vary" ? known.choices.find(({ id }) => id === all[0]?.[0])?.says : "";
  return h("fieldset", { class: "rows" }, h("legend", {}, t(label)),
    ...all.map(line),
    all.length < MOST_ROWS[name][way] ? h("button", { class: "quiet", onclick: () => { all.push(["", ""]); draw(); } }, t(`lab.add_${name}`)) : null,
    h("small", {}, says || t(tip)),
  );
}

const datalist = (id, options) => h("datalist", { id }, ...options.map(([value, label]) => h("option", { value }, label)));

function run() {
  running = true;
  begun = performance.now();
  found = { done: 0, of: 0, broken: "" };
  const { players, bot, seed } = wish;
  const pairs = (name) => wish[name].filter(([of]) => of).map(([of, to]) => `${of}=${to}`);
  const files = draft ? draft.files : [];
  const message = { rules: rules(), files, players, bot, seed, games: wish.games, language };
  const measure = wish.measure.map(([of]) => of).filter(Boolean);
  if (way === "sweep" || way === "tune") Object.assign(message, { vary: pairs("vary"), measure });
  if (way === "tune") message.target = pairs("target");
  line.ask(way, message);
  const address = draft ? { draft: draft.id } : { rules: rules() };
  history.replaceState(null, "", `/lab?${new URLSearchParams({ ...address, way })}`);
  draw();
  show();
}

function stop() {
  line.stop(way);
  running = false;
  found = { ...found, stopped: found?.done ? t("lab.stopped") : "" };
  draw();
  show();
}

// ------------------------------------------------------------ showing

function hear(message) {
  if (message.type === "stopped" || message.type === "error") {
    running = false;
    found = { ...found, stopped: message.message };
    draw();
  } else if (ANSWERS[message.type] === way && running) {
    // Earlier results stay until newer ones arrive.
    found = { ...found, ...message };
    if (message.over || !message.of) {
      running = false;
      found.seconds = (performance.now() - begun) / 1000;
      draw();
    }
  } else return;
  show();
}

const DOING = { "proving bots": "lab.proving", "measuring skill": "lab.measuring_skill", "finding the best bot": "lab.finding_best" };

function show() {
  if (!found) {
    fill(byId("result"), h("section", { class: "card empty" }, h("h2", {}, t("lab.empty")), h("p", {}, t(`lab.empty_${way}`))));
    return;
  }
  const doing = DOING[found.doing] ? `${t(DOING[found.doing])} ` : "";
  fill(
    byId("result"),
    running || found.of ? h("div", {}, running ? h("progress", { max: found.of || 1, value: found.done || null, "aria-label": t("lab.title") }) : null, found.of ? h("p", { class: "tip" }, running ? doing : "", t("lab.done", found)) : null) : null,
    found.broken ? h("p", { class: "broken" }, found.of ? t("lab.broken", { text: found.broken }) : found.broken) : null,
    found.stopped ? h("p", { class: "broken" }, found.stopped) : null,
    ...(found.proof ?? []).map((text) => h("p", { class: "tip" }, text)),
    ...(found.summary ? results.simulation({ ...found.summary, seconds: found.seconds }) : []),
    ...(found.points ? results.sweep(found) : []),
    ...(found.tuning ? tuning(found.tuning) : []),
    ...(found.review ? review(found.review) : []),
    ...(found.sheet ? sheet(found.sheet) : []),
    found.csv && found.over ? h("p", {}, h("a", { class: "button", download: "sweep.csv", href: URL.createObjectURL(new Blob([found.csv], { type: "text/csv" })) }, t("lab.csv"))) : null,
    found.command ? h("p", { class: "command" }, h("small", {}, t("lab.command")), h("code", { tabindex: 0 }, found.command)) : null,
  );
}

open();
