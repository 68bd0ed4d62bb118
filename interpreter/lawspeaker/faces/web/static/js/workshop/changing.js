// The changes of a draft one by one: the effect of each by itself against the original rules.

import { byId, fill, h } from "../dom.js";
import { colon, percent, t } from "../words.js";
import { heavierFirst, weights } from "./differences.js";
import { clearOnes } from "./measures.js";

const GAMES = 2000;

export class Changing {
  /** `line` is the connection to the workers; `wish` returns versions, players, bot and language. */
  constructor(line, wish) {
    this.line = line;
    this.wish = wish;
    this.whole = null; // what paired games say of all changes together
    this.clear();
  }

  // ------------------------------------------------------------ asking

  /** Lists the changes of the draft after the whole was measured. */
  async look(whole) {
    this.rest();
    const { names, language } = this.wish();
    if (this.whole !== whole) this.findings = new Map(); // by number of a change: what paired games say
    this.whole = whole;
    const found = await this.line.question("changes", { names, language });
    if (!found || this.whole !== whole) return; // something has changed meanwhile
    this.changes = found.changes;
    this.stale = false;
    this.draw();
  }

  weighAll() {
    this.asked = this.wish();
    this.queue = this.changes.map(({ number }) => number).filter((number) => !this.done(number));
    this.next();
  }

  next() {
    if (this.queue.length) this.line.ask("weigh", { ...this.asked, number: this.queue[0], telling: 1, games: GAMES });
    this.draw();
  }

  done(number) {
    const found = this.findings.get(number);
    return Boolean(found) && found.done >= found.of;
  }

  stop() {
    this.rest();
    this.draw();
  }

  rest() {
    if (this.queue?.length) this.line.stop("weigh");
    this.queue = [];
  }

  // ------------------------------------------------------------ what is answered

  hear(found) {
    this.findings.set(found.number, found);
    if (found.done < found.of) this.draw();
    else {
      this.queue.shift();
      this.next();
    }
  }

  /** Ends the requests, with the reason. */
  ended(why = "") {
    this.queue = [];
    this.why = why;
    this.draw();
  }

  /** Marks results as outdated after an edit; they stay visible, without colour. */
  outdate() {
    this.rest();
    this.whole = null;
    this.stale = true;
    this.draw();
  }

  /** Clears everything: there are no changes. */
  clear() {
    this.rest();
    this.whole = null;
    this.changes = [];
    this.findings = new Map();
    this.unfolded = new Set(); // the changes whose figures are all shown
    this.stale = false;
    this.why = "";
    this.draw();
  }

  // ------------------------------------------------------------ drawing

  draw() {
    const frame = byId("changes");
    const held = frame.contains(document.activeElement) ? document.activeElement.id : "";
    const several = this.changes.length > 1;
    const over = this.changes.every(({ number }) => this.done(number));
    const weight = ({ number }) => this.findings.get(number)?.weight ?? [-1];
    const shown = over ? this.changes.toSorted((one, other) => heavierFirst(weight(one), weight(other))) : this.changes;
    frame.hidden = !this.changes.length;
    fill(
      frame,
      h("h2", { id: "changes-title", tabindex: "-1" }, t("workshop.changes")),
      several ? this.bar(over) : null,
      this.why ? h("p", { class: "tip why" }, this.why) : null,
      several && over && this.onlyTogether() ? h("p", { class: "together" }, t("workshop.only_together")) : null,
      this.stale && this.findings.size ? h("p", { class: "tip outdated" }, t("workshop.outdated")) : null,
      h("ol", { class: this.stale ? "stale" : "" }, ...shown.map((each) => this.change(each))),
    );
    if (held) (byId(held) ?? byId("changes-title")).focus();
  }

  bar(over) {
    const of = this.changes.length;
    const done = this.changes.filter(({ number }) => this.done(number)).length;
    const found = [...this.findings.values()].find((each) => each.players);
    return [
      this.queue.length
        ? h("div", { class: "head" }, h("progress", { max: of, value: done, "aria-label": t("workshop.each_alone") }), h("span", { class: "tip" }, t("comparing.weighed_all", { done, of })), h("button", { id: "weigh-changes", onclick: () => this.stop() }, t("workshop.stop")))
        : over || this.stale ? null : h("div", { class: "head" }, h("button", { id: "weigh-changes", onclick: () => { this.why = ""; this.weighAll(); } }, t("workshop.each_alone"))),
      found ? h("p", { class: "tip" }, t("workshop.alone_how", { games: found.of, players: found.players, bot: found.bot })) : null,
    ];
  }

  change(each) {
    const found = this.findings.get(each.number);
    return h(
      "li",
      {},
      h("p", {}, each.title ? colon(each.title, each.says) : each.says, each.before ? h("small", {}, " ", t("workshop.refused_before", { text: each.before })) : null),
      each.also.length ? h("small", { class: "also" }, t("comparing.together"), " ", each.also.join("; ")) : null,
      found ? this.result(found) : this.queue[0] === each.number ? h("progress", { "aria-label": t("workshop.each_alone") }) : null,
    );
  }

  result(found) {
    if (!found.of) return h("p", { class: "verdict" }, t("workshop.not_alone", { problem: found.problem }));
    const others = found.along.map((number) => this.called(number));
    const differs = found.rows.find((row) => row.measure === "differs");
    const share = (value) => percent(value, 1);
    const clear = clearOnes(found.rows, (seat) => found.seats[seat].replaceAll("_", " "));
    const nothing = this.done(found.number) && differs?.value === 0;
    return [
      others.length ? h("p", { class: "verdict" }, t("workshop.only_with", { others: others.join("; ") })) : null,
      nothing
        ? h("p", { class: "verdict" }, t("workshop.nothing_alone", { games: found.games, most: share(differs.high) }))
        : h("details", { open: this.unfolded.has(found.number), ontoggle: (event) => this.unfolded[event.target.open ? "add" : "delete"](found.number) },
          h("summary", { id: `change-${found.number}` }, differs ? t("workshop.go_differently", { share: share(differs.value), low: share(differs.low), high: share(differs.high) }) : t("workshop.averages_alone")),
          weights(found, null)),
      clear.length ? h("ul", { class: "clear-ones" }, ...clear.map((text) => h("li", {}, text))) : nothing ? null : h("p", { class: "tip" }, t("workshop.unclear")),
    ];
  }

  /** The title of a change within the text of another. */
  called(number) {
    const { title, says } = this.changes.find((each) => each.number === number);
    return title || says.replace(/\.$/, "");
  }

  /** Whether no change has an effect alone, but all of them together do. */
  onlyTogether() {
    const nothing = (found) => found.of && found.rows.find((row) => row.measure === "differs")?.value === 0;
    const differs = this.whole?.rows.find((row) => row.measure === "differs");
    return Boolean(this.whole) && differs?.value !== 0 && this.changes.every(({ number }) => nothing(this.findings.get(number)));
  }
}
