// How large a picture is shown, and which part of it: fits it into its frame, and lets it be looked
// at closely.
//
// What is fitted is not the picture of this moment but the largest there has been of late, into the lowest frame
// there has been in this window, so that a board keeps its size while cards and questions come and go. What was larger
// long ago, or was laid out otherwise, counts no longer, if the picture is then seen clearly larger.
// Where the whole would be too small to read it is shown as wide as there is room, or larger if that is too
// small as well, and the frame scrolls.

import { h, svg } from "./dom.js";
import { t } from "./words.js";

const LEGIBLE = 0.62; // pixels for a unit of the picture; below that words cannot be read
const NARROWEST = 0.8; // in a hand no picture leaves more of the width free for being seen whole
const OF_LATE = 24; // so many pictures
const CLEARLY = 1.08; // so much larger
const OTHERWISE = 0.05; // what becomes narrower and higher, or wider and lower, by more than this is laid out otherwise
const LARGEST = 2.4; // no picture is blown up beyond this by itself
const CLOSEST = 5;
const STEP = 1.3;
const DRAGGED = 5; // pixels after which a press is a drag, and no click
const PADDING = 6; // what glows at the edge of a picture needs some room

export class Zoom {
  constructor(frame, buttons = null) {
    this.frame = frame;
    this.forget();
    this.factor = 1;
    this.whole = false; // whether all of it is wanted, however small
    if (buttons) this.buttons(buttons);
    new ResizeObserver(() => this.lay()).observe(frame);
    this.listen();
  }

  get picture() {
    return this.frame.querySelector("svg.table");
  }

  /** Another sort of picture comes: what was the largest no longer counts. */
  forget() {
    this.room = { width: 0, height: 0 };
    this.late = []; // how large the last pictures were
    this.lowest = Infinity;
  }

  /** How high the frame is, or was when a longer question was beside it. */
  get height() {
    const window = `${innerWidth} ${innerHeight}`;
    if (window !== this.window) this.lowest = Infinity;
    this.window = window;
    this.lowest = Math.min(this.lowest, this.frame.clientHeight);
    return this.lowest;
  }

  /** A picture has come in place of another; `keep` is what should stay where it is on the screen. */
  shown(keep = null) {
    const { width, height } = this.picture.viewBox.baseVal;
    if (isOtherwise(this.late.at(-1), { width, height })) this.late = [];
    this.late = [...this.late, { width, height }].slice(-OF_LATE);
    const [needed, ever] = [largest(this.late), largest([this.room, { width, height }])];
    this.room = this.fitting(needed) > CLEARLY * this.fitting(ever) ? needed : ever;
    this.lay();
    if (!keep) return;
    const now = found(this.frame, keep.thing)?.getBoundingClientRect();
    if (now) this.frame.scrollBy(now.x - keep.x, now.y - keep.y);
  }

  /** Some place near the middle of what is seen, and where it is: for `shown`. */
  middle() {
    if (!this.picture || !this.overflows) return null;
    const { left, top, width, height } = this.frame.getBoundingClientRect();
    const at = document.elementFromPoint(left + width / 2, top + height / 2)?.closest("[data-thing].place");
    if (!at || !this.frame.contains(at)) return null;
    const { x, y } = at.getBoundingClientRect();
    return { thing: at.dataset.thing, x, y };
  }

  /** How many pixels a unit of something has that is seen whole. */
  fitting({ width, height }) {
    return Math.min((this.frame.clientWidth - 2 * PADDING) / width, (this.height - 2 * PADDING - 1) / height); // a frame may be a part of a pixel less high
  }

  get overflows() {
    const { scrollWidth, scrollHeight, clientWidth, clientHeight } = this.frame;
    return scrollWidth > clientWidth + 1 || scrollHeight > clientHeight + 1;
  }

  /** How many pixels a unit of the picture has, before anybody asks for more or less. */
  get scale() {
    const across = (this.frame.clientWidth - 2 * PADDING) / this.room.width;
    const whole = this.fitting(this.room);
    const forHand = this.room.width < 500; // drawn for a hand: it is scrolled down
    const wide = forHand ? Math.min(across, 1.15) : LEGIBLE;
    const inHand = forHand && this.frame.clientWidth < 500;
    const least = Math.max(LEGIBLE, inHand ? NARROWEST * wide : 0);
    return this.whole || whole >= least ? Math.min(whole, LARGEST) : wide;
  }

  lay() {
    const { picture, frame } = this;
    if (!picture || !this.room.width || !frame.clientWidth) return;
    const scale = this.scale * this.factor;
    const { width, height } = picture.viewBox.baseVal;
    picture.style.width = `${width * scale}px`;
    picture.style.height = `${height * scale}px`;
    // As if the largest stood here: what is smaller begins at the same corner.
    const left = Math.max(PADDING, (frame.clientWidth - this.room.width * scale) / 2);
    picture.style.marginLeft = `${left}px`;
    picture.style.marginRight = `${PADDING}px`;
    frame.parentElement.classList.toggle("overflows", this.overflows || this.whole);
  }

  /** Looks closer (or from further away), with a point of the screen staying where it is. */
  by(factor, x = null, y = null) {
    const box = this.frame.getBoundingClientRect();
    const at = this.picture.getBoundingClientRect();
    const [px, py] = [x ?? box.x + box.width / 2, y ?? box.y + box.height / 2];
    const [ax, ay] = [(px - at.x) / at.width, (py - at.y) / at.height];
    this.factor = Math.min(CLOSEST, Math.max(1, this.factor * factor));
    this.lay();
    const now = this.picture.getBoundingClientRect();
    this.frame.scrollBy(now.x + ax * now.width - px, now.y + ay * now.height - py);
  }

  in() {
    this.by(STEP);
  }

  out() {
    if (this.factor > 1) this.by(1 / STEP);
    else if (!this.whole) this.all();
  }

  /** All of the picture as it is now; asked again, as large as can be read. */
  all() {
    if (this.factor === 1) this.whole = !this.whole;
    this.factor = 1;
    this.forget();
    this.shown();
  }

  /** Brings things into sight, given in groups: all of them if that can be, or else those of the first
   *  group, or else the first of these; `anyway` also if they are in sight, so that they come to the middle. */
  reveal(groups, anyway = false) {
    const boxes = groups.map((group) => [...group].map((each) => each.getBoundingClientRect()).filter((box) => box.width));
    const first = boxes.find((group) => group.length);
    if (!first || !this.overflows) return;
    const frame = this.frame.getBoundingClientRect();
    const wanted = [boxes.flat(), first, first.slice(0, 1)].map(around).find((box, at) => at === 2 || fits(box, frame));
    if (!anyway && isWithin(wanted, frame)) return;
    this.frame.scrollBy((wanted.left + wanted.right - frame.left - frame.right) / 2, (wanted.top + wanted.bottom - frame.top - frame.bottom) / 2);
  }

  /** What moved last comes to the middle. */
  last() {
    this.reveal([this.frame.querySelectorAll(".fresh, .moved")], true);
  }

  buttons(frame) {
    this.made = [
      ["layout.zoom_out", "M3 8H13", () => this.out()],
      ["layout.zoom_in", "M3 8H13M8 3V13", () => this.in()],
      ["layout.zoom_whole", "M2 6V2H6M10 2H14V6M14 10V14H10M6 14H2V10", () => this.all()],
      ["layout.zoom_last", "M8 1V5M8 11V15M1 8H5M11 8H15M8 7.5V8.5", () => this.last()],
    ].map(([name, lines, onclick]) => [name, h("button", { onclick, type: "button" }, sign(lines))]);
    frame.append(...this.made.map(([, button]) => button));
  }

  /** The words of the buttons, in the language that is spoken now. */
  named() {
    for (const [name, button] of this.made ?? []) {
      button.setAttribute("aria-label", t(name));
      button.title = t(name);
    }
  }

  // ------------------------------------------------------------ with the hand

  listen() {
    const { frame } = this;
    frame.addEventListener("wheel", (event) => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      this.by(Math.exp(-event.deltaY / 300), event.clientX, event.clientY);
    }, { passive: false });
    this.drag();
    this.pinch();
  }

  /** With a mouse the picture is dragged; with a finger it scrolls anyway. */
  drag() {
    const { frame } = this;
    let from = null;
    let dragged = false;
    frame.addEventListener("pointerdown", (event) => {
      dragged = false;
      from = event.pointerType === "mouse" && event.button === 0 && this.overflows ? event : null;
    });
    frame.addEventListener("pointermove", (event) => {
      if (!from) return;
      if (!dragged && Math.hypot(event.clientX - from.clientX, event.clientY - from.clientY) < DRAGGED) return;
      if (!dragged) frame.setPointerCapture(event.pointerId);
      dragged = true;
      frame.scrollBy(-event.movementX, -event.movementY);
    });
    for (const end of ["pointerup", "pointercancel"]) frame.addEventListener(end, () => { from = null; });
    frame.addEventListener("click", (event) => {
      if (dragged) event.stopPropagation();
      dragged = false;
    }, { capture: true });
  }

  /** Two fingers look closer. */
  pinch() {
    const { frame } = this;
    let before = 0;
    const apart = ([one, other]) => Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY);
    frame.addEventListener("touchstart", ({ touches }) => { before = touches.length === 2 ? apart(touches) : 0; }, { passive: true });
    frame.addEventListener("touchmove", (event) => {
      if (event.touches.length !== 2 || !before) return;
      event.preventDefault();
      const [one, other] = event.touches;
      const now = apart(event.touches);
      this.by(now / before, (one.clientX + other.clientX) / 2, (one.clientY + other.clientY) / 2);
      before = now;
    }, { passive: false });
  }
}

const largest = (sizes) => ({ width: Math.max(...sizes.map(({ width }) => width)), height: Math.max(...sizes.map(({ height }) => height)) });

/** Whether a picture is laid out otherwise than the one before: what comes to it or goes makes it larger or smaller. */
function isOtherwise(before, now) {
  if (!before) return false;
  const [wider, higher] = [now.width / before.width - 1, now.height / before.height - 1];
  return wider * higher < 0 && Math.min(Math.abs(wider), Math.abs(higher)) > OTHERWISE;
}

const around = (boxes) => ({
  left: Math.min(...boxes.map((box) => box.left)),
  right: Math.max(...boxes.map((box) => box.right)),
  top: Math.min(...boxes.map((box) => box.top)),
  bottom: Math.max(...boxes.map((box) => box.bottom)),
});
const fits = (box, frame) => box.right - box.left <= frame.width && box.bottom - box.top <= frame.height;
const isWithin = (box, frame) => box.left >= frame.left && box.right <= frame.right && box.top >= frame.top && box.bottom <= frame.bottom;

function found(frame, thing) {
  return [...frame.querySelectorAll("[data-thing].place")].find((each) => each.dataset.thing === thing);
}

const sign = (lines) => svg(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true"><path d="${lines}" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round"/></svg>`);
