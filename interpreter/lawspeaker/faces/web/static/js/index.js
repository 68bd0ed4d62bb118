// The way to a table: which game, by which rules, who sits where.

import { byId, fill, h } from "./dom.js";
import * as notes from "./notes.js";
import { ask } from "./server.js";
import { preview, Setup } from "./setup.js";
import { language, load, preferred, t, told } from "./words.js";

let games = [];
let bots = [];

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
  await load(preferred(answer.languages));
  const select = byId("language");
  fill(select, ...answer.languages.map((each) => h("option", { value: each, selected: each === language }, each.toUpperCase())));
  select.onchange = async () => {
    await load(select.value);
    show();
  };
  window.addEventListener("hashchange", show);
  show();
}

function show() {
  const game = games.find((each) => `#${each.name}` === location.hash);
  if (game) new Setup(byId("page"), game, bots).show();
  else {
    fill(byId("page"), h("h2", {}, t("welcome")), h("ul", { class: "games" }, ...games.map(card)));
    document.title = "Lawspeaker";
  }
  window.scrollTo(0, 0);
}

function card(game) {
  const few = game.players[0];
  const many = game.players.at(-1);
  const facts = [t("players", { count: few === many ? few : `${few}–${many}` })];
  if (game.by) facts.push(t("by", { name: game.by }));
  return h(
    "li",
    {},
    h(
      "a",
      { class: `game card ${game.variants.length ? "large" : ""}`, href: `#${game.name}` },
      h("div", { class: "picture" }, preview(game.name)),
      h("h3", {}, told(game.title)),
      h("p", { class: "facts" }, facts.join(" · ")),
      h("p", {}, told(game.about)),
    ),
  );
}

begin();
