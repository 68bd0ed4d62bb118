// The story beside the table: it reads downwards, the newest line last, each with its rule.
//
// Successive trifles are folded into one line that opens; implied lines are folded behind the one that implies them.
// A rule separates turns. It scrolls to the newest line unless the user has scrolled up.

import { chip, h } from "./dom.js";
import { colon, t } from "./words.js";

const FEW = 2; // so many trifles in a row are not worth folding
const SCROLLING = 1000; // so long after a touch, in milliseconds, it may still scroll
const ACTIONS = ["choose", "forced"]; // the kinds of lines that tell what somebody did
const NEAR = 40; // so near to the end, in pixels, one reads the newest

/** A line with whom it is about. */
function named({ seat, verb, text }, players) {
  return seat === null ? text : verb ? `${players[seat].name} ${text}` : colon(players[seat].name, text);
}

/** A line as it is read aloud: a sentence, or who it is about and what is said of him. */
export function lineText(line, players) {
  const whole = named(line, players);
  return /[.!?…]$/.test(whole) ? whole : `${whole}.`;
}

export class Story {
  /** `ruled` gets the clause of a line that was pressed; `looked` a reply to look at, or null. */
  constructor(frame, { ruled, looked = null }) {
    this.frame = frame;
    this.ruled = ruled;
    this.looked = looked;
    this.last = -1;
    this.entries = [];
    this.players = [];
    this.following = true;
    let touched = -Infinity; // when somebody last scrolled, and not the story itself
    for (const kind of ["wheel", "pointerdown", "touchmove", "keydown"]) {
      frame.addEventListener(kind, () => (touched = performance.now()), { passive: true });
    }
    frame.addEventListener("scroll", () => {
      if (performance.now() - touched < SCROLLING) this.following = this.atEnd;
    });
    new ResizeObserver(() => this.following && this.toEnd()).observe(frame);
  }

  /** Entries of replies; `anew`: forget what was told before; `seen`: those up to here are no news. */
  tell(entries, players, anew, seen = Infinity) {
    if (anew) {
      this.frame.replaceChildren();
      this.last = -1;
      this.entries = [];
    }
    this.players = players;
    const following = anew || this.following;
    for (const entry of entries) {
      if (entry.reply <= this.last) continue;
      this.last = entry.reply;
      this.entries.push(entry);
      if (entry.lines.length) this.frame.append(this.entry(entry, players));
    }
    for (const each of this.frame.children) each.classList.toggle("new", Number(each.dataset.reply) > seen);
    if (following) this.toEnd();
  }

  /** Of a reply only so many lines can be read yet. */
  upto(reply, many) {
    const entry = this.frame.querySelector(`[data-reply="${reply}"]`);
    [...(entry?.querySelectorAll(".line") ?? [])].forEach((line, at) => line.classList.toggle("untold", at >= many));
    for (const folded of entry?.querySelectorAll(".trifles, .behind") ?? []) folded.classList.toggle("untold", !folded.querySelector(".line:not(.untold)"));
    if (this.following) this.toEnd();
  }

  get atEnd() {
    const { scrollTop, scrollHeight, clientHeight } = this.frame;
    return scrollTop + clientHeight >= scrollHeight - NEAR;
  }

  toEnd() {
    this.frame.scrollTop = this.frame.scrollHeight;
  }

  entry({ reply, lines }, players) {
    const told = [];
    const turn = lines.findLastIndex((line) => line.kind === "marker" && !line.trifle);
    lines = lines.map((line, at) => (line.kind === "marker" && at !== turn ? { ...line, trifle: true } : line));
    for (let at = 0; at < lines.length; ) {
      let end = at;
      while (lines[end]?.implied) end += 1;
      if (end > at) {
        const behind = lines.slice(at, end).map((line) => this.line(reply, line, players));
        told.push(h("details", { class: "behind" }, h("summary", { title: t("stage.behind"), "aria-label": t("stage.behind") }, "…"), ...behind));
        at = end;
        continue;
      }
      while (end < lines.length && lines[end].trifle && !lines[end].implied) end += 1;
      const trifles = lines.slice(at, end).map((line) => this.line(reply, line, players));
      if (trifles.length > FEW) {
        const all = lines.slice(at, end).map((line) => line.text).join(" · ");
        told.push(h("details", { class: "trifles" }, h("summary", {}, t("stage.trifles", { count: trifles.length }), " ", h("small", {}, all)), ...trifles));
      } else told.push(...trifles);
      if (end < lines.length && !lines[end].implied) told.push(this.line(reply, lines[end++], players));
      at = end;
    }
    const attributes = { class: "entry", "data-reply": reply };
    if (this.looked) {
      attributes.onmouseenter = () => this.looked(reply, false);
      attributes.onmouseleave = () => this.looked(null, false);
      attributes.title = t("look_there");
    }
    return h("li", attributes, ...told);
  }

  line(reply, line, players) {
    const who = line.seat === null ? null : players[line.seat];
    return h(
      "button",
      {
        class: `line ${line.kind} ${line.trifle ? "trifle" : ""}`,
        title: line.rule,
        onclick: () => (this.looked ? this.looked(reply, true, line) : this.ruled(line.clause)),
      },
      chip(who, "small"),
      h("span", {}, who ? [h("b", {}, line.verb ? who.name : colon(who.name, "").trimEnd()), " "] : null, line.text),
    );
  }

  /** In one line, what somebody else than this seat did last and what came of it, until this one chooses something;
   *  what there was no choice about does not count. Whoever presses it reads on in the story. */
  lastLine(seat, more) {
    for (const { lines } of this.entries.toReversed()) {
      const at = lines.findLastIndex((line) => (line.seat === seat ? line.kind === "choose" : ACTIONS.includes(line.kind)));
      if (at < 0) continue;
      const [first, ...after] = lines.slice(at);
      if (first.seat === seat) return null;
      const next = after.findIndex((line) => ACTIONS.includes(line.kind));
      const came = after.slice(0, next < 0 ? after.length : next);
      const told = came.filter((line) => !line.trifle && !line.implied && line.kind !== "marker").map((line) => ` · ${line.seat === first.seat ? line.text : named(line, this.players)}`);
      return h("button", { class: "last-line", onclick: more }, chip(this.players[first.seat], "small"), h("span", {}, named(first, this.players), ...told));
    }
    return null;
  }

  /** Marks the entry of a reply. */
  mark(reply) {
    for (const each of this.frame.children) {
      const here = Number(each.dataset.reply) === reply;
      each.classList.toggle("now", here);
      each.classList.toggle("later", Number(each.dataset.reply) > reply);
      if (here) each.scrollIntoView({ block: "nearest" });
    }
  }
}
