// Autosaves drafts. Each draft gets an id with its first change; from then on the page's URL is `/workshop?draft=ID`.
// Changes are stored in this browser at once, and a moment later on the server under the browser's key, with their
// history; then the local copy is removed. Without a server all drafts stay in the browser.

import { askMine } from "../key.js";
import { served } from "../server.js";

const KEY = "lawspeaker.draft.";
const FIRST = "lawspeaker.draft"; // where the only draft was kept that there could be
const PAUSE = 4000; // between two savings at the server

let waiting = 0;
let pending = null; // what is still to be saved

/** Stores a changed draft; returns its id, a new one if it had none. Null if there is no storage. */
export function keep(draft, name) {
  if (!draft.touched && !draft.id) return "";
  draft.id ||= newId();
  pending = { id: draft.id, name, rules: draft.rules, files: draft.files, changed: Math.floor(Date.now() / 1000) };
  const held = hold(pending);
  if (served) waiting ||= setTimeout(save, PAUSE);
  return held || served ? draft.id : null;
}

/** The locally stored draft that was not saved on the server. */
export function held(id) {
  return read(KEY + id);
}

/** Lists all drafts that are stored here only, in the format of the home page. */
export function unsaved() {
  const ids = names().filter((name) => name.startsWith(KEY));
  return ids.map(read).filter(Boolean).map((each) => ({ ...each, versions: 1, away: false, local: true }));
}

export async function save() {
  clearTimeout(waiting);
  waiting = 0;
  const mine = pending;
  if (!mine || !served) return;
  pending = null;
  const { id, name, rules, files } = mine;
  const body = { name: name.slice(0, 80), rules, files };
  const answer = await askMine(`/api/home/drafts/${id}`, body, { keepalive: JSON.stringify(body).length < 60_000 }).catch(() => null);
  if (answer?.ok && !pending) release(id);
  else if (!answer?.ok && answer?.status !== 400 && answer?.status !== 409) {
    pending ??= mine;
    waiting ||= setTimeout(save, 4 * PAUSE);
  }
}

addEventListener("pagehide", save);

/** Saves drafts that were left here because the server was unreachable. */
export async function saveLeft() {
  for (const { id, name, rules, files } of unsaved()) {
    const answer = await askMine(`/api/home/drafts/${id}`, { name, rules, files }).catch(() => null);
    if (answer?.ok) release(id);
  }
}

function newId() {
  return [...crypto.getRandomValues(new Uint8Array(8))].map((each) => each.toString(16).padStart(2, "0")).join("");
}

// ------------------------------------------------------------ in this browser

// A browser without storage works as well, as long as there is a server.

function hold(draft) {
  try {
    localStorage.setItem(KEY + draft.id, JSON.stringify(draft));
    return true;
  } catch {
    return false;
  }
}

/** Deletes the local copy of a draft. */
export function release(id) {
  try {
    localStorage.removeItem(KEY + id);
  } catch {}
}

function read(name) {
  try {
    return JSON.parse(localStorage.getItem(name));
  } catch {
    return null;
  }
}

function names() {
  try {
    return Object.keys(localStorage);
  } catch {
    return [];
  }
}

/** Migrates the single draft of an earlier version. */
function takeIn() {
  const found = read(FIRST);
  if (!found?.address?.startsWith("/workshop?")) return;
  const rules = new URLSearchParams(found.address.split("?")[1]).get("rules") ?? "";
  if (found.files?.length) hold({ id: newId(), name: "", rules, files: found.files, changed: Math.floor(Date.now() / 1000) });
  localStorage.removeItem(FIRST);
}

takeIn();
