// How large a picture is shown, and which part of it: fits it into its frame, and lets it be looked
// at closely.
//
// What is fitted is not the picture of this moment but the largest there has been of late, into the lowest frame
// there has been in this window, so that a board keeps its size while cards and questions come and go. What was larger
// long ago, or was laid out otherwise, counts no longer, if the picture is then seen clearly larger.
// Where the whole would be too small to read it is shown as wide as there is room, or larger if that is too
// small as well, and the frame scrolls. In a hand it is shown smaller than that if then all is seen that a question
// is about.

import { h, svg } from "./dom.js";
import { t } from "./words.js";

const LEGIBLE = 0.62; // pixels for a unit of the picture; below that words cannot be read
const NARROWEST = 0.8; // in a hand no picture leaves more of the width free for being seen whole
const SMALLEST = 0.5; // as LEGIBLE, in a hand, where words keep their size and what is near can be looked at closer
const HAND = 620; // a frame that is narrower is held in a hand
const OF_LATE = 24; // so many pictures
const CLEARLY = 1.08; // so much larger
const OTHERWISE = 0.05; // what becomes narrower and higher, or wider and lower, by more than this is laid out otherwise
const LARGEST = 2.4; // no picture is blown up beyond this by itself
const CLOSEST = 5;
const STEP = 1.3;
const DRAGGED = 5; // pixels after which a press is a drag, and no click
const PADDING = 6; // what glows at the edge of a picture needs some room,
const LITTLE = 3; // in a hand less
const READABLE = 12; // in a hand no words on the table are smaller, in pixels
const FINGER = 40; // so large is what a finger points at
const TINY = 24; // what is smaller is looked at closer first, if there is something else near it

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
    this.wanted = []; // how large the parts of them were that had to be seen together
    this.lowest = Infinity;
  }

  /** How high the frame is, or was when a longer question was beside it. */
  get height() {
    const window = `${innerWidth} ${innerHeight}`;
    if (window !== this.window) {
      this.lowest = Infinity;
      this.wanted = [];
    }
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
    return Math.min((this.frame.clientWidth - 2 * this.padding) / width, (this.height - 2 * this.padding - 1) / height); // a frame may be a part of a pixel less high
  }

  get overflows() {
    const { scrollWidth, scrollHeight, clientWidth, clientHeight } = this.frame;
    return scrollWidth > clientWidth + 1 || scrollHeight > clientHeight + 1;
  }

  /** How many pixels a unit of the picture has, before anybody asks for more or less. */
  get scale() {
    const across = (this.frame.clientWidth - 2 * this.padding) / this.room.width;
    const whole = this.fitting(this.room);
    const { inHand } = this;
    const wide = inHand ? Math.min(across, 1.15) : LEGIBLE;
    const { least } = this;
    if (this.whole || whole >= least) return Math.min(whole, LARGEST);
    return inHand && this.wanted.length ? Math.min(wide, Math.max(whole, SMALLEST, this.fitting(largest(this.wanted)))) : wide;
  }

  get inHand() {
    return this.frame.clientWidth < HAND;
  }

  get padding() {
    return this.inHand ? LITTLE : PADDING;
  }

  /** How many pixels a unit has at the least, if all of the picture is seen. */
  get least() {
    const across = (this.frame.clientWidth - 2 * this.padding) / this.room.width;
    return Math.max(LEGIBLE, this.inHand ? NARROWEST * Math.min(across, 1.15) : 0);
  }

  lay() {
    const { picture, frame } = this;
    if (!picture || !this.room.width || !frame.clientWidth) return;
    const scale = this.scale * this.factor;
    const { width, height } = picture.viewBox.baseVal;
    picture.style.width = `${width * scale}px`;
    picture.style.height = `${height * scale}px`;
    // As if the largest stood here: what is smaller begins at the same corner.
    const left = Math.max(this.padding, (frame.clientWidth - this.room.width * scale) / 2);
    picture.style.margin = `${this.padding}px ${this.padding}px ${this.padding}px ${left}px`;
    readable(picture, this.inHand);
    frame.parentElement.classList.toggle("overflows", this.overflows || this.whole);
  }

  /** Which of some elements a finger points at there, of which it has hit one or none (null); false if it has to look
   *  closer first, which it does. */
  meant(elements, hit, x, y) {
    if (!this.inHand) return hit;
    const near = elements.filter((each) => {
      const box = each.getBoundingClientRect();
      const [across, down] = [box.width, box.height].map((size) => Math.max(size, FINGER) / 2);
      return Math.abs(x - box.x - box.width / 2) <= across && Math.abs(y - box.y - box.height / 2) <= down;
    });
    const smallest = Math.min(...near.map((each) => narrowness(each)));
    if (near.length < 2 || smallest >= TINY || this.factor >= CLOSEST) return hit ?? near.sort((one, other) => away(one, x, y) - away(other, x, y))[0];
    this.by(FINGER / smallest, x, y);
    return false;
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

  /** Brings things into sight: of several sets of things, from the most that one would like to see to the least, the
   *  first that can be seen together; in a hand the picture becomes smaller for that. `anyway` also if they are in
   *  sight, so that they come to the middle. */
  reveal(sets, anyway = false) {
    if (!sets.length) return;
    const least = (at) => (this.inHand ? (at ? SMALLEST : this.least) : this.scale * this.factor);
    const chosen = sets.findIndex((set, at) => set.length && this.fitting(this.extent(set)) >= least(at));
    const wanted = sets[chosen < 0 ? sets.length - 1 : chosen];
    if (this.inHand && chosen >= 0) {
      this.wanted = [...this.wanted, this.extent(wanted)].slice(-OF_LATE);
      if (this.fitting(largest(this.wanted)) < SMALLEST) this.wanted = this.wanted.slice(-1);
      this.lay();
    }
    if (!this.overflows) return;
    const frame = this.frame.getBoundingClientRect();
    const box = around(boxesOf(chosen < 0 ? wanted.slice(0, 1) : wanted));
    if (!anyway && isWithin(box, frame)) return;
    this.frame.scrollBy((box.left + box.right - frame.left - frame.right) / 2, (box.top + box.bottom - frame.top - frame.bottom) / 2);
  }

  /** How much of the picture things take together, in its own measures. */
  extent(things) {
    const { left, right, top, bottom } = around(boxesOf(things));
    const scale = this.picture.getScreenCTM().a;
    return { width: (right - left) / scale, height: (bottom - top) / scale };
  }

  /** What moved last comes to the middle. */
  last() {
    this.reveal([[...this.frame.querySelectorAll(".fresh, .moved")]], true);
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

const narrowness = (each) => Math.min(each.getBoundingClientRect().width, each.getBoundingClientRect().height);

function away(each, x, y) {
  const box = each.getBoundingClientRect();
  return Math.hypot(x - box.x - box.width / 2, y - box.y - box.height / 2);
}

/** Words keep a size in which they can be read when the picture becomes smaller, as far as there is room; those that find
 *  none are left away: what they say is said of the thing as well. What is written on pieces belongs to their looks. */
function readable(picture, inHand) {
  const words = [...picture.querySelectorAll("text:not(defs *, .piece *)")];
  for (const each of words) {
    if (each.dataset.whole) each.textContent = each.dataset.whole;
    each.style.scale = each.style.visibility = "";
  }
  if (!inHand) return;
  const larger = words.map((each) => READABLE / (Number(each.getAttribute("font-size")) * each.getScreenCTM().a));
  for (const [at, each] of words.entries()) if (larger[at] > 1) each.style.scale = larger[at].toFixed(3);
  const onSign = (each) => ["circle", "rect"].includes(each.previousElementSibling?.tagName);
  const kept = [...picture.querySelectorAll("circle:has(+ text):not(defs *, .piece *)")].map((each) => each.getBoundingClientRect());
  for (const each of words.filter((each) => each.textContent.trim() && each.style.scale && !onSign(each))) {
    let box = each.getBoundingClientRect();
    const crowded = () => kept.some((other) => overlap(box, other));
    for (let text = each.textContent; crowded() && text.length > 3 && !/\d/.test(text); box = each.getBoundingClientRect()) {
      each.dataset.whole ??= each.textContent;
      text = text.slice(0, -1);
      each.textContent = `${text}…`;
    }
    if (crowded()) each.style.visibility = "hidden";
    else kept.push(box);
  }
}

const overlap = (one, other) => Math.min(one.right, other.right) - Math.max(one.left, other.left) > -1 && Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 3;

const around = (boxes) => ({
  left: Math.min(...boxes.map((box) => box.left)),
  right: Math.max(...boxes.map((box) => box.right)),
  top: Math.min(...boxes.map((box) => box.top)),
  bottom: Math.max(...boxes.map((box) => box.bottom)),
});
const boxesOf = (things) => things.map((each) => each.getBoundingClientRect());
const isWithin = (box, frame) => box.left >= frame.left && box.right <= frame.right && box.top >= frame.top && box.bottom <= frame.bottom;

function found(frame, thing) {
  return [...frame.querySelectorAll("[data-thing].place")].find((each) => each.dataset.thing === thing);
}

const sign = (lines) => svg(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true"><path d="${lines}" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round"/></svg>`);
