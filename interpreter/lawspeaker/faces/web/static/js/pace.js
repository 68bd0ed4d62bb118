// Options for the pace of a game at setup: a clock for each player, if friends are invited.

import { h } from "./dom.js";
import { t } from "./words.js";

const CLOCKS = [["minutes", 60, [5, 10, 20, 45]], ["hours", 3600, [2, 6]], ["days", 86_400, [2, 7, 14]]];

let clock = 0;

const friends = (seats) => seats.some((seat) => seat.who === "friend");

/** The field for the clock; null if nobody is invited. */
export function field(seats) {
  if (!friends(seats)) return null;
  const choices = [[0, t("together.no_clock")], ...CLOCKS.flatMap(([unit, size, counts]) => counts.map((count) => [count * size, t(`together.${unit}`, { count })]))];
  return h(
    "label",
    { class: "pace", title: t("together.clock_about") },
    h("span", {}, t("together.clock")),
    h("select", { onchange: (event) => { clock = Number(event.target.value); } }, ...choices.map(([value, words]) => h("option", { value, selected: value === clock }, words))),
  );
}

/** The options in the server's format. */
export function wish(seats) {
  return friends(seats) ? { lobby: true, clock } : {};
}
