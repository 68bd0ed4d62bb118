// A code editor: a plain textarea, so that undo, touch and screen readers work as usual, over a highlighted copy of
// its text. Semantic information arrives asynchronously for an earlier text; its places are shifted along with edits.

import { h, fill } from "../dom.js";
import { NOWHERE, painted } from "./painting.js";

const STEP = "  ";

export class Editor {
  /** `changed` is called after every change, `moved` when the caret moves. */
  constructor(frame, { changed, moved, label, tip }) {
    this.changed = changed;
    this.moved = moved;
    this.words = new Set(); // of the language
    this.problems = [];
    this.colours = []; // {from, to, sort} of names
    this.hints = []; // {from, to, text}, told at the ends of lines
    this.painted = ""; // the text that all these are about
    this.keys = []; // of each painted line, what it was painted from
    this.states = [];
    this.area = h("textarea", {
      spellcheck: "false", autocapitalize: "off", autocomplete: "off", autocorrect: "off", wrap: "off",
      "aria-label": label, "aria-description": tip, oninput: () => this.edited(), onkeydown: (event) => this.pressed(event),
    });
    this.paint = h("div", { class: "paint", "aria-hidden": "true" });
    this.gutter = h("div", { class: "gutter", "aria-hidden": "true" });
    this.ruler = h("span", { class: "ruler", "aria-hidden": "true" }, "0".repeat(50));
    this.sheet = h("div", { class: "sheet" }, this.paint, this.area, this.ruler);
    this.paper = h("div", { class: "paper" }, this.gutter, this.sheet);
    fill(frame, this.paper);
    this.leaving = false;
    this.menu = null; // a completion menu may take keys first
    document.addEventListener("selectionchange", () => {
      if (document.activeElement === this.area) this.look();
    });
    // The current line stays visible when a panel or an on-screen keyboard appears.
    new ResizeObserver(() => { if (document.activeElement === this.area) this.inSight(this.area.selectionStart); }).observe(this.paper);
  }

  get text() {
    return this.area.value;
  }

  /** Shows another text. The undo history belongs to the former one and is lost. */
  show(text, place = null) {
    const own = this.area;
    if (own.value !== text) own.value = text;
    [this.problems, this.colours, this.hints, this.painted] = [[], [], [], text];
    this.redraw();
    if (place) this.select(place.from, place.to, place.focus ?? true);
    else {
      own.setSelectionRange(0, 0);
      this.paper.scrollTo(0, 0);
    }
  }

  /** Replaces a range, undoably. */
  replace(from, to, text) {
    this.area.focus();
    this.area.setSelectionRange(from, to);
    if (!document.execCommand("insertText", false, text)) {
      this.area.setRangeText(text, from, to, "end");
      this.edited();
    }
  }

  select(from, to, focus = true) {
    if (focus) this.area.focus({ preventScroll: true });
    this.area.setSelectionRange(from, Math.max(from, to));
    this.inSight(from);
    this.look();
  }

  inSight(offset) {
    const height = this.lineHeight;
    const top = this.place(offset).line * height;
    if (top < this.paper.scrollTop + height || top > this.paper.scrollTop + this.paper.clientHeight - 2 * height) {
      this.paper.scrollTo({ top: Math.max(0, top - this.paper.clientHeight / 3) });
    }
    this.inWidth(offset);
  }

  /** Scrolls horizontally, since browsers leave the start of a line hidden. */
  inWidth(offset) {
    const { x } = this.point(offset);
    const { scrollLeft, clientWidth } = this.paper;
    const room = clientWidth - this.gutter.offsetWidth;
    if (x < scrollLeft || x > scrollLeft + room) this.paper.scrollLeft = x < 0.8 * room ? 0 : x - room / 2;
  }

  edited() {
    this.shift();
    this.redraw();
    this.changed(this.text);
    this.look();
  }

  look() {
    const at = this.area.selectionStart;
    if (at === this.lookedAt && this.text.length === this.lookedLength) return;
    [this.lookedAt, this.lookedLength] = [at, this.text.length];
    const { line } = this.place(at);
    for (const [number, row] of [...this.gutter.children].entries()) row.classList.toggle("now", number === line);
    if (at === this.area.selectionEnd) this.inWidth(at);
    this.moved(at);
  }

  /** Shifts semantic information along with edits; that of changed text is dropped. */
  shift() {
    const [old, now] = [this.painted, this.text];
    const most = Math.min(old.length, now.length);
    let head = 0;
    while (head < most && old[head] === now[head]) head++;
    let tail = 0;
    while (tail < most - head && old.at(-1 - tail) === now.at(-1 - tail)) tail++;
    const by = now.length - old.length;
    const moved = (each) => (each.to <= head ? each : each.from >= old.length - tail ? { ...each, from: each.from + by, to: each.to + by } : null);
    for (const told of ["problems", "colours", "hints"]) this[told] = this[told].map(moved).filter(Boolean);
    this.painted = now;
  }

  // ------------------------------------------------------------ coordinates

  place(offset) {
    const before = this.text.slice(0, offset);
    const line = before.split("\n").length - 1;
    return { line, column: offset - before.lastIndexOf("\n") - 1 };
  }

  get lineHeight() {
    return parseFloat(getComputedStyle(this.paint).lineHeight);
  }

  /** The position of an offset on the sheet. */
  point(offset) {
    const { line, column } = this.place(offset);
    const style = getComputedStyle(this.paint);
    const wide = this.ruler.getBoundingClientRect().width / 50;
    return { x: parseFloat(style.paddingLeft) + column * wide, y: parseFloat(style.paddingTop) + (line + 1) * this.lineHeight };
  }

  /** The offset at a point of the window, or null. */
  offsetAt(x, y) {
    const box = this.paint.getBoundingClientRect();
    const style = getComputedStyle(this.paint);
    const wide = this.ruler.getBoundingClientRect().width / 50;
    const line = Math.floor((y - box.top - parseFloat(style.paddingTop)) / this.lineHeight);
    const column = Math.floor((x - box.left - parseFloat(style.paddingLeft)) / wide);
    const lines = this.text.split("\n");
    if (line < 0 || line >= lines.length || column < 0 || column >= lines[line].length) return null;
    return lines.slice(0, line).reduce((sum, each) => sum + each.length + 1, 0) + column;
  }

  /** Positions a box below an offset, or above it if there is no space; never over its line. */
  put(box, offset) {
    const { x, y } = this.point(offset);
    const { paper, lineHeight } = this;
    box.style.maxWidth = `${Math.min(560, paper.clientWidth - this.gutter.offsetWidth - 16)}px`;
    const room = paper.scrollLeft + paper.clientWidth - this.gutter.offsetWidth - box.offsetWidth - 8;
    box.style.left = `${Math.max(paper.scrollLeft + 4, Math.min(x, room))}px`;
    const below = paper.scrollTop + paper.clientHeight - y;
    const above = y - lineHeight - paper.scrollTop;
    const up = below < box.offsetHeight + 8 && above > below;
    box.style.maxHeight = `${Math.max(80, Math.min(320, (up ? above : below) - 10))}px`;
    box.style.top = `${up ? y - box.offsetHeight - lineHeight - 4 : y + 2}px`;
  }

  /** The word around an offset, with its range. */
  wordAt(offset) {
    const text = this.text;
    const before = /[\w.-]*$/.exec(text.slice(Math.max(0, offset - 80), offset))[0];
    const after = /^[\w.-]*/.exec(text.slice(offset, offset + 80))[0];
    return { word: (before + after).replace(/^[.-]+|[.-]+$/g, ""), from: offset - before.length, to: offset + after.length };
  }

  stateOf(line) {
    return this.states[line] ?? NOWHERE;
  }

  // ------------------------------------------------------------ highlighting

  /** Sets the keywords of the language. */
  know(words) {
    this.words = words;
    this.keys = [];
    this.redraw();
  }

  mark(problems) {
    this.problems = problems;
    this.redraw();
  }

  /** Sets the tokens of the text; those of another text are ignored. */
  colour(text, colours, hints) {
    if (text !== this.text) return;
    this.colours = colours;
    this.hints = hints;
    this.redraw();
  }

  redraw() {
    const lines = this.text.split("\n");
    let state = NOWHERE;
    let offset = 0;
    let [colour, hint] = [0, 0];
    const keys = [];
    const looks = [];
    this.states = [];
    for (const line of lines) {
      this.states.push(state);
      const { pieces, next } = painted(line, state, this.words);
      const end = offset + line.length;
      for (; colour < this.colours.length && this.colours[colour].from < end; colour++) {
        const { from, to, sort } = this.colours[colour];
        if (from >= offset && to <= end) pieces.push([from - offset, to - offset, `name n-${sort}`]);
      }
      let told = "";
      for (; hint < this.hints.length && this.hints[hint].from <= end; hint++) if (this.hints[hint].from >= offset) told = this.hints[hint].text;
      const marks = this.marks(offset, line.length);
      keys.push(`${line}\u0000${pieces.join()}\u0000${marks.map((each) => each.join()).join()}\u0000${told}`);
      looks.push([line, pieces, marks, told]);
      state = next;
      offset = end + 1;
    }
    this.swap(keys, looks);
    this.number(lines.length);
  }

  marks(offset, length) {
    const found = [];
    for (const { from, to, severity } of this.problems) {
      const start = Math.max(from, offset) - offset;
      const end = Math.min(Math.max(to, from + 1), offset + Math.max(length, 1)) - offset;
      if (start < end && from <= offset + length) found.push([start, end, severity]);
    }
    return found;
  }

  /** Replaces only the lines whose look changed. */
  swap(keys, looks) {
    const old = this.keys;
    let head = 0;
    while (head < keys.length && head < old.length && keys[head] === old[head]) head++;
    let tail = 0;
    while (tail < keys.length - head && tail < old.length - head && keys.at(-1 - tail) === old.at(-1 - tail)) tail++;
    const rows = this.paint.children;
    if (!old.length) this.paint.replaceChildren();
    for (let gone = old.length - tail - 1; gone >= head; gone--) rows[gone]?.remove();
    const made = looks.slice(head, keys.length - tail).map((look) => row(...look));
    const next = rows[head] ?? null;
    for (const each of made) this.paint.insertBefore(each, next);
    this.keys = keys;
  }

  number(count) {
    while (this.gutter.children.length > count) this.gutter.lastChild.remove();
    while (this.gutter.children.length < count) this.gutter.append(h("span", {}, String(this.gutter.children.length + 1)));
    const wrong = new Map();
    for (const { from, severity } of this.problems) {
      const { line } = this.place(from);
      if (wrong.get(line) !== "error") wrong.set(line, severity);
    }
    for (const [line, each] of [...this.gutter.children].entries()) {
      each.classList.toggle("error", wrong.get(line) === "error");
      each.classList.toggle("warning", wrong.get(line) === "warning");
    }
  }

  // ------------------------------------------------------------ keys

  pressed(event) {
    if (this.menu?.pressed(event)) {
      event.preventDefault();
      return;
    }
    const command = event.ctrlKey || event.metaKey;
    if (event.key === "Escape") this.leaving = true; // the next Tab leaves, as it does everywhere else
    else if (event.key === "Tab" && !this.leaving && !command && !event.altKey) {
      event.preventDefault();
      this.indent(event.shiftKey);
    } else if (event.key === "Enter" && !command && !event.altKey && !event.isComposing) {
      event.preventDefault();
      this.breakLine();
    } else if (event.key === "/" && command) {
      event.preventDefault();
      this.remark();
    } else if (event.key !== "Tab" && event.key !== "Shift") this.leaving = false;
  }

  /** The range of the selected lines. */
  lines() {
    const { selectionStart, selectionEnd } = this.area;
    const from = this.text.lastIndexOf("\n", selectionStart - 1) + 1;
    const last = selectionEnd > selectionStart && this.text[selectionEnd - 1] === "\n" ? selectionEnd - 1 : selectionEnd;
    const end = this.text.indexOf("\n", last);
    return { from, to: end < 0 ? this.text.length : end };
  }

  indent(back) {
    const { selectionStart, selectionEnd } = this.area;
    const { from, to } = this.lines();
    const text = this.text.slice(from, to);
    if (!back && selectionStart === selectionEnd) {
      const column = selectionStart - from;
      this.replace(selectionStart, selectionEnd, " ".repeat(STEP.length - (column % STEP.length)));
      return;
    }
    const moved = text.split("\n").map((line) => (back ? line.replace(/^ {1,2}/, "") : line && STEP + line)).join("\n");
    if (moved !== text) {
      this.replace(from, to, moved);
      if (text.includes("\n")) this.area.setSelectionRange(from, from + moved.length);
    }
  }

  breakLine() {
    const { selectionStart, selectionEnd } = this.area;
    const line = this.text.slice(this.text.lastIndexOf("\n", selectionStart - 1) + 1, selectionStart);
    const dashes = /^\s*(?:- )*/.exec(line)[0].length;
    const deeper = /(:|[|>]-?)\s*$/.test(line) ? STEP.length : 0;
    this.replace(selectionStart, selectionEnd, `\n${" ".repeat(dashes + deeper)}`);
  }

  remark() {
    const { from, to } = this.lines();
    const lines = this.text.slice(from, to).split("\n");
    const all = lines.every((line) => !line.trim() || /^\s*#/.test(line));
    const changed = lines.map((line) => (all ? line.replace(/^(\s*)# ?/, "$1") : line.replace(/^(\s*)(?=\S)/, "$1# ")));
    this.replace(from, to, changed.join("\n"));
  }
}

function row(line, pieces, marks, told) {
  const made = h("div", { class: "row" });
  const cuts = new Set([0, line.length]);
  for (const [start, end] of [...pieces, ...marks]) cuts.add(start).add(Math.min(end, line.length));
  const places = [...cuts].sort((one, other) => one - other);
  for (let at = 0; at + 1 < places.length; at++) {
    const [start, end] = [places[at], places[at + 1]];
    const kinds = [...pieces, ...marks].filter(([from, to]) => from <= start && end <= to).map(([, , kind]) => kind);
    const text = line.slice(start, end);
    made.append(kinds.length ? h("span", { class: kinds.join(" ") }, text) : text);
  }
  if (!line) made.append(marks.length ? h("span", { class: marks[0][2] }, " ") : "\u200b");
  if (told) made.append(h("span", { class: "told" }, told));
  return made;
}
