// Where to begin: rules on offer, a house rule of them, or a small game of one's own.

import { byId, fill, h } from "../dom.js";
import { address, served } from "../server.js";
import { language, t, told } from "../words.js";
import { release, unsaved } from "./remembering.js";

/** Asks where to begin; `chosen` gets the query for it. */
export function ask(games, current, chosen) {
  const dialog = byId("begin");
  const game = games.find((each) => each.name === current) ?? games[0];
  draw(dialog, games, game, "", (query) => {
    dialog.close();
    chosen(query);
  });
  if (!dialog.open) dialog.showModal();
}

function draw(dialog, games, game, variant, chosen) {
  const again = (one, other) => draw(dialog, games, one, other, chosen);
  const rules = variant ? `${game.name}+${variant}` : game.name;
  const select = (label, options, value, change) =>
    h("label", {}, h("span", {}, label), h("select", { autofocus: true, onchange: (event) => change(event.target.value) }, ...options.map(([key, words]) => h("option", { value: key, selected: key === value }, words))));
  const way = (name, query) =>
    h("button", { class: "way", onclick: () => chosen(query) }, h("strong", {}, t(`workshop.begin_${name}`)), h("small", {}, t(`workshop.begin_${name}_about`)));
  fill(
    dialog,
    h("button", { class: "close", "aria-label": t("close"), onclick: () => dialog.close() }, "×"),
    h("h2", {}, t("workshop.begin")),
    h("div", { class: "which" },
      select(t("workshop.which_game"), games.map((each) => [each.name, told(each.title)]), game.name, (name) => again(games.find((each) => each.name === name), "")),
      game.variants.length ? select(t("workshop.which_rules"), [["", t("base_edition")], ...game.variants.map((each) => [each.name, told(each.title)])], variant, (name) => again(game, name)) : null,
    ),
    h("div", { class: "ways" },
      way("house", { as: "house", rules }),
      way("edit", { as: "edit", rules }),
      way("game", { as: "game" }),
    ),
    served ? null : drafts(() => again(game, variant)),
  );
}

/** Drafts to go on with. A server lists them in one's place; without one they are in this browser alone. */
function drafts(again) {
  const mine = unsaved().sort((one, other) => other.changed - one.changed);
  if (!mine.length) return null;
  const when = (seconds) => new Date(1000 * seconds).toLocaleString(language, { dateStyle: "medium", timeStyle: "short" });
  const row = ({ id, name, rules, changed }) => h("li", {},
    h("a", { href: address(`/workshop?draft=${id}`) }, name || rules || t("workshop.own_game")), " ",
    h("small", {}, when(changed)), " ",
    h("button", { class: "quiet", "aria-label": t("workshop.forget"), title: t("workshop.forget"), onclick: () => { release(id); again(); } }, "×"),
  );
  return h("section", { class: "left" }, h("h3", {}, t("workshop.your_drafts")), h("ul", {}, ...mine.map(row)));
}
