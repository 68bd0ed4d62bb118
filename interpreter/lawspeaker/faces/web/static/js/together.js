// Multiplayer features: invitations, the lobby, chat and signs, whom the game waits for, clocks, and notifications.

import { byId, chip, fill, h, svg } from "./dom.js";
import { timeAgo } from "./mine.js";
import * as notes from "./notes.js";
import * as push from "./push.js";
import * as turn from "./turn.js";
import { agreement } from "./rulebook.js";
import { colon, language, listed, strength, t, strengthAndName } from "./words.js";

const SIGNS = ["👍", "👏", "😂", "😮", "😢", "🎉", "🤔", "⏳"];
const LONGEST = 280;
const BELL = "M6 16V11a6 6 0 0 1 12 0v5l2 2H4zM10 21h4";
const LOCAL = ["localhost", "127.0.0.1", "[::1]"];

let line = null;
let now = null; // the last scene, with all that was told of the table since
let lines = [];
let unread = 0;
let skew = 0; // by how many seconds the clock here is ahead of the server's
let asked = null; // the question this screen was told of
let ready = false; // whether the drawer was made
let waiting = false; // whether the lobby was shown
let drawn = []; // whom all wait for, as it was made last
let agreed = null; // by which rules is played, as an element

export function begin(server) {
  line = server;
}

/** Handles every message of the server. */
export function heard(message) {
  if (message.type === "talk") talked(message);
  else if (message.type === "mail") {
    mailing = message;
    drawBell();
  } else if (message.type === "push") {
    pushing = message;
    if (message.on) push.remember(message.tag).catch(() => {});
    drawBell();
  } else if (message.type === "pong" && message.now) {
    skew = Date.now() / 1000 - message.now;
    drawWaiting();
  } else if (message.type === "scene" || message.type === "table") shown(message);
}

function shown(message) {
  now = { ...now, ...message };
  if (!ready) make();
  const mine = message.ask === null || now.table.lobby ? null : `${message.ask}/${message.seat}`;
  if (mine !== null && mine !== asked && now.table.seats.some((seat) => seat.who === "person" && !now.you.seats.includes(seat.seat))) turn.tell(now.table.title);
  if (mine === null) turn.clear();
  asked = mine;
  byId("talk-open").hidden = !others();
  lobby();
  guests();
  draw();
  tick();
}

/** Whether anybody else is at the table, or was invited, or looks on. */
const others = () => now.you.watch || now.table.watchers > 0 || now.table.seats.some((seat) => seat.person && !now.you.seats.includes(seat.seat)) || lines.length > 0;

const nameOf = (seat) => now.table.seats[seat]?.nick || now.scene.players[seat]?.name || t("place.player", { number: seat + 1 });

// ------------------------------------------------------------ the drawer

function make() {
  ready = true;
  const open = h("button", { id: "talk-open", class: "quiet", "aria-haspopup": "dialog", onclick: show }, icon("M4 5h16v11H10l-5 4v-4H4z"), h("span", { class: "words" }, t("together.title")), h("span", { id: "unread", class: "unread", hidden: true }));
  document.querySelector(".bar nav").prepend(open);
  const field = h("input", { id: "talk-field", type: "text", maxlength: String(LONGEST), autocomplete: "off" });
  document.body.append(
    h(
      "dialog",
      { id: "talk", class: "talk" },
      h("header", {}, h("h2", { id: "talk-title" }), h("button", { class: "close", onclick: () => byId("talk").close() }, "×")),
      h("div", { id: "waited" }),
      h("ol", { id: "talk-lines", tabindex: "0" }),
      h("div", { id: "signs", role: "group" }),
      h("form", { id: "talk-form", onsubmit: said }, field, h("button", { class: "main" })),
      h("div", { id: "bell" }),
    ),
    h("div", { id: "signs-shown", "aria-live": "polite" }),
    h("section", { id: "lobby", class: "lobby", hidden: true }),
    h("div", { id: "guests", class: "guests", role: "alert", hidden: true }),
    h("dialog", { id: "inviting", class: "talk inviting" }),
  );
  byId("talk").addEventListener("click", (event) => event.target === byId("talk") && byId("talk").close());
  line.say("ping");
  setInterval(() => {
    drawWaiting();
    tick();
  }, 1000);
}

/** A small drawing in the colour of the words beside it. */
function icon(path) {
  return svg(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" class="line-icon" aria-hidden="true"><path d="${path}" fill="none" stroke="currentColor" stroke-width="2" stroke-linejoin="round" stroke-linecap="round"/></svg>`);
}

function show() {
  unread = 0;
  byId("talk").showModal();
  draw();
  scroll();
}

function draw() {
  if (!now) return;
  const watch = now.you.watch;
  byId("talk-open").querySelector(".words").textContent = t("together.title");
  byId("talk-open").setAttribute("aria-label", unread ? `${t("together.title")}. ${t("together.unread", { count: unread })}` : t("together.title"));
  byId("unread").hidden = !unread;
  byId("unread").textContent = String(unread);
  byId("talk-title").textContent = t("together.title");
  byId("talk").setAttribute("aria-label", t("together.title"));
  byId("talk").querySelector(".close").setAttribute("aria-label", t("close"));
  byId("talk-form").hidden = watch;
  byId("signs").hidden = watch;
  byId("signs").setAttribute("aria-label", t("together.react"));
  byId("talk-field").setAttribute("aria-label", t("together.say"));
  byId("talk-field").placeholder = t("together.say");
  byId("talk-form").querySelector("button").textContent = t("together.send");
  if (!byId("signs").children.length) fill(byId("signs"), ...SIGNS.map((sign) => h("button", { type: "button", onclick: () => line.say("sign", { sign }) }, sign)));
  const told = lines.map((each) => h("li", { class: each.kind }, chip(now.scene.players[each.seat], "small"), h("span", {}, h("strong", {}, nameOf(each.seat)), " ", words(each)), h("time", {}, timeAgo(each.at + skew))));
  fill(byId("talk-lines"), ...(told.length ? told : [h("li", { class: "tip" }, t(watch ? "together.onlooker" : "together.nothing"))]));
  drawWaiting();
  drawBell();
}

function words(each) {
  if (each.kind !== "reminder") return each.text;
  const names = waited().map(nameOf).join(", ");
  return names ? t("together.reminded", { name: "", names }).trim() : "⏳";
}

const scroll = () => byId("talk-lines").scrollTo(0, byId("talk-lines").scrollHeight);

function said(event) {
  event.preventDefault();
  const field = byId("talk-field");
  const text = field.value.trim();
  if (text && line.say("say", { text })) field.value = "";
}

function talked({ lines: told, all }) {
  const known = lines.at(-1)?.number ?? 0;
  const fresh = told.filter((each) => each.number > known);
  lines = all ? told : [...lines, ...fresh];
  if (!now) return;
  const open = byId("talk").open;
  const news = all ? [] : fresh.filter((each) => !now.you.seats.includes(each.seat));
  if (!open) unread += news.filter((each) => each.kind !== "sign").length;
  for (const each of all ? [] : fresh) {
    if (each.kind === "sign") float(each);
    else if (each.kind === "reminder" && asked !== null && !now.you.seats.includes(each.seat)) {
      notes.note(t("together.reminds", { name: nameOf(each.seat) }));
      turn.tell(now.table.title);
    }
  }
  byId("talk-open").hidden = !others();
  draw();
  if (open) scroll();
}

/** Shows a sign for a moment, whatever is open. */
function float(each) {
  const shown = h("span", { class: "floating" }, chip(now.scene.players[each.seat], "small"), nameOf(each.seat), " ", h("b", {}, each.text));
  byId("signs-shown").append(shown);
  setTimeout(() => shown.remove(), 4000);
}

// ------------------------------------------------------------ whom all wait for, and clocks

const waited = () => (now.table.finished || now.table.lobby ? [] : now.scene.asked.filter((seat) => now.table.seats[seat]?.who === "person"));

function drawWaiting() {
  if (!now || !byId("talk")?.open) return;
  const { table, you, scene } = now;
  const elapsed = Math.max(0, Date.now() / 1000 - skew - table.since);
  const others = waited().filter((seat) => !you.seats.includes(seat));
  const parts = Object.keys(table.links?.seats ?? {}).filter((seat) => !you.seats.includes(Number(seat))).map((seat) => h("button", { onclick: () => invite(Number(seat)) }, `${t("together.invite")}: ${scene.players[seat].name}`));
  if (others.length) {
    parts.push(h("p", {}, t("together.waited", { names: listed(others.map(nameOf)), when: timeAgo(table.since + skew) })));
    if (!you.watch && elapsed >= 60) parts.push(h("button", { onclick: () => line.say("remind") }, t("together.remind")));
  }
  const offer = table.lobby ? null : listing(table.listing);
  if (offer) parts.push(offer);
  const times = [];
  if (table.clock.each) {
    const rows = table.seats.filter((seat) => seat.person).map((seat) => {
      const { left, out, running } = timeOf(seat.seat);
      const bot = out && running && !you.watch && !you.seats.includes(seat.seat);
      times.push(out ? t("together.out") : t("together.left", { time: span(left) }));
      return h(
        "li",
        { class: out ? "out" : null },
        chip(now.scene.players[seat.seat], "small"),
        h("span", {}, nameOf(seat.seat)),
        h("span", { class: "left" }),
        bot ? standIn(table, seat.seat) : null,
      );
    });
    parts.push(h("ul", { class: "clocks" }, ...rows), h("p", { class: "tip" }, t("together.clock_about")));
  }
  // Only changed elements are replaced, so that an open list beside them stays open.
  const place = byId("waited");
  if (parts.length !== drawn.length || parts.some((each, number) => !each.isEqualNode(drawn[number]))) {
    drawn = parts.map((each) => each.cloneNode(true));
    fill(place, ...parts);
  }
  place.querySelectorAll(".left").forEach((each, number) => {
    if (each.textContent !== times[number]) each.textContent = times[number];
  });
}

/** The seconds that a player has left, whether they are used up, and whether the clock runs. */
function timeOf(seat) {
  const { each, spent } = now.table.clock;
  const running = waited().includes(seat);
  const elapsed = running ? Math.max(0, Date.now() / 1000 - skew - now.table.since) : 0;
  const left = each - spent[seat] - elapsed;
  return { left, out: left <= 0, running };
}

/** Updates all clocks on the page (`data-clock`) and marks players who are out of time. */
export function tick() {
  if (!now) return;
  const { clock, seats } = now.table;
  for (const each of document.querySelectorAll("[data-clock]")) {
    const seat = Number(each.dataset.clock);
    each.hidden = !clock?.each || !seats[seat]?.person || now.table.finished;
    if (each.hidden) continue;
    const { left, out } = timeOf(seat);
    const words = out ? t("together.out") : t("together.left", { time: span(left) });
    if (each.textContent !== words) each.textContent = words;
    each.classList.toggle("out-of-time", out);
  }
}

/** The chosen stand-ins, kept while people and clocks are redrawn. */
const substitutes = new Map();

/** A selector of bots with the button that lets one play for a seat. */
export function standIn(table, seat) {
  const known = table.stand_ins.map((each) => each.strength);
  const chosen = known.includes(substitutes.get(seat)) ? substitutes.get(seat) : known[0];
  const bots = h(
    "select",
    { "aria-label": t("together.who_plays_on"), onchange: (event) => substitutes.set(seat, event.target.value) },
    ...table.stand_ins.map((each) => h("option", { value: each.strength }, strengthAndName(each.strength, each.level))),
  );
  bots.value = chosen;
  const button = h("button", { class: "quiet", onclick: () => line.say("bot", { seat, strength: bots.value }) }, t("together.let_bot"));
  return h("span", { class: "stand-in" }, bots, button);
}

/** Formats seconds as a clock. */
function span(seconds) {
  const whole = Math.floor(seconds);
  if (whole >= 172_800) return t("together.days", { count: Math.floor(whole / 86_400) });
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const two = (each) => String(each).padStart(2, "0");
  return hours ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}

let addressed = ""; // the address that is being written
let mailing = null; // whether mails tell that it is one's turn

/** A field for the address to which mails go while the page is closed; null where the server sends none. */
function mails() {
  if (!now.table.mails || now.you.watch) return null;
  if (mailing === null) {
    mailing = { state: "", address: "" };
    line.say("mail");
  }
  const { state, address } = mailing;
  const say = (text) => line.say("mail", { address: text });
  if (state) return h("p", {}, t(`mail.${state}`, { address }), " ", h("button", { class: "quiet", onclick: () => say("-") }, t("mail.stop")));
  const field = h("input", { id: "mail-address", value: addressed, oninput: () => { addressed = field.value; }, type: "email", maxlength: "254", autocomplete: "email", placeholder: t("mail.address"), "aria-label": t("mail.address") });
  const send = (event) => {
    event.preventDefault();
    if (field.value.trim() && say(field.value.trim())) addressed = "";
  };
  return h("details", { class: "listing", open: Boolean(addressed) }, h("summary", {}, t("mail.title")), h("p", { class: "tip" }, t("mail.about")), h("form", { onsubmit: send }, field, h("button", {}, t("mail.ask"))));
}

let pushing = null; // whether this browser is told with the page closed, and the server's key

/** A button for messages to this browser while the page is closed; null where the server sends none, or the browser takes none. */
function pushes() {
  if (!now.table.pushes || now.you.watch || !push.possible()) return null;
  if (pushing === null) {
    pushing = { on: false, key: "" };
    push.endpoint().catch(() => "").then((endpoint) => line.say("push", { endpoint }));
  }
  const stop = async () => {
    line.say("push", { endpoint: await push.endpoint(), stop: true });
    push.remember("").catch(() => {});
  };
  if (pushing.on) return h("p", {}, t("push.on"), " ", h("button", { class: "quiet", onclick: stop }, t("push.stop")));
  const start = async () => {
    const found = await push.subscribed(pushing.key).catch(() => null);
    if (found) line.say("push", found);
    else notes.note(t("together.bell_denied"));
  };
  return h("details", { class: "listing" }, h("summary", {}, t("push.title")), h("p", { class: "tip" }, t("push.about")), h("button", { disabled: !pushing.key, onclick: start }, t("push.title")));
}

function drawBell() {
  const on = turn.wanted();
  const flip = async () => {
    if (on) turn.switchOff();
    else if (!(await turn.switchOn())) notes.note(t("together.bell_denied"));
    drawBell();
  };
  byId("bell").hidden = now.you.watch;
  const typing = document.activeElement?.id === "mail-address"; // what happens meanwhile does not take it away
  const open = [...byId("bell").querySelectorAll("details[open] > summary")].map((each) => each.textContent);
  fill(byId("bell"), mails(), pushes(), h("button", { class: "quiet", "aria-pressed": String(on), onclick: flip }, icon(on ? BELL : `${BELL}M4 4l16 16`), t(on ? "together.bell_on" : "together.bell")));
  for (const each of byId("bell").querySelectorAll("details > summary")) if (open.includes(each.textContent)) each.parentElement.open = true;
  if (typing) byId("mail-address")?.focus();
}

// ------------------------------------------------------------ inviting, and the lobby

/** The invitation to a seat: a large button, and a QR code. */
export function invite(seat) {
  const path = now.table.links?.seats?.[seat];
  if (!path) return;
  const address = new URL(path, location.href).href;
  const title = t("invited", { title: now.table.title });
  const send = async () => {
    try {
      if (navigator.share) await navigator.share({ title, text: title, url: address });
      else {
        await navigator.clipboard.writeText(address);
        notes.note(t("copied"));
      }
    } catch (error) {
      if (error.name !== "AbortError") notes.note(address);
    }
  };
  const frame = byId("inviting");
  frame.setAttribute("aria-label", t("together.invite"));
  fill(
    frame,
    h("header", {}, h("h2", {}, t("together.invite_title", { name: now.scene.players[seat].name })), h("button", { class: "close", "aria-label": t("close"), onclick: () => frame.close() }, "×")),
    h("button", { class: "main large", "data-link": path, onclick: send }, t("together.share")),
    h("img", { class: "qr", src: `/api/qr/${path.split("/")[2]}`, alt: t("together.qr"), width: "260", height: "260" }),
    h("p", { class: "tip" }, t(LOCAL.includes(location.hostname) ? "together.here_only" : "together.invite_about")),
  );
  frame.showModal();
}

/** The agreement, loaded once: the lobby is redrawn whenever somebody joins. */
function rules() {
  if (agreed?.of !== `${now.table.rules} ${language}`) agreed = { of: `${now.table.rules} ${language}`, frame: agreement(now.table.rules) };
  return agreed.frame;
}

/** The other terms of a table as elements: clock and discretion. */
export function terms(each, discreet) {
  return [
    each ? h("p", { class: "term" }, h("b", {}, colon(t("together.clock"), long(each))), " ", t("together.clock_about")) : null,
    discreet ? h("p", { class: "term" }, h("b", {}, `${t("together.discreet_on")}.`), " ", t("together.discreet_about")) : null,
  ].filter(Boolean);
}

/** Formats seconds in words. */
function long(seconds) {
  const [unit, size] = [["days", 86_400], ["hours", 3600], ["minutes", 60]].find(([, each]) => seconds >= each && seconds % each === 0) ?? [];
  return unit ? t(`together.${unit}`, { count: seconds / size }) : span(seconds);
}

let noting = ""; // what the host is about to say of the table in the server's lobby

/** For the host: lists the table in the lobby of the server, or takes it off; null where there is none. */
function listing(told) {
  if (!told) return null;
  const open = now.table.seats.some((seat) => now.table.links?.seats?.[seat.seat]);
  if (told.listed) {
    return h("div", { class: "listing" }, h("p", {}, t("open.listed"), told.text ? ` “${told.text}”` : ""), h("button", { onclick: () => line.say("list", { listed: false }) }, t("open.off")));
  }
  if (!open) return null;
  const note = h("input", { id: "listing-note", type: "text", maxlength: "140", placeholder: t("open.note"), "aria-label": t("open.note"), value: noting, oninput: (event) => { noting = event.target.value; } });
  return h("details", { class: "listing", open: Boolean(noting) }, h("summary", {}, t("open.list_title")), h("p", { class: "tip" }, t("open.list_about")), note, h("button", { onclick: () => line.say("list", { listed: true, text: noting.trim() }) }, t("open.list")));
}

/** Whoever asks the host for a seat, above the table and above the lobby. */
function guests() {
  const frame = byId("guests");
  const asking = now.table.listing?.guests ?? [];
  const key = JSON.stringify(asking);
  if (frame.dataset.key === key) return;
  frame.dataset.key = key;
  frame.hidden = !asking.length;
  fill(frame, ...asking.map(({ guest, name }) => h("div", {},
    h("span", {}, t("open.asks", { name })),
    h("button", { class: "main", onclick: () => line.say("admit", { guest, admit: true }) }, t("open.let_in")),
    h("button", { onclick: () => line.say("admit", { guest, admit: false }) }, t("open.refuse")))));
}

function lobby() {
  const frame = byId("lobby");
  const { table, you, scene } = now;
  frame.hidden = !table.lobby;
  document.body.classList.toggle("in-lobby", table.lobby);
  if (!table.lobby) return;
  if (!waiting && byId("seats")) byId("seats").open = false; // all of it is here
  waiting = true;
  const rows = table.seats.map((seat) => {
    const mine = you.seats.includes(seat.seat);
    const free = Boolean(table.links?.seats?.[seat.seat]);
    const bot = seat.who === "bot";
    const standing = bot ? t("bot", { strength: strength(seat.strength, seat.level) }) : seat.ready ? `✓ ${t("together.ready")}` : mine || seat.taken || seat.here ? t("together.seated") : t("together.free");
    return h(
      "li",
      { class: seat.ready || bot ? "is-ready" : null },
      chip(scene.players[seat.seat]),
      h("span", { class: "name" }, bot ? scene.players[seat.seat].name : nameOf(seat.seat), mine ? ` (${t("you")})` : ""),
      h("span", { class: "standing" }, standing),
      free ? h("button", { onclick: () => invite(seat.seat) }, t("together.invite")) : null,
    );
  });
  const mine = table.seats.filter((seat) => you.seats.includes(seat.seat));
  const am = mine.length > 0 && mine.every((seat) => seat.ready);
  frame.setAttribute("aria-label", t("together.lobby"));
  const typing = document.activeElement?.id === "listing-note" ? document.activeElement.selectionStart : null;
  fill(
    frame,
    h(
      "div",
      { class: "card" },
      h("h2", {}, t("together.lobby")),
      h("p", { class: "tip" }, t("together.lobby_about")),
      h("ul", {}, ...rows),
      rules(),
      ...terms(table.clock.each, table.discreet),
      listing(table.listing),
      mine.length ? h("button", { class: am ? "large" : "main large", "aria-pressed": String(am), onclick: () => line.say("ready", { ready: !am }) }, t(am ? "together.not_ready" : "together.am_ready")) : null,
      you.host ? h("p", { class: "tip" }, h("button", { class: "quiet", onclick: () => line.say("begin") }, t("together.begin")), " ", t("together.begin_about")) : null,
    ),
  );
  if (typing !== null) {
    byId("listing-note")?.focus();
    byId("listing-note")?.setSelectionRange(typing, typing);
  }
}
