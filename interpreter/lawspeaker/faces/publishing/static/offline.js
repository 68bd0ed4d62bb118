// What of a site is kept in the browser for offline use, and whether the host has a newer version of it.

import { fill, h } from "../static/js/dom.js";
import { load, initialLanguage, t } from "../static/js/words.js";

const site = new URL("..", import.meta.url);
const workers = "serviceWorker" in navigator ? navigator.serviceWorker : null;
const AT_ONCE = 4;

/** The service worker of this page, once it answers its requests. */
const keeper = new Promise((resolve) => {
  if (!workers) return;
  const settled = () => workers.controller && resolve(workers.controller);
  workers.addEventListener("controllerchange", settled);
  settled();
});

/** What is not kept yet, as pairs of path and size. */
async function missing() {
  await keeper;
  const { port1, port2 } = new MessageChannel();
  const answer = new Promise((resolve) => { port1.onmessage = ({ data }) => resolve(data); });
  workers.controller.postMessage("missing", [port2]);
  return answer;
}

/** Fetches files, which the service worker then keeps. */
async function fetched(names, done = () => {}) {
  const rest = [...names];
  const one = async () => {
    while (rest.length) {
      const name = rest.shift();
      const answer = await fetch(new URL(name, site));
      if (!answer.ok) throw new Error(`${name}: ${answer.status}`);
      await answer.arrayBuffer();
      done(name);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, one));
}

/** Keeps the files that a test selects, as far as they are not kept. */
async function keepFiles(wanted) {
  const names = (await missing()).map(([name]) => name).filter(wanted);
  await fetched(names).catch(() => {}); // without a network they are kept another time
}

/** Keeps what a page or a worker has loaded by itself, before a service worker answered it. */
export function keepLoaded(entries) {
  const loaded = new Set(entries.map(({ name }) => decodeURIComponent(name.split(/[?#]/)[0])));
  keepFiles((name) => loaded.has(new URL(name, site).href));
}

/** Keeps a game with its rulebook, as far as this language needs it. */
export const keepGame = (game, language) =>
  keepFiles((name) => {
    if (!name.startsWith(`games/${game}.`)) return false;
    const [part] = name.slice(`games/${game}.`.length).split(".");
    return !/^[a-z]{2}$/.test(part) || part === language;
  });

// ---------------------------------------------------------------- everything

let running = false;

/** Offers to keep everything, below a start page. */
export async function offer(place) {
  if (!workers || running) return;
  const rest = await missing();
  place.hidden = false;
  if (!rest.length) {
    fill(place, h("p", { class: "tip kept" }, t("published.all_kept")));
    return;
  }
  const size = Math.max(1, Math.round(rest.reduce((sum, [, each]) => sum + each, 0) / 1e6));
  const button = h("button", { class: "keep", onclick: () => everything(place, rest) }, t("published.keep_all", { size }));
  fill(place, button, h("p", { class: "tip" }, t("published.kept_so_far")));
}

async function everything(place, rest) {
  running = true;
  navigator.storage?.persist?.().catch(() => {});
  const bar = h("progress", { max: rest.length, value: 0, "aria-label": t("published.keeping") });
  fill(place, h("p", { class: "tip" }, t("published.keeping")), bar);
  let why = "";
  await fetched(rest.map(([name]) => name), () => { bar.value += 1; }).catch((error) => { why = error.message; });
  // The service worker stores what it has passed on a moment later, if there is room.
  for (let tries = 0; !why && tries < 40 && (await missing()).length; tries += 1) await new Promise((resolve) => setTimeout(resolve, 250));
  running = false;
  const left = (await missing()).length;
  await offer(place);
  if (left) place.prepend(h("p", { class: "wrong", role: "alert" }, t("published.not_all_kept", { count: left })));
}

// ---------------------------------------------------------------- newer versions

/** Says that a newer version exists, and loads it on demand. */
async function tell(waiting) {
  if (document.getElementById("newer")) return;
  const bar = h("div", { id: "newer", role: "status" });
  document.body.append(bar);
  if (t("published.newer") === "published.newer") await load(new URLSearchParams(location.search).get("language") ?? initialLanguage(["en", "de", "it", "fr"]));
  const take = () => {
    if (!waiting) location.reload();
    else {
      workers.addEventListener("controllerchange", () => location.reload());
      waiting.postMessage("take over");
    }
  };
  fill(bar, h("span", {}, t("published.newer")), h("button", { class: "main", onclick: take }, t("published.load_newer")));
}

async function watched() {
  const known = workers.controller !== null;
  const found = await workers.register(new URL("service.js", site));
  const look = () => found.waiting && workers.controller && tell(found.waiting);
  look();
  found.addEventListener("updatefound", () => found.installing?.addEventListener("statechange", look));
  // Another page has let the newer version take over.
  if (known) workers.addEventListener("controllerchange", () => tell(null));
}

if (workers) {
  watched().catch(() => {});
  keeper.then(() => keepLoaded([{ name: location.href }, ...performance.getEntriesByType("resource")]));
}
