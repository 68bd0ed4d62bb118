// The key of this browser: it stands for its user, without an account. It is created when something is first stored,
// and sent to this server only, never in a URL that a server sees.

import { ask } from "./server.js";

const NAME = "lawspeaker.key";
const FORM = /^[A-Za-z0-9_-]{32}$/;

/** The stored key, if there is one. */
export function storedKey() {
  try {
    const found = localStorage.getItem(NAME) ?? "";
    return FORM.test(found) ? found : "";
  } catch {
    return "";
  }
}

/** The stored key, or a new one; empty if the browser stores nothing. */
export function ownKey() {
  const random = crypto.getRandomValues(new Uint8Array(24));
  const made = storedKey() || btoa(String.fromCharCode(...random)).replaceAll("+", "-").replaceAll("/", "_");
  return storeKey(made) ? made : "";
}

export function storeKey(made) {
  try {
    localStorage.setItem(NAME, made);
    return true;
  } catch {
    return false;
  }
}

export function forgetKey() {
  localStorage.removeItem(NAME);
}

/** Extracts the key from a text: alone, in a link, or in a saved file. */
export function keyIn(text) {
  return text.match(/(?:^|[#=\s"])([A-Za-z0-9_-]{32})(?:$|[\s"])/)?.[1] ?? "";
}

export const bearer = () => `Bearer ${ownKey()}`;

/** Sends a request with the key; with a body it is a change. */
export function askMine(path, body = null, more = {}) {
  const headers = { authorization: bearer() };
  if (body === null) return ask(path, { headers, ...more });
  return ask(path, { method: "POST", headers: { ...headers, "content-type": "application/json" }, body: JSON.stringify(body), ...more });
}
