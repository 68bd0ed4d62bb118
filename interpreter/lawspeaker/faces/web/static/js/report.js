// Reports a problem with a rule: the position becomes a scenario file, with what the reporter writes.

import { byId, h } from "./dom.js";
import { address, served, token } from "./server.js";
import { t } from "./words.js";

const LONGEST = 300;

/** Offers a report below the note about a clause, of the position after `at` replies. */
export function reporting(clause, at) {
  if (!served || !clause) return;
  const ask = h("button", { class: "quiet", type: "button", onclick: () => ask.replaceWith(form(clause, at)) }, t("stage.report"));
  byId("note").append(ask);
}

function form(clause, at) {
  const words = h("textarea", { rows: "3", maxlength: String(LONGEST), "aria-label": t("stage.report_how") });
  const link = h("a", { class: "button main", download: "" }, t("stage.report_save"));
  const meant = () => (link.href = address(`/api/report/${token}?${new URLSearchParams({ after: at, clause, about: words.value })}`));
  words.addEventListener("input", meant);
  words.addEventListener("keydown", (event) => event.stopPropagation());
  meant();
  return h("div", { class: "report" }, h("p", {}, t("stage.report_how")), words, link);
}
