// Tables of measures: of a change, by paired games, or of rules as they are.

import { h } from "../dom.js";
import { colon, figure, t } from "../words.js";
import { interval } from "./intervals.js";

const SHARES = ["differs", "outcome", "winner", "control", "anew"];
const GROUPS = [
  ["workshop.shares", (row) => SHARES.includes(row.measure)],
  ["workshop.beyond_luck", (row) => row.measure === "beyond"],
  ["workshop.seat_wins", (row) => row.measure === "seat_wins"],
  ["workshop.points_change", (row) => ["score", "seat_score"].includes(row.measure)],
  ["workshop.length_change", (row) => row.measure === "length"],
];

/** All measures of a change, in groups with one scale each; `called` returns the name of a seat. */
export function measures(rows, called) {
  const shown = rows.filter((row) => row.low !== null);
  const parts = [];
  for (const [title, of] of GROUPS) {
    const own = shown.filter(of);
    const around = title !== "workshop.shares";
    const most = around ? Math.max(0.0001, ...own.flatMap((row) => [Math.abs(row.low), Math.abs(row.high)])) : 1;
    const name = (row) => (row.seat === null ? t(`workshop.measure_${row.measure}`) : called(row.seat));
    parts.push(group(t(title), own.map((row) => line(row, name(row), most, around))));
  }
  return h("table", { class: "measures" }, ...parts);
}

/** Statistics of games by seat and of the whole game; with earlier ones, also these and the differences. */
export function figures(rows, called) {
  const shown = rows.filter((row) => row.low !== null);
  if (shown.some((row) => row.before)) return beside(shown, called);
  const of = (measure) => shown.filter((row) => row.measure === measure);
  const bySeat = (measure) => {
    const own = of(measure);
    const most = Math.max(0.0001, ...own.flatMap(({ low, high, mark }) => [Math.abs(low), Math.abs(high), 2 * mark]));
    const around = own.some(({ low }) => low < 0); // points can be less than none
    return group(t(`lab.${measure}`), own.map((row) => line({ ...row, share: measure === "wins" }, called(row.seat), most, around, false)));
  };
  const whole = (measure, share) => of(measure).map((row) => line({ ...row, share }, t(`lab.${measure}`), share ? 1 : row.high, false));
  return h("table", { class: "measures" }, bySeat("wins"), bySeat("score"), group(t("lab.whole"), [...whole("ties", true), ...whole("draws", true), ...whole("decisions", false)]));
}

function beside(rows, called) {
  const cell = (row, estimate, signed) => {
    if (!estimate) return h("td", { class: "figure" }, "–");
    const { value, low, high } = estimate;
    return h("td", { class: "figure" }, told(value, row, signed), h("small", {}, low === null ? "" : range({ ...row, low, high }, signed)));
  };
  const row = (each) => h("tr", { class: each.clear ? "clear" : "" },
    h("th", { scope: "row" }, each.seat === null ? t(`lab.${each.measure}`) : called(each.seat)),
    cell(each, each.before, false), cell(each, each, false), cell(each, each.change, true));
  const part = (title, ...measures) => group(t(title), rows.filter(({ measure }) => measures.includes(measure)).map((each) => row({ ...each, share: SHARED.includes(each.measure) })), 4);
  const head = h("thead", {}, h("tr", {}, h("td", {}), ...["then", "now", "change"].map((each) => h("th", { scope: "col" }, t(`workshop.${each}`)))));
  return h("table", { class: "measures beside" }, head, part("lab.wins", "wins"), part("lab.score", "score"), part("lab.whole", "ties", "draws", "decisions"));
}
const SHARED = ["wins", "ties", "draws"]; // what is told in percent

function group(title, lines, across = 3) {
  return lines.length ? h("tbody", {}, h("tr", {}, h("th", { colspan: across, scope: "rowgroup" }, title)), ...lines) : null;
}

/** Describes the significant changes in words. */
export function clearOnes(rows, called) {
  return rows.filter((row) => row.clear && row.low !== null).map((row) => {
    const [title] = GROUPS.find(([, of]) => of(row));
    const name = row.seat === null ? t(`workshop.measure_${row.measure}`) : called(row.seat);
    return `${colon(t(title), name)} ${told(row.value, row, true)} (${range(row, true)})`;
  });
}

/** `signed` marks a change, which is shown with its sign. */
function line(row, name, most, around, signed = around) {
  return h(
    "tr",
    { class: signed && row.clear ? "clear" : "" },
    h("td", {}, name),
    h("td", { class: "bar-cell" }, interval(row, most, around, row.mark)),
    h("td", { class: "figure" }, told(row.value, row, signed), h("small", {}, ` ${range(row, signed)}`)),
  );
}

/** A change of a share is in percentage points. */
function told(value, row, signed) {
  return row.share && signed ? `${bare(value, row, true)}\u00a0${t("workshop.percentage_points")}` : row.share ? `${bare(value, row)}\u00a0%` : bare(value, row, signed);
}

/** Without the unit, which the value beside it has. */
const range = (row, signed) => `${bare(row.low, row, signed)} … ${bare(row.high, row, signed)}`;

const bare = (value, { share, measure }, signed = false) => (share ? figure(100 * value, SHARES.includes(measure) ? 0 : 1, signed) : figure(value, 2, signed));
