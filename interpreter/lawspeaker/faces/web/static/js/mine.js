// Renders the tables of this browser's key as cards.

import { h } from "./dom.js";
import { agreement } from "./rulebook.js";
import { language, strength, t, inLanguage } from "./words.js";

const UNITS = [["day", 86400], ["hour", 3600], ["minute", 60]];

/** Formats how long ago something was. */
export function timeAgo(seconds) {
  const past = Math.max(0, Date.now() / 1000 - seconds);
  const [unit, size] = UNITS.find(([, each]) => past >= each) ?? ["minute", 60];
  return new Intl.RelativeTimeFormat(language, { numeric: "auto" }).format(-Math.floor(past / size), unit);
}

/** The name of rules: the game's title, and the variants. A table that plays by a draft knows its `titles`. */
export function rulesTitle(rules, games, titles = {}) {
  const drafted = rules.includes("./") && inLanguage(titles);
  if (drafted) return { title: drafted, variants: [] };
  const [name, ...variants] = rules.replace(/^\.\//, "").split("+");
  const game = games.find((each) => each.name === name);
  const named = variants.map((each) => {
    const plain = each.replace(/\(.*/, "");
    const found = game?.variants.find((variant) => variant.name === plain);
    return found ? inLanguage(found.title) : plain.replace(/^\.\//, "").replace(/\.yaml$/, "").replaceAll("_", " ");
  });
  return { title: game ? inLanguage(game.title) : name.replaceAll("_", " "), variants: named };
}

/** The occupant of a seat, as named at the table and at setup. */
function person(seat, at, game) {
  if (seat.mine) return seat.nick || t("you");
  const level = Object.entries(game?.levels ?? {}).find(([, bot]) => bot === seat.bot)?.[0];
  const called = inLanguage(game?.called?.[at]) || t("place.player", { number: at + 1 });
  return seat.nick || (seat.bot ? `${called} (${t("bot", { strength: strength(seat.bot, level) })})` : called);
}

/** The card of a table; `out` removes it from the list. */
export function tableCard(table, games, out = null) {
  const { title, variants } = rulesTitle(table.rules, games, table.titles);
  const game = games.find((each) => each.name === table.rules.replace(/^\.\//, "").split("+")[0]);
  const names = table.seats.map((seat, at) => person(seat, at, game));
  const asked = table.seats.flatMap((seat, at) => (seat.asked && !seat.mine ? [person(seat, at, game)] : []));
  const open = table.seats.filter((seat) => seat.open).length;
  const unready = table.seats.flatMap((seat, at) => (seat.ready ? [] : [seat.mine ? "" : person(seat, at, game)]));
  const standing = {
    lobby: () => (unready.includes("") ? t("place.lobby_you") : t("place.lobby_others", { names: unready.join(", ") })),
    yours: () => t("place.since", { when: timeAgo(table.since) }),
    waiting: () => (asked.length ? `${t("waiting", { names: asked.join(", ") })} · ${t("place.since", { when: timeAgo(table.since) })}` : t("place.bots_move")),
    over: () => t("place.over"),
  }[table.state]();
  return h(
    "li",
    { class: `card mine ${table.state === "yours" ? "yours" : ""}` },
    h("a", { class: "whole", href: table.link }, h("h4", {}, title)),
    variants.length ? h("p", { class: "facts" }, variants.join(" + ")) : null,
    h("p", { class: "facts" }, names.join(" · ")),
    h("p", { class: "standing" }, standing),
    open && table.state !== "over" ? h("p", { class: "standing" }, t("place.open_seats", { count: open })) : null,
    out ? h("button", { class: "quiet out", onclick: out, "aria-label": `${t("place.take_out")}: ${title}`, title: t("place.take_out_about") }, t("place.take_out")) : null,
  );
}

/** The card of a table in the lobby: what is played there and what that changes, who sits there, and a seat to ask for. */
export function openCard(table, games) {
  const { title, variants } = rulesTitle(table.rules, games, table.titles);
  const game = games.find((each) => each.name === table.rules.replace(/^\.\//, "").split("+")[0]);
  const sitting = table.seats.flatMap((seat, at) => (seat.free ? [] : [person(seat, at, game)]));
  const free = table.seats.filter((seat) => seat.free).length;
  return h(
    "li",
    { class: "card mine open-table" },
    h("h4", {}, title),
    variants.length ? h("p", { class: "facts" }, variants.join(" + ")) : null,
    table.text ? h("p", { class: "said-of" }, table.text) : null,
    h("p", { class: "facts" }, [sitting.join(" · "), table.language.toUpperCase(), t(table.lobby ? "open.not_begun" : "open.begun")].filter(Boolean).join(" · ")),
    table.rules.includes("+") && !table.rules.includes("./") ? agreement(table.rules) : null,
    h("p", { class: "standing" }, t("place.open_seats", { count: free })),
    h("a", { class: "button main", href: table.link, "aria-label": `${t("open.ask")}: ${title}` }, t("open.ask")),
  );
}
