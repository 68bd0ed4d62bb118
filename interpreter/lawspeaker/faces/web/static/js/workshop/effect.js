// What paired games say, with intervals that grow narrower as the games come in.

import { byId, fill, h } from "../dom.js";
import { t } from "../words.js";
import { measures } from "./measures.js";

export const GAMES = 2000;

export class Effect {
  /** `start` and `stop` do what they say; `auto` is whether every change starts new games by itself. */
  constructor({ start, stop, called }) {
    this.called = called; // the name of a seat
    this.start = start;
    this.stop = stop;
    this.auto = true;
    this.bot = "random";
    this.running = false;
    this.found = null;
    this.stale = false; // whether what was found is about rules that have changed since
    this.why = "";
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

  /** The rules have changed: what was found stays in sight, faintly, until there is something new. */
  outdate(why = "") {
    this.running = false;
    this.stale = true;
    this.why = why;
    this.draw();
  }

  /** Nothing to compare: the rules are as they were. */
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
        h("h2", {}, t("workshop.effect")),
        h("label", {}, t("workshop.bots"), " ", bots),
        running
          ? h("button", { onclick: () => this.stop() }, t("workshop.stop"))
          : h("button", { onclick: () => this.start() }, t(found ? "workshop.again" : "workshop.run")),
        h("label", { class: "auto" }, h("input", { type: "checkbox", checked: this.auto, onchange: (event) => { this.auto = event.target.checked; } }), " ", t("workshop.auto")),
      ),
      running || (found && !this.stale) ? h("progress", { max: found?.of ?? GAMES, value: this.stale ? null : found.done, "aria-label": t("workshop.effect") }) : null,
      found && !this.stale ? h("p", { class: "tip" }, t("workshop.games_played", { done: found.done, of: found.of }), found.broken ? ` ${t("workshop.broken", { count: found.broken })}` : "") : null,
      found && !this.stale && !found.in_step ? h("p", { class: "tip" }, t("workshop.out_of_step")) : null,
      this.why ? h("p", { class: "tip why" }, this.why) : null,
      found ? h("div", { class: this.stale ? "stale" : "" }, measures(found.rows, this.called)) : null,
    );
  }
}
