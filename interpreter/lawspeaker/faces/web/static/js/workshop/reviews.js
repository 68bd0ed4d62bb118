// Renders a review: the value of thinking, and the findings by weight.

import { h } from "../dom.js";
import { percent, t } from "../words.js";
import { chartCard, number } from "./results.js";

export function review({ thinking, findings, tables, correction }) {
  return [
    thinking.length ? chartCard("lab.thinking", "", h("ul", { class: "lines" }, ...thinking.map((each) => h("li", {}, each)))) : null,
    chartCard("lab.findings", "",
      findings.length
        ? h("ol", { class: "findings" }, ...findings.map(({ says, source }) => h("li", {}, says, h("small", {}, source))))
        : h("p", {}, t("lab.nothing_found")),
      h("p", { class: "tip" }, correction),
    ),
    chartCard("lab.played", "", h("div", { class: "wide" }, h("table", {},
      h("thead", {}, h("tr", {}, ...["lab.players", "lab.bot"].map((name) => h("th", { class: "left", scope: "col" }, t(name))), ...["lab.games", "lab.decisions", "lab.ties", "lab.draws"].map((name) => h("th", { scope: "col" }, t(name))))),
      h("tbody", {}, ...tables.map(played)),
    ))),
  ];
}

function played({ players, bots, games, decisions, ties, draws }) {
  const who = new Set(bots).size === 1 ? bots[0] : bots.join(", ");
  return h("tr", {},
    h("td", { class: "left" }, String(players)),
    h("td", { class: "left" }, who),
    h("td", { class: "figure" }, String(games)),
    h("td", { class: "figure" }, decisions ? number(decisions.value) : "–"),
    h("td", { class: "figure" }, ties ? percent(ties.value) : "–"),
    h("td", { class: "figure" }, draws ? percent(draws.value) : "–"),
  );
}
