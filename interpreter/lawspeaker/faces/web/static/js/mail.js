// The page behind a link in a mail: confirms an address, or stops the mails to it. Opening it changes nothing.

import { byId, fill, h } from "./dom.js";
import { ask, token } from "./server.js";
import { load, initialLanguage, t } from "./words.js";

async function begin() {
  await load(initialLanguage(["en", "de", "it", "fr"]));
  const answer = await ask(`/api/mail/${token}`).catch(() => null);
  show(answer?.ok ? (await answer.json()).state : "none");
}

function show(state) {
  const button = (wanted, words, kind) => h("button", { class: kind, onclick: () => decide(wanted) }, words);
  fill(
    byId("page"),
    h("h2", {}, t(`mail.page_${state || "off"}`)),
    h("p", { class: "about" }, t("mail.page_about")),
    state === "asked" ? button(true, t("mail.confirm"), "main") : null,
    " ",
    state === "asked" || state === "on" ? button(false, t("mail.stop"), state === "on" ? "main" : "quiet") : h("a", { class: "button main", href: "/home" }, t("place.title")),
  );
}

async function decide(wanted) {
  const answer = await ask(`/api/mail/${token}`, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ wanted }) }).catch(() => null);
  if (answer?.ok) show((await answer.json()).state);
}

begin();
