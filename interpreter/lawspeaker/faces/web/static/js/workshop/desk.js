// The reading desk: books beside rules. State and actions are computed by the workers; this page shows, selects and
// sends. Changed files are put into the draft, as if edited in the workshop.

import { byId, fill, h } from "../dom.js";
import { askMine } from "../key.js";
import * as notes from "../notes.js";
import * as server from "../server.js";
import { colon, language, listed, load, initialLanguage, searchKey, t, inLanguage } from "../words.js";
import { Draft, keyOf } from "./draft.js";
import { Line } from "./line.js";
import * as remembering from "./remembering.js";

const STANCES = ["states", "implies", "silent", "says_otherwise", "contradicts_itself", "our_ruling"];
const MOST_POINTS = 300;

let games = [];
let draft = null;
let line;
let state = null; // what the bench has told
let texts = {}; // of the books, by file
let links = []; // which sentences correspond
let busy = false;
const past = []; // files as they were before each action
const chosen = new Map(); // by book, the places of its sentences
const here = { book: 0, at: 0, point: "" }; // where one reads, and which rule is chosen

async function open() {
  const catalogue = await server.ask("/api/games").then((answer) => answer.json());
  games = catalogue.games;
  await load(initialLanguage(catalogue.languages));
  const select = byId("language");
  fill(select, ...catalogue.languages.map((each) => h("option", { value: each, selected: each === language }, each.toUpperCase())));
  select.onchange = async () => {
    await load(select.value);
    draw();
  };
  byId("undo").onclick = undo;
  byId("save").onclick = save;
  byId("search").oninput = drawPoints;
  byId("only").onchange = drawPoints;
  byId("stance").onchange = drawCiteForm;
  byId("cite-form").onsubmit = (event) => {
    event.preventDefault();
    cite();
  };
  byId("no-rule").onclick = noRule;
  document.addEventListener("keydown", pressed);
  let begun = false;
  line = new Line((message) => message.type === "stopped" && notes.note(message.message), async (there) => {
    byId("line").textContent = there ? "" : t("line_broken");
    if (!there || begun) return;
    begun = true;
    await begin();
  });
}

// ------------------------------------------------------------ the draft

async function begin() {
  const query = new URLSearchParams(location.search);
  const [id, rules] = [query.get("draft"), query.get("rules")];
  const left = id ? remembering.held(id) : null;
  const start = (name) => server.ask(`/api/workshop/start?${new URLSearchParams({ as: "edit", rules: name })}`);
  let answer = null;
  if (left) answer = left.rules ? await start(left.rules) : Response.json({ rules: "", original: [], files: left.files, open: "" });
  else if (id) answer = await askMine(`/api/home/drafts/${encodeURIComponent(id)}`);
  else if (rules) answer = await start(rules);
  const found = await answer?.json();
  if (!answer?.ok) return say(found?.error?.message ?? t("desk.no_draft"));
  draft = new Draft(found);
  if (left) draft.putBack(left.files);
  draft.id = id ?? "";
  draft.name = left?.name ?? found.name ?? "";
  head();
  await look();
  await fetchTexts();
  draw();
  focusSentence();
  await align();
}

function head() {
  const game = inLanguage(games.find((each) => each.name === draft.rules.split("+")[0])?.title);
  byId("draft").textContent = draft.name || draft.title(language) || game;
  const back = draft.id ? { draft: draft.id } : { as: "edit", rules: draft.rules };
  byId("workshop").href = server.address(`/workshop?${new URLSearchParams(back)}`);
}

const say = (text) => { byId("told").textContent = text; };

/** Loads the texts that the server has; others are opened by hand. */
async function fetchTexts() {
  for (const { file } of state?.books ?? []) {
    const answer = await server.ask(`/api/desk/text?${new URLSearchParams({ file })}`).catch(() => null);
    if (answer?.ok) texts[file] = await answer.text();
  }
  if (Object.keys(texts).length) await look();
}

// ------------------------------------------------------------ the bench

/** Performs an action and loads the new state; returns whether it succeeded. */
async function look(act = null) {
  if (busy) return false;
  busy = true;
  const found = await line.question("desk", { ...draft.message, texts, links, act });
  busy = false;
  if (!found) return false;
  state = found;
  if (found.why) notes.note(t(`desk.not.${found.why}`));
  if (!found.files.length) return !found.why;
  past.push(found.files.map((file) => draft.texts.get(keyOf(file)) ?? { name: file.name, given: file.given, text: null }));
  put(found.files);
  return true;
}

/** Updates files; a null text deletes one. */
function put(files) {
  for (const file of files) {
    if (file.text === null) draft.texts.delete(keyOf(file));
    else draft.texts.set(keyOf(file), { ...file });
  }
  const id = remembering.keep(draft, draft.name || draft.title(language));
  if (id) history.replaceState(null, "", server.address(`/desk?draft=${id}`));
  head();
}

async function undo() {
  const files = past.pop();
  if (!files || busy) return;
  put(files);
  await look();
  draw();
}

async function align() {
  const books = state.books.filter((each) => each.there);
  const found = [];
  let whole = true;
  for (const [at, first] of books.entries()) {
    for (const second of books.slice(at + 1)) {
      say(t("desk.aligning"));
      const asked = { first: first.id, second: second.id, languages: [first.language, second.language].filter(Boolean) };
      const answer = await line.question("align", { ...draft.message, texts, ...asked });
      whole &&= Boolean(answer);
      found.push(...(answer?.links ?? []));
    }
  }
  links = found;
  say(books.length > 1 && whole ? t("desk.aligned", { count: links.length }) : "");
  if (links.length) await look();
  draw();
}

// ------------------------------------------------------------ actions

const marks = (book) => [...(chosen.get(book.id) ?? [])].map((at) => book.lines[at].print);
const chosenBooks = () => state.books.filter((each) => chosen.get(each.id)?.size);

async function cite() {
  const stance = byId("stance").value;
  const note = byId("note-text").value;
  const books = chosenBooks();
  if (!here.point || (!books.length && stance === "states")) return notes.note(byId("chosen").textContent);
  for (const book of books.length ? books : [state.books[here.book]]) {
    if (!(await look({ kind: "cite", point: here.point, book: book.id, prints: marks(book), stance, note }))) return draw();
    chosen.delete(book.id);
  }
  byId("note-text").value = "";
  byId("stance").value = "states";
  draw();
}

async function take(book, places) {
  const prints = places.map((at) => book.lines[at].print);
  await look({ kind: "cite", point: here.point, book: book.id, prints, stance: "states", note: "" });
  draw();
}

/** Accepts the suggestion for the current sentence, and goes to the next open one. */
async function accept() {
  const book = state.books[here.book];
  const hint = hinted();
  if (!hint) return notes.note(t("desk.no_hint"));
  here.point = hint.point;
  await take(book, hint.places);
  next();
}

const hinted = () => state.suggestions.find((each) => each.book === state.books[here.book]?.id && each.places.includes(here.at));

async function remove({ book, prints, stance, note }) {
  await look({ kind: "uncite", point: here.point, book, prints, stance, note });
  draw();
}

/** Marks sentences as no rule, or removes that mark. */
async function noRule() {
  const books = chosenBooks();
  const where = books.length ? books : [state.books[here.book]];
  for (const book of where) {
    const places = books.length ? [...chosen.get(book.id)] : [here.at];
    const reason = places.every((at) => book.lines[at]?.reason) ? "" : byId("reason").value;
    if (!(await look({ kind: "mark", book: book.id, prints: places.map((at) => book.lines[at].print), reason }))) break;
    chosen.delete(book.id);
  }
  draw();
}

function toggle(book, at) {
  const places = chosen.get(book.id) ?? new Set();
  if (!places.delete(at)) places.add(at);
  chosen.set(book.id, places);
}

async function save() {
  const files = draft ? [...draft.texts.keys()].filter((key) => draft.changed(key)).map((key) => draft.texts.get(key)) : [];
  if (!files.length) return notes.note(t("desk.nothing"));
  const beside = state.books.filter((each) => each.variant).map((each) => `books/${each.id}.lock`);
  const found = await line.question("take_home", { rules: "", files, beside, name: draft.rules || draft.title(language) || "rules" });
  if (!found) return;
  const content = Uint8Array.from(atob(found.content), (each) => each.charCodeAt(0));
  const url = URL.createObjectURL(new Blob([content], { type: "application/zip" }));
  h("a", { href: url, download: found.name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
  notes.note(t("desk.saved", { name: found.name }));
}

// ------------------------------------------------------------ navigation

function go(book, at, focus = true) {
  here.book = Math.max(0, Math.min(book, state.books.length - 1));
  const { lines } = state.books[here.book];
  here.at = Math.max(0, Math.min(at, lines.length - 1));
  show(`book-${here.book}`);
  drawHere();
  if (focus) focusSentence();
}

const element = (book, at) => document.getElementById(`sentence-${book}-${at}`);

function focusSentence() {
  element(here.book, here.at)?.focus();
  drawPoints();
}

/** The next undecided sentence of this book, cyclically. */
function next(number = here.book) {
  const { lines } = state.books[number];
  const from = number === here.book ? here.at + 1 : 0;
  const order = [...lines.keys()].map((at) => (at + from) % lines.length);
  const found = order.find((at) => !lines[at].reason && !lines[at].cited.length);
  if (found === undefined) notes.note(t("desk.all_done"));
  else go(number, found);
}

/** The partners of a sentence in the other books: book and place. */
function partners(number, at) {
  const { id } = state.books[number];
  const found = [];
  for (const [books, places] of links) {
    for (const side of [0, 1]) {
      if (books[side] !== id || !places[side].includes(at)) continue;
      const other = state.books.findIndex((each) => each.id === books[1 - side]);
      found.push(...places[1 - side].map((place) => [other, place]));
    }
  }
  return found;
}

function pressed(event) {
  const typing = event.target.matches("input:not([type=checkbox]), select, textarea");
  const command = event.ctrlKey || event.metaKey;
  if (command && event.key.toLowerCase() === "z" && !typing) {
    event.preventDefault();
    undo();
    return;
  }
  if (event.key === "Escape") {
    notes.hide();
    if (typing) focusSentence();
    return;
  }
  if (typing || command || event.altKey || !state) return;
  const inRules = event.target.closest("#rules");
  const keys = {
    n: () => next(),
    r: () => { show("rules"); byId("search").focus(); },
    c: () => cite(),
    x: () => noRule(),
    a: () => accept(),
    u: () => undo(),
    ...(inRules ? pointKeys() : {
      ArrowDown: () => go(here.book, here.at + 1),
      ArrowUp: () => go(here.book, here.at - 1),
      ArrowRight: () => beside(1),
      ArrowLeft: () => beside(-1),
      " ": () => choose(here.book, here.at),
      Enter: () => choose(here.book, here.at),
    }),
  };
  const inBook = event.target.closest(".sentences");
  const letter = event.key.length === 1 && event.key !== " ";
  const action = keys[letter ? event.key.toLowerCase() : event.key];
  if (!action || (!letter && !inBook && !event.target.closest("#points"))) return;
  event.preventDefault();
  action();
}

function pointKeys() {
  const points = [...document.querySelectorAll(".point")];
  const at = points.indexOf(document.activeElement);
  const to = (place) => points[Math.max(0, Math.min(place, points.length - 1))]?.focus();
  return {
    ArrowDown: () => to(at + 1),
    ArrowUp: () => (at <= 0 ? byId("search").focus() : to(at - 1)),
    ArrowLeft: () => go(here.book, here.at),
    " ": () => points[at]?.click(),
    Enter: () => points[at]?.click(),
  };
}

/** Moves to an adjacent book, at the partner of the sentence if there is one. */
function beside(step) {
  const book = here.book + step;
  if (book >= state.books.length) return byId("search").focus();
  const partner = partners(here.book, here.at).find(([other]) => other === book);
  go(book, partner?.[1] ?? 0);
}

function choose(number, at) {
  toggle(state.books[number], at);
  go(number, at);
  drawCiteForm();
}

function show(tab) {
  document.body.dataset.tab = tab;
  for (const each of document.querySelectorAll(".book, .rules")) each.classList.toggle("shown", each.id === tab);
  for (const each of document.querySelectorAll("#switch button")) each.setAttribute("aria-pressed", String(each.dataset.tab === tab));
}

// ------------------------------------------------------------ drawing

function draw() {
  if (!state) return;
  const focused = document.activeElement?.id;
  const scrolls = state.books.map((_, at) => document.querySelector(`#book-${at} .sentences`)?.scrollTop ?? 0);
  fill(byId("books"), ...state.books.map(column));
  for (const [at, top] of scrolls.entries()) {
    const list = document.querySelector(`#book-${at} .sentences`);
    if (list) list.scrollTop = top;
  }
  fill(byId("switch"), ...[...state.books.map((each, at) => [`book-${at}`, each.id]), ["rules", t("desk.rules")]].map(([tab, words]) => h("button", { type: "button", "data-tab": tab, onclick: () => show(tab) }, words)));
  fill(byId("stance"), ...STANCES.map((each) => h("option", { value: each, selected: each === byId("stance").value }, t(`desk.stances.${each}`))));
  fill(byId("reason"), ...state.reasons.map((each) => h("option", { value: each, selected: each === byId("reason").value }, t(`desk.reason.${each}`))));
  byId("undo").disabled = !past.length;
  byId("search").placeholder = t("desk.search");
  byId("note-text").placeholder = t("desk.note");
  if (!state.books.length) say(t("desk.no_books"));
  else if (state.faults.length) say(t("desk.faults", { files: listed(state.faults) }));
  show(document.body.dataset.tab);
  drawHere();
  drawPoints();
  if (focused) document.getElementById(focused)?.focus();
}

function column(book, number) {
  const done = t("desk.progress", { done: book.decided, all: book.lines.length });
  const file = h("input", { type: "file", accept: ".txt,.md,.markdown", class: "unseen", id: `file-${number}`, onchange: (event) => opened(book, event.target.files[0]) });
  const lines = [];
  let heading = null;
  for (const [at, each] of book.lines.entries()) {
    if (each.heading !== heading) lines.push(h("div", { class: "section", role: "presentation" }, (heading = each.heading)));
    lines.push(sentence(book, number, each, at));
  }
  return h("section", { class: "book", id: `book-${number}`, "aria-label": book.title },
    h("div", { class: "head" },
      h("h2", { lang: book.language }, book.title, " ", h("small", {}, book.id)),
      book.there ? h("button", { type: "button", onclick: () => next(number) }, t("desk.next")) : null,
      h("progress", { max: Math.max(1, book.lines.length), value: book.decided, "aria-label": done }),
      h("small", {}, done),
    ),
    book.stale ? h("p", { class: "wrong" }, t("desk.stale")) : null,
    book.there ? null : h("p", { class: "wrong" }, t("desk.text_missing", { file: book.file }), " ", h("label", { class: "button", for: `file-${number}` }, t("desk.text_choose")), file),
    h("div", { class: "sentences", role: "listbox", "aria-multiselectable": "true", "aria-label": t("desk.sentences", { book: book.title }), lang: book.language }, ...lines),
  );
}

function sentence(book, number, each, at) {
  const why = each.reason ? t(`desk.reason.${each.reason}`) : each.cited.length ? t("desk.cited_by", { rules: each.cited.join(", ") }) : "";
  const hint = state.suggestions.find((one) => one.book === book.id && one.places.includes(at));
  return h("div", {
    class: `sentence ${each.cited.length ? "cited" : each.reason ? "none" : "open"}`,
    id: `sentence-${number}-${at}`,
    role: "option",
    tabindex: "-1",
    "aria-selected": String(Boolean(chosen.get(book.id)?.has(at))),
    title: each.where,
    onclick: () => choose(number, at),
  }, each.text, why ? h("small", { lang: language }, why) : null, hint && !each.cited.length ? h("small", { class: "hint", lang: language }, t("desk.hint", { rule: hint.point })) : null);
}

/** Marks the current sentence and its partners, and aligns them vertically. */
function drawHere() {
  for (const each of document.querySelectorAll(".sentence")) {
    each.classList.remove("here", "partner");
    each.tabIndex = -1;
  }
  for (const [number, book] of state.books.entries()) {
    if (number !== here.book) element(number, 0)?.setAttribute("tabindex", "0");
    for (const at of book.lines.keys()) element(number, at)?.setAttribute("aria-selected", String(Boolean(chosen.get(book.id)?.has(at))));
  }
  const current = element(here.book, here.at);
  if (!current) return drawCiteForm();
  current.classList.add("here");
  current.tabIndex = 0;
  current.scrollIntoView({ block: "nearest" });
  const height = current.getBoundingClientRect().top;
  const seen = new Set();
  for (const [number, at] of partners(here.book, here.at)) {
    const partner = element(number, at);
    partner?.classList.add("partner");
    if (!partner || seen.has(number)) continue;
    seen.add(number);
    partner.closest(".sentences").scrollTop += partner.getBoundingClientRect().top - height;
  }
  drawCiteForm();
}

function drawCiteForm() {
  const count = chosenBooks().reduce((sum, each) => sum + chosen.get(each.id).size, 0);
  const rule = here.point;
  const without = rule && !count && !["states", "contradicts_itself"].includes(byId("stance").value);
  const words = (rule && count) || without ? t("desk.chosen", { count, rule }) : count ? t("desk.choose_rule", { count }) : t("desk.choose_sentence");
  byId("chosen").textContent = words;
  byId("cite").disabled = !((rule && count) || without);
  const book = state.books[here.book];
  byId("no-rule").textContent = t(book?.lines[here.at]?.reason && !count ? "desk.a_rule" : "desk.no_rule");
  byId("only-words").textContent = book ? t("desk.only_open", { book: book.title }) : "";
}

function drawPoints() {
  if (!state) return;
  const words = searchKey(byId("search").value).split(/\s+/).filter(Boolean);
  const book = state.books[here.book];
  const only = byId("only").checked;
  const found = state.points.filter((each) => {
    const text = searchKey(`${each.id} ${each.says}`);
    return each.id === here.point || (words.every((word) => text.includes(word)) && !(only && book && each.cites.some((cite) => cite.book === book.id)));
  });
  const hints = new Set(state.suggestions.filter((each) => each.book === book?.id && each.places.includes(here.at)).map((each) => each.point));
  found.sort((one, other) => hints.has(other.id) - hints.has(one.id)); // what the partners of this sentence are cited by
  const focused = document.activeElement?.id;
  fill(byId("points"), ...found.slice(0, MOST_POINTS).flatMap((each, at) => point(each, at)));
  if (focused?.startsWith("point-")) document.getElementById(focused)?.focus();
  drawCiteForm();
}

function point(each, at) {
  const books = [...new Set(each.cites.map((cite) => cite.book))];
  const mine = each.id === here.point;
  const made = h("div", {
    class: "point",
    id: `point-${each.id}`,
    role: "button",
    tabindex: mine || (at === 0 && !here.point) ? "0" : "-1",
    "aria-pressed": String(mine),
    onclick: () => {
      here.point = mine ? "" : each.id;
      drawPoints();
    },
  }, h("code", {}, each.id), h("small", {}, each.says), books.length ? h("small", {}, books.join(" · ")) : null);
  return mine ? [made, detail(each)] : [made];
}

function detail({ cites }) {
  const own = (id) => state.books.find((each) => each.id === id);
  const hints = state.suggestions.filter((each) => each.point === here.point && own(each.book));
  const place = ({ section, numbers }) => (numbers.length ? `${section} § ${numbers.join(" ")}` : section);
  return h("div", { class: "detail" },
    h("ul", {}, ...cites.map((cite) => h("li", {},
      h("span", {}, colon(cite.book, place(cite)), " ", h("span", { class: "stance" }, cite.stance === "states" ? "" : t(`desk.stances.${cite.stance}`)), cite.note ? h("small", {}, cite.note) : null),
      own(cite.book)?.there ? h("button", { type: "button", "aria-label": `${t("desk.remove")}: ${place(cite)}`, title: t("desk.remove"), onclick: () => remove(cite) }, "×") : null,
    ))),
    ...hints.map((each) => {
      const book = own(each.book);
      return h("div", {}, h("h3", {}, t("desk.suggested", { book: each.partner })), h("ul", {}, h("li", {},
        h("span", { lang: book.language }, each.places.map((at) => book.lines[at].text).join(" ")),
        h("button", { type: "button", onclick: () => take(book, each.places) }, t("desk.cite")),
      )));
    }),
  );
}

/** Opens the text of a book from a local file. */
async function opened(book, file) {
  if (!file) return;
  texts[book.file] = await file.text();
  await look();
  draw();
  await align();
}

open();
