// Tellings of a game side by side: what differs, where it shows on the table, and how much it matters.

import { byId, fill, h, svg } from "../dom.js";
import * as notes from "../notes.js";
import { language, load, preferred, t, told } from "../words.js";
import { Line } from "./line.js";
import { measures } from "./measures.js";

const GAMES = 500;
const MOST = 3;
const NARROW = matchMedia("(max-width: 760px)");
const GROUPS = { play: (each) => each.changes_play, silences: (each) => each.kind === "silence", words: (each) => !each.changes_play && each.kind !== "silence" };

let games = [];
let game = null;
let chosen = []; // names of tellings, the first the one the others are held against
let found = null;
let shown = new Set(["play"]);
let wanted = "";
let line;
const findings = new Map(); // by number of a difference: {witness, weighed, telling, busy}

async function open() {
  const shelf = await (await fetch("/api/games")).json();
  games = shelf.games.filter((each) => each.variants.length);
  await load(preferred(shelf.languages));
  const select = byId("language");
  fill(select, ...shelf.languages.map((each) => h("option", { value: each, selected: each === language }, each.toUpperCase())));
  select.onchange = async () => {
    await load(select.value);
    await compare();
  };
  line = new Line(hear, (there) => {
    byId("line").textContent = there ? "" : t("line_broken");
    for (const [number, each] of findings) if (each.busy) note(number, { busy: null });
  });
  const named = new URLSearchParams(location.search).getAll("name");
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
  findings.clear();
  choice();
  const query = new URLSearchParams([...chosen.map((name) => ["name", name]), ["language", language]]);
  byId("rows").setAttribute("aria-busy", "true");
  const answer = await fetch(`/api/comparison?${query}`);
  byId("rows").removeAttribute("aria-busy");
  found = await answer.json();
  if (!answer.ok) {
    fill(byId("rows"), h("p", { class: "card" }, found.error.message));
    byId("filters").hidden = true;
    return;
  }
  history.replaceState(null, "", `/comparison?${query}`);
  byId("page").href = `/compare?${query}`;
  byId("page").hidden = false;
  draw();
}

// ------------------------------------------------------------ choosing

function choice() {
  const titles = [["", t("base_edition")], ...game.variants.map((each) => [each.name, told(each.title)])];
  const telling = (at) => {
    const now = chosen[at]?.slice(game.name.length + 1) ?? null;
    const options = at < 2 ? titles : [[null, "–"], ...titles];
    return h("label", {}, h("span", {}, t(at ? "comparing.against" : "comparing.first")), h("select", { onchange: (event) => choose(at, event.target.value) },
      ...options.map(([name, words]) => h("option", { value: name ?? "-", selected: name === now }, words))));
  };
  fill(
    byId("choice"),
    h("label", {}, h("span", {}, t("workshop.which_game")), h("select", { onchange: (event) => { game = games.find((each) => each.name === event.target.value); chosen = usual(game); compare(); } },
      ...games.map((each) => h("option", { value: each.name, selected: each === game }, told(each.title))))),
    telling(0), telling(1), telling(2),
    ...chosen.slice(0, MOST).map((name, at) => h("button", { onclick: () => play(name) }, "▶ ", t("comparing.play", { name: found?.tellings?.[at]?.name === name ? found.tellings[at].title : name }))),
  );
}

function choose(at, name) {
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
  choice();
  const { differences, rows, tellings } = found;
  const byRow = new Map(rows.map((row) => [row.id, row]));
  const fits = (each) => {
    if (![...shown].some((group) => GROUPS[group](each))) return false;
    if (!wanted) return true;
    const texts = each.rows.flatMap((id) => [id, byRow.get(id).title, ...byRow.get(id).cells.map((cell) => cell.text)]);
    return texts.some((text) => text?.toLowerCase().includes(wanted));
  };
  const filter = (group) => h("button", { "aria-pressed": String(shown.has(group)), onclick: () => { if (!shown.delete(group)) shown.add(group); draw(); } }, t(`comparing.${group === "play" ? "play_group" : group}`), " ", String(differences.filter(GROUPS[group]).length));
  const search = h("input", { type: "text", placeholder: t("comparing.search"), "aria-label": t("comparing.search"), value: wanted, oninput: (event) => { wanted = event.target.value.toLowerCase(); list(); } });
  const list = () => {
    const fitting = differences.filter(fits);
    fill(byId("rows"), ...(fitting.length ? fitting.map((each) => difference(each, byRow, tellings)) : [h("p", { class: "tip" }, t("comparing.none"))]));
  };
  fill(byId("filters"), h("p", { class: "headline" }, found.headline), ...Object.keys(GROUPS).map(filter), search);
  byId("filters").hidden = false;
  list();
}

function difference(each, byRow, tellings) {
  const group = Object.keys(GROUPS).find((name) => GROUPS[name](each));
  const row = byRow.get(each.id);
  return h(
    "article",
    { class: `card difference ${group}`, id: `difference-${each.number}` },
    h("header", {}, h("span", { class: "number" }, String(each.number)), h("h3", {}, row.title), h("code", {}, row.id), h("span", { class: "kind" }, each.kind)),
    h("div", { class: "cells" }, ...row.cells.map((cell, at) => telling(cell, tellings[at]))),
    each.changes_play ? deeds(each, tellings) : null,
    h("div", { class: "found" }, ...results(each)),
  );
}

function telling(cell, { title }) {
  const cites = cell.cites.map(({ source, section }) => (section ? `${source}: ${section}` : source)).join(" · ");
  return h(
    "div",
    { class: `cell ${cell.same ? "" : "other"}` },
    h("h4", {}, title),
    h("p", {}, cell.text || "–"),
    cell.because ? h("small", { class: "because" }, cell.because) : null,
    cell.remark && cell.remark !== cell.because ? h("small", {}, cell.remark) : null,
    cites ? h("small", {}, cites) : null,
  );
}

function deeds(each, tellings) {
  const at = each.tellings[0];
  const take = new URLSearchParams([["as", "take"], ["rules", chosen[0]], ["other", chosen[at]], ...each.rows.map((row) => ["row", row])]);
  const busy = findings.get(each.number)?.busy;
  return h(
    "div",
    { class: "deeds" },
    h("button", { disabled: busy, onclick: () => ask("witness", each.number, at) }, t(busy === "witness" ? "comparing.searching" : "comparing.witness")),
    busy === "weigh"
      ? h("button", { onclick: () => { line.stop("weigh"); note(each.number, { busy: null }); } }, t("workshop.stop"))
      : h("button", { disabled: busy, onclick: () => ask("weigh", each.number, at, { games: GAMES }) }, t("comparing.weigh", { games: GAMES })),
    h("a", { class: "button", href: `/workshop?${take}` }, t("comparing.take")),
    tellings.length > 2 ? h("span", { class: "tip" }, t("comparing.as_in", { name: tellings[at].title })) : null,
  );
}

// ------------------------------------------------------------ what is found out

function ask(type, number, telling, more = {}) {
  for (const [other, each] of findings) if (each.busy === type) note(other, { busy: null });
  note(number, { busy: type, telling });
  line.ask(type, { names: chosen, number, telling, language, shape: NARROW.matches ? "tall" : "wide", ...more });
}

function note(number, more) {
  findings.set(number, { ...findings.get(number), ...more });
  draw();
}

function hear(message) {
  if (message.type === "witness") note(message.number, { busy: null, witness: message });
  else if (message.type === "weighed") note(message.number, { busy: message.done < message.of ? "weigh" : null, weighed: message });
  else if (message.type === "stopped") {
    notes.note(message.message);
    for (const [number, each] of findings) if (each.busy === message.what) note(number, { busy: null });
  }
}

function results({ number }) {
  const known = findings.get(number);
  return known ? [known.witness ? witness(known) : null, known.weighed ? weighed(known.weighed) : null] : [];
}

function witness({ witness: { witness: seen, problem }, telling: at }) {
  if (!seen) return h("p", { class: "tip" }, problem || t("comparing.no_witness"));
  const side = ({ lines, why }, title) => h("div", {}, h("h4", {}, title), h("ul", {}, ...lines.map((each) => h("li", {}, each))), ...why.map(({ says, id }) => h("p", { class: "why" }, says, " ", h("code", {}, id))));
  return h(
    "div",
    { class: "witness" },
    seen.svg ? svg(seen.svg) : h("pre", {}, seen.picture),
    h("div", { class: "sides" },
      h("p", {}, seen.begins),
      ...seen.answers.map((each) => h("p", { class: "tip" }, each)),
      side(seen.sides[0], found.tellings[0].title),
      side(seen.sides[1], found.tellings[at].title),
    ),
  );
}

function weighed(told) {
  return h(
    "div",
    { class: "weighed" },
    h("progress", { max: told.of, value: told.done, "aria-label": t("workshop.effect") }),
    h("p", { class: "tip" }, t("workshop.games_played", { done: told.done, of: told.of })),
    measures(told.rows, (seat) => told.seats[seat].replaceAll("_", " ")),
  );
}

open();
