// Web Push: with the page closed, this browser shows that a game waits; nothing is registered before somebody asks for it.

const WORKER = "/static/js/push-worker.js";
const SCOPE = "/static/js/"; // it sees no request of any page
const LINKS = "lawspeaker.push"; // which table a message is about: known in this browser alone

export const possible = () => window.isSecureContext && "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;

const registered = () => navigator.serviceWorker.getRegistration(SCOPE);

/** The address of this browser's subscription; empty if it has none. */
export async function endpoint() {
  const found = await (await registered())?.pushManager.getSubscription();
  return found?.endpoint ?? "";
}

/** Subscribes with the server's key; null if the browser does not allow it. */
export async function subscribed(key) {
  if ((await Notification.requestPermission()) !== "granted") return null;
  const registration = await navigator.serviceWorker.register(WORKER, { scope: SCOPE });
  await active(registration);
  const old = await registration.pushManager.getSubscription();
  if (old && encoded(old.options.applicationServerKey) !== key) await old.unsubscribe();
  const found = await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
  return { endpoint: found.endpoint, p256dh: encoded(found.getKey("p256dh")), auth: encoded(found.getKey("auth")) };
}

async function active(registration) {
  const worker = registration.active ?? registration.waiting ?? registration.installing;
  while (worker.state !== "activated") {
    if (worker.state === "redundant") throw new Error("the worker was replaced");
    await new Promise((changed) => worker.addEventListener("statechange", changed, { once: true }));
  }
}

/** As the server writes bytes: in base64 for addresses, without padding. */
function encoded(bytes) {
  const text = btoa(String.fromCharCode(...new Uint8Array(bytes ?? [])));
  return text.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** Notes which page belongs to the messages of a name, so that a press on one opens it. */
export async function remember(tag) {
  const links = await caches.open(LINKS);
  for (const each of await links.keys()) {
    const page = await (await links.match(each))?.text();
    if (page === location.pathname && !each.url.endsWith(`/${tag}`)) await links.delete(each);
  }
  if (tag) await links.put(`/push/${tag}`, new Response(location.pathname));
}
