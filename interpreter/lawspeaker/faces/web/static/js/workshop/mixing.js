// Picks a reading for each difference, and builds a variant from all picks.

import { h } from "../dom.js";
import * as notes from "../notes.js";
import { ask } from "../server.js";
import { language, t } from "../words.js";
import { measures } from "./measures.js";
import { post } from "./post.js";

const GAMES = 2000;
const ROOMY = "(min-width: 761px) and (min-height: 600px)";

export class Mixing {
  /** `found` is the comparison of the tellings in `chosen`, which the server is told by `names`, drafts with their
      files; `picks` are written TELLING:DIFFERENCE. */
  constructor(found, chosen, names, line, changed, picks = []) {
    this.found = found;
    this.chosen = chosen;
    this.names = names;
    this.drafted = names.some((each) => typeof each !== "string");
    this.line = line;
    this.changed = changed;
    this.titles = new Map(found.rows.map((row) => [row.id, row.title]));
    const known = new Set(found.differences.map((each) => each.id));
    this.picks = new Map(picks.map(divided).filter(([id, at]) => known.has(id) && at < chosen.length));
    this.made = null; // the variant of these picks
    this.saved = null; // a link to its file
    this.against = new Map(); // by telling: what paired games say
    this.busy = null; // the telling that games are played against
    this.open = matchMedia(ROOMY).matches; // on a phone what was picked is folded until it is wanted
  }

  // ------------------------------------------------------------ picks

  pick(id, at) {
    if (at) this.picks.set(id, at);
    else this.picks.delete(id);
    this.renew();
  }

  get wanted() {
    return [...this.picks].map(([id, at]) => `${at}:${id}`);
  }

  get query() {
    return new URLSearchParams([...this.chosen.map((name) => ["name", name]), ...this.wanted.map((each) => ["pick", each]), ["language", language]]);
  }

  async renew() {
    this.stop();
    this.against.clear();
    if (this.saved) URL.revokeObjectURL(this.saved);
    this.made = this.saved = null;
    this.changed();
    if (!this.picks.size) return;
    const asked = String(this.query);
    const answer = this.drafted ? await post("/api/mix", { names: this.names, picks: this.wanted, language }) : await ask(`/api/mix?${asked}`);
    const told = await answer.json();
    if (asked !== String(this.query)) return; // something else was picked meanwhile
    this.made = answer.ok ? told : { file: null, taken: [], problem: told.error.message };
    if (this.made.file) this.saved = URL.createObjectURL(new Blob([this.made.file.text], { type: "application/yaml" }));
    this.changed();
  }

  // ------------------------------------------------------------ the variant

  /** The rules to play: the first edition, with the variant over it. */
  get draft() {
    const first = this.names[0];
    const { rules, files } = typeof first === "string" ? { rules: this.made.rules, files: [] } : first;
    return { rules, files: [...files, this.made.file] };
  }

  /** Creates a table with these rules, the fewest players, and bots on the other seats. */
  async play(count) {
    const seats = Array.from({ length: count }, (_, at) => ({ who: at ? "greedy" : "me" }));
    const link = await sent("/api/workshop/table", { ...this.draft, language, seats });
    if (link) location.href = link;
  }

  async edit() {
    const link = await sent("/api/drafts", this.draft);
    if (link) location.href = link;
  }

  balance(at) {
    this.busy = at;
    this.line.ask("balance", { names: this.names, picks: this.wanted, telling: at, games: GAMES, language });
    this.changed();
  }

  stop() {
    if (this.busy === null) return;
    this.line.stop("balance");
    this.busy = null;
  }

  hear(message) {
    if (message.type === "balanced") {
      this.against.set(message.telling, message);
      if (message.done >= message.of) this.busy = null;
    } else if (message.type === "stopped" && message.what === "balance") this.busy = null;
    else return;
    this.changed();
  }

  lost() {
    this.busy = null;
  }

  // ------------------------------------------------------------ drawing

  /** The button that picks a reading; it is pressed for the current one. */
  button(id, at) {
    const pressed = (this.picks.get(id) ?? 0) === at;
    return h("button", { class: "pick", "aria-pressed": String(pressed), onclick: () => this.pick(id, pressed ? 0 : at) }, t(pressed ? "mixing.picked" : "mixing.pick"));
  }

  panel(fewest) {
    const taken = this.made?.taken ?? [];
    const folds = { open: this.open, ontoggle: (event) => { this.open = event.target.open; } };
    const head = h("summary", {}, h("h2", {}, t("mixing.title")), " ", h("b", { class: "number" }, String(this.picks.size)), this.made?.problem ? h("span", { class: "trouble", "aria-hidden": "true" }, " ⚠") : null);
    return h(
      "details",
      folds,
      head,
      h("p", { class: "tip" }, t("mixing.rest", { first: this.found.tellings[0].title })),
      h("ul", {}, ...[...this.picks].map(([id, at]) => this.taken(id, at)), ...taken.filter((each) => each.along).map((each) => this.taken(each.id, each.telling, true))),
      this.made?.problem ? h("p", { class: "problem", role: "alert" }, t("mixing.problem", { problem: this.made.problem })) : null,
      this.made?.file ? this.actions(fewest) : null,
      ...[...this.against].map(([at, told]) => this.result(at, told)),
    );
  }

  taken(id, at, along = false) {
    const what = [h("a", { href: `#difference-${this.found.differences.find((each) => each.id === id)?.number}` }, this.titles.get(id) ?? id), " – ", h("b", {}, this.found.tellings[at].title)];
    if (along) return h("li", {}, ...what, " ", h("small", {}, t("mixing.along")));
    return h("li", {}, ...what, " ", h("button", { class: "quiet", "aria-label": t("mixing.drop"), title: t("mixing.drop"), onclick: () => this.pick(id, 0) }, "×"));
  }

  actions(fewest) {
    return h(
      "div",
      { class: "actions" },
      h("button", { onclick: () => this.play(fewest) }, "▶ ", t("comparing.play")),
      this.drafted ? null : h("a", { class: "button", href: `/contract?${this.query}`, target: "_blank", rel: "noopener" }, t("mixing.contract")),
      h("a", { class: "button", href: this.saved, download: this.made.file.name }, t("mixing.download")),
      h("button", { onclick: () => this.edit() }, t("mixing.edit")),
      ...this.found.tellings.map(({ title }, at) =>
        this.busy === at
          ? h("button", { onclick: () => { this.stop(); this.changed(); } }, t("workshop.stop"))
          : h("button", { onclick: () => this.balance(at) }, t("mixing.against", { edition: title }))),
    );
  }

  result(at, told) {
    const title = h("h3", {}, t("mixing.compared", { edition: this.found.tellings[at].title }));
    if (told.problem) return h("div", { class: "weighed" }, title, h("p", { class: "problem" }, told.problem));
    return h(
      "div",
      { class: "weighed" },
      title,
      told.done < told.of ? h("progress", { max: told.of, value: told.done, "aria-label": t("workshop.effect") }) : null,
      h("p", { class: "tip" }, t("workshop.games_played", { done: told.done, of: told.of })),
      measures(told.rows, (seat) => told.seats[seat].replaceAll("_", " ")),
    );
  }
}

function divided(pick) {
  const at = pick.indexOf(":");
  return [pick.slice(at + 1), Number(pick.slice(0, at))];
}

/** Posts a request; returns the link of the response, or shows a note on failure. */
async function sent(where, what) {
  const answer = await post(where, what);
  const told = await answer.json();
  if (!answer.ok) notes.note(told.error.message);
  return answer.ok ? told.link : null;
}
