// Results of many games, with intervals that narrow as the games arrive.

import { byId, fill, h } from "../dom.js";
import { t } from "../words.js";
import { figures, measures } from "./measures.js";

const GAMES = 2000;
const FEW = 100; // games of bots that think, where Python alone plays them

export class Effect {
  kind = "effect"; // what such work is called
  title = "workshop.effect";
  auto = true;

  /** `start` and `stop` control the games; `auto` tells whether every edit starts new ones. */
  constructor({ start, stop, called }) {
    this.called = called; // the name of a seat
    this.start = start;
    this.stop = stop;
    this.bot = "random";
    this.running = false;
    this.found = null;
    this.stale = false; // whether what was found is about rules that have changed since
    this.why = "";
  }

  get games() {
    return GAMES;
  }

  begin() {
    this.running = true;
    this.stale = true;
    this.why = "";
    this.draw();
  }

  hear(found) {
    this.found = found;
    this.stale = false;
    this.running = found.done < found.of;
    this.draw();
  }

  ended(why = "") {
    this.running = false;
    this.why = why;
    this.draw();
  }

  /** Marks results as outdated after an edit; they stay visible, faintly. */
  outdate(why = "") {
    this.running = false;
    this.stale = true;
    this.why = why;
    this.draw();
  }

  /** Clears the results: there is no change. */
  clear(why) {
    this.running = false;
    this.found = null;
    this.why = why;
    this.draw();
  }

  draw() {
    const { found, running } = this;
    const bots = h(
      "select",
      { "aria-label": t("workshop.bots"), onchange: (event) => { this.bot = event.target.value; this.start(); } },
      ...["random", "greedy"].map((bot) => h("option", { value: bot, selected: bot === this.bot }, bot)),
    );
    fill(
      byId("effect"),
      h("div", { class: "head" },
        h("h2", {}, t(this.title)),
        h("label", {}, t("workshop.bots"), " ", bots),
        running
          ? h("button", { onclick: () => this.stop() }, t("workshop.stop"))
          : h("button", { onclick: () => this.start() }, t(found ? "workshop.again" : "workshop.run")),
        h("label", { class: "auto" }, h("input", { type: "checkbox", checked: this.auto, onchange: (event) => { this.auto = event.target.checked; } }), " ", t("workshop.auto")),
      ),
      running || (found && !this.stale) ? h("progress", { max: found?.of ?? this.games, value: this.stale ? null : found.done, "aria-label": t(this.title) }) : null,
      ...(found && !this.stale ? this.about(found).map((text) => h("p", { class: "tip" }, text)) : []),
      this.why ? h("p", { class: "tip why" }, this.why) : null,
      found && this.stale ? h("p", { class: "tip outdated" }, t("workshop.outdated")) : null,
      found ? h("div", { class: this.stale ? "stale" : "" }, this.table(found.rows)) : null,
    );
  }

  /** Describes the games, with notes. */
  about({ done, of, broken, in_step: inStep }) {
    const played = t("workshop.games_played", { done, of });
    return [broken ? `${played} ${t("workshop.broken", { count: broken })}` : played, ...(inStep ? [] : [t("workshop.out_of_step")])];
  }

  table(rows) {
    return measures(rows, this.called);
  }
}

/** Statistics of games by the current rules, where there are no pairs: without a server. They are played on request. */
export class Figures extends Effect {
  kind = "figures";
  title = "workshop.figures";
  auto = false;

  get games() {
    return this.bot === "random" ? GAMES : FEW;
  }

  clear() {
    super.clear("");
  }

  about({ done, of, players, bot, broken, holes, rows }) {
    const both = rows.some((row) => row.before);
    const played = t(both ? "workshop.games_of" : "workshop.figures_of", { done, of, players, bot });
    const said = both ? [t(rows.some((row) => row.clear) ? "workshop.clear_ones" : "workshop.unclear")] : [];
    return [broken ? `${played} ${t("workshop.broken", { count: broken })}` : played, ...holes, ...said];
  }

  table(rows) {
    return figures(rows, this.called);
  }
}
