// The lab: many games between bots, and what a number of the rules does.

import { byId, fill, h } from "../dom.js";
import { language, load, preferred, t, told } from "../words.js";
import { Line } from "./line.js";
import * as results from "./results.js";

let games = [];
let game = null;
let variant = "";
let way = "simulate";
let wish = { players: 0, bot: "random", games: 500, seed: 1, choice: "", values: "" };
let known = { choices: [], bots: [] };
let running = false;
let found = null;
let line;

const rules = () => (variant ? `${game.name}+${variant}` : game.name);

async function open() {
  const catalogue = await (await fetch("/api/games")).json();
  games = [...catalogue.games].sort((one, other) => other.variants.length - one.variants.length || one.name.localeCompare(other.name));
  await load(preferred(catalogue.languages));
  const select = byId("language");
  fill(select, ...catalogue.languages.map((each) => h("option", { value: each, selected: each === language }, each.toUpperCase())));
  select.onchange = async () => {
    await load(select.value);
    await turn();
  };
  line = new Line(hear, (there) => { byId("line").textContent = there ? "" : t("line_broken"); });
  const wanted = new URLSearchParams(location.search).get("rules") ?? "";
  game = games.find((each) => each.name === wanted.split("+")[0]) ?? games[0];
  variant = wanted.split("+").slice(1).join("+");
  await turn();
}

/** Other rules: what of them can be varied, and how many play. */
async function turn() {
  const answer = await fetch(`/api/choices?${new URLSearchParams({ rules: rules(), language })}`);
  if (answer.ok) known = await answer.json();
  if (!game.players.includes(wish.players)) wish.players = game.players.at(-1);
  const first = known.choices.find(({ is }) => /^\d+$/.test(is)) ?? known.choices[0];
  wish.choice = first?.id ?? "";
  wish.values = around(first);
  draw();
  show();
}

function around(choice) {
  const value = Number(choice?.is);
  return Number.isInteger(value) ? `${Math.max(0, value - 2)}..${value + 2}` : choice?.is ?? "";
}

// ------------------------------------------------------------ asking

function draw() {
  const select = (label, options, value, change) => h("label", {}, label, h("select", { onchange: (event) => change(event.target.value) }, ...options.map(([key, words]) => h("option", { value: key, selected: String(key) === String(value) }, words))));
  const most = known.bots.find((each) => each.name === wish.bot)?.games ?? 2000;
  wish.games = Math.min(wish.games, most);
  const number = (label, name, high, tip) => h("label", {}, label, h("input", { type: "number", min: 2, max: high, value: wish[name], onchange: (event) => { wish[name] = Math.max(name === "games" ? 2 : 0, Math.min(high, Math.floor(Number(event.target.value) || 0))); event.target.value = wish[name]; } }), tip ? h("small", {}, tip) : null);
  const chosen = known.choices.find((each) => each.id === wish.choice);
  fill(
    byId("wish"),
    h("div", { class: "ways", role: "group" }, ...["simulate", "sweep"].map((each) => h("button", { "aria-pressed": String(way === each), onclick: () => { way = each; found = null; draw(); show(); } }, t(`lab.${each}`)))),
    h("div", { class: "fields" },
      select(t("workshop.which_game"), games.map((each) => [each.name, told(each.title)]), game.name, (name) => { game = games.find((each) => each.name === name); variant = ""; turn(); }),
      game.variants.length ? select(t("workshop.which_rules"), [["", t("base_edition")], ...game.variants.map((each) => [each.name, told(each.title)])], variant, (name) => { variant = name; turn(); }) : null,
      select(t("how_many"), game.players.map((each) => [each, String(each)]), wish.players, (count) => { wish.players = Number(count); }),
      select(t("workshop.bots"), known.bots.map((each) => [each.name, t(`strength_${each.name}`)]), wish.bot, (bot) => { wish.bot = bot; draw(); }),
      number(t("lab.games"), "games", most, t("lab.most", { count: most })),
      number(t("lab.seed"), "seed", 999999),
    ),
    way === "sweep" ? vary(select, chosen) : null,
    h("div", { class: "fields" },
      running
        ? h("button", { class: "main", onclick: stop }, t("workshop.stop"))
        : h("button", { class: "main", disabled: way === "sweep" && !chosen, onclick: run }, t("lab.run")),
      h("span", { class: "tip" }, t("lab.tip")),
    ),
  );
}

function vary(select, chosen) {
  if (!chosen) return h("p", { class: "tip" }, t("lab.no_choices"));
  return h("div", { class: "fields" },
    select(t("lab.choice"), known.choices.map(({ id, is }) => [id, `${id} (${is})`]), wish.choice, (id) => { wish.choice = id; wish.values = around(known.choices.find((each) => each.id === id)); draw(); }),
    h("label", {}, t("lab.values"), h("input", { type: "text", value: wish.values, onchange: (event) => { wish.values = event.target.value; } }), h("small", {}, t("lab.values_tip"))),
    h("span", { class: "tip" }, chosen.says),
  );
}

function run() {
  running = true;
  found = { done: 0, of: wish.games, broken: "" };
  const { players, bot, seed, choice, values } = wish;
  const message = { rules: rules(), players, bot, seed, games: wish.games, language };
  line.ask(way, way === "sweep" ? { ...message, vary: `${choice}=${values}` } : message);
  history.replaceState(null, "", `/lab?${new URLSearchParams({ rules: rules() })}`);
  draw();
  show();
}

function stop() {
  line.stop(way);
  running = false;
  draw();
}

// ------------------------------------------------------------ showing

function hear(message) {
  if (message.type === "stopped" || message.type === "error") {
    running = false;
    found = { ...found, stopped: message.message };
    draw();
  } else if (message.type === "simulated" || message.type === "swept") {
    found = message;
    const over = message.done >= message.of;
    if (over !== !running) {
      running = !over;
      draw();
    }
  } else return;
  show();
}

function show() {
  if (!found) {
    fill(byId("result"), h("section", { class: "card empty" }, h("h2", {}, t("lab.empty")), h("p", {}, t(way === "sweep" ? "lab.empty_sweep" : "lab.empty_simulate"))));
    return;
  }
  fill(
    byId("result"),
    found.of ? h("div", {}, running ? h("progress", { max: found.of, value: found.done || null, "aria-label": t("lab.title") }) : null, h("p", { class: "tip" }, t("lab.done", found))) : null,
    found.broken ? h("p", { class: "broken" }, found.of ? t("lab.broken", { text: found.broken }) : found.broken) : null,
    found.stopped ? h("p", { class: "broken" }, found.stopped) : null,
    ...(found.proof ?? []).map((line) => h("p", { class: "tip" }, line)),
    ...(found.summary ? results.simulation(found.summary) : []),
    ...(found.points ? results.sweep(found) : []),
    found.csv ? h("p", {}, h("a", { class: "button", download: "sweep.csv", href: URL.createObjectURL(new Blob([found.csv], { type: "text/csv" })) }, t("lab.csv"))) : null,
  );
}

open();
