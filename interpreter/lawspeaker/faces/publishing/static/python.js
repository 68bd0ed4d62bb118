// Starts Python in a worker of this page.

import { keepLoaded } from "./offline.js";

export const site = new URL("..", import.meta.url);

/** Starts `worker.js` from a blob, so that it inherits the content security policy of this page. */
export function python(heard) {
  const text = `import ${JSON.stringify(new URL("published/worker.js", site).href)};`;
  const address = URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
  const made = new Worker(address, { type: "module" });
  made.onmessage = ({ data }) => (data.type === "loaded" ? keepLoaded(data.entries) : heard(data));
  made.onerror = (event) => heard({ type: "failed", message: event.message ?? "the worker did not start" });
  return made;
}

/** A promise together with its resolve and reject functions. */
export function deferred() {
  const made = {};
  made.promise = new Promise((resolve, reject) => Object.assign(made, { resolve, reject }));
  made.promise.catch(() => {});
  return made;
}
