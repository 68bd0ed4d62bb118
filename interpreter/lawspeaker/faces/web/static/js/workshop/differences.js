// Differences as cards: what each edition says, where it shows on the table, and how much it matters.

import { h, svg } from "../dom.js";
import * as notes from "../notes.js";
import { language, t } from "../words.js";
import { measures } from "./measures.js";

const GAMES = 2000;
const NARROW = matchMedia("(max-width: 760px)");
const ONLY_SAID = ["", "contradiction", "otherwise", "silence", "partly said", "not read yet", "terms only", "wording only", "box"];

const word = (text) => text.replaceAll(/[ -]/g, "_");

/** Rows that are no readings of a rule. */
const NO_RULES = ["head", "box"];

export class Differences {
  /** `found` is the comparison of the tellings in `chosen`, which the server is told by `names`, drafts with their
      files; `changed` is called when a card has news; `mixing` knows whose reading is played. */
  constructor(found, chosen, names, line, changed, mixing) {
    this.mixing = mixing;
    this.found = found;
    this.chosen = chosen;
    this.names = names;
    this.line = line;
    this.changed = changed;
    this.rows = new Map(found.rows.map((row) => [row.id, row]));
    this.findings = new Map(); // by number of a difference and of a telling: {busy, witness, weighed}
    this.queue = []; // what is still to be weighed
  }

  // ------------------------------------------------------------ what can be asked

  /** The editions that play differently from the first, within a difference. */
  playing({ rows, tellings }) {
    return tellings.filter((at) => rows.some((id) => !ONLY_SAID.includes(this.rows.get(id).cells[at].kind)));
  }

  /** The evidence that an edition plays differently: the text of its rules, or games. */
  evidence(each, at) {
    const played = this.done(each.number, at) ? this.known(each.number, at).weighed.evidence : null;
    return played ?? { ...each.evidence.find(({ telling }) => telling === at), shows: true };
  }

  /** Whether the rules differ, but no game shows it. */
  samePlay(each) {
    return each.changes_play && this.playing(each).every((at) => !this.evidence(each, at).shows);
  }

  known(number, telling) {
    return this.findings.get(`${number} ${telling}`) ?? {};
  }

  note(number, telling, more) {
    this.findings.set(`${number} ${telling}`, { ...this.known(number, telling), ...more });
  }

  /** Starts a search or a measurement; only one of each is in flight. */
  ask(type, number, telling, more = {}) {
    this.rest(type);
    this.note(number, telling, { busy: type });
    this.line.ask(type, { names: this.names, number, telling, language, shape: NARROW.matches ? "tall" : "wide", ...more });
    this.changed();
  }

  rest(type) {
    for (const each of this.findings.values()) if (each.busy === type) each.busy = null;
  }

  stop() {
    this.line.stop("weigh");
    this.queue = [];
    this.rest("weigh");
    this.changed();
  }

  weighAll() {
    this.queue = this.pairs().filter(([number, telling]) => !this.done(number, telling));
    this.next();
  }

  next() {
    if (this.queue.length) this.ask("weigh", ...this.queue[0], { games: GAMES });
  }

  /** All pairs of a difference that changes play and an edition that has it. */
  pairs() {
    return this.found.differences.filter((each) => each.changes_play).flatMap((each) => this.playing(each).map((at) => [each.number, at]));
  }

  done(number, telling) {
    const { weighed } = this.known(number, telling);
    return Boolean(weighed) && weighed.done >= weighed.of;
  }

  get all() {
    const pairs = this.pairs();
    return { of: pairs.length, done: pairs.filter(([number, telling]) => this.done(number, telling)).length };
  }

  get weighed() {
    return this.all.done > 0;
  }

  /** The sort key of a difference: its effect on wins, then points, then frequency. */
  weight({ number, tellings }) {
    const known = tellings.map((at) => this.known(number, at).weighed?.weight).filter(Boolean);
    return known.toSorted(heavierFirst)[0] ?? [-1];
  }

  // ------------------------------------------------------------ responses

  hear(message) {
    const { type, number, telling } = message;
    if (type === "witness") this.note(number, telling, { busy: null, witness: message });
    else if (type === "weighed") this.weigh(message);
    else if (type === "stopped") {
      notes.note(message.message);
      if (message.what === "weigh") this.queue = [];
      this.rest(message.what);
    } else return;
    this.changed();
  }

  weigh(message) {
    const over = message.done >= message.of;
    this.note(message.number, message.telling, { busy: over ? null : "weigh", weighed: message });
    if (!over || !this.queue.length) return;
    this.queue.shift();
    this.next();
  }

  /** Clears pending requests after the connection broke. */
  lost() {
    for (const each of this.findings.values()) each.busy = null;
    this.queue = [];
    this.changed();
  }

  // ------------------------------------------------------------ drawing

  card(each, group) {
    const row = this.rows.get(each.id);
    const playing = this.playing(each);
    const evidence = new Set(playing.map((at) => this.evidence(each, at)).map(({ shows, text }) => t(`comparing.${shows ? "changes_by" : "same_by"}`, { text })));
    return h(
      "article",
      { class: `card difference ${group}`, id: `difference-${each.number}` },
      h("header", {}, h("span", { class: "number" }, String(each.number)), h("h2", { title: row.id }, row.title), h("span", { class: "kind" }, t(`comparing.kind_${word(each.kind)}`))),
      row.says ? h("p", { class: "tip" }, row.says) : null,
      ...[...evidence].map((each) => h("p", { class: "tip" }, each)),
      h("div", { class: "cells" }, ...row.cells.map((cell, at) => this.telling(each, row, cell, at, playing.includes(at)))),
      each.rows.length > 1 ? h("p", { class: "tip" }, t("comparing.together"), " ", ...each.rows.filter((id) => id !== each.id).flatMap((id, at) => [at ? "; " : "", h("span", { title: id }, this.rows.get(id).title.replace(/\.$/, ""))])) : null,
      ...playing.flatMap((at) => this.results(each.number, at, playing.length > 1)),
    );
  }

  telling(each, row, cell, at, plays) {
    return h(
      "div",
      { class: `cell ${cell.same ? "" : "other"}` },
      h("h3", {}, this.found.tellings[at].title),
      h("p", {}, cell.text || "–"),
      cell.remark ? h("small", { class: "because" }, cell.remark) : null,
      cell.said ? h("small", {}, cell.said) : null,
      ...(cell.quotes ?? []).map((quote) => quoted(quote)),
      plays ? this.actions(each, at) : this.readings(each).includes(at) ? h("div", { class: "actions" }, this.pick(each, at)) : null,
    );
  }

  /** The editions whose reading can be taken, including differences of wording only. */
  readings(each) {
    const others = each.changes_play ? this.playing(each) : each.tellings;
    return others.length && !NO_RULES.includes(this.rows.get(each.id).sort) ? [0, ...others] : [];
  }

  pick(each, at) {
    return this.readings(each).includes(at) ? this.mixing.button(each.id, at) : null;
  }

  /** Whether an edition is a draft. Its changes are taken by `mixing`. */
  drafted(at) {
    return typeof this.names[at] !== "string";
  }

  actions(each, at) {
    const { number, rows } = each;
    const take = new URLSearchParams([["as", "take"], ["rules", this.chosen[0]], ["other", this.chosen[at]], ...rows.map((row) => ["row", row])]);
    const { busy } = this.known(number, at);
    return h(
      "div",
      { class: "actions" },
      this.pick(each, at),
      h("button", { disabled: busy === "witness", onclick: () => this.ask("witness", number, at) }, t(busy === "witness" ? "comparing.searching" : "comparing.witness")),
      busy === "weigh"
        ? h("button", { onclick: () => this.stop() }, t("workshop.stop"))
        : h("button", { onclick: () => { this.queue = []; this.ask("weigh", number, at, { games: GAMES }); } }, t("comparing.weigh")),
      this.drafted(0) || this.drafted(at) ? null : h("a", { class: "button", href: `/workshop?${take}` }, t("comparing.take")),
    );
  }

  results(number, at, several) {
    const { busy, witness: seen, weighed } = this.known(number, at);
    const name = several ? h("h3", {}, this.found.tellings[at].title) : null;
    return [
      busy === "witness" ? h("p", { class: "waiting" }, t("comparing.searching")) : seen ? this.witness(seen, at) : null,
      weighed?.along.length ? h("p", { class: "tip" }, t("workshop.only_with", { others: weighed.along.map((each) => this.called(each)).join("; ") })) : null,
      weighed ? weights(weighed, name) : busy === "weigh" ? h("div", { class: "weighed" }, name, h("progress", { "aria-label": t("workshop.effect") })) : null,
    ];
  }

  /** A difference by number and title. */
  called(number) {
    const { id } = this.found.differences.find((each) => each.number === number);
    return `${number} ${this.rows.get(id).title.replace(/\.$/, "")}`;
  }

  witness({ witness: seen, problem }, at) {
    if (!seen) return h("p", { class: "tip" }, problem || t("comparing.no_witness"));
    const side = ({ lines, why }, title, other) => h("div", { class: other }, h("h3", {}, title), h("ul", {}, ...lines.map((each) => h("li", {}, each))), ...why.map(({ title, says }) => h("p", { class: "why" }, title && title !== says ? h("b", {}, title, " ") : null, says)));
    return h(
      "div",
      { class: `witness ${seen.svg ? "drawn" : ""}` },
      seen.svg ? svg(seen.svg) : null,
      h("div", { class: "sides" },
        h("p", {}, seen.begins),
        ...seen.answers.map((each) => h("p", { class: "tip" }, each)),
        side(seen.sides[0], this.found.tellings[0].title, "side"),
        side(seen.sides[1], this.found.tellings[at].title, "side other"),
      ),
    );
  }
}

/** A quoted sentence, with words marked that another book in the same language lacks. */
function quoted({ text, where, unlike }) {
  const parts = [];
  let rest = text;
  for (const each of unlike) {
    const at = rest.indexOf(each);
    parts.push(rest.slice(0, at), h("mark", {}, each));
    rest = rest.slice(at + each.length);
  }
  return h("blockquote", {}, ...parts, rest, " ", h("cite", {}, where));
}

export function heavierFirst(one, other) {
  const at = one.findIndex((each, place) => each !== other[place]);
  return at < 0 ? 0 : other[at] - one[at];
}

/** The measured effect of a single difference, or why there is none. */
export function weights(told, name) {
  if (!told.of) return h("div", { class: "weighed" }, name, h("p", { class: "tip" }, t("workshop.not_alone", { problem: told.problem })));
  return h(
    "div",
    { class: "weighed" },
    name,
    told.done < told.of ? h("progress", { max: told.of, value: told.done, "aria-label": t("workshop.effect") }) : null,
    h("p", { class: "tip" }, t("workshop.games_of", { done: told.done, of: told.of, players: told.players, bot: told.bot })),
    told.in_step === false ? h("p", { class: "tip" }, t("workshop.out_of_step")) : null,
    measures(told.rows, (seat) => told.seats[seat].replaceAll("_", " ")),
  );
}
