// Service worker: keeps what was opened, so that it works offline and starts quickly. Pages ask for more
// (`offline.js`): for all of a game, or for everything.
//
// Each version of a site has a cache of its own. A new version takes over what has not changed, and waits until a page
// lets it take over or all pages are closed: no page ever gets files of two versions.

const NAME = "lawspeaker @VERSION@";
const FILES = "@FILES@"; // by path: the SHA-256 of the content and its size
const SHELL = /^(static|published)\/|^(index|table|replay|workshop)\.html$/; // small, and needed by every page

const root = new URL("./", location).pathname;

/** The path of a file of this site, or "". */
function named(address) {
  const { pathname } = new URL(address);
  const name = decodeURIComponent(pathname.slice(root.length));
  const file = name === "" || name.endsWith("/") ? `${name}index.html` : name;
  return Object.hasOwn(FILES, file) ? file : "";
}

const digest = async (content) =>
  [...new Uint8Array(await crypto.subtle.digest("SHA-256", content))].map((each) => each.toString(16).padStart(2, "0")).join("");

/** Whether the host has a newer version than this one. */
async function newer() {
  await registration.update().catch(() => {});
  return registration.installing !== null || registration.waiting !== null;
}

/** Keeps a file, unless it belongs to a newer version. A host may change files on the way, so another digest alone
 *  says nothing. */
async function store(cache, name, answer) {
  const { headers } = answer;
  const content = await answer.arrayBuffer();
  if ((await digest(content)) !== FILES[name][0] && registration.active && (await newer())) return;
  await cache.put(name, new Response(content, { headers }));
}

async function load(cache, name) {
  const answer = await fetch(name, { cache: "no-cache" });
  if (!answer.ok) throw new Error(`${name}: ${answer.status}`);
  const { headers } = answer;
  await cache.put(name, new Response(await answer.arrayBuffer(), { headers }));
}

addEventListener("install", (event) => {
  const fill = async () => {
    const cache = await caches.open(NAME);
    const wanted = new Set(Object.keys(FILES).filter((name) => SHELL.test(name)));
    for (const older of await others()) {
      const before = await caches.open(older);
      for (const { url } of await before.keys()) {
        const name = named(url);
        if (!name) continue;
        const answer = await before.match(url);
        const same = (await digest(await answer.clone().arrayBuffer())) === FILES[name][0];
        if (same) await cache.put(name, answer);
        else wanted.add(name);
      }
    }
    for (const { url } of await cache.keys()) wanted.delete(named(url));
    await Promise.all([...wanted].map((name) => load(cache, name)));
  };
  event.waitUntil(fill());
});

const others = async () => (await caches.keys()).filter((each) => each.startsWith("lawspeaker ") && each !== NAME);

addEventListener("activate", (event) => {
  const tidy = async () => {
    for (const each of await others()) await caches.delete(each);
    await clients.claim();
  };
  event.waitUntil(tidy());
});

addEventListener("fetch", (event) => {
  const name = event.request.method === "GET" ? named(event.request.url) : "";
  if (!name) return;
  const found = async () => {
    const cache = await caches.open(NAME);
    const kept = await cache.match(name);
    if (kept) return kept;
    const answer = await fetch(event.request);
    if (answer.ok) event.waitUntil(store(cache, name, answer.clone()).catch(() => {})); // the browser may have no room
    return answer;
  };
  event.respondWith(found());
});

const heard = {
  "take over": () => skipWaiting(),
  /** Tells what is not kept, as pairs of path and size. */
  missing: async (port) => {
    const cache = await caches.open(NAME);
    const kept = new Set((await cache.keys()).map(({ url }) => named(url)));
    const missing = Object.entries(FILES).filter(([name]) => !kept.has(name));
    port.postMessage(missing.map(([name, [, size]]) => [name, size]));
  },
};

addEventListener("message", (event) => event.waitUntil(Promise.resolve(heard[event.data]?.(event.ports[0]))));
