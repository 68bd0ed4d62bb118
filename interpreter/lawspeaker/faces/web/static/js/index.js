// The start page: chooses a game, its rules and its seats.

import "./head.js";
import { byId, fill, h } from "./dom.js";
import { takeDrops } from "./bring.js";
import { askMine, storedKey } from "./key.js";
import { openCard, tableCard } from "./mine.js";
import * as notes from "./notes.js";
import { ask } from "./server.js";
import { preview, Setup } from "./setup.js";
import { playerCounts, language, load, initialLanguage, t, inLanguage } from "./words.js";

let games = [];
let bots = [];
let listed = null; // tables at which anybody can ask for a seat; null where there are none
let turns = []; // tables that wait for whoever sits here

async function begin() {
  let answer;
  try {
    answer = await (await ask("/api/games")).json();
  } catch {
    notes.note("The server does not answer. Is it still running?");
    return;
  }
  bots = answer.bots;
  games = [...answer.games].sort((one, other) => other.variants.length - one.variants.length || one.name.localeCompare(other.name));
  await load(initialLanguage(answer.languages));
  const select = byId("language");
  fill(select, ...answer.languages.map((each) => h("option", { value: each, selected: each === language }, each.toUpperCase())));
  select.onchange = async () => {
    await load(select.value);
    show();
  };
  window.addEventListener("hashchange", show);
  show();
  takeDrops();
  mine();
  lobby();
}

/** The tables at which anybody can ask for a seat; null where this server has none. */
async function lobby() {
  const answer = await ask("/api/open").catch(() => null);
  const told = answer?.ok ? await answer.json() : { on: false };
  listed = told.on ? told.tables : null;
  drawOpen();
}

function drawOpen() {
  const frame = byId("open");
  if (!frame || !listed) return;
  const cards = listed.map((each) => openCard(each, games));
  fill(
    frame,
    h("div", { class: "head" }, h("h2", {}, t("open.title")), h("button", { class: "quiet", onclick: lobby }, t("open.again"))),
    cards.length ? h("ul", { class: "tables" }, ...cards) : h("p", { class: "tip" }, t("open.none")),
  );
}

/** Lists the tables that wait for this browser's key; none if there is no key. */
async function mine() {
  const answer = storedKey() ? await askMine("/api/home").catch(() => null) : null;
  if (!answer?.ok) return;
  turns = (await answer.json()).tables.filter((each) => each.state === "yours");
  drawTurns();
}

function drawTurns() {
  const frame = byId("turns");
  if (!frame || !turns.length) return;
  fill(
    frame,
    h("div", { class: "head" }, h("h2", {}, t("place.yours_title"))),
    h("ul", { class: "tables" }, ...turns.slice(0, 4).map((each) => tableCard(each, games))),
  );
}

function show() {
  const [name, ...chosen] = decodeURIComponent(location.hash.slice(1)).split("+");
  const game = games.find((each) => each.name === name);
  if (game) new Setup(byId("page"), game, bots, chosen).show();
  else {
    fill(byId("page"), h("section", { id: "turns", class: "my-turn" }), h("section", { id: "open", class: "my-turn" }), h("h2", {}, t("welcome")), h("ul", { class: "games" }, ...games.map(card)));
    drawTurns();
    drawOpen();
    document.title = "Lawspeaker";
  }
  window.scrollTo(0, 0);
}

function card(game) {
  // Games out of a box, with editions and modules, have large cards.
  const large = game.by && game.variants.some(({ layer }) => layer !== "house rule");
  const facts = [t("players", { count: playerCounts(game.players) })];
  if (game.by) facts.push(t("by", { name: game.by }));
  return h(
    "li",
    {},
    h(
      "a",
      { class: `game card ${large ? "large" : ""}`, href: `#${game.name}` },
      h("div", { class: "picture" }, preview(game.name)),
      h("h3", {}, inLanguage(game.title)),
      h("p", { class: "facts" }, facts.join(" · ")),
      h("p", {}, inLanguage(game.about)),
    ),
  );
}

begin();
