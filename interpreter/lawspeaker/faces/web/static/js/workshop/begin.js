// The start dialog: rules on offer, a house rule for them, or a small new game.

import { byId, fill, h } from "../dom.js";
import { rulesTitle } from "../mine.js";
import { address, served } from "../server.js";
import { language, t, inLanguage } from "../words.js";
import { ownDrafts } from "./own_drafts.js";
import { release } from "./remembering.js";

const list = h("section", { class: "left" }); // drafts to go on with

/** Asks where to start; `chosen` gets the query for it, `why` tells why the first request failed. */
export function ask(games, current, chosen, why = "") {
  const dialog = byId("begin");
  const game = games.find((each) => each.name === current) ?? games[0];
  wrong = why;
  draw(dialog, games, game, "", (query) => {
    dialog.close();
    chosen(query);
  });
  if (!dialog.open) dialog.showModal();
  drafts(games);
}
let wrong = "";

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
    wrong ? h("p", { class: "wrong", role: "alert" }, wrong) : null,
    h("h2", {}, t("workshop.begin")),
    h("div", { class: "which" },
      select(t("workshop.which_game"), games.map((each) => [each.name, inLanguage(each.title)]), game.name, (name) => again(games.find((each) => each.name === name), "")),
      game.variants.length ? select(t("workshop.which_rules"), [["", t("base_edition")], ...game.variants.map((each) => [each.name, inLanguage(each.title)])], variant, (name) => again(game, name)) : null,
    ),
    h("div", { class: "ways" },
      way("numbers", { as: "edit", rules, form: "numbers" }),
      way("house", { as: "house", rules }),
      way("edit", { as: "edit", rules }),
      way("game", { as: "game" }),
    ),
    list,
  );
}

/** Lists drafts to continue, with their game and last change. Those stored in this browser only can be deleted here;
 *  the server's are managed on the home page. */
async function drafts(games) {
  const found = await ownDrafts();
  const when = (seconds) => new Date(1000 * seconds).toLocaleString(language, { dateStyle: "medium", timeStyle: "short" });
  const row = ({ id, name, rules, changed }) => {
    const { title, variants } = rulesTitle(rules, games);
    const of = [title, ...variants].filter(Boolean).join(" + ");
    const forget = () => {
      release(id);
      drafts(games);
    };
    return h("li", {},
      h("a", { href: address(`/workshop?draft=${id}`) }, name || of || t("workshop.own_game")), " ",
      h("small", {}, [of || t("workshop.own_game"), when(changed)].filter((each) => each !== name).join(" · ")), " ",
      served ? null : h("button", { class: "quiet", "aria-label": `${t("workshop.forget")}: ${name || of}`, title: t("workshop.forget"), onclick: forget }, "×"),
    );
  };
  fill(list, ...(found.length ? [h("h3", {}, t(served ? "workshop.my_drafts" : "workshop.your_drafts")), h("ul", {}, ...found.map(row))] : []));
}
