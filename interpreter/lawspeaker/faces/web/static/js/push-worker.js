// Shows what comes by Web Push, and opens the table that it is about. It answers no request and keeps no page.

const LINKS = "lawspeaker.push";
const FALLBACK = "/home";

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("push", (event) => event.waitUntil(show(read(event.data))));
self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(open(event.notification.tag));
});

function read(data) {
  try {
    return data.json();
  } catch {
    return {};
  }
}

const show = ({ title, body, tag }) => self.registration.showNotification(String(title ?? "Lawspeaker"), { body: String(body ?? ""), tag: String(tag ?? ""), icon: "/static/icon-192.png" });

async function open(tag) {
  const links = await caches.open(LINKS);
  const page = (tag && (await (await links.match(`/push/${encodeURIComponent(tag)}`))?.text())) || FALLBACK;
  const windows = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const there = windows.find((each) => new URL(each.url).pathname === page);
  return there ? there.focus() : self.clients.openWindow(page);
}
