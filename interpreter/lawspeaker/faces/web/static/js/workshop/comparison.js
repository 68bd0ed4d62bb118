// Tellings of a game side by side: what differs, where it shows on the table, and how much it matters.

import { byId, fill, h } from "../dom.js";
import * as notes from "../notes.js";
import { language, load, preferred, t, told } from "../words.js";
import { Differences, heavierFirst } from "./differences.js";
import { Line } from "./line.js";
import { Mixing } from "./mixing.js";

const MOST = 4;
const GROUPS = { play: (each) => each.changes_play, contradictions: (each) => ["contradiction", "otherwise"].includes(each.kind), silences: (each) => each.kind === "silence", words: (each) => ["terms only", "wording only"].includes(each.kind), box: (each) => each.kind === "box" };

let games = [];
let game = null;
let chosen = []; // names of tellings, the first the one the others are held against
let found = null;
let shown = new Set(["play"]);
let wanted = "";
let by = "book"; // or by "effect": what was found to matter most comes first
let line, cards, mixing;
let picks = []; // those of the link that was followed

/** Words in small letters without accents, as rows have those by which they are found. */
const folded = (text) => text.toLowerCase().normalize("NFKD").replace(/\p{M}/gu, "").replace(/ß/g, "ss").split(/[^\p{L}\p{N}]+/u).filter(Boolean);

async function open() {
  const catalogue = await (await fetch("/api/games")).json();
  games = catalogue.games.filter((each) => each.variants.length);
  await load(preferred(catalogue.languages));
  const select = byId("language");
  fill(select, ...catalogue.languages.map((each) => h("option", { value: each, selected: each === language }, each.toUpperCase())));
  select.onchange = async () => {
    await load(select.value);
    await compare();
  };
  line = new Line((message) => { cards?.hear(message); mixing?.hear(message); }, (there) => {
    byId("line").textContent = there ? "" : t("line_broken");
    mixing?.lost();
    cards?.lost();
  });
  const query = new URLSearchParams(location.search);
  const named = query.getAll("name");
  picks = query.getAll("pick");
  game = games.find((each) => each.name === named[0]?.split("+")[0]) ?? games.toSorted((one, other) => editions(other) - editions(one))[0];
  chosen = named.length >= 2 ? named.slice(0, MOST) : usual(game);
  await compare();
}

const editions = (of) => of.variants.filter((each) => each.layer === "edition").length;

/** The game as in its book, and its first editions. */
function usual(of) {
  const editions = of.variants.filter((each) => each.layer === "edition");
  const others = (editions.length ? editions : of.variants).slice(0, MOST - 1);
  return [of.name, ...others.map((each) => `${of.name}+${each.name}`)].slice(0, Math.max(2, MOST - 1));
}

async function compare() {
  line.stop("witness");
  line.stop("weigh");
  line.stop("balance");
  picks = mixing?.wanted ?? picks;
  cards = found = mixing = null;
  byId("mix").hidden = true;
  choice();
  byId("filters").hidden = true;
  byId("page").hidden = true;
  const rows = byId("rows");
  rows.setAttribute("aria-busy", "true");
  fill(rows, h("p", { class: "card waiting" }, t("comparing.working")));
  const asked = new URLSearchParams([...chosen.map((name) => ["name", name]), ["language", language]]);
  const answer = await fetch(`/api/comparison?${asked}`);
  const data = await answer.json();
  rows.removeAttribute("aria-busy");
  if (!answer.ok) {
    fill(rows, h("p", { class: "card" }, data.error.message));
    return;
  }
  found = data;
  byId("page").href = `/compare?${asked}`;
  byId("page").hidden = false;
  mixing = new Mixing(found, chosen, line, draw, picks);
  cards = new Differences(found, chosen, line, draw, mixing);
  await mixing.renew();
}

// ------------------------------------------------------------ choosing

function choice() {
  const titles = [["", t("base_edition")], ...game.variants.map((each) => [each.name, told(each.title)])];
  const telling = (at) => {
    const now = chosen[at]?.slice(game.name.length + 1) ?? null;
    const options = at < 2 ? titles : [[null, "–"], ...titles];
    const label = ["comparing.first", "comparing.against", "comparing.and", "comparing.and"][at];
    return h(
      "div",
      { class: "slot" },
      h("label", {}, h("span", {}, t(label)), h("select", { onchange: (event) => choose(at, event.target.value) },
        ...options.map(([name, words]) => h("option", { value: name ?? "-", selected: name === now }, words)))),
      chosen[at] ? h("button", { class: "play", onclick: () => play(chosen[at]) }, "▶ ", t("comparing.play")) : null,
    );
  };
  fill(
    byId("choice"),
    h("div", { class: "slot" }, h("label", {}, h("span", {}, t("workshop.which_game")), h("select", { onchange: (event) => { game = games.find((each) => each.name === event.target.value); chosen = usual(game); picks = []; mixing = null; compare(); } },
      ...games.map((each) => h("option", { value: each.name, selected: each === game }, told(each.title)))))),
    ...Array.from({ length: Math.min(MOST, Math.max(3, chosen.length + 1)) }, (_, at) => telling(at)),
  );
}

/** Picks name tellings by their places, so they are for these tellings only. */
function choose(at, name) {
  picks = [];
  mixing = null;
  if (name === "-") chosen.splice(at, 1);
  else chosen[at] = name ? `${game.name}+${name}` : game.name;
  compare();
}

async function play(rules) {
  const count = game.players[0];
  const seats = Array.from({ length: count }, (_, at) => ({ who: at ? "greedy" : "me" }));
  const answer = await fetch("/api/tables", { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ rules, language, seats }) });
  const told = await answer.json();
  if (answer.ok) location.href = told.link;
  else notes.note(told.error.message);
}

// ------------------------------------------------------------ rows

function draw() {
  const { differences, rows, counts } = found;
  const byRow = new Map(rows.map((row) => [row.id, row]));
  const fits = (each) => {
    if (![...shown].some((group) => GROUPS[group](each))) return false;
    if (!wanted) return true;
    const words = each.rows.map((id) => ` ${byRow.get(id).words}`).join(" ");
    return folded(wanted).every((word) => words.includes(` ${word}`));
  };
  const filter = (group) => h("button", { "aria-pressed": String(shown.has(group)), onclick: () => { if (!shown.delete(group)) shown.add(group); draw(); } }, t(`comparing.${group === "play" ? "play_group" : group}`), " ", h("b", {}, String(counts[group])));
  const search = h("input", { type: "text", placeholder: t("comparing.search"), "aria-label": t("comparing.search"), value: wanted, oninput: (event) => { wanted = event.target.value; list(); } });
  const list = () => {
    const fitting = differences.filter(fits);
    if (by === "effect") fitting.sort((one, other) => heavierFirst(cards.weight(one), cards.weight(other)) || one.number - other.number);
    fill(byId("rows"), ...found.about_texts.map((each) => h("p", { class: "tip" }, each)), ...(fitting.length ? fitting.map((each) => cards.card(each, Object.keys(GROUPS).find((name) => GROUPS[name](each)))) : [h("p", { class: "card waiting" }, t(differences.length ? "comparing.none" : "comparing.same"))]));
  };
  const writing = document.activeElement?.closest("#filters input") ? document.activeElement.selectionStart : null;
  fill(byId("filters"), h("div", { class: "groups", role: "group" }, ...Object.keys(GROUPS).filter((group) => group === "play" || counts[group]).map(filter)), search, cards.all.of > 1 ? weighing() : null);
  byId("filters").hidden = !differences.length;
  if (writing !== null) {
    search.focus();
    search.setSelectionRange(writing, writing);
  }
  list();
  history.replaceState(null, "", `/comparison?${mixing.query}`);
  byId("mix").hidden = !mixing.picks.size;
  fill(byId("mix"), mixing.picks.size ? mixing.panel(game.players[0]) : null);
}

/** All differences weighed one after the other, and then in the order of their weight. */
function weighing() {
  const { done, of } = cards.all;
  const order = (name) => h("button", { "aria-pressed": String(by === name), onclick: () => { by = name; draw(); } }, t(`comparing.by_${name}`));
  if (cards.queue.length) {
    return h("div", { class: "weighing" },
      h("progress", { max: of, value: done, "aria-label": t("comparing.weigh_all") }),
      h("span", { class: "tip" }, t("comparing.weighed_all", { done, of })),
      h("button", { onclick: () => cards.stop() }, t("workshop.stop")),
    );
  }
  return h("div", { class: "weighing" },
    cards.weighed ? h("div", { class: "groups", role: "group" }, order("book"), order("effect")) : null,
    done < of ? h("button", { onclick: () => { by = "effect"; cards.weighAll(); } }, t("comparing.weigh_all")) : null,
  );
}

open();
