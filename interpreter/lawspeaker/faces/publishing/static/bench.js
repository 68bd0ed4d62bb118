// The workshop of a published site: its back end runs in workers of this page, and nothing leaves the device.
//
// One worker serves the editor and shows positions. Another plays games; it starts on demand, so that nobody waits
// for games while editing. Rules may loop forever: a worker that is silent for too long is terminated, and the next
// request gets a new one.

import { t } from "../static/js/words.js";
import { storeGame, newSeed, newToken } from "./keeping.js";
import { compress, decompress } from "./compression.js";
import { deferred, python, site } from "./python.js";

/** Whether this page is the workshop. */
export const here = document.body.classList.contains("shop");

const KEY = "#draft=";
const PLAYING = ["seek", "figures"]; // what the second worker does
const PATIENCE = 60_000; // so long a worker may be silent while something is asked of it
const LONGEST_LINK = 60_000;
const LARGEST = 2_000_000; // so many bytes the draft of a link may have; what it may be, Python knows

/** The draft in the URL, if there is one. */
export const token = location.hash.startsWith(KEY) ? location.hash.slice(KEY.length) : "";
if (here) addEventListener("hashchange", () => location.hash.startsWith(KEY) && location.reload());

// ---------------------------------------------------------------- workers

class Bench {
  constructor(told) {
    this.told = told; // gets what is said on the line
    this.worker = null;
    this.open = new Map(); // by number, what was asked and is not answered: { resolve, reject }, or a wish on the line
    this.asked = 0;
  }

  start() {
    this.ready = deferred();
    this.worker = python((message) => this.hear(message));
    this.worker.postMessage({ type: "begin", role: "bench" });
    this.starting = true;
    status();
  }

  /** Sends a request with a single response. */
  async request(type, text) {
    if (!this.worker) this.start();
    const number = ++this.asked;
    const asked = deferred();
    this.open.set(number, asked);
    this.worker.postMessage({ type, number, text });
    this.watch();
    return asked.promise;
  }

  /** Sends a message whose responses arrive as events. */
  say(message) {
    if (!this.worker) this.start();
    if (message.id !== undefined) this.open.set(`wish ${message.type}`, message);
    if (message.type === "stop") this.open.delete(`wish ${message.what}`);
    this.worker.postMessage({ type: "hear", text: JSON.stringify(message) });
    this.watch();
  }

  hear({ type, number, text, message }) {
    if (type === "ready") {
      this.starting = false;
      this.ready.resolve();
      status();
    }
    else if (type === "failed" && number === undefined) this.end("our_fault", message);
    else if (type === "failed" || type === "answer") {
      const asked = this.open.get(number);
      this.open.delete(number);
      if (type === "answer") asked?.resolve(text);
      else asked?.reject(new Error(message));
    } else if (type === "told") this.hearTold(text);
    this.watch();
  }

  hearTold(text) {
    const found = JSON.parse(text);
    // A request is answered by messages with its number; it stays open until one of them is the last.
    const answered = ({ id }) => id !== undefined && (found.type === "error" || (id === found.id && over(found)));
    for (const [key, asked] of this.open) if (answered(asked)) this.open.delete(key);
    this.told(text);
  }

  /** Terminates a worker that is silent for too long, except while it starts. */
  watch() {
    clearTimeout(this.timer);
    if (!this.open.size || !this.worker) return;
    const { worker, ready } = this;
    ready.promise.then(() => {
      if (worker !== this.worker) return;
      clearTimeout(this.timer);
      if (this.open.size) this.timer = setTimeout(() => this.end("too_long", t("workshop.took_too_long")), PATIENCE);
    });
  }

  end(code, message) {
    this.worker?.terminate();
    this.worker = null;
    this.starting = false;
    status();
    const open = [...this.open.values()];
    this.open.clear();
    for (const asked of open) {
      if (asked.reject) asked.reject(new Error(message));
      else this.told(JSON.stringify({ type: "stopped", id: asked.id, what: asked.type, code, message }));
    }
  }
}

/** Whether a message is the last for its request. */
const over = ({ type, ok, position, done, of, at }) =>
  type === "examined" ? !ok || position !== undefined : type === "figures" ? done === of : type === "sought" ? at !== null : true;

/** Shows that Python is still starting. */
function status() {
  document.getElementById("line").textContent = writing.starting ? t("workshop.starting") : "";
}

let line = null; // the line that the page holds
const tell = (text) => line?.onmessage({ data: text });
const [writing, playing] = [new Bench(tell), new Bench(tell)];

/** The connection to the bench. */
export function connect() {
  line = {
    readyState: 1,
    send: (text) => {
      const message = JSON.parse(text);
      if (message.type === "ping") return;
      const games = PLAYING.includes(message.type === "stop" ? message.what : message.type);
      if (message.type === "stop" && !(games ? playing : writing).worker) return;
      (games ? playing : writing).say(message);
    },
  };
  setTimeout(() => {
    line.onopen();
    status();
  });
  return line;
}

// ---------------------------------------------------------------- requests of the page

const file = (path) => fetch(new URL(path, site));

export async function ask(path, options = {}) {
  const { pathname, searchParams } = new URL(path, "http://page.invalid");
  try {
    if (pathname === "/api/games") return await file("workshop/games.json");
    if (pathname === "/api/reference") return await file("workshop/reference.json");
    if (pathname === "/api/workshop/start") return answered(await writing.request("start", JSON.stringify([...searchParams])));
    if (pathname === "/api/workshop/table") return await table(options.body);
    if (pathname === "/api/drafts") return await shared(options.body);
    if (pathname.startsWith("/api/drafts/")) return await received(pathname.slice("/api/drafts/".length));
  } catch (error) {
    return refused("our_fault", t("workshop.failed", { why: error.message }));
  }
  const kept = pathname.startsWith("/api/home/drafts/");
  return refused("unknown", t(kept ? "workshop.not_here" : "published.needs_server"), 404);
}

const refused = (code, message, status = 400) => Response.json({ error: { code, message } }, { status });

/** Wraps a response of Python: a result or an error. */
function answered(text) {
  const found = JSON.parse(text);
  return Response.json(found, { status: found.error ? 400 : 200 });
}

/** Creates a table that plays by a draft, if a trial succeeds. */
async function table(body) {
  const answer = JSON.parse(await writing.request("table", body));
  if (answer.error) return Response.json(answer, { status: 400 });
  const token = newToken();
  await storeGame(token, answer.game, JSON.stringify({ ...answer.record, seed: newSeed() }));
  return Response.json({ link: `/t/${token}` });
}

/** Makes a link that contains a draft. */
async function shared(body) {
  const letters = await compress(body);
  if (letters.length > LONGEST_LINK) return refused("too_large", t("workshop.link_too_long"));
  return Response.json({ link: `/workshop/${letters}` });
}

/** Reads the draft in a link, validated like any visitor's input. */
async function received(letters) {
  let text;
  try {
    text = await decompress(letters, LARGEST);
  } catch {
    return refused("bad_link", t("workshop.bad_link"));
  }
  return answered(await writing.request("shared", text));
}

/** The URL of a page of the workshop. */
export function address(own, search) {
  return new URL(own ? `workshop.html${KEY}${own}` : `workshop.html${search}`, site).href;
}
