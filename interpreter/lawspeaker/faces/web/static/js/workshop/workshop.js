// The workshop: an editor for rules beside a table that follows them.

import { byId, fill, h } from "../dom.js";
import { askMine } from "../key.js";
import * as notes from "../notes.js";
import * as server from "../server.js";
import { language, load, initialLanguage, t, inLanguage } from "../words.js";
import * as begin from "./begin.js";
import { Changing } from "./changing.js";
import { Completing } from "./completing.js";
import { Draft } from "./draft.js";
import { Editor } from "./editor.js";
import { Effect, Figures } from "./effect.js";
import { Explaining } from "./explaining.js";
import { Filing } from "./filing.js";
import { Line } from "./line.js";
import * as lookup from "./lookup.js";
import { Mending } from "./mending.js";
import { Numbers } from "./numbers.js";
import { Place } from "./place.js";
import { post } from "./post.js";
import { Problems } from "./problems.js";
import * as remembering from "./remembering.js";
import { Refiling } from "./refiling.js";
import { Renaming } from "./renaming.js";
import { Seating } from "./seating.js";

const AT_ONCE = 30; // after the last key, before names and types are looked at
const PAUSE = 120; // before the draft is tried in a position
const LULL = 120; // after it was found sound, before games are played

let games = [];
let draft = null;
let editor, completing, explaining, mending, renaming, seating, filing, numbers, place, effect, changing, problems, line;
let typing = 0;
let checking = 0;
let lookingUp = 0;
let playing = 0;
let asking = false; // one look at the draft at a time,
let again = false; // and another one after it, if something has changed
let sound = false;
let same = true;
let edition = 0; // grows with every change of the draft
let examinedAt = -1; // the edition that was looked at in full
const visited = []; // where one came from, going from place to place

async function open() {
  const [catalogue, manual] = await Promise.all([server.ask("/api/games").then((answer) => answer.json()), lookup.load()]);
  games = [...catalogue.games].sort((one, other) => other.variants.length - one.variants.length || one.name.localeCompare(other.name));
  await load(initialLanguage(catalogue.languages));
  build(catalogue, new Set(Object.keys(manual.words)));
  line = new Line(hear, (there) => {
    byId("line").textContent = there ? "" : t("line_broken");
    asking = again = false; // what was asked for is not answered any more
    changing?.ended();
    if (there && draft) {
      check();
      examine();
    }
  });
  changing = new Changing(line, () => {
    const { rules, files, before } = draft.message;
    return { names: [{ rules, files: before }, { rules, files }], players: place.players, bot: effect.bot, language };
  });
  await first();
  const left = sessionStorage.getItem("lawspeaker.left");
  if (left) notes.note(left);
  sessionStorage.removeItem("lawspeaker.left");
}

/** Asks the language service about a place in the open file. */
const ask = (type, at, more = {}) => line.question(type, { ...draft.message, file: draft.file.name, at, ...more });

function build({ languages, bots }, words) {
  editor = new Editor(byId("editor"), { changed: edited, moved, label: t("workshop.rules"), tip: t("workshop.keys") });
  editor.know(words);
  completing = new Completing(editor, (at) => ask("complete", at));
  explaining = new Explaining(editor, { ask: (at) => ask("hover", at), wrong: (at) => problems.at(draft.file.name, at), mend });
  mending = new Mending(editor, { offered, mend });
  renaming = new Renaming({ ask: (at, name) => ask("rename", at, { new: name }), apply: renamed });
  seating = new Seating({ play: setTable, bots });
  editor.area.addEventListener("click", (event) => { if (event.ctrlKey || event.metaKey) define(editor.area.selectionStart); });
  place = new Place({ moved: examine, seek, goTo });
  effect = new (server.served ? Effect : Figures)({ start: measure, stop: () => { line.stop(effect.kind); effect.ended(); changes(); }, called: (seat) => place.found?.people?.[seat]?.name ?? String(seat + 1) });
  problems = new Problems({ jump, lookUp, mend, translate });
  const refiling = new Refiling({ draft: () => draft, ask: (type, more) => line.question(type, { ...draft.message, file: draft.file.name, ...more }), apply: refiled });
  filing = new Filing({ turn, jump, takeBack, refiling, wrong: (name) => problems.wrong(name) });
  numbers = new Numbers({
    draft: () => draft,
    ask: (type, more) => line.question(type, { ...draft.message, ...more }),
    apply: refiled,
    measure: server.served ? (asked) => line.ask("sweep", { rules: draft.rules, files: draft.files, players: place.players || 2, bot: effect.bot, ...asked }) : null,
    stop: () => line.stop("sweep"),
    shown: (open) => { byId("search-button").hidden = byId("format").hidden = open; },
  });
  byId("search-button").onclick = () => filing.search();
  byId("go-back").onclick = goBack;
  const select = byId("language");
  fill(select, ...languages.map((each) => h("option", { value: each, selected: each === language }, each.toUpperCase())));
  select.onchange = async () => {
    await load(select.value);
    redraw();
  };
  byId("new").onclick = () => begin.ask(games, draft?.rules.split("+")[0], start);
  byId("format").onclick = tidy;
  byId("save").onclick = save;
  byId("share").onclick = share;
  byId("compare").onclick = compare;
  byId("desk").onclick = desk;
  byId("play").onclick = play;
  for (const each of document.querySelectorAll(".switch button")) each.onclick = () => show(each.dataset.tab);
  byId("compare").hidden = byId("desk").hidden = !server.served;
  show("rules");
  wait(true);
  effect.clear(t("workshop.no_change"));
}

/** Hides editor and actions while there is no draft. */
function wait(nothing) {
  const parts = [document.querySelector("main"), ...["format", "save", "share", "compare", "desk", "play"].map(byId)];
  for (const each of parts) each.inert = nothing;
}

function show(tab) {
  document.body.dataset.tab = tab;
  for (const each of document.querySelectorAll(".switch button")) each.setAttribute("aria-pressed", String(each.dataset.tab === tab));
}

function redraw() {
  drawFiles();
  problems.draw();
  numbers.look();
  effect.draw();
  place.controls(place.counts_known ?? [2]);
  examine();
  changes();
}

// ------------------------------------------------------------ opening a draft

async function first() {
  const { token } = server;
  const query = new URLSearchParams(location.search);
  fresh = Boolean(token);
  if (token) await take(await server.ask(`/api/drafts/${token}`), null, t("workshop.bad_link"));
  else if (query.has("draft")) await reopen(query.get("draft"), query.get("version"));
  else if (query.has("rules") || query.has("as")) await start(Object.fromEntries([...query].filter(([key]) => key !== "row")), query.getAll("row"));
  else begin.ask(games, "", start);
}

async function start({ form = "", ...query }, rows = []) {
  fresh = query.as === "take";
  const asked = new URLSearchParams(query);
  for (const row of rows) asked.append("row", row);
  const answer = await server.ask(`/api/workshop/start?${asked}`);
  if (form) asked.append("form", form);
  if (answer.ok) history.replaceState(null, "", server.address(`/workshop?${asked}`));
  await take(answer);
  numbers.show(answer.ok && form === "numbers");
}

/** Reopens a draft: its unsaved local copy, or the saved one. */
async function reopen(id, version) {
  const left = version === null ? remembering.held(id) : null;
  if (!left) await take(await askMine(`/api/home/drafts/${encodeURIComponent(id)}${version === null ? "" : `?version=${version}`}`), { id }, t(server.served ? "comparing.lost_draft" : "workshop.not_here"));
  else if (left.rules) await take(await server.ask(`/api/workshop/start?${new URLSearchParams({ as: "edit", rules: left.rules })}`), left);
  else await take(Response.json({ rules: "", original: [], files: left.files, open: "" }), left);
}

let warned = false; // that nothing can be kept

/** Stores changes, and sets the page's URL to the draft's. */
function keep() {
  head();
  const id = remembering.keep(draft, called());
  if (id === null && !warned) notes.note(t("workshop.not_kept"));
  warned = id === null;
  const address = new URL(server.address(`/workshop?draft=${id}`), location.href).href;
  if (id && location.href !== address) history.replaceState(null, "", address);
}

/** Opens a response with a draft; `lost` is the message if there is none. */
async function take(answer, own = null, lost = "") {
  const found = await answer.json();
  if (!answer.ok) {
    begin.ask(games, "", start, (answer.status === 404 && lost) || found.error.message);
    return;
  }
  draft = new Draft(found);
  wait(false);
  draft.id = own?.id ?? "";
  const name = own?.name ?? found.name;
  if (own) {
    draft.putBack(own.files ?? []);
    fresh = true;
    if (own.files) notes.note(t("workshop.left"));
  }
  // A name given by the user stays; one taken from the rules follows them.
  const { own: written, tongues } = draft.titles;
  draft.name = [undefined, "", written, ...tongues.values(), game()].includes(name) ? "" : name;
  place.replies = 12;
  place.last = 0;
  effect.clear(t("workshop.no_change"));
  changing.clear();
  line.stop(effect.kind);
  numbers.rest();
  visited.length = 0;
  edition++;
  turn(draft.opened);
  examine();
}

// ------------------------------------------------------------ files

/** The title of the draft's base game. */
const game = () => inLanguage(games.find((each) => each.name === draft.rules.split("+")[0])?.title) || t("workshop.own_game");

/** The name of the draft. */
const called = () => draft.name || draft.title(language) || game();

function head() {
  byId("draft").textContent = [...new Set([called(), game()])].join(" · ");
  document.title = `${called()} – Lawspeaker`;
}

function drawFiles() {
  filing.draw(draft);
  head();
  byId("go-back").hidden = !visited.length;
  byId("compare").hidden = !draft.rules || !server.served;
  byId("save").textContent = t(draft.rules ? "workshop.save" : "workshop.save_game"); // that is no patch of anything
}

function turn(key, where = null) {
  draft.opened = key;
  drawFiles();
  editor.show(draft.file.text, where);
  editor.mark(problems.of(draft.file.name));
  check();
}

function takeBack() {
  draft.restore(draft.opened);
  rewritten();
}

function refiled(found) {
  draft.refile(found);
  rewritten();
}

/** Updates the page after files were changed outside the editor. */
function rewritten() {
  edition++;
  fresh = true;
  keep();
  turn(draft.opened);
  examine();
}

function edited(text) {
  const before = draft.changed(draft.opened);
  draft.file.text = text;
  edition++;
  fresh = true;
  keep();
  if (before !== draft.changed(draft.opened)) drawFiles();
  clearTimeout(typing);
  clearTimeout(playing);
  if (effect.running || ahead) {
    line.stop(effect.kind); // at once, so that nothing is in the way of the next games
    effect.outdate();
    ahead = false;
  }
  changing.outdate();
  typing = setTimeout(examine, PAUSE);
  clearTimeout(checking);
  checking = setTimeout(check, AT_ONCE);
  completing.offer();
}

function moved(at) {
  if (completing.open) completing.offer();
  clearTimeout(lookingUp);
  if (!byId("lookup").hidden) lookingUp = setTimeout(() => lookUpAt(at), PAUSE);
}

// ------------------------------------------------------------ navigation

function jump({ file, from, to }, remember = true) {
  show("rules");
  if (numbers.open) numbers.show(false);
  const found = [...draft.texts.entries()].find(([, each]) => each.name === file);
  if (!found) return;
  if (remember) visited.push({ file: draft.file.name, from: editor.area.selectionStart, to: editor.area.selectionEnd });
  if (found[0] !== draft.opened) turn(found[0], { from, to });
  else editor.select(from, to);
  drawFiles();
}

function goBack() {
  const last = visited.pop();
  if (last) jump(last, false);
  drawFiles();
}

async function define(at) {
  const found = await ask("define", at);
  if (found?.place) jump(found.place);
  else if (found) notes.note(t("workshop.not_declared"));
}

/** Goes to a clause or guard that asked or refused. */
async function goTo(clause) {
  const found = await ask("declare", 0, { clause });
  if (found?.place) jump(found.place);
  else if (found) notes.note(t("workshop.not_declared"));
}

async function refer(at) {
  const found = await ask("refer", at);
  if (!found) return;
  if (found.places.length) problems.references(found.word, found.places);
  else notes.note(t("workshop.not_declared"));
}

async function lookUpAt(at) {
  const found = await ask("hover", at);
  const word = found?.word || editor.wordAt(at).word;
  if (word.length > 1 && !byId("lookup").hidden) lookup.look(byId("lookup"), word, found?.named ? found.text : "");
}

function lookUp(word) {
  show("rules");
  problems.tab("lookup");
  if (!lookup.look(byId("lookup"), word)) lookup.empty(byId("lookup"));
}

// ------------------------------------------------------------ fixes and renaming

async function offered(at) {
  const line = editor.place(at).line;
  const near = problems.of(draft.file.name).filter((each) => editor.place(each.from).line === line).flatMap((each) => each.fixes);
  const more = await ask("mend", at);
  return [...near, ...(more?.fixes ?? [])];
}

/** Adds missing entries to the translations, with the current original text. */
async function translate({ file, from }) {
  const found = await line.question("translate", { ...draft.message, file, at: from });
  const edits = found?.fixes.flatMap((fix) => fix.edits) ?? [];
  if (edits.length) apply(edits);
  notes.note(edits.length ? t("workshop.translations", { files: edits.map((each) => each.file).join(", ") }) : t("workshop.no_translations"));
}

function mend({ edits }) {
  const [first] = edits;
  if (edits.length === 1 && first.file === draft.file.name) {
    // Done through the editor, so that it can be undone; the gap to fill in is selected.
    editor.replace(first.from, first.to, first.text);
    const gap = first.text.indexOf("…");
    if (gap >= 0) editor.select(first.from + gap, first.from + gap + 1);
    return;
  }
  apply(edits);
}

function apply(edits) {
  const at = editor.area.selectionStart;
  const { scrollTop } = editor.paper;
  draft.edit(edits);
  rewritten();
  editor.select(Math.min(at, editor.text.length), Math.min(at, editor.text.length));
  editor.paper.scrollTop = scrollTop;
}

async function rename() {
  const at = editor.area.selectionStart;
  const found = await ask("hover", at);
  if (!found?.named) notes.note(t("workshop.not_declared"));
  else renaming.open(found.word, at);
}

function renamed(edits, name) {
  apply(edits);
  notes.note(t("workshop.renamed", { name, count: edits.length, files: new Set(edits.map(({ file }) => file)).size }));
}

// ------------------------------------------------------------ requests to the workers

/** Requests names, types and tokens at once; the full check takes longer. */
async function check() {
  clearTimeout(checking);
  if (!draft) return;
  const [asked, text] = [edition, draft.file.text];
  const found = await line.question("check", { ...draft.message, file: draft.file.name });
  if (!found) return;
  const colours = [];
  for (let at = 0; at < found.colours.length; at += 3) {
    const [from, to, sort] = found.colours.slice(at, at + 3);
    if (!PLAIN.has(sort)) colours.push({ from, to, sort });
  }
  // A text with errors yields fewer tokens, so the earlier ones are kept.
  if (found.file === draft.file.name && (found.ok || !editor.colours.length)) editor.colour(text, colours, found.hints.map(([from, said]) => ({ from, to: from, text: said })));
  if (asked !== edition || examinedAt === edition) return;
  problems.show(found.problems);
  editor.mark(problems.of(draft.file.name));
  drawFiles();
}
const PLAIN = new Set(["keyword", "number", "comment", "operator", "name"]); // those need no telling

let examining = -1; // the edition that is being looked at in full

function examine() {
  clearTimeout(typing);
  if (!draft) return;
  if (asking) {
    again = true;
    return;
  }
  asking = true;
  examining = edition;
  byId("busy").hidden = false;
  line.ask("examine", { ...draft.message, ...place.message, players: place.players || 2, language });
}

/** Handles the end of a check; the draft may have changed meanwhile. */
function answered() {
  asking = false;
  byId("busy").hidden = true;
  if (!again) return;
  again = false;
  examine();
}

function measure() {
  clearTimeout(playing);
  if (!sound || (same && server.served)) return; // pairs would all be alike
  effect.begin();
  changing.outdate();
  ahead = false;
  line.ask(effect.kind, { ...draft.message, players: place.players, games: effect.games, bot: effect.bot });
}

/** Plays the games by the original rules in advance: half of every pair. */
function playAhead() {
  const { rules, before } = draft.message;
  ahead = true;
  line.ask(effect.kind, { rules, files: before, before, players: place.players, games: effect.games, bot: effect.bot });
}

function measuredSome(message) {
  effect.hear(message);
  if (!effect.running) changes();
}

/** Measures the changes one by one, once the whole was measured. */
function changes() {
  if (server.served && sound && !same && effect.found && !effect.stale) changing.look(effect.found);
}

function seek() {
  if (!sound || same) {
    notes.note(t("workshop.no_change"));
    return;
  }
  place.seeking.disabled = true;
  place.seeking.textContent = t("workshop.seeking", { games: 0 });
  line.ask("seek", { ...draft.message, players: place.players, seed: 1 });
}

function sought({ at, seed, games: count }) {
  place.seeking.textContent = at === null ? t("workshop.seeking", { games: count }) : t("workshop.seek");
  if (at === null) return;
  place.seeking.disabled = false;
  place.seed = seed;
  place.last = Math.max(place.last, at);
  place.replies = at;
  place.controls(place.counts_known);
  examine();
}

function examined(found) {
  if (found.position) {
    place.show(found.position);
    answered();
    return;
  }
  examinedAt = examining;
  sound = found.ok;
  document.body.classList.toggle("unsound", !sound);
  if (examining === edition) {
    numbers.check(found.problems);
    problems.show(found.problems);
    editor.mark(problems.of(draft.file.name));
    drawFiles();
  }
  if (!found.ok) {
    effect.outdate(t("workshop.mend_first"));
    changing.outdate();
    measured = "";
    answered();
    return;
  }
  same = found.same;
  if (JSON.stringify(found.players) !== JSON.stringify(place.counts_known)) {
    const unknown = !place.players;
    place.counts_known = found.players;
    place.controls(found.players);
    if (unknown) examine();
  }
  const asked = JSON.stringify([draft.message, place.players]);
  if (asked === measured) return;
  measured = asked;
  if (same || !fresh) {
    effect.clear(t("workshop.no_change"));
    changing.clear();
  } else {
    effect.outdate();
    changing.outdate();
  }
  if (!effect.auto) return;
  if (server.served && (same || !fresh)) playAhead();
  else playing = setTimeout(measure, LULL);
}
let measured = "";
let ahead = false; // whether the games under way are those of a change to come
let fresh = false; // whether there is something in the draft that somebody wrote

function hear(message) {
  const answers = {
    examined: () => examined(message),
    [effect.kind]: () => { if (!ahead) measuredSome(message); },
    swept: () => numbers.hear(message),
    weighed: () => changing.hear(message),
    sought: () => sought(message),
    formatted: () => formatted(message),
    patched: () => patched(message),
    stopped: () => stopped(message),
    error: () => notes.note(message.message),
  };
  answers[message.type]?.();
}

function stopped({ what, code, message }) {
  if (what === "examine") answered();
  const late = code === "too_long" ? t("workshop.stopped_late") : message;
  if (what === effect.kind) effect.ended(late);
  else if (what === "sweep") numbers.ended(late);
  else if (what === "weigh") changing.ended(late);
  else if (what === "seek") {
    place.seeking.disabled = false;
    place.seeking.textContent = t("workshop.seek");
    notes.note(code === "too_long" ? t("workshop.not_found") : message);
  } else notes.note(message);
}

// ------------------------------------------------------------ format, save, share

function tidy() {
  line.ask("format", { name: draft.file.name, text: draft.file.text });
}

function formatted({ text }) {
  if (text === null) notes.note(t("workshop.mend_first"));
  else if (text === draft.file.text) notes.note(t("workshop.tidy"));
  else {
    const { scrollTop } = editor.paper;
    const { line: at } = editor.place(editor.area.selectionStart);
    editor.replace(0, editor.text.length, text);
    const offset = text.split("\n").slice(0, at).join("\n").length + (at ? 1 : 0);
    editor.area.setSelectionRange(offset, offset);
    editor.paper.scrollTop = scrollTop;
  }
}

function save() {
  if (draft.rules && !draft.touched) notes.note(t("workshop.no_change"));
  else line.ask("patch", { ...draft.message, name: "my_rule.yaml" });
}

function patched({ text, name, plays, why, problems: wrong }) {
  if (text === null) {
    notes.note(why || wrong?.[0]?.message || t("workshop.mend_first"));
    return;
  }
  download(name, text);
  notes.note(t("workshop.saved", { name, command: `lawspeaker play ${[draft.rules, ...plays].filter(Boolean).join("+")}` }));
}

function download(name, text) {
  const content = name.endsWith(".zip") ? Uint8Array.from(atob(text), (each) => each.charCodeAt(0)) : text;
  const url = URL.createObjectURL(new Blob([content], { type: "application/octet-stream" }));
  h("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}

function play() {
  const { levels } = games.find((each) => each.name === draft.rules.split("+")[0]) ?? {};
  if (sound) seating.open(place.players, place.found?.people, levels);
  else notes.note(t("workshop.mend_first"));
}

/** Creates a table that plays by the draft, in another tab. */
async function setTable(seats) {
  const button = byId("play");
  button.disabled = true;
  notes.note(t("workshop.trying_out"));
  const { rules, files } = draft.message;
  const answer = await post("/api/workshop/table", { rules, files, seats, language });
  const found = await answer.json();
  button.disabled = false;
  if (!answer.ok) return notes.note(found.error.message);
  const table = server.address(found.link);
  notes.offer(t("workshop.table_set"), t("start"), table);
  window.open(table, "_blank");
}

/** Compares the draft with its base rules, and any others of the game. */
function compare() {
  if (!draft.touched && !draft.id) return notes.note(t("workshop.no_change"));
  if (!sound) return notes.note(t("workshop.mend_first"));
  keep();
  location.href = `/comparison?${new URLSearchParams([["name", draft.rules], ["name", `draft:${draft.id}`]])}`;
}

/** Opens the reading desk for the draft. */
async function desk() {
  if (draft.touched || draft.id) keep();
  await remembering.save();
  location.href = `/desk?${new URLSearchParams(draft.id ? { draft: draft.id } : { rules: draft.rules })}`;
}

async function share() {
  const { rules, files } = draft.message;
  const answer = await post("/api/drafts", { rules, files });
  const found = await answer.json();
  if (!answer.ok) {
    notes.note(found.error.message);
    return;
  }
  const link = new URL(server.address(found.link), location.href).href;
  history.replaceState(null, "", link);
  try {
    await navigator.clipboard.writeText(link);
    notes.note(server.served ? `${t("copied")} ${link}` : t("copied")); // one that holds a draft is nothing to read
  } catch {
    if (server.served) notes.note(link);
    else prompt(t("copy_link"), link);
  }
}

document.addEventListener("keydown", (event) => {
  const command = event.ctrlKey || event.metaKey;
  if (event.key === "F8") {
    event.preventDefault();
    problems.next(draft.file.name, editor.area.selectionStart, event.shiftKey);
  } else if (event.key === "F1") {
    event.preventDefault();
    problems.tab("lookup");
    lookup.empty(byId("lookup"));
    lookUpAt(editor.area.selectionStart);
  } else if (event.key === "F2") {
    event.preventDefault();
    rename();
  } else if (event.key === "F12") {
    event.preventDefault();
    (event.shiftKey ? refer : define)(editor.area.selectionStart);
  } else if (command && event.key === ".") {
    event.preventDefault();
    mending.open();
  } else if (command && event.shiftKey && event.key.toLowerCase() === "f") {
    event.preventDefault();
    filing.search(editor.text.slice(editor.area.selectionStart, editor.area.selectionEnd));
  } else if (event.altKey && event.key === "ArrowLeft" && visited.length && document.activeElement === editor.area) {
    event.preventDefault();
    goBack();
  } else if (command && event.key === "s") {
    event.preventDefault();
    save();
  } else if (event.altKey && event.shiftKey && event.code === "KeyF") {
    event.preventDefault();
    tidy();
  } else if (event.key === "Escape" && !completing?.open) notes.hide();
});
open();
