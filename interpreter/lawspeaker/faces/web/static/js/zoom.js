// Scales and scrolls a picture: fits it into its frame, and lets the user zoom.
//
// The scale fits the largest recent picture into the lowest recent frame, so that a board keeps its size while cards
// and questions come and go. An older or differently laid out picture is ignored if the current one then becomes
// clearly larger. If the whole would be illegibly small, it is shown at full width, or larger, and the frame scrolls.
// On a phone it may be smaller than that, if then everything that the question is about is visible.

import { h, svg } from "./dom.js";
import { t } from "./words.js";

const LEGIBLE = 0.62; // pixels for a unit of the picture; below that words cannot be read
const NARROWEST = 0.8; // in a hand no picture leaves more of the width free for being seen whole,
const WELL = 0.75; // unless it is as large as this
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
const BETWEEN = 5; // pixels between a label and what it stands for
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

  /** Resets the largest size, for another kind of picture. */
  forget() {
    this.room = { width: 0, height: 0 };
    this.late = []; // how large the last pictures were
    this.wanted = []; // how large the parts of them were that had to be seen together
    this.lowest = Infinity;
  }

  /** The height of the frame, or its lowest recent one without the guide above it. */
  get height() {
    const window = `${innerWidth} ${innerHeight}`;
    if (window !== this.window) {
      this.lowest = Infinity;
      this.wanted = [];
    }
    this.window = window;
    const { clientHeight } = this.frame;
    this.lowest = Math.min(this.lowest, clientHeight + this.above);
    return Math.min(this.lowest, clientHeight);
  }

  /** The height that the guide takes above the frame. */
  get above() {
    const guide = this.frame.closest(".stage")?.querySelector(":scope > .guide:not([hidden])");
    return guide ? guide.offsetHeight + parseFloat(getComputedStyle(guide).marginBottom) : 0;
  }

  /** Updates the scale for a new picture; `keep` is what should stay in place on the screen. */
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

  /** A place near the centre of the visible part, with its position: for `shown`. */
  middle() {
    if (!this.picture || !this.overflows) return null;
    const { left, top, width, height } = this.frame.getBoundingClientRect();
    const at = document.elementFromPoint(left + width / 2, top + height / 2)?.closest("[data-thing].place");
    if (!at || !this.frame.contains(at)) return null;
    const { x, y } = at.getBoundingClientRect();
    return { thing: at.dataset.thing, x, y };
  }

  /** The scale at which something fits into the frame. */
  fitting({ width, height }) {
    return Math.min((this.frame.clientWidth - 2 * this.padding) / width, (this.height - 2 * this.padding - 1) / height); // a frame may be a part of a pixel less high
  }

  get overflows() {
    const { scrollWidth, scrollHeight, clientWidth, clientHeight } = this.frame;
    return scrollWidth > clientWidth + 1 || scrollHeight > clientHeight + 1;
  }

  /** The scale in pixels per unit, before the user zooms. */
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

  /** The smallest scale at which the whole picture may be shown. */
  get least() {
    const across = (this.frame.clientWidth - 2 * this.padding) / this.room.width;
    return Math.max(LEGIBLE, this.inHand ? Math.min(WELL, NARROWEST * across) : 0);
  }

  lay() {
    const { picture, frame } = this;
    if (!picture || !this.room.width || !frame.clientWidth) return;
    const scale = this.scale * this.factor;
    const { width, height } = picture.viewBox.baseVal;
    picture.style.width = `${width * scale}px`;
    picture.style.height = `${height * scale}px`;
    // Aligned as if the largest picture were shown: smaller ones start at the same corner.
    const left = Math.max(this.padding, (frame.clientWidth - this.room.width * scale) / 2);
    picture.style.margin = `${this.padding}px ${this.padding}px ${this.padding}px ${left}px`;
    readable(picture, this.inHand);
    frame.parentElement.classList.toggle("overflows", this.overflows || this.whole);
  }

  /** The element that a touch means, null for none; false if the target is ambiguous and it zooms in instead. */
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

  /** Zooms by a factor around a point of the screen. */
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

  /** Looks at a part as closely as it fits, or at the whole again. */
  at(part) {
    const back = this.factor > 1;
    this.factor = 1;
    this.lay();
    if (!back) {
      const { width, height } = part.getBoundingClientRect();
      const { clientWidth, clientHeight } = this.frame;
      this.by(Math.min((clientWidth - 2 * PADDING) / width, (clientHeight - 2 * PADDING) / height));
    }
    this.reveal([[part]], true);
  }

  in() {
    this.by(STEP);
  }

  out() {
    if (this.factor > 1) this.by(1 / STEP);
    else if (!this.whole) this.all();
  }

  /** Shows the whole picture; toggles to the largest readable scale. */
  all() {
    if (this.factor === 1) this.whole = !this.whole;
    this.factor = 1;
    this.forget();
    this.shown();
  }

  /** Scrolls to things: to the first of several sets, from the most to the least desirable, that fits; on a phone it
   *  may zoom out for that. Their headings are seen with them if there is room. `anyway` centres them even if they are
   *  visible. */
  reveal(wished, anyway = false) {
    if (!wished.length) return;
    const sets = wished.flatMap((set) => {
      const named = headings(this.picture, set);
      return named.length ? [[...set, ...named], set] : [set];
    });
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

  /** The extent of things in picture units. */
  extent(things) {
    const { left, right, top, bottom } = around(boxesOf(things));
    const scale = this.picture.getScreenCTM().a;
    return { width: (right - left) / scale, height: (bottom - top) / scale };
  }

  /** Centres the last move. */
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

  /** Updates the labels of the buttons to the current language. */
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

  /** Drags the picture with a mouse; a finger scrolls natively. */
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

  /** Pinch to zoom. */
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

/** Whether a picture is laid out differently from the last one; added or removed parts change its size. */
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

/** Keeps labels at a readable size when the picture becomes smaller, as far as there is space; those without are
 *  hidden, since the thing's accessible name has them. Text on pieces is not affected. */
function readable(picture, inHand) {
  const words = [...picture.querySelectorAll("text:not(defs *, .piece *)")];
  for (const each of words) {
    if (each.dataset.whole) each.textContent = each.dataset.whole;
    each.style.scale = each.style.visibility = "";
  }
  for (const each of picture.querySelectorAll(".marker > *")) each.style.translate = "";
  if (!inHand) return;
  const larger = words.map((each) => READABLE / (Number(each.getAttribute("font-size")) * each.getScreenCTM().a));
  for (const [at, each] of words.entries()) if (larger[at] > 1) each.style.scale = larger[at].toFixed(3);
  for (const marker of picture.querySelectorAll(".marker")) spread(marker);
  // Signs, and what a marker shows, stay; what they are called makes room for them, and for the edge.
  const onSign = (each) => each.previousElementSibling?.tagName === "circle" || (each.previousElementSibling?.tagName === "rect" && each.getAttribute("text-anchor") === "middle");
  const stays = (each) => onSign(each) || each.matches('.marker [font-weight="700"]');
  const signs = [...picture.querySelectorAll("circle:has(+ text):not(defs *, .piece *)")];
  const kept = [...signs, ...words.filter((each) => each.textContent.trim() && stays(each))].map((each) => each.getBoundingClientRect());
  const edge = picture.getBoundingClientRect();
  const asked = headings(picture, [...picture.querySelectorAll(".choosable:not(.later), .means")]); // come first
  for (const each of new Set([...asked, ...words].filter((each) => each.textContent.trim() && each.style.scale && !stays(each)))) {
    let box = each.getBoundingClientRect();
    const crowded = () => box.left < edge.left || box.right > edge.right || kept.some((other) => overlap(box, other));
    for (let text = each.textContent; crowded() && text.length > 3 && !/\d/.test(text); box = each.getBoundingClientRect()) {
      each.dataset.whole ??= each.textContent;
      text = text.slice(0, -1);
      each.textContent = `${text}…`;
    }
    if (crowded() && /\S\S+ \d+$/.test(each.textContent)) { // of several that are numbered
      each.dataset.whole ??= each.textContent;
      each.textContent = each.textContent.replace(/^(\S).* (\d+)$/, "$1 $2");
      box = each.getBoundingClientRect();
    }
    if (crowded()) each.style.visibility = "hidden";
    else kept.push(box);
  }
}

/** The headings that stand just above things. */
function headings(picture, things) {
  const boxes = boxesOf(things.filter((each) => each.closest(".place") && !each.closest(".strip")));
  if (!boxes.length) return [];
  const above = ({ left, right, top, bottom }) => boxes.some((box) => Math.abs(box.top - bottom) < (bottom - top) / 2 && Math.min(right, box.right) - Math.max(left, box.left) > (right - left) / 2);
  return [...picture.querySelectorAll(`text[font-weight="600"]:not(defs *, .strip *)`)].filter((each) => above(each.getBoundingClientRect()));
}

/** Moves what a marker shows to the right, as far as there is space for it, when its label has become larger; and to
 *  the left if it has outgrown its frame itself. */
function spread(marker) {
  const [pill, label, ...shown] = marker.children;
  if (pill?.tagName !== "rect" || label?.tagName !== "text" || !shown.length) return;
  const [frame, named, next, last] = [pill, label, shown[0], shown.at(-1)].map((each) => each.getBoundingClientRect());
  const wanted = named.right + BETWEEN - next.left;
  const free = frame.right - BETWEEN - last.right;
  const by = Math.min(wanted, free) / marker.getScreenCTM().a;
  if (by > 0 || free < 0) for (const each of shown) each.style.translate = `${by}px`;
}

const overlap = (one, other) => Math.min(one.right, other.right) - Math.max(one.left, other.left) > -2 && Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 3;

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
