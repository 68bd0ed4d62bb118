// The key of this browser: it stands for whoever sits here, without an account. It is made when something is to be
// kept for the first time, and says itself to this server only, never in an address that a server sees.

import { ask } from "./server.js";

const NAME = "lawspeaker.key";
const FORM = /^[A-Za-z0-9_-]{32}$/;

/** The key that is kept here, if there is one. */
export function key() {
  try {
    const found = localStorage.getItem(NAME) ?? "";
    return FORM.test(found) ? found : "";
  } catch {
    return "";
  }
}

/** The key that is kept here, or a new one; none in a browser that keeps nothing. */
export function ownKey() {
  const random = crypto.getRandomValues(new Uint8Array(24));
  const made = key() || btoa(String.fromCharCode(...random)).replaceAll("+", "-").replaceAll("/", "_");
  return keep(made) ? made : "";
}

export function keep(made) {
  try {
    localStorage.setItem(NAME, made);
    return true;
  } catch {
    return false;
  }
}

export function forget() {
  localStorage.removeItem(NAME);
}

/** The key in a text: alone, in a link, or in a file that was saved. */
export function keyIn(text) {
  return text.match(/(?:^|[#=\s"])([A-Za-z0-9_-]{32})(?:$|[\s"])/)?.[1] ?? "";
}

export const bearer = () => `Bearer ${ownKey()}`;

/** Asks the server for something that belongs to the key; a body makes it a change. */
export function askMine(path, body = null, more = {}) {
  const headers = { authorization: bearer() };
  if (body === null) return ask(path, { headers, ...more });
  return ask(path, { method: "POST", headers: { ...headers, "content-type": "application/json" }, body: JSON.stringify(body), ...more });
}
