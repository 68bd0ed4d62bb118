// The agreement of a table and the rulebook: at the table, in the invitation and at setup.

import { fill, h } from "./dom.js";
import { address, ask, token } from "./server.js";
import { colon, language, searchKey, t, inLanguage } from "./words.js";

const FEW = 4; // so many changes of a draft are shown at once

/** The rules without drafts, and whether there were any. */
function shelved(rules) {
  const parts = rules.split("+");
  return { name: parts.filter((each) => !each.startsWith("./")).join("+"), drafted: parts.some((each) => each.startsWith("./")) };
}

/** The agreement of a table: edition, modules, house rules, drafts, and their changes. Loads itself. */
export function agreement(rules, open = false) {
  const { name, drafted } = shelved(rules);
  const frame = h("div", { class: "agreement" });
  const show = async () => {
    const [listing, agreed] = await Promise.all([
      ask("/api/games").then((answer) => answer.json()),
      ask(`/api/rules?${new URLSearchParams({ name, language })}`).then((answer) => answer.json()),
    ]);
    const game = listing.games?.find((each) => each.name === name.split("+")[0]);
    const chosen = name.split("+").slice(1).map((each) => each.split("(")[0]);
    const titles = chosen.map((each) => inLanguage(game?.variants.find((variant) => variant.name === each)?.title) || each);
    const words = [...titles, ...(drafted ? [t("stage.draft")] : [])];
    // The changes of a draft are loaded separately, since they take longer.
    const list = h("ul", {}, ...(agreed.parts ?? []).flatMap((part) => part.points).map((point) => h("li", {}, ...changeEntry(point))));
    const changes = h("details", { open, hidden: !list.children.length }, h("summary", {}, t("stage.what_changes")), list);
    if (drafted) drafts(list, changes);
    fill(
      frame,
      h("p", {}, h("b", {}, colon(t("stage.played_by"), words.join(", ") || t("stage.as_in_book")))),
      drafted ? h("p", { class: "tip" }, t("stage.draft_tip")) : null,
      chosen.length || drafted ? changes : null,
    );
  };
  show().catch(() => fill(frame, h("p", {}, colon(t("stage.played_by"), rules))));
  return frame;
}

/** Lists the changes of this table's draft, in the words used for any variant. */
async function drafts(list, frame) {
  const answer = await ask(`/api/agreed/${token}?${new URLSearchParams({ language })}`).catch(() => null);
  const { points } = answer?.ok ? await answer.json() : { points: [] };
  list.append(...points.map((point) => h("li", {}, ...changeEntry(point))));
  frame.hidden = !list.children.length;
  frame.open ||= points.length > 0 && points.length <= FEW;
}

/** Formats a difference with its former value and reason. */
export function changeEntry({ title, says, before, because }) {
  return [
    title ? colon(title, says) : says,
    before ? h("small", {}, " ", t("before", { text: before })) : null,
    because ? h("small", { class: "because" }, " ", because) : null,
  ];
}

/** A summary of the game in three sentences. Loads itself. */
export function briefRules(rules, players) {
  const frame = h("p", { class: "brief" });
  const { name } = shelved(rules);
  ask(`/api/brief?${new URLSearchParams({ name, players, language })}`)
    .then((answer) => (answer.ok ? answer.json() : { sentences: [] }))
    .then(({ sentences }) => frame.append(sentences.join(" ")))
    .catch(() => {});
  return frame;
}

/** The rulebook dialog; `more` are elements between agreement and book. */
export async function rulebook(rules, players, ...more) {
  const { name } = shelved(rules);
  const path = `/book?${new URLSearchParams({ name, language })}`;
  const dialog = h("dialog", { class: "rulebook", "aria-label": t("stage.rulebook") });
  const search = h("input", { type: "search", placeholder: t("stage.search"), "aria-label": t("stage.search") });
  const place = h("div", { class: "book-place" }, h("p", {}, t("stage.loading")));
  const none = h("p", { class: "tip", role: "status", hidden: true }, t("stage.none_found"));
  const close = h("button", { class: "quiet close", "aria-label": t("close"), onclick: () => dialog.close() }, "×");
  dialog.append(
    h("header", { role: "group" }, h("h2", {}, t("stage.rulebook")), search, address(path) ? h("a", { href: address(path), target: "_blank", rel: "noopener" }, t("stage.own_page")) : null, close),
    h("div", { class: "inside" }, agreement(rules), briefRules(rules, players), ...more, none, place),
  );
  dialog.addEventListener("close", () => dialog.remove());
  dialog.addEventListener("keydown", (event) => event.stopPropagation());
  document.body.append(dialog);
  dialog.showModal();
  try {
    const answer = await ask(path);
    if (!answer.ok) throw new Error((await answer.json()).error.message);
    const root = bound(place, await answer.text());
    search.addEventListener("input", () => (none.hidden = found(root, search.value) > 0));
  } catch (error) {
    fill(place, h("p", {}, error.message));
  }
}

/** Embeds a book's page in an element, with its own style and without scripts. */
function bound(place, html) {
  // The policy forbids inline styles: they are removed before parsing, and set by script.
  const own = [...html.matchAll(/<style>(.*?)<\/style>/gs)].map(([, text]) => text);
  const bare = html.replaceAll(/<style>.*?<\/style>/gs, "").replaceAll(' style="', ' data-style="');
  const read = new DOMParser().parseFromString(bare, "text/html");
  for (const each of read.querySelectorAll("script, link")) each.remove();
  const styles = own.map((text) => text.replaceAll(/\bbody\b/g, ".leaf").replaceAll(":root", ":host"));
  place.replaceChildren();
  const root = place.attachShadow({ mode: "open" });
  const leaf = h("article", { class: `leaf ${read.body.className}`, lang: read.documentElement.lang });
  leaf.append(...read.body.childNodes);
  for (const each of leaf.querySelectorAll("[data-style]")) each.style.cssText = each.dataset.style;
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`${styles.join("\n")}\n.leaf { padding: 0; margin: 0; max-width: none; background: none; } .out { display: none !important; } mark { background: #ffd257; color: inherit; }`);
  root.adoptedStyleSheets = [sheet];
  root.append(leaf);
  root.addEventListener("click", (event) => {
    const link = event.composedPath().find((each) => each.matches?.("a[href^='#']"));
    if (!link) return;
    event.preventDefault();
    root.getElementById(link.getAttribute("href").slice(1))?.scrollIntoView({ block: "start" });
  });
  return root;
}

/** Hides the rules and pieces of a book that do not match a search; returns the number of hits. Chapters with rules
 *  come first, then what only shows pieces, numbers or entries of the index. */
function found(root, words) {
  const wanted = searchKey(words.trim());
  const ranked = new Map();
  let count = 0;
  for (const section of root.querySelectorAll("section, nav, header, .front")) {
    const units = [...section.querySelectorAll(".rule, .item, figure, tr, .example")];
    let any = !wanted;
    for (const unit of units) {
      const here = !wanted || searchKey(unit.textContent).includes(wanted);
      unit.classList.toggle("out", !here);
      any ||= here;
      count += here;
    }
    section.classList.toggle("out", !any);
    ranked.set(section, wanted && !section.querySelector(".rule:not(.out)") ? 1 : 0);
  }
  const leaf = root.querySelector(".leaf");
  const chapters = [...leaf.querySelectorAll(":scope > section")];
  for (const [at, chapter] of chapters.entries()) chapter.dataset.at ??= at;
  const rank = (chapter) => [ranked.get(chapter), Number(chapter.dataset.at)];
  chapters.sort((one, other) => rank(one)[0] - rank(other)[0] || rank(one)[1] - rank(other)[1]);
  leaf.append(...chapters);
  return wanted ? count : 1;
}
