// The page of a seat at the table: receives updates, shows them, and sends choices.

import { Choosing } from "./choosing.js";
import { byId, chip, fill, h } from "./dom.js";
import { afterwards, drafted, ending } from "./end.js";
import { folding } from "./folding.js";
import { teach } from "./lesson.js";
import { ownKey } from "./key.js";
import { changes, moving } from "./moving.js";
import * as notes from "./notes.js";
import { Panel } from "./panel.js";
import { Picture } from "./picture.js";
import { address, token } from "./server.js";
import { Line } from "./socket.js";
import { reporting } from "./report.js";
import { Stages } from "./stages.js";
import { agreement, briefRules, rulebook } from "./rulebook.js";
import { Story, lineText } from "./story.js";
import * as together from "./together.js";
import { colon, figure, language, listed, load, numeral, percent, strength, t, languageWishes } from "./words.js";
import { Teaching } from "./teach.js";
import { Zoom } from "./zoom.js";

const ENDS = ["taken", "gone", "stopped", "refused"]; // of an invitation
const HAND = 620; // a table that has less room across is drawn for a hand
const shape = () => {
  const { clientWidth: across, clientHeight: down } = byId("table");
  if (across < HAND) return across > 1.2 * innerHeight ? "low" : "tall";
  return across < 1.1 * down ? "square" : "wide";
};

let now = null; // the last scene
let choosing = null;
let asked = null; // to which question the choosing belongs
let replied = Infinity; // after how many replies this screen gave its own last one
let pointedAt = ""; // what was pointed at in vain, its name,
let pointedOn = null; // its element,
let around = []; // and what is around it
let attending = false; // whether whoever answered last did so with the keys

const zoom = new Zoom(byId("table"), byId("zooming"));
const picture = new Picture(byId("table"), pointed, zoom);
const panel = new Panel(byId("question"), {
  chosen: choose,
  typed,
  picked: (key) => pick(key),
  hinted: (keys) => picture.hint(keys),
  ruled: (clause) => line.say("rule", { clause }),
  inPicture: (key) => picture.has(key),
  alone: (key) => picture.alone(key),
});
const story = new Story(byId("log"), { ruled: (clause) => clause && line.say("rule", { clause }) });
const teaching = new Teaching(picture, (thing) => line.say("what", { thing }), {
  pointed: (key) => choosing?.by(key) ?? null,
  named: (text) => choosing?.options.find((option) => option.text === text) ?? null,
  asks: (option) => now.ask !== null && line.say("foresee", { number: option.number, ask: now.ask }),
  said: (told) => lineText(told, now.scene.players),
});
const stages = new Stages(picture, document.querySelector(".story header"));
const line = new Line(() => `/ws/${token}?${new URLSearchParams({ parts: "", stages: "", shape: shape(), ...languageWishes() })}`, heard, changed);
together.begin(line);
let drawnFor = shape();
new ResizeObserver(() => {
  if (shape() === drawnFor) return;
  drawnFor = shape();
  if (line.say("shape", { shape: drawnFor })) document.body.dataset.redrawing = drawnFor;
}).observe(byId("table"));

// ---------------------------------------------------------------- hearing

const hearing = {
  scene: shown,
  table: (message) => {
    if (!now) return;
    const before = now;
    now = { ...now, ...message };
    surroundings();
    if (now.table.rematch && !before.table.rematch) playedAgain(now);
    if (message.ask === null && choosing) {
      choosing = null;
      asked = null;
      question();
    }
  },
  invite: invited,
  asked: () => {
    const frame = byId("invitation");
    frame.querySelector("input").disabled = frame.querySelector("button.main").disabled = true;
    byId("invitation-line").textContent = t("open.asked");
  },
  seated: ({ link }) => {
    byId("invitation").id = ""; // that its line ends now is no news
    location.replace(link);
  },
  refused: ({ why }) => {
    if (why.anyway) offerAnyway(why);
    else notes.rule(why);
    reset();
  },
  why: (why) => {
    const nothing = !why.clause && !why.offered;
    if (nothing && around.length) {
      line.say("whynot", { thing: around.shift() });
      return;
    }
    const asks = now.scene.question;
    const unasked = { ...asks, sentence: [why.reason || t("not_asked_for"), asks?.prompt].join(" "), guards: [] };
    notes.rule(nothing && asks ? unasked : why, pointedAt, pointedOn);
    if (now.table.log) reporting(why.clause, now.at);
    pointedAt = "";
  },
  what: (answer) => teaching.answered(answer),
  foreseen: (answer) => answer.ask === now?.ask && teaching.foretold(answer),
  lesson: async ({ cards }) => {
    await teach(cards); // what happens meanwhile is shown afterwards
    teaching.taught(cards);
    teaching.scene(now, stages.waiting > 0);
  },
  points: ({ seat, total, rows }) => {
    const told = rows.map(([points, name, how, says]) => [name, `${numeral(points)}  ${name} (${how}) ${says}`]);
    notes.rule({ sentence: colon(now.scene.players[seat].name, numeral(total)), guards: told, citations: [], clause: "" });
  },
  hint: hinted,
  note: ({ text }) => notes.note(text),
  error: ({ message }) => {
    const over = byId("invitation-line"); // a note would lie under the invitation
    if (over) over.textContent = message;
    else notes.note(message);
  },
  pong: () => {},
};

let queue = Promise.resolve();

/** One message after the other, also while words are being fetched. */
function heard(message) {
  const news = message.type === "scene" ? 1 : 0;
  stages.waiting += news;
  queue = queue
    .then(() => {
      stages.waiting -= news;
      return hearing[message.type]?.(message);
    })
    .then(() => together.heard(message))
    .catch((error) => console.error(error));
}

function changed(state) {
  document.body.dataset.line = state;
  const words = state === "open" ? "" : t(`line_${state}`);
  byId("line").textContent = words;
  const over = byId("invitation");
  if (!over) return;
  // Whoever reads an invitation does not see the bar: it is told there, and an end for good instead of it.
  byId("invitation-line").textContent = words;
  if (ENDS.includes(state)) fill(over, h("h2", {}, t({ taken: "used", refused: "open.not_let_in" }[state] ?? "lost")), h("p", { role: "alert" }, words), address("/") ? h("a", { class: "button main", href: address("/") }, t("home")) : null);
}

async function shown(message) {
  const played = (message.scene.stages ?? []).map((stage) => (stage.parts ? { ...stage, svg: picture.joined(stage.parts) } : stage));
  const svg = picture.joined(message.scene.parts);
  const first = now === null;
  if (first && !message.you.watch && ownKey()) line.say("mine", { key: ownKey() });
  if (first || message.table.language !== language) await load(message.table.language);
  const before = now;
  now = message;
  const { scene, table } = message;
  for (const id of ["title", "game"]) byId(id).textContent = drafted(table) ? t("from_draft", { name: table.title }) : table.title;
  zoom.named();
  delete document.body.dataset.redrawing;
  if (message.since === 0) zoom.forget();
  picture.players = scene.players;
  story.tell(scene.log, scene.players, message.since === 0, replied);
  const key = message.ask === null ? null : `${message.ask}/${message.seat}/${table.language}`;
  const another = key === null || key !== asked;
  if (before !== null && before.seat === message.seat) {
    if (played.length && another) playedOut();
    for (const { reply } of played) story.upto(reply, 0);
    await stages.play(played, svg, ({ reply, lines }) => story.upto(reply, lines), scene.marks);
    for (const { reply } of scene.log) story.upto(reply, Infinity);
  } else {
    picture.show(svg, false);
    picture.scored([], scene.marks);
  }
  stages.worded();
  surroundings();
  languages(table);
  if (another) {
    asked = key;
    choosing = scene.question && message.ask !== null ? new Choosing(scene.question) : null;
    panel.typing.clear();
    if (!first) notes.hide();
    byId("hint").disabled = false;
  } else choosing?.reworded(scene.question);
  question(true);
  aloud(scene);
  if (teaching.first(now)) line.say("lesson");
  else teaching.scene(now, stages.waiting > 0);
}

/** Says to those who listen what has happened, and what is asked. */
function aloud({ log, players, question: asks }) {
  const lines = log.flatMap((entry) => entry.lines).filter((line) => !line.implied).slice(-6);
  const told = lines.map((line) => lineText(line, players));
  if (choosing) told.push(asks.prompt);
  byId("said").textContent = told.join(" ");
}

/** What is around the table: who is there, what is proposed, whose turn it is to look. */
function surroundings() {
  const { table } = now;
  curtain(now);
  proposal(table.proposal, table.paused);
  people(now);
  strip(now);
  teaching.settle();
  undoing(table.undo);
  byId("watch-again").href = address(`/replay/${token}${location.search}`);
  byId("watch-again").hidden = !byId("watch-again").href; // a game that still goes on with one's own eyes alone
  byId("download").href = address(`/api/log/${token}`);
  byId("download").hidden = !table.log;
}

// ---------------------------------------------------------------- asking and choosing

/** What this screen is doing: asked, sent (its answer), staged (what happened is played out), waiting, over. */
function state(name) {
  document.body.dataset.state = name;
  document.body.dataset.at = now.at;
  byId("question").inert = name === "sent";
}

/** What was asked before is asked no more, and what comes next is not asked before all has been seen. */
function playedOut() {
  choosing = null;
  state("staged");
  byId("rules").hidden = byId("hint").hidden = true;
  picture.about([]);
  picture.mark(new Set(), []);
  panel.wait([]);
}

function question(fresh = false) {
  const { scene, seat, table } = now;
  teaching.hide(); // what it spoke of may be another answer now
  state(scene.finished ? "over" : choosing ? "asked" : "waiting");
  document.querySelector(".last-line")?.remove();
  if (choosing) document.querySelector(".story h2").after(story.lastLine(seat, () => byId("unfold-story").click()) ?? "");
  byId("rules").hidden = !choosing;
  byId("hint").hidden = !choosing;
  document.title = `${choosing ? "● " : ""}${table.title} – Lawspeaker`;
  picture.about(choosing ? scene.question.about : []);
  if (scene.finished && scene.result) {
    picture.mark(new Set(), []);
    panel.end(scene.result, ending(scene.result, scene.players, now.you.seats), afterwards(now, { shared: copied, failed: notes.note, offered }));
  } else if (choosing) {
    picture.mark(choosing.next, choosing.picked, choosing.others, choosing.later);
    panel.ask(choosing, scene.players[seat]);
    picture.reveal(fresh);
    if (fresh && attending) byId("prompt").focus({ preventScroll: true });
    attending = false;
  } else {
    picture.mark(new Set(), []);
    if (fresh) picture.reveal();
    panel.wait(scene.asked.map((each) => scene.players[each].name), table.paused?.text ?? (table.lobby ? t("together.not_begun") : ""));
  }
  if (!scene.finished && !table.paused) panel.passing(table.passing, choosing && scene.question.steps_in, (until) => line.say("passing", { until }));
}

function pointed(keys, name, element) {
  const here = choosing ? keys.find((key) => choosing.next.has(key) || choosing.picked.includes(key) || choosing.others.has(key)) : null;
  if (here) {
    pick(here);
    return;
  }
  pointedAt = name.split(": ")[0].trim();
  pointedOn = element;
  around = keys.slice(1);
  if (choosing) line.say("whynot", { thing: keys[0] });
  else if (document.body.dataset.state === "waiting" && !matchMedia("(hover: none)").matches) {
    const names = now.scene.asked.map((each) => now.scene.players[each].name);
    if (now.table.lobby || now.table.paused) return;
    notes.note(names.length ? t("not_your_turn", { names: listed(names) }) : t("waiting_anyone"));
  }
}

function pick(key) {
  const option = choosing.pick(key);
  if (option) choose(option);
  else question();
}

function choose(option) {
  if (!choosing || now.ask === null) return;
  notes.hide();
  teaching.hide();
  attending = document.activeElement !== document.body;
  if (line.say("reply", { number: option.number, ask: now.ask })) {
    replied = now.at;
    choosing = null;
    picture.mark(new Set(), []);
    picture.hint([]);
    state("sent");
  }
}

/** An answer that was typed. */
function typed(text) {
  if (!choosing || now.ask === null) return;
  notes.hide();
  attending = false;
  if (line.say("reply", { number: 0, ask: now.ask, text })) {
    replied = now.at;
    choosing = null;
    picture.mark(new Set(), []);
    state("sent");
  }
}

function reset() {
  if (now?.scene.question && now.ask !== null) choosing = new Choosing(now.scene.question);
  question(true);
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, select, dialog")) return;
  if (choosing && event.key.length === 1 && panel.press(event.key)) event.preventDefault();
  else if (event.key === "Escape") {
    notes.hide();
    if (choosing?.picked.length) {
      choosing.clear();
      question();
    }
  } else if (event.key === "+") zoom.in();
  else if (event.key === "-") zoom.out();
  else if (event.key === "0") zoom.all();
  else if (event.key === "?" && choosing) line.say("rule");
  else if (event.key === "h" && choosing) byId("hint").click();
  else if (event.key === "u" && now?.table.undo) line.say("undo");
  else if (event.key === "ArrowDown" && !byId("question").contains(document.activeElement)) {
    const button = byId("question").querySelector(".options button");
    if (button) {
      event.preventDefault();
      button.focus();
    }
  }
});

// ---------------------------------------------------------------- around the table

function curtain({ curtain: seat, scene }) {
  const frame = byId("curtain");
  const closed = seat !== null;
  document.body.classList.toggle("behind", closed);
  frame.hidden = !closed;
  if (!closed) return;
  const player = scene.players[seat];
  frame.setAttribute("aria-label", t("curtain", { name: player.name }));
  const open = h("button", { class: "main", onclick: () => line.say("face", { seat }) }, t("curtain_open", { name: player.name }));
  fill(frame, h("div", { class: "folds" }, chip(player, "large"), h("p", {}, t("curtain", { name: player.name })), open));
  open.focus();
}

/** An invitation to a seat. */
async function invited(invitation) {
  const { name, seat: own, title, rules, seats, language: wanted, languages: spoken, listed: open = false, text = "" } = invitation;
  const before = byId("invitation")?.querySelector("input")?.value; // it may be read in another language now
  await load(wanted);
  const bot = (each) => (each.strength ? t("bot", { strength: strength(each.strength, each.level) }) : each.name);
  const sitting = seats.filter((each) => each.sits).map((each) => (each.nick || each.strength ? `${each.nick || each.name} (${each.nick ? each.name : bot(each)})` : each.name));
  const value = before ?? (open ? "" : seats[own].nick); // whoever was invited by name, or plays again, is called so
  const field = h("input", { type: "text", maxlength: "24", placeholder: t("name"), "aria-label": t("name"), value });
  const select = h(
    "select",
    { "data-speaks": "", "aria-label": t("language"), onchange: () => line.say("language", { language: select.value }) },
    ...spoken.map((each) => h("option", { value: each, selected: each === wanted }, each.toUpperCase())),
  );
  const sit = () => line.say("sit", { name: field.value.trim() });
  field.addEventListener("keydown", (event) => event.key === "Enter" && sit());
  const frame = byId("curtain");
  frame.hidden = false;
  frame.setAttribute("aria-label", t("invited", { title }));
  byId("title").textContent = title;
  fill(
    frame,
    h(
      "div",
      { id: "invitation", class: "folds" },
      h("h2", {}, open ? title : t("invited", { title })),
      text ? h("p", { class: "said-of" }, text) : null,
      spoken.length > 1 ? select : null,
      ...together.terms(invitation.clock, invitation.discreet),
      sitting.length ? h("p", { class: "sitting" }, colon(t("people"), sitting.join(", "))) : null,
      h("p", { id: "invitation-line", role: "alert" }),
      field,
      h("button", { class: "main", onclick: sit }, open ? t("open.ask") : t("sit_down", { name })),
      open ? h("p", { class: "tip" }, t("open.ask_about")) : null,
      // These two fetch their text: under the button they do not move it when it comes.
      rules ? briefRules(rules, seats.length) : null,
      rules ? agreement(rules) : null,
    ),
  );
  field.focus();
}

/** A game that a fault of the rules has paused: what all are told, and what the host can do. */
function paused({ text, how, details, ended }) {
  const steps = h("input", { type: "number", min: "1", max: String(now.at + 1), value: "1", "aria-label": t("resume_steps") });
  const after = () => Math.max(0, now.at + 1 - Math.max(1, Number(steps.value) || 1));
  const host = now.you.host && !ended;
  return [
    h("span", {}, text, " ", h("small", {}, how, " ", details)),
    ...(host ? [h("label", {}, t("resume_steps"), " ", steps), h("button", { class: "main", onclick: () => line.say("resume", { after: after() }) }, t("resume")), h("button", { onclick: () => line.say("end") }, t("end_paused"))] : []),
  ];
}

function proposal(open, stopped) {
  const frame = byId("proposal");
  frame.hidden = !open && !stopped;
  if (!open && stopped) fill(frame, ...paused(stopped));
  differing = open?.kind === "rules" ? (differing ?? changes()) : null;
  if (!open) return;
  const buttons = open.yours
    ? [
        h("button", { class: "main", onclick: () => line.say("agree") }, t("agree")),
        h("button", { onclick: () => line.say("decline") }, t("decline")),
      ]
    : open.mine
      ? [h("button", { onclick: () => line.say("decline") }, t("withdraw"))]
      : [];
  fill(frame, h("span", {}, open.text, " ", h("small", {}, open.waiting)), ...buttons, ...(differing ?? []));
}

let differing = null; // what the proposed rules change, as elements that last as long as the proposal

/** Says what would be taken back. */
function undoing(what) {
  byId("undo").hidden = !what;
  if (!what) return;
  const more = what.replies > 1 ? t("layout.undo_more", { count: what.replies - 1 }) : "";
  const words = what.what ? t("layout.undo_what", { what: what.what }) : t("undo");
  fill(byId("undo-what"), words);
  byId("undo").title = [words, more].filter(Boolean).join("; ");
}

/** What a bot would do here, and why. */
function hinted({ options, ask }) {
  byId("hint").disabled = false;
  if (!choosing || ask !== now.ask) return;
  const asks = now.scene.question;
  const known = new Map(asks.options.map((option) => [option.number, option]));
  const found = options.map((each) => ({ ...each, option: known.get(each.number) })).filter((each) => each.option);
  if (!found.length) {
    notes.note(t("layout.hint_none"));
    return;
  }
  const told = ({ games, wins, ahead }) => {
    if (!games) return t("layout.hint_only");
    const [value, low, high] = wins.map((each) => percent(each, 0));
    const parts = [t("layout.hint_wins", { value, low, high, games })];
    if (ahead) parts.push(t(ahead > 0 ? "layout.hint_ahead" : "layout.hint_behind", { points: figure(Math.abs(ahead), 1) }));
    return parts.join("; ");
  };
  const [best] = found;
  picture.hint([...best.option.things, ...best.option.words]);
  notes.advice(t("layout.hint_lead"), found.map((each) => [each.option.name, told(each)]), t("layout.hint_how"), t("layout.hint_do", { name: best.option.name }), () => choose(best.option), byId("table").querySelectorAll("svg .hint"));
}

/** The table at which the same is played again: those who are still here hear of it before one goes there. */
let next = "";

function offered(link) {
  next = link;
  line.say("rematch", { link });
}

/** Somebody plays the same again. Who wanted to, too, goes along, and everybody else is asked. */
function playedAgain({ table: { rematch }, you }) {
  if (next) location.href = you.seats.includes(rematch.by) ? next : (rematch.links[0] ?? next);
  else question();
}

function offerAnyway(why) {
  // The rule that was at work when it was said does not say why it cannot be taken back.
  notes.rule({ ...why, clause: why.citations.length ? why.clause : "" });
  byId("note").append(
    h("button", { class: "main", onclick: () => { line.say("undo", { anyway: true }); notes.hide(); } }, t("undo_anyway")),
  );
}

function people({ table, scene, you }) {
  const rows = table.seats.map((seat) => {
    const player = scene.players[seat.seat];
    const person = seat.nick ? player.seat_name : t(you.seats.includes(seat.seat) ? "you" : "friend");
    const who = seat.who === "bot" ? t("bot", { strength: strength(seat.strength, seat.level) }) : person;
    const away = seat.who === "person" && !seat.here;
    const more = [away ? t("away") : null, player.out].filter(Boolean).join(", ");
    const link = table.links?.seats?.[seat.seat];
    const parts = [
      chip(player),
      h("span", { class: "names" }, h("span", { class: "name" }, player.name), h("span", { class: "who-is" }, more ? `${who} (${more})` : who), h("span", { class: "clock", "data-clock": seat.seat, hidden: true })),
    ];
    if (link && !you.seats.includes(seat.seat)) parts.push(copier(link, t("copy_link")));
    else if (you.host && seat.person && !you.seats.includes(seat.seat)) {
      parts.push(h("button", { class: "quiet", onclick: () => confirm(t("free_sure", { name: player.name })) && line.say("free", { seat: seat.seat }) }, t("free_seat")));
    }
    const mine = you.seats.includes(seat.seat);
    if (seat.who === "person" && !table.finished && (mine || (away && (you.host || (table.host_away && you.seats.length))))) {
      parts.push(together.standIn(table, seat.seat));
    }
    if (seat.person && !seat.here && !mine && !link && !table.finished && table.host_away && you.seats.length) {
      parts.push(h("button", { class: "quiet", onclick: () => line.say("hand_on", { seat: seat.seat }) }, t("hand_on")));
    }
    if (seat.who === "bot" && seat.person && you.seats.includes(seat.seat)) {
      parts.push(h("button", { class: "quiet", onclick: () => line.say("back", { seat: seat.seat }) }, t("take_seat_back")));
    }
    return h("li", {}, ...parts);
  });
  const watch = table.links?.watch;
  const watchers = h("span", { class: "name" }, t("watchers", { count: table.watchers }));
  fill(byId("people"), ...rows, watch ? h("li", {}, watchers, copier(watch, t("copy_watch"))) : null);
}

function copier(path, words) {
  const button = h("button", { class: "quiet", "data-link": path, title: new URL(path, location.href).href }, words);
  button.addEventListener("click", () => copied(path));
  return button;
}

/** An address is handed on: copied, or where that is not allowed, shown. */
async function copied(path) {
  const whole = new URL(path, location.href).href;
  try {
    await navigator.clipboard.writeText(whole);
    notes.note(t("copied"));
  } catch {
    notes.note(whole);
  }
}

/** Everybody at the table in one line; a table that waits for people shows their invitations at once, and until all have
 * come. */
function strip({ table, scene, you }) {
  const shown = table.seats.map((seat) => {
    const player = scene.players[seat.seat];
    const kinds = [scene.asked.includes(seat.seat) || seat.seat === now.seat && now.ask !== null ? "asked" : "", seat.who === "person" && !seat.here ? "away" : "", player.out ? "out" : ""];
    const out = player.out ? h("span", { class: "unseen" }, player.out) : null;
    return h("span", { class: kinds.join(" "), title: player.out }, chip(player), h("span", { class: "name" }, seat.nick || player.name), h("span", { class: "clock", "data-clock": seat.seat, hidden: true }), out);
  });
  fill(byId("strip"), ...shown);
  const inviting = Object.keys(table.links?.seats ?? {}).some((seat) => !you.seats.includes(Number(seat)));
  if (inviting && !opened) byId("seats").open = opened = true;
  if (waiting && !inviting) byId("seats").open = false;
  waiting = inviting;
}

let opened = false; // whether the invitations have been shown
let waiting = false; // whether somebody had still to come

function languages(table) {
  const select = byId("language");
  fill(select, ...table.languages.map((each) => h("option", { value: each, selected: each === table.language }, each.toUpperCase())));
  select.hidden = table.languages.length < 2;
  select.onchange = () => {
    line.say("language", { language: select.value });
  };
}

byId("hint").addEventListener("click", () => {
  if (!line.say("hint")) return;
  byId("hint").disabled = true; // until it is answered, or the question is another one
});
byId("book").addEventListener("click", () => now && rulebook(now.table.rules, now.table.seats.length, ...together.terms(now.table.clock?.each, now.table.discreet), teaching.toggle(), moving(now)));
byId("undo").addEventListener("click", () => line.say("undo"));
byId("rules").addEventListener("click", () => line.say("rule"));
folding();

// In a hand the buttons that look closer stand beside the story, where they take no room from the table.
const hand = matchMedia("(max-width: 640px), (max-height: 520px) and (orientation: landscape)");
const beside = () => (hand.matches ? document.querySelector(".story h2") : byId("table")).after(byId("zooming"));
hand.addEventListener("change", beside);
beside();

// A window that is turned shows another part of the table: what matters comes into sight again.
window.addEventListener("resize", () => requestAnimationFrame(() => now && picture.reveal()));
