// Renders a tuning: the closest values, the Pareto front, and all trials.

import { h } from "../dom.js";
import { figure, percent, t } from "../words.js";
import { line } from "./charts.js";
import { chartCard, expandable, measureName, number } from "./results.js";

export function tuning({ varied, targets, trials, shares, again }) {
  const told = (name) => (shares.includes(name) ? (value) => percent(value) : number);
  const best = trials.find((each) => each.best);
  const values = (trial) => varied.map((name) => trial.values[name]).join(" ");
  const set = varied.map((name) => `${name} = ${best.values[name]}`).join(", ");
  return [
    chartCard("lab.closest", "lab.closest_about", h("p", { class: "best" }, h("strong", {}, set)),
      h("dl", { class: "facts" }, ...targets.map(({ measure, value, missed }) => {
        const found = (again ?? best.measures)[measure];
        const span = found.low === null ? "" : `${told(measure)(found.low)} … ${told(measure)(found.high)}`;
        return h("div", {}, h("dt", {}, `${measureName(measure)} → ${told(measure)(value)}`), h("dd", {}, told(measure)(found.value), h("small", {}, span), missed ? h("small", {}, ` ${t("lab.missed")}`) : null));
      })),
      h("p", { class: "tip" }, t(again ? "lab.again" : "lab.not_yet_again")),
    ),
    varied.length === 1 && trials.length > 1 ? curves(trials, targets, varied[0], told) : null,
    table("lab.front", "lab.front_about", trials.filter((each) => each.front), targets, varied, told),
    table("lab.tried", "", [...trials].sort((one, other) => one.miss - other.miss), targets, varied, told),
  ];
}

function curves(trials, targets, choice, told) {
  const order = [...trials].sort((one, other) => one.values[choice] - other.values[choice]);
  return h("div", { class: "charts" }, ...targets.map(({ measure }) => h("figure", { class: "card" },
    h("figcaption", {}, h("strong", {}, measureName(measure))),
    line(order.map((each) => ({ at: String(each.values[choice]), reference: each.best, ...each.measures[measure] })), told(measure), measureName(measure)),
  )));
}

function table(title, about, trials, targets, varied, told) {
  const row = (trial) => h("tr", { class: trial.best ? "clear" : "" },
    ...varied.map((name, at) => h("td", { class: "left" }, String(trial.values[name]), trial.printed && !at ? h("small", {}, ` ${t("lab.reference")}`) : null)),
    ...targets.flatMap(({ measure }) => [
      h("td", { class: "figure" }, told(measure)(trial.measures[measure].value)),
      h("td", { class: "figure" }, told(measure)(trial.off[measure])),
    ]),
    h("td", { class: "figure" }, figure(trial.change, 2)),
  );
  const heading = h("tr", {},
    ...varied.map((name) => h("th", { class: "left", scope: "col" }, name)),
    ...targets.flatMap(({ measure }) => [h("th", { scope: "col" }, measureName(measure)), h("th", { scope: "col" }, t("lab.off"))]),
    h("th", { scope: "col" }, t("lab.change")),
  );
  return chartCard(title, about, expandable(trials, (shown) => h("table", { class: "sweep" }, h("thead", {}, heading), h("tbody", {}, ...shown.map(row)))));
}
