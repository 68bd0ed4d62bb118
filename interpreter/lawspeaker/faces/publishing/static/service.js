// Service worker: caches the whole site, so that it plays offline and starts quickly.

const NAME = "lawspeaker @VERSION@";
const FILES = "@FILES@";

addEventListener("install", (event) => {
  const fill = async () => {
    const cache = await caches.open(NAME);
    await cache.addAll(FILES.map((each) => new Request(each, { cache: "reload" })));
    await skipWaiting();
  };
  event.waitUntil(fill());
});

addEventListener("activate", (event) => {
  const tidy = async () => {
    const names = await caches.keys();
    const old = names.filter((each) => each.startsWith("lawspeaker ") && each !== NAME);
    await Promise.all(old.map((each) => caches.delete(each)));
    await clients.claim();
  };
  event.waitUntil(tidy());
});

addEventListener("fetch", (event) => {
  if (event.request.method !== "GET") return;
  const found = async () => {
    const cache = await caches.open(NAME);
    const url = new URL(event.request.url);
    if (url.pathname.endsWith("/")) url.pathname += "index.html";
    return (await cache.match(url, { ignoreSearch: true })) ?? fetch(event.request);
  };
  event.respondWith(found());
});
