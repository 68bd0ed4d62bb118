// The start page of a game: chooses seats and starts a table, or resumes a stored game.

import { storedGames, deleteGame, storeGame, newSeed, newToken } from "./keeping.js";
import { offer } from "./offline.js";
import { byId, chip, fill, h } from "../static/js/dom.js";
import { colon, language, load, initialLanguage, t, strengthAndName, inLanguage } from "../static/js/words.js";

const site = new URL("..", import.meta.url);
const games = JSON.parse(byId("games").textContent);
const game = games.length === 1 && byId("start") ? games[0] : null;
const levels = new Map(Object.entries(game?.levels ?? {}).map(([level, bot]) => [bot, level]));
const USUAL = game?.usual;
let count = game ? Math.max(2, game.players[0]) : 0;
const seats = game ? Array.from({ length: game.players.at(-1) }, (_, at) => ({ who: at ? USUAL : "me", name: "" })) : [];

const link = (path) => new URL(`${path}${path.includes("?") ? "&" : "?"}language=${language}`, site).href;

async function show() {
  for (const each of document.querySelectorAll("[data-game]")) {
    const about = games.find(({ stem }) => stem === each.dataset.game);
    const says = { title: inLanguage(about.title), about: inLanguage(about.about), players: facts(about), rules: rules(about) };
    for (const [part, text] of Object.entries(says)) for (const place of each.querySelectorAll(`.${part}`)) place.textContent = text;
    for (const picture of each.querySelectorAll("img.picture")) {
      const spoken = about.languages.includes(language) ? language : about.languages[0];
      const wanted = `games/${about.stem}.${spoken}.wide.svg`;
      if (picture.getAttribute("src") !== wanted) picture.src = wanted;
    }
    for (const open of each.querySelectorAll("a.open")) open.href = link(`${about.stem}.html`);
  }
  if (game) {
    document.querySelector("h1").textContent = inLanguage(game.title);
    document.title = `${[inLanguage(game.title), ...game.variants.map((each) => inLanguage(each.title))].join(" + ")} – Lawspeaker`;
    form();
  }
  offer(byId("offline"));
  await going();
}

function facts({ players, by }) {
  const [few, many] = [players[0], players.at(-1)];
  const told = [t("players", { count: few === many ? few : `${few}–${many}` })];
  if (by) told.push(t("by", { name: by }));
  return told.join(" · ");
}

/** The variants that are played; empty if there are none. */
const rules = ({ variants }) => (variants.length ? colon(t("stage.played_by"), variants.map((each) => inLanguage(each.title)).join(", ")) : "");

function form() {
  const { players } = game;
  const counts = players.map((each) =>
    h("button", { class: each === count ? "chosen" : "", "aria-pressed": String(each === count), onclick: () => { count = each; form(); } }, String(each)),
  );
  fill(
    byId("start"),
    players.length > 1 ? h("div", { class: "counts", role: "group", "aria-label": t("published.how_many") }, ...counts) : null,
    h("ul", { class: "places" }, ...seats.slice(0, count).map(place)),
    h("p", { class: "buttons" },
      h("button", { class: "main start", onclick: begin }, t("start")),
      h("button", { class: "quiet open-file", onclick: () => byId("file").click() }, t("published.open")),
    ),
    h("p", { class: "tip" }, t("published.one_screen")),
    game.needs_server === "" ? h("p", { class: "buttons" }, h("button", { class: "by-mail", onclick: mail }, t("published.by_mail"))) : null,
    game.puzzles.length ? h("section", { class: "puzzles" }, h("h3", {}, t("puzzle.heading")), h("ol", {}, ...game.puzzles.map(guess))) : null,
    game.needs_server === "alone" ? null : h("p", { class: "tip" }, t(game.needs_server ? `published.mail_${game.needs_server}` : "published.mail_how")),
  );
}

const guess = ({ path, asks }) => h("li", {}, h("a", { href: link(path) }, inLanguage(asks) || t("puzzle.what_would_you_do")));

function place(seat, at) {
  const spoken = game.languages.includes(language) ? language : game.languages[0];
  const player = game.seats[spoken][at];
  const bots = [...levels.keys(), ...game.bots.filter((each) => !levels.has(each))];
  const whos = [["me", t("published.person")], ...bots.map((each) => [each, t("bot", { strength: strengthAndName(each, levels.get(each)) })])];
  const select = h(
    "select",
    { "aria-label": colon(t("seats"), player.name), onchange: (event) => { seat.who = event.target.value; } },
    ...whos.map(([value, words]) => h("option", { value, selected: value === seat.who }, words)),
  );
  return h("li", {}, chip(player), h("span", { class: "player" }, player.name), select);
}

async function to(record) {
  const token = newToken();
  await storeGame(token, game.stem, JSON.stringify(record));
  location.href = link(`table.html?t=${token}`);
}

const begin = () =>
  to({ rules: game.name, digest: game.digest, seed: newSeed(), discretion: "quick", language: spoken(), seats: seats.slice(0, count) });
/** Starts a game that is sent from device to device as links. */
async function mail() {
  const name = newToken();
  const own = { rules: game.name, digest: game.digest, seed: "0", discretion: "quick", language: spoken(), mail: name, mine: -1 };
  await storeGame(name, game.stem, JSON.stringify({ ...own, seats: Array.from({ length: count }, () => ({ who: "me", name: "" })) }));
  location.href = link(`table.html?t=${name}`);
}

const spoken = () => (game.languages.includes(language) ? language : game.languages[0]);

/** Resumes a game from a file, with the same seats. */
async function opened(file) {
  const text = await file.text();
  let log;
  try {
    log = JSON.parse(text);
  } catch {
    byId("problem").textContent = t("published.no_log");
    return;
  }
  const found = games.find(({ digest }) => digest === log.digest) ?? null;
  if (!log.lawspeaker_log) byId("problem").textContent = t("published.no_log");
  else if (!found) byId("problem").textContent = t("published.other_rules", { rules: String(log.rules) });
  else {
    const token = newToken();
    const own = found.languages.includes(language) ? language : found.languages[0];
    await storeGame(token, found.stem, JSON.stringify({ log: text, language: own }));
    location.href = link(`table.html?t=${token}`);
  }
}

/** Lists the games that were started here. */
async function going() {
  // Games by drafts are listed on the front page only.
  const kept = (await storedGames().catch(() => [])).filter((each) => (each.game.files ? !game : games.some(({ stem }) => stem === each.game)));
  const rows = kept.slice(0, 12).map(({ token, game: own, record, at }) => {
    const title = own.files ? t("comparing.draft", { name: inLanguage(own.title) || own.name }) : inLanguage(games.find((each) => each.stem === own).title);
    const { replies = [] } = JSON.parse(record);
    const when = new Date(at).toLocaleString(language, { dateStyle: "medium", timeStyle: "short" });
    const away = h("button", { class: "quiet", "aria-label": t("published.forget"), onclick: async () => { await deleteGame(token); going(); } }, "×");
    return h("li", {}, h("a", { href: link(`table.html?t=${token}`) }, title), " ", h("small", {}, `${when} · ${t("published.replies", { count: replies.length })}`), away);
  });
  byId("kept").hidden = !rows.length;
  fill(byId("kept"), h("h2", {}, t("published.kept")), h("ul", {}, ...rows));
}

const known = ["en", "de", "it", "fr"];
await load(initialLanguage(known));
const select = byId("language");
fill(select, ...known.map((each) => h("option", { value: each, selected: each === language }, each.toUpperCase())));
select.onchange = async () => {
  history.replaceState(null, "", `?language=${select.value}`);
  await load(select.value);
  show();
};
byId("file").onchange = (event) => opened(event.target.files[0]);
show();
