// The table in a chosen position, with the options before and after the change.

import { byId, chip, fill, h } from "../dom.js";
import { Picture } from "../picture.js";
import { numeral, t } from "../words.js";

const NARROW = matchMedia("(max-width: 900px)");

export class Place {
  /** `moved` is called when another position is chosen, `seek` to search for one that shows the change, `goTo` to
   *  open a clause. */
  constructor({ moved, seek, goTo }) {
    this.goTo = goTo;
    this.moved = moved;
    this.players = 0;
    this.seed = 1;
    this.replies = 0;
    this.last = 0;
    this.found = null;
    this.then = false;
    this.picture = new Picture(byId("table"), () => {});
    this.seek = seek;
  }

  get message() {
    return { players: this.players, seed: this.seed, replies: this.replies, shape: NARROW.matches ? "tall" : "wide" };
  }

  go(replies) {
    this.replies = Math.max(0, Math.min(replies, this.last || replies));
    if (this.slider) this.slider.value = this.replies;
    this.moved();
  }

  // ------------------------------------------------------------ choosing a position

  controls(counts) {
    if (!counts.includes(this.players)) this.players = counts.at(-1);
    this.slider = h("input", { type: "range", min: 0, max: this.last, value: this.replies, "aria-label": t("workshop.position"), oninput: (event) => this.go(Number(event.target.value)) });
    const seed = h("input", {
      type: "number", min: 0, max: 999999, value: this.seed, class: "seed", "aria-label": t("workshop.seed"),
      onchange: (event) => { this.seed = Math.max(0, Math.floor(Number(event.target.value) || 0)); this.go(this.replies); },
    });
    const other = () => { this.seed = 1 + Math.floor(Math.random() * 9999); seed.value = this.seed; this.go(this.replies); };
    this.output = h("output", {});
    this.seeking = h("button", { class: "seek", onclick: () => this.seek() }, t("workshop.seek"));
    fill(
      byId("place"),
      h("div", { class: "steps" },
        h("button", { "aria-label": t("earlier"), onclick: () => this.go(this.replies - 1) }, "‹"),
        this.slider,
        h("button", { "aria-label": t("later"), onclick: () => this.go(this.replies + 1) }, "›"),
        this.output,
      ),
      h("div", { class: "choosing" },
        h("label", {}, t("workshop.game_number"), " ", seed),
        h("button", { class: "quiet", onclick: other, "aria-label": t("workshop.other_game") }, "⟳"),
        counts.length > 1 ? h("label", {}, t("how_many"), " ", this.counts(counts)) : null,
        this.seeking,
      ),
    );
    this.tell();
  }

  counts(counts) {
    return h(
      "select",
      { onchange: (event) => { this.players = Number(event.target.value); this.go(this.replies); } },
      ...counts.map((each) => h("option", { value: each, selected: each === this.players }, String(each))),
    );
  }

  tell() {
    if (this.output && this.last) this.output.textContent = t("position", { at: this.replies, last: this.last });
  }

  // ------------------------------------------------------------ drawing

  show(found) {
    this.found = found;
    this.last = found.last;
    this.replies = Math.min(this.replies, found.at);
    if (this.slider) {
      this.slider.max = found.last;
      this.slider.value = this.replies;
    }
    this.tell();
    if (found.broken) {
      fill(byId("options"), h("p", { class: "broken" }, found.broken));
      byId("then-now").hidden = true;
      return;
    }
    if (!found.was) this.then = false;
    this.draw();
    this.options();
  }

  draw() {
    const { was, svg } = this.found;
    const frame = byId("then-now");
    frame.hidden = !was;
    if (was) {
      const button = (then, words) => h("button", { "aria-pressed": String(this.then === then), onclick: () => { this.then = then; this.draw(); } }, t(words));
      fill(frame, h("span", {}, t("workshop.table_differs")), button(true, "workshop.then"), button(false, "workshop.now"));
    }
    this.picture.show(this.then ? was : svg, false);
  }

  options() {
    const { question, asked_before: before, options, people, parted, scores, happened, finished } = this.found;
    const by = (change) => options.filter((each) => each.change === change);
    const [gone, fresh, same] = [by("gone"), by("new"), by("same")];
    const asked = question ?? before;
    const apart = scores[0].some((each, seat) => each !== scores[1][seat]);
    fill(
      byId("options"),
      parted ? h("p", { class: "parted" }, h("strong", {}, t("workshop.parted", { at: this.found.at })), " ", parted) : null,
      asked ? h("p", { class: "asked" }, chip(people[asked.seat], "small"), " ", h("strong", {}, asked.prompt), " ", this.clause(asked.clause)) : h("p", { class: "asked" }, t(finished[1] ? "workshop.over" : "workshop.nobody")),
      question && before && question.clause !== before.clause ? h("p", { class: "tip" }, t("workshop.asked_otherwise", { prompt: before.prompt })) : null,
      h("p", { class: "sum" },
        h("span", { class: `badge ${fresh.length ? "new" : ""}` }, `+${fresh.length}`), " ", t("workshop.appear"), " ",
        h("span", { class: `badge ${gone.length ? "gone" : ""}` }, `−${gone.length}`), " ", t("workshop.disappear"), " ",
        h("span", { class: "badge" }, String(same.length)), " ", t("workshop.stay"),
      ),
      fresh.length || gone.length ? h("ul", { class: "differ" }, ...fresh.map((each) => this.option(each, people)), ...gone.map((each) => this.option(each, people))) : null,
      happened.length ? h("div", { class: "happened" }, h("h2", {}, t("workshop.happened")), h("ul", {}, ...happened.map(({ text, change }) => h("li", { class: change }, text)))) : null,
      apart ? h("p", { class: "scores" }, t("workshop.scores"), " ", ...people.map((each) => h("span", {}, chip(each, "small"), ` ${numeral(scores[0][each.seat])} → ${numeral(scores[1][each.seat])}`))) : null,
      same.length ? h("details", { class: "same" }, h("summary", {}, t("workshop.the_same", { count: same.length })), h("ul", {}, ...same.map((each) => h("li", {}, each.name)))) : null,
    );
  }

  /** A link to the code of a clause. */
  clause(id) {
    return h("button", { class: "quiet clause", title: t("workshop.to_the_code"), onclick: () => this.goTo(id) }, id);
  }

  option({ name, change, why, seat }, people) {
    const several = new Set(this.found.options.map((each) => each.seat)).size > 1;
    return h(
      "li",
      { class: change },
      h("span", { class: "what" }, several ? chip(people[seat], "small") : null, h("span", { class: "called" }, name)),
      why?.sentence ? h("span", { class: "why" }, t(change === "new" ? "workshop.refused_before" : "workshop.refused_now", { text: why.sentence }), " ", why.clause ? this.clause(why.clause) : null) : null,
      why?.citations?.length ? h("span", { class: "cites" }, why.citations.join(" · ")) : null,
    );
  }
}
