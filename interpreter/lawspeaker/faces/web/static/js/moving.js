// Moving a running table to corrected rules, and showing what they change to those who are asked to agree.

import { fill, h } from "./dom.js";
import { drafted } from "./end.js";
import { askMine, storedKey } from "./key.js";
import { changeEntry } from "./rulebook.js";
import { ask, served, token } from "./server.js";
import { language, t } from "./words.js";

/** For the host: a button that moves the table to the rules as they are now, or to another draft; null for others. */
export function moving({ table, you }) {
  if (!served || !you.host || table.finished || (drafted(table) && !storedKey())) return null;
  const answer = h("p", { class: "tip", role: "status" });
  const drafts = h("select", { "aria-label": t("moving.draft") });
  const move = async () => {
    button.disabled = true;
    fill(answer, t("workshop.trying_out"));
    try {
      const found = await ask(`/api/rules/${token}?${new URLSearchParams({ language })}`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(drafted(table) ? await chosen(drafts.value) : {}),
      });
      const told = await found.json();
      fill(answer, told.error?.message ?? told.message);
    } catch {
      fill(answer, t("line_broken"));
    }
    button.disabled = false;
  };
  const button = h("button", { class: "quiet", onclick: move }, t("moving.move"));
  const inside = [h("p", { class: "tip" }, t(drafted(table) ? "moving.about_draft" : "moving.about")), drafted(table) ? drafts : null, button, answer];
  if (drafted(table)) list(drafts, button);
  return h("details", { class: "moving" }, h("summary", {}, t("moving.title")), ...inside);
}

/** Lists one's own drafts, the latest first. */
async function list(select, button) {
  const found = await askMine("/api/home").catch(() => null);
  const { drafts } = found?.ok ? await found.json() : { drafts: [] };
  const open = drafts.filter((each) => !each.away);
  fill(select, ...open.map((each) => h("option", { value: each.id }, each.name || each.id)));
  button.disabled = !open.length;
}

async function chosen(id) {
  const { rules, files } = await (await askMine(`/api/home/drafts/${id}`)).json();
  return { rules, files };
}

/** A button that lists what the proposed rules change. */
export function changes() {
  const place = h("ul", { class: "changes", hidden: true });
  const show = async () => {
    const found = await ask(`/api/rules/${token}?${new URLSearchParams({ language })}`).catch(() => null);
    const { points } = found?.ok ? await found.json() : { points: [] };
    fill(place, ...(points.length ? points.map((point) => h("li", {}, ...changeEntry(point))) : [h("li", {}, t("moving.nothing"))]));
    place.hidden = false;
    button.hidden = true;
  };
  const button = h("button", { class: "quiet", onclick: show }, t("stage.what_changes"));
  return [button, place];
}
