// Renders the sheet of a study: figures, curves with their intervals, and tables.

import { h } from "../dom.js";
import { figure, percent } from "../words.js";
import { curve } from "./charts.js";

export function sheet({ behind, facts, panels, notes }) {
  const curves = panels.filter(({ sort, points }) => sort === "curve" && points.length);
  const tables = panels.filter(({ sort, rows }) => sort === "rows" && rows.length);
  return [
    h("section", { class: "card result" }, h("p", { class: "tip" }, behind),
      h("dl", { class: "facts" }, ...facts.map(({ name, value, span }) => h("div", {}, h("dt", {}, name), h("dd", {}, value, h("small", {}, span)))))),
    curves.length ? h("div", { class: "charts" }, ...curves.map(drawn)) : null,
    ...tables.map(table),
    h("section", { class: "card result" }, ...notes.map((each) => h("p", { class: "tip" }, each))),
  ];
}

function drawn(panel) {
  const told = panel.share ? (value) => percent(value, 0) : (value) => figure(value, 1);
  return h("figure", { class: "card" },
    h("figcaption", {}, h("strong", {}, panel.title), h("small", {}, panel.about)),
    curve(panel, told),
    h("small", {}, panel.x));
}

function table({ title, about, head, rows }) {
  return h("section", { class: "card result" }, h("h2", {}, title), about ? h("p", { class: "tip" }, about) : null,
    h("div", { class: "wide" }, h("table", {},
      h("thead", {}, h("tr", {}, ...head.map((each, at) => h("th", { class: at ? "" : "left", scope: "col" }, each)))),
      h("tbody", {}, ...rows.map(([name, ...cells]) => h("tr", {}, h("th", { scope: "row" }, name), ...cells.map((each) => h("td", { class: "figure" }, each))))))));
}
