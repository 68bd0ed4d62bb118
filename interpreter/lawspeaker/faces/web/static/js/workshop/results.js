// Renders results of simulations and sweeps in the reader's language.

import { h } from "../dom.js";
import { colon, figure, percent, t } from "../words.js";
import { bar, histogram, line } from "./charts.js";
import { interval } from "./intervals.js";

const MANY = 12; // so many lines of a list are shown at once; the others can be opened
const ONE_PERCENT = 0.01;
const FEW = 20; // what is compared in fewer games says nothing worth telling

const signed = (value, told) => (value > 0 ? "+" : "") + told(value);
export const number = (value) => figure(value, Math.abs(value) < 10 ? 2 : 1);

/** An interval, if it is known. */
const span = ({ low, high }, told) => (low === null ? "" : `${told(low)} … ${told(high)}`);

export function chartCard(title, about, ...parts) {
  return h("section", { class: "card result" }, h("h2", {}, t(title)), about ? h("p", { class: "tip" }, t(about)) : null, ...parts);
}

// ------------------------------------------------------------ a simulation

export function simulation(found) {
  return [
    seats(found),
    h("div", { class: "pair" }, whole(found), lengths(found)),
    found.order.length > 2 && found.sides > 1 ? order(found) : null,
    found.sources.length ? sources(found) : null,
    found.uses.length ? uses(found) : null,
    rules(found),
  ];
}

/** How many games and minutes a precision of one percent takes; nothing if it is reached. */
function effort({ seats: all, games, seconds }) {
  const half = Math.max(...all.map(({ wins }) => (wins.high - wins.low) / 2));
  if (!seconds || half <= ONE_PERCENT) return null;
  const needed = Number((games * (half / ONE_PERCENT) ** 2).toPrecision(2));
  const minutes = Math.ceil((seconds * needed) / games / 60);
  return h("p", { class: "tip" }, t("lab.one_percent", { half: percent(half), games: figure(needed, 0), minutes }));
}

function seats({ seats: all, fair, scored, ...found }) {
  const counts = all.flatMap(({ scores }) => scores.map(([score]) => score));
  const ends = { low: Math.min(...counts), high: Math.max(...counts) };
  const most = Math.min(1, Math.max(2 * fair, ...all.map(({ wins }) => wins.high ?? 1)));
  const row = ({ called, wins, score, scores }) => h(
    "tr",
    {},
    h("th", { scope: "row" }, called),
    h("td", { class: "bar-cell" }, wins.low === null ? null : interval(wins, most, false, fair)),
    h("td", { class: "figure" }, percent(wins.value), h("small", {}, span(wins, percent))),
    scored ? h("td", { class: "figure" }, number(score.value), h("small", {}, span(score, number))) : null,
    scored ? h("td", { class: "shape" }, histogram(scores, { ...ends, tall: 30, label: colon(t("lab.scores"), called) })) : null,
  );
  return chartCard("lab.by_seat", "lab.by_seat_about", h("div", { class: "wide" }, h("table", { class: "seats" },
    h("thead", {}, h("tr", {}, h("th", { class: "left", scope: "col" }, t("lab.seat")), h("th", { class: "left", colspan: 2 }, t("lab.wins")), scored ? h("th", {}, t("lab.score")) : null, scored ? h("th", { class: "left" }, t("lab.scores")) : null)),
    h("tbody", {}, ...all.map(row)),
  )), effort({ seats: all, ...found }));
}

function whole(found) {
  const fact = (name, value, about = "") => h("div", {}, h("dt", {}, t(`lab.${name}`)), h("dd", {}, value, h("small", {}, about)));
  const share = (name, estimate) => fact(name, percent(estimate.value), span(estimate, percent));
  const mean = (name, estimate) => fact(name, number(estimate.value), span(estimate, number));
  return chartCard("lab.whole", "", h("dl", { class: "facts" },
    ...(found.starter ? [share("starter", found.starter), fact("fair", percent(found.fair))] : []),
    share("ties", found.ties),
    found.draws.value ? share("draws", found.draws) : null,
    fact("goal", found.goal),
    ...(found.for_points ? [mean("margin", found.margin), mean("leads", found.leads)] : []),
    mean("decisions", found.decisions),
    fact("branching", number(found.branching)),
    ...Object.entries(found.measures).map(([name, estimate]) => {
      const told = found.shares.includes(name) ? percent : number;
      return h("div", {}, h("dt", {}, h("code", {}, `measure.${name}`)), h("dd", {}, told(estimate.value), h("small", {}, span(estimate, told))));
    }),
  ));
}

/** Victories by place in the order of play; with two seats, the second has what the first leaves. */
function order({ order: all, fair }) {
  const most = Math.min(1, Math.max(2 * fair, ...all.map(({ high }) => high ?? 1)));
  return chartCard("lab.order", "lab.order_about", h("div", { class: "wide" }, h("table", { class: "seats" },
    ...all.map((wins, after) => h(
      "tr",
      {},
      h("th", { scope: "row" }, after ? t("lab.seats_after", { count: after }) : t("lab.starts")),
      h("td", { class: "bar-cell" }, wins.low === null ? null : interval(wins, most, false, fair)),
      h("td", { class: "figure" }, percent(wins.value), h("small", {}, span(wins, percent))),
    )),
  )));
}

function lengths({ lengths: counts }) {
  const ends = { low: counts[0][0], high: counts.at(-1)[0] };
  return chartCard("lab.lengths", "lab.lengths_about", histogram(counts, { ...ends, wide: 420, tall: 150, label: t("lab.lengths") }));
}

/** A clause by its sentence, with its id below. */
const clause = (id, says) => h("td", { class: "left clause" }, says[id] || id, says[id] ? h("code", {}, id) : null);

function sources({ sources: all, says }) {
  const most = Math.max(...all.map(({ points }) => Math.abs(points.value)));
  return chartCard("lab.sources", "lab.sources_about", expandable(all, (shown) => h("table", { class: "parts" }, ...shown.map(({ clause: id, points, part }) => h(
    "tr",
    {},
    clause(id, says),
    h("td", { class: "bar-cell" }, bar(Math.abs(points.value), most)),
    h("td", { class: "figure" }, number(points.value), h("small", {}, span(points, number))),
    h("td", { class: "figure" }, percent(part, 0)),
  )))));
}

function uses({ uses: all, scored, says }) {
  const known = all.filter(({ compared, wins }) => compared >= FEW && wins.low !== null);
  const most = Math.max(0.0001, ...known.flatMap(({ wins }) => [Math.abs(wins.low), Math.abs(wins.high)]));
  const row = ({ called, question, times, players, wins, score, compared }) => {
    const sure = compared >= FEW && wins.low !== null;
    const clear = sure && (wins.low > 0 || wins.high < 0);
    return h(
      "tr",
      { class: clear ? "clear" : "" },
      h("td", { class: "left", title: says[question] ?? "" }, called),
      h("td", { class: "figure" }, number(times)),
      h("td", { class: "figure" }, percent(players, 0)),
      h("td", { class: "bar-cell" }, sure ? interval(wins, most, true) : null),
      h("td", { class: "figure" }, sure ? signed(wins.value, percent) : "–", sure ? h("small", {}, span(wins, percent)) : null),
      scored ? h("td", { class: "figure" }, sure ? signed(score.value, number) : "–", sure ? h("small", {}, span(score, number)) : null) : null,
    );
  };
  return chartCard("lab.uses", "lab.uses_about", expandable(all, (shown) => h("table", { class: "uses" },
    h("tr", {}, h("th", { class: "left", scope: "col" }, t("lab.option")), h("th", {}, t("lab.a_game")), h("th", {}, t("lab.users")), h("th", { class: "left", colspan: 2 }, t("lab.ahead_wins")), scored ? h("th", {}, t("lab.ahead_score")) : null),
    ...shown.map(row),
  )));
}

function rules({ fired, never, says }) {
  const most = Math.max(1, ...fired.map(({ times }) => times));
  return chartCard("lab.fired", "lab.fired_about",
    never.length ? h("p", { class: "never" }, h("strong", {}, t("lab.never")), " ", ...never.flatMap((id, at) => [at ? ", " : "", h("code", { title: says[id] ?? "" }, id)])) : null,
    expandable(fired, (shown) => h("table", { class: "parts" }, ...shown.map(({ clause: id, times }) => h("tr", {}, clause(id, says), h("td", { class: "bar-cell" }, bar(times, most)), h("td", { class: "figure" }, number(times)))))),
  );
}

/** The first lines of a list, expandable to all. */
export function expandable(all, drawn) {
  if (all.length <= MANY) return h("div", { class: "wide" }, drawn(all));
  const frame = h("div", { class: "wide" }, drawn(all.slice(0, MANY)));
  frame.append(h("button", { class: "quiet", onclick: () => frame.replaceChildren(drawn(all)) }, t("lab.all", { count: all.length })));
  return frame;
}

// ------------------------------------------------------------ a sweep

/** The name of a measure; a custom one has its own. */
export function measureName(measure) {
  const [what, ...of] = measure.split(":");
  if (what === "skill") return `${t("lab.measure_skill")} (${of.join(":")})`;
  return t(`lab.measure_${measure}`) === `lab.measure_${measure}` ? measure : t(`lab.measure_${measure}`);
}

function aboutMeasure(measure) {
  const key = `lab.measure_${measure.split(":")[0]}_about`;
  return t(key) === key ? "" : t(key);
}

const toldIn = (shares) => (name) => (shares.includes(name) ? (value) => percent(value) : number);

export function sweep({ points, measures, shares }) {
  const told = toldIn(shares);
  const chart = (name) => h("figure", { class: "card" },
    h("figcaption", {}, h("strong", {}, measureName(name)), h("small", {}, aboutMeasure(name))),
    line(points.map((each) => ({ at: each.values.join(" "), reference: each.reference, ...each.measures[name] })), told(name), measureName(name)),
  );
  return [h("div", { class: "charts" }, ...measures.map(chart)), changes(points, measures, told)];
}

function changes(points, measures, told) {
  return chartCard("lab.changes", "lab.changes_about", sweepTable({ points, measures, told }));
}

/** The values of a sweep, one in each row. */
export function sweepTable({ points, measures, shares, told = toldIn(shares) }) {
  const cell = (point, name) => {
    const { value } = point.measures[name];
    const change = point.changes?.[name];
    const clear = change && change.low !== null && (change.low > 0 || change.high < 0);
    return h("td", { class: `figure ${clear ? "clear" : ""}` }, told(name)(value), change ? h("small", {}, signed(change.value, told(name))) : null, point.reference ? h("small", {}, t("lab.reference")) : null);
  };
  return h("div", { class: "wide" }, h("table", { class: "sweep" },
    h("tr", {}, h("th", { class: "left", scope: "col" }, t("lab.values")), ...measures.map((name) => h("th", { scope: "col" }, measureName(name)))),
    ...points.map((each) => h("tr", {}, h("th", { scope: "row" }, each.values.join(" "), each.changes && each.pairs !== null ? h("small", {}, t("lab.pairs", { count: each.pairs })) : null), ...measures.map((name) => cell(each, name)))),
  ));
}
