// The panel with the question: the prompt, its rule, and all answers.

import { chip, fill, h, svg } from "./dom.js";
import { keysOf } from "./choosing.js";
import { panelEntries, KEYS } from "./parts.js";
import { Typing } from "./typing.js";
import { listed, t } from "./words.js";

const HAND = matchMedia("(max-width: 640px)");
const SEVERAL = 3;

export class Panel {
  /** Callbacks: `chosen` gets the chosen option, `typed` an answer in words, `picked` a key, `hinted` keys to
   *  highlight; `inPicture` tells whether a key can be clicked in the picture, and `alone` describes a single piece
   *  in a place. */
  constructor(frame, { chosen, typed = null, picked, hinted, ruled, inPicture, alone = () => "" }) {
    this.frame = frame;
    this.chosen = chosen;
    this.typing = typed ? new Typing(typed) : null;
    this.picked = picked;
    this.hinted = hinted;
    this.ruled = ruled;
    this.inPicture = inPicture;
    this.alone = alone;
    this.listed = [];
    this.among = null; // of a question with very many answers, those that are listed
    this.folded = null; // whether the list is folded away, if anybody has said so
    this.held = 0; // how high the question and what is below it are, in pixels
    new ResizeObserver(() => this.beyond()).observe(frame);
    window.addEventListener("resize", () => this.hold(0));
    HAND.addEventListener("change", () => this.frame.classList.toggle("folded", this.isFolded));
    frame.addEventListener("keydown", (event) => this.walk(event));
  }

  /** Shows a question with the selection so far. */
  ask(choosing, player) {
    this.player = player;
    const { question } = choosing;
    const before = question === this.question ? this.held : 0;
    if (question !== this.question || !choosing.left.some((each) => this.among?.includes(each))) this.among = null;
    this.question = question;
    const list = this.list(choosing);
    const prompt = h("h2", { id: "prompt", tabindex: "-1" }, question.prompt);
    const heading = h("div", { class: "who" }, chip(player), h("span", { class: "turn" }, t("your_turn", { name: player?.name ?? "" })), h("span", { class: "clock", "data-clock": player?.seat ?? -1, hidden: true }), this.folder(), prompt);
    const parts = [heading, this.rule(question)];
    if (choosing.picked.length || this.among || question.receivers) parts.push(this.soFar(choosing));
    if (question.several || (choosing.picked.length && choosing.complete.length === 1)) parts.push(this.confirm(choosing));
    const forms = this.typing?.forms(question, choosing.options.length) ?? [];
    if (!question.several && !forms.length) parts.push(h("p", { class: "tip point" }, t("point")));
    parts.push(...forms);
    if (choosing.options.length || !forms.length) parts.push(...list);
    const had = this.frame.contains(document.activeElement);
    const field = this.typing?.field(document.activeElement);
    fill(this.frame, ...parts);
    this.frame.classList.toggle("folded", this.isFolded);
    this.hold(before);
    this.beyond();
    if (field) this.typing.back(field);
    else if (had) this.frame.querySelector(".own input, .options button")?.focus({ preventScroll: true });
  }

  /** Keeps the height of the panel while an answer is assembled, so that the things to click stay in place. */
  hold(least) {
    const all = this.frame.parentElement;
    const { style } = all.parentElement;
    style.removeProperty("--held");
    this.held = Math.max(least, all.offsetHeight);
    style.setProperty("--held", `${this.held}px`);
  }

  /** On small screens the list is folded if several answers are highlighted in the picture, unless the user unfolds
   *  it. Answers that cannot be clicked there stay. */
  get isFolded() {
    const glowing = this.listed.filter((entry) => entry.glows).length;
    return this.folded ?? (HAND.matches && glowing >= SEVERAL);
  }

  folder() {
    const folded = this.isFolded;
    const button = h("button", { class: "fold quiet", "aria-label": t(folded ? "unfold" : "fold"), "aria-expanded": String(!folded) });
    button.addEventListener("click", () => {
      this.folded = !this.isFolded;
      this.frame.classList.toggle("folded", this.folded);
      button.setAttribute("aria-label", t(this.folded ? "unfold" : "fold"));
      button.setAttribute("aria-expanded", String(!this.folded));
      this.beyond();
    });
    return button;
  }

  rule(question) {
    const cited = question.citations.map((each) => h("li", {}, each));
    return h(
      "details",
      { class: "rule" },
      h("summary", { title: question.citations.join("\n") }, question.rule || question.clause),
      h("ul", { class: "cites" }, ...cited),
      h("button", { class: "quiet", onclick: () => this.ruled(question.clause) }, t("rule_more")),
    );
  }

  soFar(choosing) {
    const { receivers } = choosing.question;
    const to = (at) => (receivers?.[at] ? ` → ${receivers[at]}` : "");
    const names = choosing.picked.map((key, at) => {
      const back = () => {
        if (receivers) choosing.picked.splice(at);
        this.picked(receivers ? null : key);
      };
      return h("button", { class: "taken", onclick: back, title: t("take_back") }, this.called(key), to(at), " ×");
    });
    if (to(names.length)) names.push(h("span", { class: "tip" }, `…${to(names.length)}`));
    const wider = () => { this.among = null; this.ask(choosing, this.player); };
    if (this.among) names.push(h("button", { class: "taken", onclick: wider, title: t("take_back") }, this.narrowed, " ×"));
    return h("div", { class: "so-far" }, ...names);
  }

  confirm(choosing) {
    if (!choosing.picked.length) return h("p", { class: "tip" }, howMany(choosing.extent));
    const ready = choosing.complete[0];
    return h(
      "button",
      { class: "confirm main", disabled: !ready, "data-option": ready?.text, onclick: () => this.chosen(ready) },
      ready ? t("confirm", { name: ready.name }) : t("pick_more"),
    );
  }

  list(choosing) {
    this.listed = panelEntries(choosing, this.among).map((entry) => ({ ...entry, name: entry.name || this.called(entry.key), glows: this.glows(entry) }));
    const common = beginning(this.listed.map(({ name }) => name));
    const items = this.listed.map((entry, at) => this.entry(entry, at, choosing, common));
    const longest = Math.max(0, ...this.listed.map(({ name }) => name.length - common.length));
    const many = this.listed.length > 6 && longest <= 13;
    const list = h("ol", { class: `options ${many ? "many" : ""}`, "aria-labelledby": "prompt" }, ...items);
    list.addEventListener("scroll", () => this.beyond(), { passive: true });
    const lines = Math.ceil(this.listed.length / (many ? 2 : 1));
    // Screen readers read the whole list, and need no mark.
    const on = () => list.scrollTo({ top: list.scrollTop + 2 > list.scrollHeight - list.clientHeight ? 0 : list.scrollTop + 0.8 * list.clientHeight });
    const mark = h("button", { class: "beyond", "aria-hidden": "true", tabindex: "-1", hidden: true, onclick: on });
    const listed = h("div", { class: "listed", rows: Math.min(4, lines) }, list, mark);
    return common ? [h("p", { class: "common" }, common), listed] : [listed];
  }

  /** Renders an answer, or a part of many. */
  /** Whether an answer, or its next part, can be clicked in the picture. */
  glows({ option, key }) {
    const keys = option ? keysOf(option) : key ? [key] : [];
    return keys.length > 0 && keys.every((each) => this.inPicture(each));
  }

  entry({ option, key, among, name, options, glows }, at, choosing, common) {
    const keys = option ? keysOf(option) : key ? [key] : [];
    const act = () => {
      if (option) this.chosen(option);
      else if (key) this.picked(key);
      else {
        this.among = among;
        this.narrowed = name;
        this.ask(choosing, this.player);
      }
    };
    const icons = (option ? option.words : keys).map((each) => choosing.question.words[each]?.icon).filter(Boolean);
    return h(
      "li",
      { class: glows ? null : "apart" },
      h(
        "button",
        {
          class: option ? "option" : "option part",
          "data-option": option?.text,
          "data-part": option ? null : (key ?? name),
          "aria-keyshortcuts": KEYS[at] ?? null,
          onclick: act,
          onmouseenter: () => this.hinted(keys),
          onmouseleave: () => this.hinted([]),
          onfocus: () => this.hinted(keys),
          onblur: () => this.hinted([]),
        },
        h("span", { class: "number", "aria-hidden": "true" }, KEYS[at] ?? ""),
        ...icons.map(svg),
        common ? h("span", { class: "unseen" }, common) : null,
        h("span", { class: "name" }, name.slice(common.length)),
        ...this.moved(option ?? options?.[0], choosing),
        options ? h("small", { class: "inside", "aria-hidden": "true" }) : null,
      ),
    );
  }

  /** The piece that an answer moves from one place to another, unless that is clear from the selection. */
  moved(option, choosing) {
    const [from, to] = option?.things ?? [];
    if (to === undefined || choosing.picked.includes(from)) return [];
    const told = this.alone(from);
    const whose = ` ${this.player?.seat_name}`;
    return told ? [" ", h("small", { class: "lies" }, told.endsWith(whose) ? told.slice(0, -whose.length) : told)] : [];
  }

  called(key) {
    return this.question.words[key]?.name ?? nameOf(key);
  }

  /** Shows how many options are further down. */
  beyond() {
    const list = this.frame.querySelector(".options");
    if (!list) return;
    const mark = list.nextElementSibling;
    // The mark takes space itself: it is shown while the list scrolls at all.
    mark.hidden = true;
    mark.hidden = list.scrollHeight <= list.clientHeight + 2;
    const end = list.getBoundingClientRect().bottom + 4;
    const hidden = [...list.children].filter((each) => each.getBoundingClientRect().bottom > end).length;
    mark.textContent = hidden ? t("layout.beyond", { count: hidden }) : t("layout.all_seen");
  }

  /** Moves the focus along the list with arrow keys. */
  walk(event) {
    if (event.target.closest("input, select")) return;
    const buttons = [...this.frame.querySelectorAll(".options button")];
    const at = buttons.indexOf(document.activeElement);
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step || !buttons.length) return;
    event.preventDefault();
    buttons[(at + step + buttons.length) % buttons.length].focus();
  }

  /** Chooses by the shortcut key printed before an answer; returns whether there is one. */
  press(key) {
    const at = KEYS.indexOf(key);
    const button = at < 0 ? null : this.frame.querySelectorAll(".options button")[at];
    button?.click();
    return Boolean(button);
  }

  /** Shows who is to move, or why nobody is. */
  wait(names, why = "") {
    this.listed = [];
    this.frame.classList.remove("folded");
    const words = why ? why : names.length ? t("waiting", { names: listed(names) }) : t("waiting_anyone");
    fill(this.frame, h("p", { class: "waiting" }, h("span", { class: "dots", "aria-hidden": "true" }), words));
  }

  /** Where one may step in: buttons to pass by itself until some event, or to end that. */
  passing(until, stepsIn, change) {
    if (until === undefined || (!until && !stepsIn)) return;
    const button = (words, value) => h("button", { class: "quiet", onclick: () => change(value) }, words);
    const buttons = until
      ? [button(t("pass_no_more"), "")]
      : [button(t("pass_until_asked"), "asked"), button(t("pass_for_now"), "stretch")];
    const words = { asked: t("passes_until_asked"), stretch: t("passes_for_now") }[until] ?? t("pass_by_itself");
    this.frame.append(h("div", { class: "passing" }, h("span", {}, words), ...buttons));
  }

  /** The game is over. */
  end(result, told, buttons) {
    this.listed = [];
    this.frame.classList.remove("folded");
    fill(
      this.frame,
      h("div", { class: "who" }, result.title),
      h("h2", { id: "prompt", tabindex: "-1" }, result.text),
      result.why ? h("p", { class: "ended-by" }, result.why) : null,
      h("div", { class: "ended" }, ...told),
      h("div", { class: "buttons" }, ...buttons),
    );
    this.hold(0);
  }
}

/** Tells how many things to click. */
function howMany({ least, most, all }) {
  if (all && least === most) return t("pick_exactly", { count: most });
  return all && most < all ? t("pick_up_to", { count: most }) : t("pick_several");
}

/** The common prefix of many names up to a colon, which is shown only once. */
function beginning(names) {
  const first = names[0] ?? "";
  const common = first.slice(0, first.indexOf(": ") + 2);
  return names.length > 3 && common.length > 2 && names.every((name) => name.startsWith(common)) ? common : "";
}

/** Names a thing in words, if the picture has no better name. */
function nameOf(key) {
  for (const each of document.querySelectorAll("[data-thing]")) {
    if (each.dataset.thing === key) return each.getAttribute("aria-label").split(": ")[0].trim();
  }
  return key;
}
