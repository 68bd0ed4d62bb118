// Where to begin: rules on offer, a house rule of them, or a small game of one's own.

import { byId, fill, h } from "../dom.js";
import { t, told } from "../words.js";

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
  );
}
