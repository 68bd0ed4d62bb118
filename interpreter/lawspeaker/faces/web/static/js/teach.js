// Help at the table: describes anything in the picture, and shows each rule the first time it applies.
//
// Hovering, focusing by keyboard or a long press shows a thing's name, its rules and its current values; of what can
// be chosen, here or in the list of answers, also what comes of it. A tap chooses what can be chosen, and explains why
// other things cannot; without an open question it shows the help at once. The guide shows a rule's sentence the first time it asks somebody here, or the first time something
// happens by it, with an arrow to its subject; the browser stores what was shown, for each game.

import { fill, h } from "./dom.js";
import { t } from "./words.js";

const RESTS = 550; // milliseconds
const STRAYS = 10; // so far, in pixels, a finger that is held may stray
const IN_HAND = "(max-width: 640px)"; // there what the guide says has room of its own, above the table
const GUIDE = "lawspeaker.guide";
const TOLD = "lawspeaker.told.";
const REMEMBERED = 24; // lines of the story that the guide may explain at the next question
const FORMS = ["", "narrow", "brief", "brief narrow"]; // of the guide: the first one that hides nothing is taken

export class Teaching {
  /** `asks` requests the description of a thing in the picture; `ahead` knows which option somebody would choose by a
   *  thing (`pointed`) or a button (`named`), and requests its consequences (`asks`). */
  constructor(picture, asks, ahead) {
    this.picture = picture;
    this.asks = asks;
    this.ahead = ahead;
    this.answers = new Map();
    this.foreseen = new Map(); // by option, its consequences
    this.happened = []; // since somebody here was asked last
    this.known = new Set(); // sentences of the first lesson, which need not be said again at once
    this.speaksOf = []; // what the guide describes: it is never covered
    this.opened = false; // whether somebody wants to read the whole hint, though it hides something
    this.card = h("div", { class: "what", role: "tooltip", id: "what", hidden: true });
    this.bubble = h("div", { class: "guide", role: "status", hidden: true });
    document.body.append(this.card, this.bubble);
    const frames = [picture.frame, document.getElementById("question")];
    for (const frame of frames) this.watch(frame);
    addEventListener("pointerdown", (event) => frames.some((frame) => frame.contains(event.target)) || this.hide());
    addEventListener("keydown", (event) => event.key === "Escape" && this.hide());
    addEventListener("scroll", () => this.hide(), true);
    addEventListener("resize", () => this.settle(true));
  }

  // ------------------------------------------------------------ what is this, and what comes of it?

  /** Explains what is rested on, walked to or held in a frame. */
  watch(frame) {
    frame.addEventListener("pointermove", (event) => event.pointerType !== "touch" && this.rest(event.target));
    frame.addEventListener("pointerleave", (event) => event.pointerType !== "touch" && this.hide());
    frame.addEventListener("pointerdown", (event) => (event.pointerType === "touch" ? this.hold(event) : this.hide()));
    frame.addEventListener("pointermove", (event) => event.pointerType === "touch" && this.strayed(event));
    for (const kind of ["pointerup", "pointercancel"]) frame.addEventListener(kind, () => clearTimeout(this.holding));
    frame.addEventListener("focusin", (event) => event.target.matches(":focus-visible") && this.rest(event.target));
    frame.addEventListener("focusout", () => this.hide());
    frame.addEventListener("contextmenu", (event) => {
      if (!this.subject(event.target)) return;
      event.preventDefault();
      this.ask(event.target);
    });
    frame.addEventListener("click", (event) => this.tapped(event), true);
  }

  /** What there is to say about an element: the thing it is, and the option that is chosen by it. */
  subject(target) {
    const on = target.closest?.("[data-thing], [data-what], [data-option]");
    if (!on) return null;
    const key = on.dataset.thing ?? on.dataset.what ?? null;
    const option = on.dataset.option === undefined ? this.ahead.pointed(on.dataset.thing) : this.ahead.named(on.dataset.option);
    return key === null && !option ? null : { on, key, option };
  }

  /** Starts a timer while the pointer rests on something. */
  rest(target) {
    const on = target.closest?.("[data-thing], [data-what], [data-option]") ?? null;
    const what = on && (on.dataset.thing ?? on.dataset.what ?? on.dataset.option);
    if (what === this.resting) return;
    this.hide();
    this.resting = what;
    if (on) this.timer = setTimeout(() => this.ask(target), RESTS);
  }

  /** A long press on something shows help instead of choosing. */
  hold({ target, clientX, clientY }) {
    this.hide();
    this.held = null;
    this.down = [clientX, clientY];
    clearTimeout(this.holding);
    if (!this.subject(target)) return;
    this.holding = setTimeout(() => {
      this.held = target;
      this.ask(target);
    }, RESTS);
  }

  strayed({ clientX, clientY }) {
    const [x, y] = this.down ?? [clientX, clientY];
    if (Math.hypot(clientX - x, clientY - y) > STRAYS) clearTimeout(this.holding);
  }

  tapped(event) {
    clearTimeout(this.holding);
    if (this.held) {
      this.held = null;
      event.stopPropagation();
      event.preventDefault();
      return;
    }
    const asked = this.picture.frame.querySelector(".choosable, .means, .picked");
    if (!asked && this.subject(event.target)?.key && matchMedia("(hover: none)").matches) this.ask(event.target);
  }

  ask(target) {
    const wanted = this.subject(target);
    if (!wanted) return;
    this.wanted = wanted;
    const { key, option } = wanted;
    if (key !== null && !this.answers.has(key)) this.asks(key);
    if (option && !this.foreseen.has(option.number)) this.ahead.asks(option);
    this.show();
  }

  /** Receives the description of a thing. */
  answered(answer) {
    this.answers.set(answer.thing, answer);
    if (answer.thing === this.wanted?.key) this.show();
  }

  /** Receives the consequences of an option. */
  foretold(answer) {
    this.foreseen.set(answer.number, answer);
    if (answer.number === this.wanted?.option?.number) this.show();
  }

  /** Shows what is known by now of what is wanted. */
  show() {
    const { on, key, option } = this.wanted;
    if (!on.isConnected) return;
    const parts = [...this.described(this.answers.get(key)), ...this.comes(option && this.foreseen.get(option.number))];
    this.card.hidden = !parts.length;
    if (!parts.length) return;
    fill(this.card, ...parts);
    on.setAttribute("aria-describedby", "what");
    this.put(this.card, on);
  }

  described(answer) {
    if (!answer) return [];
    const { name, says, now } = answer;
    const counts = now.length ? h("span", { class: "counts" }, now.join(" · ")) : null;
    return [h("b", {}, name), counts, ...says.map(({ text, clause }) => h("p", { title: clause }, text))];
  }

  /** What comes of an option, as far as its player can know, and who decides about the rest. */
  comes(answer) {
    if (!answer) return [];
    const lines = answer.lines.map((each) => h("li", {}, this.ahead.said(each)));
    if (answer.more) lines.push(h("li", {}, t("stage.and_more", { count: answer.more })));
    if (!lines.length && (!answer.decides || answer.decides === "others")) return []; // nothing but what was chosen
    const rest = answer.decides ? h("p", { class: "rest" }, t(`stage.then_${answer.decides}`)) : null;
    return [h("div", { class: "comes" }, h("b", {}, t("stage.comes_of_it")), lines.length ? h("ul", {}, ...lines) : null, rest)];
  }

  hide() {
    clearTimeout(this.timer);
    this.wanted?.on.removeAttribute("aria-describedby");
    this.resting = this.wanted = null;
    this.card.hidden = true;
  }

  // ------------------------------------------------------------ the guide

  get guiding() {
    return localStorage.getItem(GUIDE) !== "off";
  }

  set guiding(on) {
    localStorage.setItem(GUIDE, on ? "on" : "off");
    if (!on) this.away();
  }

  /** A switch for the guide. */
  toggle() {
    const box = h("input", { type: "checkbox", checked: this.guiding, onchange: () => (this.guiding = box.checked) });
    return h("label", { class: "guiding" }, box, " ", t("stage.guide"));
  }

  /** Whether somebody sits at this game for the first time, who has not had its first lesson yet. */
  first({ scene, table, you }) {
    const key = TOLD + table.rules.split("+")[0];
    if (!this.guiding || scene.finished || table.lobby || !you.seats.length || localStorage.getItem(key) !== null) return false;
    localStorage.setItem(key, "[]");
    return true;
  }

  taught(cards) {
    this.known = new Set(cards.flatMap(({ sentences }) => sentences));
  }

  /** What has changed: answers may be others now; a rule may matter for the first time. What the guide says stands
   *  while the same is asked, also when others answer meanwhile, and until something happens in the game: that somebody
   *  comes or goes is no reason to take it away. It speaks when one is asked, and of what happened since one was asked
   *  last; while others play, and `more` is still to be shown, it waits. */
  scene({ scene, table, ask, at }, more = false) {
    this.answers.clear();
    this.foreseen.clear();
    this.hide();
    const stands = !this.bubble.hidden && (at === this.toldAt || (ask !== null && ask === this.toldAsk));
    if (stands && at === this.toldAt) return;
    [this.toldAt, this.toldAsk] = [at, ask];
    if (!this.bubble.hidden && !stands) this.away();
    this.happened.push(...scene.log.flatMap((entry) => entry.lines).filter((line) => line.clause && line.rule && !line.trifle));
    this.happened.splice(0, this.happened.length - REMEMBERED);
    if (stands) return;
    if (ask === null || more || !this.guiding || scene.finished || table.lobby) return;
    const lines = this.happened.splice(0);
    const key = TOLD + table.rules.split("+")[0];
    const told = new Set(JSON.parse(localStorage.getItem(key) ?? "[]"));
    const asks = scene.question;
    const isNew = ({ clause, rule }) => rule && !told.has(clause) && !this.known.has(rule);
    const next = isNew(asks) ? { clause: asks.clause, rule: asks.rule } : lines.findLast(isNew);
    if (!next) return;
    const about = asks?.clause === next.clause ? [...asks.about, ...asks.options.flatMap((option) => option.things)] : [];
    this.speaksOf = about.map((thing) => this.picture.thing(thing)).filter(Boolean);
    if (!this.speaksOf.length) this.speaksOf = [...this.picture.frame.querySelectorAll(".piece.moved")];
    this.tell(next, this.speaksOf[0], () => localStorage.setItem(key, JSON.stringify([...told, next.clause])));
  }

  tell({ rule, clause }, target, told) {
    const all = h("button", { class: "quiet all", "aria-label": t("stage.whole_hint"), "aria-expanded": "false" });
    all.addEventListener("click", () => {
      this.opened = !this.opened;
      all.setAttribute("aria-expanded", String(this.opened));
      this.settle(true);
    });
    fill(
      this.bubble,
      h("p", { title: clause }, rule),
      all,
      h(
        "div",
        { class: "buttons" },
        h("button", { class: "main", onclick: () => this.away() }, t("stage.understood")),
        h("button", { class: "quiet", onclick: () => { this.guiding = false; } }, t("stage.enough")),
      ),
    );
    told();
    this.bubble.hidden = false;
    this.opened = false;
    this.pointsAt = target ?? null;
    this.settle(true);
  }

  away() {
    this.bubble.hidden = true;
    this.makeRoom();
  }

  /** Above the table the guide takes some of its height: what is asked about comes into sight again. */
  makeRoom() {
    if (!this.bubble.classList.contains("above")) return;
    this.picture.zoom?.lay();
    this.picture.reveal();
  }

  /** Puts the guide where it covers least, also when what is around it has moved. If something that is asked about is
   *  still hidden by it, the guide is narrower, or one line that unfolds: `anew` decides that again. */
  settle(anew = false) {
    const { bubble } = this;
    if (bubble.hidden) return;
    if (!anew) {
      this.stand();
      return;
    }
    let least = Infinity;
    let best = "";
    for (const form of FORMS.filter((each) => !this.above || !each.includes("narrow"))) {
      this.form(form);
      const { hidden } = this;
      if (hidden < least) [least, best] = [hidden, form];
      if (!hidden) break;
    }
    const folds = best.includes("brief");
    if (folds && this.opened) best = "";
    this.form(best);
    bubble.classList.toggle("folds", folds);
  }

  get above() {
    return matchMedia(IN_HAND).matches;
  }

  /** Gives the guide a form, and puts it where that fits. */
  form(form) {
    for (const each of ["narrow", "brief"]) this.bubble.classList.toggle(each, form.includes(each));
    this.bubble.classList.toggle("folds", form.includes("brief"));
    this.stand(true);
  }

  /** How many of the things that are asked about, and that the guide describes, are not seen whole or are covered. */
  get hidden() {
    const { frame } = this.picture;
    const [guide, seen] = [this.bubble, frame].map((each) => each.getBoundingClientRect());
    const asked = [...frame.querySelectorAll(".choosable:not(.later), .means, .about, .own")];
    const boxes = [...new Set([...asked, ...this.speaksOf])].map((each) => each.getBoundingClientRect()).filter(({ width }) => width);
    return boxes.filter((each) => shared(each, guide) > 1 || !isWithin(each, seen)).length;
  }

  /** Where there is no place for the guide beside the table, in a hand, it stands above it, and the table has the room
   *  that is left. */
  stand(anew = false) {
    const { bubble } = this;
    bubble.classList.toggle("above", this.above);
    if (this.above) {
      const stage = this.picture.frame.closest(".stage");
      if (bubble.parentElement !== stage) stage.prepend(bubble);
      bubble.classList.remove("pointing");
      if (anew) this.makeRoom();
      return;
    }
    if (bubble.parentElement !== document.body) document.body.append(bubble);
    bubble.classList.toggle("pointing", this.put(bubble, this.pointsAt?.isConnected ? this.pointsAt : null));
  }

  /** Puts a box beside what it speaks of, or else at an edge of the picture: where it covers least of what has to be
   *  answered, what can be chosen, and what lies there. Says whether it stands beside it. */
  put(box, target) {
    const { frame } = this.picture;
    const all = (kinds, weight) => [...document.querySelectorAll(kinds)].map((each) => [each, weight]);
    const spared = [...all("#question, .proposal:not([hidden])", 100), ...all(".bar", 4)];
    if (box === this.bubble) {
      spared.push(...[...frame.querySelectorAll(".choosable, .means, .piece")].map((each) => [each, each.matches(".piece:not(.choosable)") ? 1 : 10]), ...all(".story", 0.5), ...this.speaksOf.map((each) => [each, 1000]));
    }
    if (target) spared.push([target, 1000]);
    const covered = spared.map(([each, weight]) => [each.getBoundingClientRect(), weight]);
    const free = box === this.bubble ? [frame, ...document.querySelectorAll(".story")] : [frame];
    const spots = [...(target ? around(target).flatMap((each) => beside(box, each)) : []), ...free.flatMap((each) => atEdges(box, each.getBoundingClientRect()))];
    const costs = spots.map((spot) => covered.reduce((sum, [each, weight]) => sum + weight * shared(spot, each), 0));
    const best = spots[costs.indexOf(Math.min(...costs))];
    box.style.left = `${best.left}px`;
    box.style.top = `${best.top}px`;
    box.dataset.side = best.side;
    if (best.side) {
      const { left, right, top, bottom } = target.getBoundingClientRect();
      box.style.setProperty("--middle", `${(top + bottom) / 2 - best.top}px`);
      box.style.setProperty("--centre", `${(left + right) / 2 - best.left}px`);
    }
    return best.side !== "";
  }
}

/** Whether a box lies inside another one, but for a part of a pixel. */
const isWithin = (box, frame) => box.left > frame.left - 1 && box.right < frame.right + 1 && box.top > frame.top - 1 && box.bottom < frame.bottom + 1;

/** How much, in square pixels, two boxes have in common. */
function shared(one, two) {
  const wide = Math.min(one.right, two.right) - Math.max(one.left, two.left);
  const high = Math.min(one.bottom, two.bottom) - Math.max(one.top, two.top);
  return Math.max(0, wide) * Math.max(0, high);
}

/** The boxes beside which one can speak of something: of an answer, its line across the whole panel, and the panel. */
function around(target) {
  const own = target.getBoundingClientRect();
  const panel = target.closest("#question")?.getBoundingClientRect();
  return panel ? [{ left: panel.left, right: panel.right, top: own.top, bottom: own.bottom }, panel] : [own];
}

/** Where a box would stand, wholly in the window; `side`: on which side of what it speaks of. */
function spot({ width, height }, x, y, side = "") {
  const left = Math.max(6, Math.min(innerWidth - width - 6, x));
  const top = Math.max(6, Math.min(innerHeight - height - 6, y));
  return { left, top, right: left + width, bottom: top + height, side };
}

/** The corners of a frame, as far as it is in the window, the lower ones first; and the top of the window, where the
 *  heading is covered. */
function atEdges(box, { left, right, top, bottom }) {
  const size = box.getBoundingClientRect();
  const low = Math.min(bottom, innerHeight) - size.height - 8;
  return [low, top + 8, 0].flatMap((y) => [left + 8, right - size.width - 8].map((x) => spot(size, x, y)));
}

/** The sides of something on which there is room for a box. */
function beside(box, { left, right, top, bottom }) {
  const size = box.getBoundingClientRect();
  const { width, height } = size;
  const [x, y] = [(left + right - width) / 2, (top + bottom - height) / 2];
  return [
    innerWidth - right > width + 16 && spot(size, right + 10, y, "right"),
    left > width + 16 && spot(size, left - width - 10, y, "left"),
    innerHeight - bottom > height + 16 && spot(size, x, bottom + 10, "below"),
    top > height + 16 && spot(size, x, top - height - 10, "above"),
  ].filter(Boolean);
}
