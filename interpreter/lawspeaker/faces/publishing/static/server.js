// Back end of a published game: it runs in workers of this page, and nothing leaves the device. This file replaces
// the server's own `server.js`.

import * as bench from "../../published/bench.js";
import { storedGame, storeGame, newToken } from "../../published/keeping.js";
import { link, received } from "../../published/mail.js";
import { keepGame } from "../../published/offline.js";
import { deferred, python, site } from "../../published/python.js";
import { load, initialLanguage, t } from "./words.js";

const query = new URLSearchParams(location.search);
export const served = false;
export let token = bench.here ? bench.token : query.get("t") ?? sessionStorage.getItem("table") ?? "";
const arrived = bench.here ? null : received(location.hash).then((mailed) => {
  if (mailed) history.replaceState(null, "", `?t=${mailed}`);
  token = mailed ?? token;
  sessionStorage.setItem("table", token);
});

const PAGES = { t: "table.html", replay: "replay.html" };
let about = null; // what a server would tell of the rules of this page

/** Maps server paths to files; downloads are generated on demand. */
export function address(path) {
  const { pathname, search } = new URL(path, "http://page.invalid");
  const [, kind, own] = pathname.split("/");
  if (kind === "api") return "#save";
  if (kind === "workshop") return bench.address(own, search);
  if (kind === "book") return about ? book(new URLSearchParams(search)).href : null;
  if (!(kind in PAGES)) return new URL("index.html", site).href;
  const more = new URLSearchParams(search);
  more.delete("t");
  const rest = more.size ? `&${more}` : "";
  return new URL(`${PAGES[kind]}?t=${own || token}${rest}`, site).href;
}

/** The game's language closest to the requested one. */
const spoken = (wanted) => (about.languages.includes(wanted) ? wanted : about.languages[0]);
const book = (wish) => new URL(`games/${game}.${spoken(wish.get("language"))}.book.html`, site);

// ---------------------------------------------------------------- workers

const waiting = new Map(); // by number, who waits for an answer of the table
let asked = 0;
let table = null;
let bots = null;
let game = ""; // its files have this name; of a draft, its rules: { name, files }
let packed = null; // a draft, once it was compiled
let socket = null;
let putAway = Promise.resolve();
let ready = null;
let byMail = ""; // the record of a game by mail, as it was kept last

const hearing = {
  progress: () => {},
  ready: () => ready.resolve(),
  packed: ({ rules }) => { packed = rules; },
  keep: ({ record }) => {
    byMail = JSON.parse(record).mail ? record : "";
    putAway = storeGame(token, game, record).catch((error) => trouble("published.not_kept", { why: error.message }));
  },
  // Updates are shown only after the record is stored.
  told: ({ text }) => putAway.then(() => {
    socket?.onmessage({ data: text });
    if (byMail) offer(JSON.parse(text));
  }),
  connected: () => {
    socket.readyState = 1;
    socket.onopen();
  },
  answer: ({ number, text }) => {
    waiting.get(number)?.resolve(text);
    waiting.delete(number);
  },
  think: (message) => thought(message),
  failed: ({ message, number }) => {
    const error = new Error(message);
    waiting.get(number)?.reject(error);
    ready.reject(error);
    trouble("published.failed", { why: message });
  },
};

/** Sets the table up, once for a page. */
function begun() {
  if (ready) return ready.promise;
  ready = deferred();
  const failed = (name) => {
    trouble(name);
    ready.reject(new Error(name));
  };
  arrived.then(() => storedGame(token)).then((kept) => {
    if (!kept) {
      failed("published.no_game");
      return;
    }
    game = kept.game;
    if (!drafted()) told().then(() => keepGame(game, spoken(query.get("language")))).catch(() => {}); // whoever needs it asks again, and is told what is wrong
    table = python((message) => hearing[message.type](message));
    table.postMessage({ type: "begin", role: "table", game, record: kept.record });
  }).catch((error) => failed(error.message));
  return ready.promise;
}

/** Whether the table plays by a draft: then there is no file about its rules. */
const drafted = () => typeof game === "object";

/** The rules of this page, as far as a file describes them. */
async function told() {
  await arrived;
  game ||= (await storedGame(token)).game;
  if (drafted()) throw new Error(t("published.needs_server"));
  about ??= await (await fetch(new URL(`games/${game}.json`, site))).json();
  return about;
}

/** Sends a message to the bots' worker, which starts on demand. */
function thought(message) {
  if (!bots) {
    bots = { open: [], down: "" };
    bots.worker = python((answer) => {
      if (answer.type === "thought") {
        bots.open = bots.open.filter((each) => each !== answer.number);
        document.body.dataset.thought = answer.answer;
        table.postMessage(answer);
      } else if (answer.type === "failed") {
        bots.down = answer.message;
        for (const number of bots.open.splice(0)) unthought(number);
      }
    });
    bots.worker.postMessage({ type: "begin", role: "bots", game, packed });
  }
  if (bots.down) unthought(message.number);
  else {
    bots.open.push(message.number);
    bots.worker.postMessage(message);
  }
}

function unthought(number) {
  const answer = JSON.stringify({ error: bots.down });
  document.body.dataset.thought = answer;
  table.postMessage({ type: "thought", number, answer });
}

async function request(type, more = {}) {
  await begun();
  const number = ++asked;
  const answer = new Promise((resolve, reject) => waiting.set(number, { resolve, reject }));
  table.postMessage({ type, number, ...more });
  return answer;
}

/** Shows a permanent or long-lasting error. */
async function trouble(name, values = {}) {
  if (t(name, values) === name) await load(query.get("language") ?? initialLanguage(["en", "de", "it", "fr"]));
  const text = t(name, values);
  const line = document.getElementById("line");
  if (line) line.textContent = text;
  document.body.dataset.trouble = text;
}

// ---------------------------------------------------------------- requests of pages

export async function ask(path, options = {}) {
  const { pathname, searchParams } = new URL(path, "http://page.invalid");
  const [, , what] = pathname.split("/");
  if (what === "words") {
    const wanted = searchParams.get("language");
    const found = await fetch(new URL(`words/${wanted}.json`, site));
    return found.ok ? found : fetch(new URL("words/en.json", site));
  }
  if (bench.here) return bench.ask(path, options);
  try {
    if (what === "games") {
      const found = await told();
      return Response.json({ games: [found.game], bots: [], languages: found.languages });
    }
    if (what === "rules") return Response.json((await told()).rules[spoken(searchParams.get("language"))]);
    if (what === "brief") {
      const found = (await told()).brief[spoken(searchParams.get("language"))];
      return Response.json(found[searchParams.get("players")] ?? Object.values(found).at(-1));
    }
    if (pathname === "/book") {
      await told();
      return await fetch(book(searchParams));
    }
    if (what === "scene") {
      const after = searchParams.has("after") ? Number(searchParams.get("after")) : undefined;
      const [seat, language, shape] = ["seat", "language", "shape"].map((each) => searchParams.get(each) ?? undefined);
      return new Response(await request("scene", { after, seat, language: language ?? "", shape: shape ?? "" }));
    }
    if (what === "branch") {
      const record = await request("branch", { after: JSON.parse(options.body).after });
      const other = newToken();
      await storeGame(other, game, record);
      return Response.json({ link: address(`/t/${other}`) });
    }
  } catch (error) {
    return Response.json({ error: { message: error.message } }, { status: 500 });
  }
  return Response.json({ error: { message: t("published.needs_server") } }, { status: 404 });
}

/** The connection to the table. */
export function connect(path) {
  if (bench.here) return bench.connect();
  const { searchParams } = new URL(path, "http://page.invalid");
  socket = { readyState: 0, send: (text) => table.postMessage({ type: "say", text }) };
  const how = { language: searchParams.get("language") ?? "", shape: searchParams.get("shape") ?? "" };
  begun().then(
    () => table.postMessage({ type: "connect", ...how }),
    () => {},
  );
  return socket;
}

/** Downloads the game's log for `lawspeaker replay`. */
async function save() {
  const text = await request("log");
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  link.download = drafted() ? "game.json" : `${game}.json`;
  document.body.append(link);
  link.click();
  link.remove();
}

document.addEventListener("click", (event) => {
  const link = event.target.closest?.('a[href="#save"]');
  if (!link) return;
  event.preventDefault();
  event.stopPropagation();
  save();
}, true);

// ---------------------------------------------------------------- by mail

/** Offers the link for the next player, if somebody else is to move. */
async function offer({ type, ask: own, at, scene }) {
  if (type !== "scene") return;
  let frame = document.getElementById("mail");
  if (!frame) {
    frame = document.createElement("div");
    frame.id = "mail";
    frame.className = "proposal";
    document.querySelector("header").after(frame);
  }
  frame.hidden = own !== null || !at;
  if (frame.hidden) return;
  const address = await link(site, game, byMail);
  const names = scene.asked.map((seat) => scene.players[seat].name).join(", ");
  const text = document.createElement("span");
  text.textContent = names ? t("published.send_to", { names }) : t("published.send_all");
  const button = document.createElement("button");
  button.className = "main";
  button.dataset.link = address;
  button.textContent = t("copy_link");
  button.onclick = async () => {
    if (navigator.share) await navigator.share({ url: address }).catch(() => {});
    else await navigator.clipboard.writeText(address).then(() => { button.textContent = t("copied"); }, () => prompt(t("copy_link"), address));
  };
  frame.replaceChildren(text, " ", button);
}

// ---------------------------------------------------------------- before Python has started

/** Shows the table prerendered at publishing time, until the real one is ready. */
async function foretaste() {
  await arrived;
  const kept = await storedGame(token);
  const frame = document.getElementById("table");
  if (!kept || !frame || frame.firstChild) return;
  const { language = "en" } = JSON.parse(kept.record);
  const named = typeof kept.game === "string";
  const spoken = query.get("language") ?? language;
  const shape = innerWidth < 760 ? "tall" : innerWidth < 1.1 * innerHeight ? "square" : "wide";
  const found = named ? await fetch(new URL(`games/${kept.game}.${spoken}.${shape}.svg`, site)) : null;
  const words = await (await ask(`/api/words?language=${spoken}`)).json();
  const line = document.getElementById("line");
  if (!document.body.dataset.state && line && !line.textContent) line.textContent = words.words["web.published.loading"];
  if (!found?.ok || frame.firstChild) return;
  const read = new DOMParser().parseFromString(await found.text(), "image/svg+xml").documentElement;
  if (frame.firstChild) return;
  const { width, height } = read.viewBox.baseVal;
  read.style.setProperty("--across", width);
  read.style.setProperty("--ratio", width / height);
  read.classList.add("foretaste");
  frame.append(document.importNode(read, true));
  performance.mark("first-picture");
}

if (document.getElementById("table") && !bench.here) foretaste().catch(() => {});
if (!bench.here) begun(); // Python starts before anybody asks for the table
