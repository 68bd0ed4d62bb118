// The table of what paired games say.

import { h } from "../dom.js";
import { colon, figure, percent, t } from "../words.js";
import { interval } from "./intervals.js";

const SHARES = ["differs", "outcome", "winner", "anew"];
const GROUPS = [
  ["workshop.shares", (row) => SHARES.includes(row.measure)],
  ["workshop.seat_wins", (row) => row.measure === "seat_wins"],
  ["workshop.points_change", (row) => ["score", "seat_score"].includes(row.measure)],
  ["workshop.length_change", (row) => row.measure === "length"],
];

/** All measures, in groups with one scale each; `called` gives the name of a seat. */
export function measures(rows, called) {
  const shown = rows.filter((row) => row.low !== null);
  const parts = [];
  for (const [title, of] of GROUPS) {
    const own = shown.filter(of);
    if (!own.length) continue;
    const around = title !== "workshop.shares";
    const most = around ? Math.max(0.0001, ...own.flatMap((row) => [Math.abs(row.low), Math.abs(row.high)])) : 1;
    const name = (row) => (row.seat === null ? t(`workshop.measure_${row.measure}`) : called(row.seat));
    parts.push(h("tbody", {}, h("tr", {}, h("th", { colspan: 3, scope: "rowgroup" }, t(title))), ...own.map((row) => line(row, name(row), most, around))));
  }
  return h("table", { class: "measures" }, ...parts);
}

/** In words: what has changed and can not well be chance. */
export function clearOnes(rows, called) {
  return rows.filter((row) => row.clear && row.low !== null).map((row) => {
    const [title] = GROUPS.find(([, of]) => of(row));
    const name = row.seat === null ? t(`workshop.measure_${row.measure}`) : called(row.seat);
    return `${colon(t(title), name)} ${told(row.value, row, true)} (${told(row.low, row, true)} … ${told(row.high, row, true)})`;
  });
}

function line(row, name, most, around) {
  return h(
    "tr",
    { class: around && row.clear ? "clear" : "" },
    h("td", {}, name),
    h("td", { class: "bar-cell" }, interval(row, most, around)),
    h("td", { class: "figure" }, told(row.value, row, around), h("small", {}, ` ${told(row.low, row, around)} … ${told(row.high, row, around)}`)),
  );
}

function told(value, { share, measure }, around) {
  const sign = around && value > 0 ? "+" : "";
  if (share) return `${sign}${percent(value, measure === "seat_wins" ? 1 : 0)}`;
  return sign + figure(value, 2);
}
