// The form: every choice and count of the rules as a field, without their text.

import { byId, fill, h } from "../dom.js";
import { language, t } from "../words.js";
import { sweepTable } from "./results.js";

const GAMES = 200; // for each value that is tried
const AROUND = 2; // so many values below and above that of the rules

export class Numbers {
  /** `ask` sends a request about the open draft; `apply` applies changes of files; `measure` plays games under other
   *  values, if there is a server for that, and `stop` ends them. */
  constructor({ draft, ask, apply, measure, stop, shown }) {
    Object.assign(this, { draft, ask, apply, measure, stop, shown });
    this.frame = byId("numbers");
    this.button = byId("numbers-button");
    this.button.onclick = () => this.show(this.frame.hidden);
    this.waiting = Promise.resolve(); // changes are made one after another
    this.groups = [];
    this.opened = new Set(); // the pieces whose counts are shown
    this.wrong = [];
    this.rest();
  }

  get open() {
    return !this.frame.hidden;
  }

  show(open) {
    this.frame.hidden = !open;
    byId("editor").hidden = open;
    this.button.setAttribute("aria-pressed", String(open));
    this.shown(open);
    if (open) this.look();
  }

  /** The file that the form writes: the house rule of the draft, or the entry file. */
  get file() {
    const { draft } = this;
    const rules = [...draft().texts].filter(([key, file]) => file.given !== null && draft().own(key)).map(([, file]) => file);
    return (rules.find((file) => file === draft().file) ?? rules[0] ?? draft().texts.values().next().value).name;
  }

  /** Reads the numbers again, after any change of the draft. */
  async look() {
    if (!this.open || !this.draft()) return;
    const found = await this.ask("numbers", { file: this.file, language });
    if (!found) return;
    this.why = found.why;
    if (!found.why) Object.assign(this, { groups: found.groups, title: found.title });
    this.draw();
  }

  /** Notes what is wrong with the draft. */
  check(problems) {
    this.wrong = problems.filter(({ severity }) => severity === "error");
    if (this.open) this.draw();
  }

  // ------------------------------------------------------------ changing

  set(target, values) {
    this.last = target;
    if (this.measuring) this.stop?.(); // what was measured is told of other rules
    this.rest();
    this.waiting = this.waiting.then(async () => {
      const found = await this.ask("set_number", { file: this.file, target, values });
      this.refused = found ? found.says || (found.why && t(`workshop.file_not_${found.why}`)) : t("line_broken");
      if (found && !this.refused) this.apply(found);
      await this.look();
    });
  }

  // ------------------------------------------------------------ measuring

  rest() {
    this.measuring = "";
    this.found = null;
  }

  /** Plays the same games under values around that of a setting. */
  weigh({ target, kind, options, low, parts: [{ value }] }) {
    if (this.measuring === target && !this.found?.over) {
      this.stop();
      this.rest();
    } else {
      const middle = Number(value);
      const least = middle < 0 ? low : Math.max(0, middle - AROUND);
      const values = options.length ? options.map(([each]) => each).join(",") : kind === "number" ? `${least}..${middle + AROUND}` : value;
      this.measuring = target;
      this.found = { done: 0, of: 0, broken: "" };
      this.measure({ vary: [`${target}=${values}`], measure: [], games: GAMES, seed: 1, language });
    }
    this.draw();
  }

  hear(message) {
    if (!this.measuring) return;
    this.found = { ...this.found, ...message };
    this.draw();
  }

  ended(why) {
    if (this.measuring) this.found = { ...this.found, over: true, broken: why };
    this.draw();
  }

  // ------------------------------------------------------------ drawing

  draw() {
    const held = document.activeElement?.closest?.("#numbers") ? document.activeElement.id : "";
    const { scrollTop } = this.frame;
    const known = this.groups.length > 0;
    fill(
      this.frame,
      this.why ? h("p", { class: "why", role: "alert" }, t(`workshop.file_not_${this.why}`)) : null,
      this.title === null || this.title === undefined ? null : h("label", { class: "title" }, h("span", {}, t("workshop.rule_called")), h("input", { id: "number-title", value: this.title, maxlength: 80, onchange: ({ target: { value } }) => { if (value.trim()) this.set("title", [value.trim()]); } })),
      known || this.why ? null : h("p", { class: "tip" }, t("workshop.no_numbers")),
      ...this.groups.map((group) => this.group(group)),
    );
    this.frame.scrollTop = scrollTop;
    if (held) byId(held)?.focus();
  }

  group({ piece, settings }) {
    const rows = settings.map((each) => this.row(each));
    if (!piece) return h("section", {}, ...rows);
    const changed = settings.some((each) => each.changed);
    return h("details", { open: changed || this.opened.has(piece), ontoggle: (event) => this.opened[event.target.open ? "add" : "delete"](piece) },
      h("summary", {}, piece, changed ? h("span", { class: "mark", role: "img", "aria-label": t("workshop.changed"), title: t("workshop.changed") }, "●") : null),
      ...rows);
  }

  row(setting) {
    const { target, says, parts, was, changed } = setting;
    const id = `number-${target.replace(/[^a-z0-9]/g, "-")}`;
    const last = this.last === target;
    const troubles = last ? [this.refused, ...this.wrong.slice(0, 2).map(({ message, hint }) => (hint ? `${message} – ${hint}` : message))].filter(Boolean) : [];
    const values = () => parts.map((_, at) => byId(`${id}-${at}`).value);
    const commit = () => this.set(target, values());
    const label = ({ players, entry }) => [players ? t("workshop.for_players", { count: players }) : "", entry ? t("workshop.entry", { number: entry }) : ""].filter(Boolean).join(", ");
    const one = parts.length === 1;
    const fields = parts.map((part, at) => {
      const field = this.field(setting, part, `${id}-${at}`, commit, troubles.length > 0);
      if (one) field.setAttribute("aria-labelledby", `${id}-says`);
      return one ? field : h("label", {}, h("small", {}, label(part)), field);
    });
    const can = one && this.measure && setting.options.length !== 1;
    return h("div", { class: `setting ${changed ? "changed" : ""}`, role: "group", "aria-labelledby": `${id}-says` },
      h("p", { class: "says", id: `${id}-says` }, says),
      h("div", { class: "fields" }, ...fields,
        changed ? h("button", { class: "quiet", id: `${id}-back`, onclick: () => this.back(setting) }, t("workshop.as_it_was", { value: this.written(setting, was) })) : null,
        can ? h("button", { class: "quiet weigh", id: `${id}-weigh`, onclick: () => this.weigh(setting) }, t(this.measuring === target && !this.found?.over ? "workshop.stop" : "workshop.weigh_number")) : null),
      troubles.length ? h("p", { class: "why", role: "alert" }, troubles.join(" ")) : null,
      this.measuring === target ? this.result() : null,
    );
  }

  field({ kind, options, low, high }, { value }, id, onchange, invalid) {
    const common = { id, onchange, "aria-invalid": invalid ? "true" : null };
    if (options.length) return h("select", common, ...options.map(([each, called]) => h("option", { value: each, selected: each === value }, called)));
    if (kind === "number") return h("input", { type: "number", step: 1, min: low, max: high, value, required: true, ...common });
    return h("input", { type: "text", value, maxlength: 100, ...common });
  }

  /** Takes a value back; of a list with another length, as many values as there are. */
  back({ target, was, parts }) {
    this.set(target, parts.map((_, at) => was[Math.min(at, was.length - 1)].value));
  }

  written({ options }, was) {
    return was.map(({ value }) => options.find(([each]) => each === value)?.[1] ?? value).join(", ");
  }

  result() {
    const { found } = this;
    return h("div", { class: "measured", "aria-live": "polite" },
      found.over ? null : h("progress", { max: found.of || 1, value: found.done || null, "aria-label": t("workshop.weigh_number") }),
      found.broken ? h("p", { class: "why" }, found.broken) : null,
      found.points?.length ? sweepTable(found) : null,
      found.points?.length ? h("p", { class: "tip" }, t("workshop.weighed_number", { games: GAMES })) : null,
    );
  }
}
