// Comparison of editions: what differs, where it shows on the table, and how much it matters.

import "../head.js";
import { byId, fill, h } from "../dom.js";
import * as notes from "../notes.js";
import { ask } from "../server.js";
import { language, load, initialLanguage, t, inLanguage } from "../words.js";
import { Differences, heavierFirst } from "./differences.js";
import { ownDrafts, openDraft } from "./own_drafts.js";
import { Line } from "./line.js";
import { Mixing } from "./mixing.js";
import { post } from "./post.js";

const MOST = 4;
const DRAFT = "draft:";
const LARGEST = 120_000; // so many characters go over the line at once
const GROUPS = { play: (each) => each.changes_play && !cards.samePlay(each), same_play: (each) => cards.samePlay(each), contradictions: (each) => ["contradiction", "otherwise"].includes(each.kind), silences: (each) => each.kind === "silence", partly: (each) => each.kind === "partly said", unread: (each) => each.kind === "not read yet", words: (each) => ["terms only", "wording only"].includes(each.kind), box: (each) => each.kind === "box" };

let games = [];
let game = null;
let chosen = []; // names of tellings, the first the one the others are held against; of a draft, DRAFT and its id
let drafts = []; // one's own: { id, name, rules }
const written = new Map(); // by id, the drafts that are compared, with their files
let found = null;
let shown = new Set(["play"]);
let wanted = "";
let by = "book"; // or by "effect": what was found to matter most comes first
let line, cards, mixing;
let unfolded = -1; // whose list of further variants is open
let picks = []; // those of the link that was followed

/** Normalizes words like the search index of rows: lower case without accents. */
const folded = (text) => text.toLowerCase().normalize("NFKD").replace(/\p{M}/gu, "").replace(/ß/g, "ss").split(/[^\p{L}\p{N}]+/u).filter(Boolean);

async function open() {
  const catalogue = await (await ask("/api/games")).json();
  drafts = await ownDrafts();
  games = catalogue.games.filter((each) => each.variants.length || drafts.some(({ rules }) => gameOf(rules) === each.name));
  await load(initialLanguage(catalogue.languages));
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
  if (draftOf(named[0])) await take(draftOf(named[0]));
  const wanted = named.length ? gameOf(written.get(draftOf(named[0]))?.rules ?? named[0]) : "";
  const listed = [...games, ...catalogue.games.filter(({ name }) => name === wanted)];
  game = listed.find((each) => each.name === wanted) ?? games.toSorted((one, other) => editions(other) - editions(one))[0];
  if (!games.includes(game)) games.push(game);
  chosen = named.length >= 2 ? named.slice(0, MOST) : usual(game);
  await compare();
}

const gameOf = (rules) => rules.split("+")[0];

/** The id of a compared draft; empty for other editions. */
const draftOf = (name) => (name?.startsWith(DRAFT) ? name.slice(DRAFT.length) : "");

/** What a draft is called. */
const calledDraft = ({ name }) => t("comparing.draft", { name: name || t("place.unnamed") });

/** Loads the files of a compared draft. */
async function take(id) {
  const found = await openDraft(id);
  if (!found) return;
  written.set(id, found);
  if (!drafts.some((each) => each.id === id)) drafts = [...drafts, found];
}

/** An edition for a request: its name, or the files of a draft. */
function sent(name) {
  const { rules, files } = written.get(draftOf(name)) ?? {};
  return draftOf(name) ? { rules: rules ?? "", files: files ?? [] } : name;
}

const editions = (of) => of.variants.filter((each) => each.layer === "edition").length;

/** The default selection: the game as in its book, and its first editions. */
function usual(of) {
  const editions = of.variants.filter((each) => each.layer === "edition");
  const others = (editions.length ? editions : of.variants).slice(0, MOST - 1);
  if (!others.length) return [of.name, ...drafts.filter(({ rules }) => gameOf(rules) === of.name).slice(0, 1).map(({ id }) => DRAFT + id)];
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
  const own = chosen.map(draftOf);
  await Promise.all(own.filter((id) => id && !written.has(id)).map(take));
  const names = chosen.map(sent);
  const lost = own.some((id) => id && !written.has(id));
  const large = own.some(Boolean) && JSON.stringify(names).length > LARGEST;
  if (chosen.length < 2 || lost || large) {
    rows.removeAttribute("aria-busy");
    fill(rows, h("p", { class: "card" }, t(lost ? "comparing.lost_draft" : large ? "comparing.large_drafts" : "comparing.one_more")));
    return;
  }
  const answer = own.some(Boolean)
    ? await post("/api/comparison", { names, language })
    : await ask(`/api/comparison?${asked}`);
  const data = await answer.json();
  if (String(asked) !== String(new URLSearchParams([...chosen.map((name) => ["name", name]), ["language", language]]))) return; // others were chosen meanwhile
  rows.removeAttribute("aria-busy");
  if (!answer.ok) {
    fill(rows, h("p", { class: "card" }, data.error.message));
    return;
  }
  found = data;
  own.forEach((id, at) => { if (id) found.tellings[at].title = calledDraft(written.get(id)); });
  byId("page").href = `/compare?${asked}`;
  byId("page").hidden = own.some(Boolean);
  mixing = new Mixing(found, chosen, names, line, draw, picks);
  cards = new Differences(found, chosen, names, line, draw, mixing);
  await mixing.renew();
}

// ------------------------------------------------------------ choosing

function choice() {
  const own = drafts.filter(({ rules }) => gameOf(rules) === game.name).map((each) => [DRAFT + each.id, calledDraft(each)]);
  const titles = [["", t("base_edition")], ...game.variants.map((each) => [each.name, inLanguage(each.title)])];
  const telling = (at) => {
    const id = draftOf(chosen[at]);
    const [now = id ? chosen[at] : chosen[at] ? "" : null, ...more] = id ? [] : chosen[at]?.split("+").slice(1) ?? [];
    const named = now && !id && !titles.some(([name]) => name === now) ? [...titles, [now, now]] : titles; // with a value of its own
    const options = at < 2 ? named : [[null, "–"], ...named];
    const option = ([name, words]) => h("option", { value: name ?? "-", selected: name === now }, words);
    const label = ["comparing.first", "comparing.against", "comparing.and", "comparing.and"][at];
    return h(
      "div",
      { class: "slot" },
      h("label", {}, h("span", {}, t(label)), h("select", { onchange: (event) => choose(at, event.target.value) },
        ...options.map(option), own.length ? h("optgroup", { label: t("lab.draft") }, ...own.map(option)) : null)),
      now && !id && game.variants.length > 1 ? together(at, now, more) : null,
      chosen[at] ? h("button", { class: "play", onclick: () => play(chosen[at]) }, "▶ ", t("comparing.play")) : null,
    );
  };
  fill(
    byId("choice"),
    h("div", { class: "slot" }, h("label", {}, h("span", {}, t("workshop.which_game")), h("select", { onchange: (event) => { game = games.find((each) => each.name === event.target.value); chosen = usual(game); picks = []; mixing = null; compare(); } },
      ...games.map((each) => h("option", { value: each.name, selected: each === game }, inLanguage(each.title)))))),
    ...Array.from({ length: Math.min(MOST, Math.max(3, chosen.length + 1)) }, (_, at) => telling(at)),
  );
}

/** The checkboxes of further variants to play together with one. */
function together(at, first, more) {
  const title = (name) => inLanguage(game.variants.find((each) => each.name === name)?.title) || name;
  const ticked = (name) => ({ target }) => choose(at, [first, ...(target.checked ? [...more, name] : more.filter((each) => each !== name))].join("+"), at);
  return h(
    "details",
    { class: "together", open: unfolded === at },
    h("summary", {}, more.length ? `+ ${more.map(title).join(" + ")}` : t("comparing.with_others")),
    ...game.variants.filter((each) => each.name !== first.split("(")[0]).map((each) =>
      h("label", { class: "check" }, h("input", { type: "checkbox", value: each.name, checked: more.includes(each.name), onchange: ticked(each.name) }), inLanguage(each.title))),
  );
}

/** Replaces an edition; picks name editions by position, so they are reset. */
function choose(at, name, open = -1) {
  unfolded = open;
  picks = [];
  mixing = null;
  if (name === "-") chosen.splice(at, 1);
  else chosen[at] = draftOf(name) ? name : name ? `${game.name}+${name}` : game.name;
  compare();
}

async function play(name) {
  const count = game.players[0];
  const seats = Array.from({ length: count }, (_, at) => ({ who: at ? "greedy" : "me" }));
  const rules = draftOf(name) ? sent(name) : { rules: name };
  const answer = await post(draftOf(name) ? "/api/workshop/table" : "/api/tables", { ...rules, language, seats });
  const told = await answer.json();
  if (answer.ok) location.href = told.link;
  else notes.note(told.error.message);
}

// ------------------------------------------------------------ rows

function draw() {
  const { differences, rows } = found;
  const byRow = new Map(rows.map((row) => [row.id, row]));
  const fits = (each) => {
    if (![...shown].some((group) => GROUPS[group](each))) return false;
    if (!wanted) return true;
    const words = each.rows.map((id) => ` ${byRow.get(id).words}`).join(" ");
    return folded(wanted).every((word) => words.includes(` ${word}`));
  };
  const counted = (group) => differences.filter(GROUPS[group]).length;
  const filter = (group) => h("button", { "aria-pressed": String(shown.has(group)), onclick: () => { if (!shown.delete(group)) shown.add(group); draw(); } }, t(`comparing.${group === "play" ? "play_group" : group}`), " ", h("b", {}, String(counted(group))));
  const search = h("input", { type: "text", placeholder: t("comparing.search"), "aria-label": t("comparing.search"), value: wanted, oninput: (event) => { wanted = event.target.value; list(); } });
  const list = () => {
    const fitting = differences.filter(fits);
    if (by === "effect") fitting.sort((one, other) => heavierFirst(cards.weight(one), cards.weight(other)) || one.number - other.number);
    fill(byId("rows"), ...found.about_texts.map((each) => h("p", { class: "tip" }, each)), ...(fitting.length ? fitting.map((each) => cards.card(each, Object.keys(GROUPS).find((name) => GROUPS[name](each)))) : [h("p", { class: "card waiting" }, t(differences.length ? "comparing.none" : "comparing.same"))]));
  };
  const writing = document.activeElement?.closest("#filters input") ? document.activeElement.selectionStart : null;
  fill(byId("filters"), h("div", { class: "groups", role: "group" }, ...Object.keys(GROUPS).filter((group) => group === "play" || counted(group)).map(filter)), search, cards.all.of > 1 ? weighing() : null);
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

/** Weighs all differences in turn, to sort them by weight. */
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
