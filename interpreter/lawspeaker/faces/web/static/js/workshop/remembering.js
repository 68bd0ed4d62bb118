// Nothing that was written is lost. Each draft has an id of its own, made when the first change is; from then on the
// page is at `/workshop?draft=ID`. What was changed is kept in this browser at once, and a moment later under the
// browser's key at the server, with its history; what has reached the server is not kept here any longer. Without a server
// all drafts stay here.

import { askMine } from "../key.js";
import { served } from "../server.js";

const KEY = "lawspeaker.draft.";
const FIRST = "lawspeaker.draft"; // where the only draft was kept that there could be
const PAUSE = 4000; // between two savings at the server

let waiting = 0;
let pending = null; // what is still to be saved

/** A draft that was changed is kept; gives its id, which is a new one if it had none. Null if there is nowhere to keep it. */
export function keep(draft, name) {
  if (!draft.touched && !draft.id) return "";
  draft.id ||= newId();
  pending = { id: draft.id, name, rules: draft.rules, files: draft.files, changed: Math.floor(Date.now() / 1000) };
  const held = hold(pending);
  if (served) waiting ||= setTimeout(save, PAUSE);
  return held || served ? draft.id : null;
}

/** The draft as it was left here and has not been saved elsewhere. */
export function held(id) {
  return read(KEY + id);
}

/** All drafts that are only here, as a home lists them. */
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

/** Drafts that were left here, since the server was not there, are saved now. */
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

// A browser that keeps nothing is none the worse for it, as long as there is a server.

function hold(draft) {
  try {
    localStorage.setItem(KEY + draft.id, JSON.stringify(draft));
    return true;
  } catch {
    return false;
  }
}

/** A draft is not kept here any longer. */
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

/** The one draft that an earlier version kept becomes one of many. */
function takeIn() {
  const found = read(FIRST);
  if (!found?.address?.startsWith("/workshop?")) return;
  const rules = new URLSearchParams(found.address.split("?")[1]).get("rules") ?? "";
  if (found.files?.length) hold({ id: newId(), name: "", rules, files: found.files, changed: Math.floor(Date.now() / 1000) });
  localStorage.removeItem(FIRST);
}

takeIn();
