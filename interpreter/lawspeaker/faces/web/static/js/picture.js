// The picture of the table: shows it, highlights what can be chosen, and reports clicks.

import { svg } from "./dom.js";
import { fly, pieceBoxes } from "./flight.js";

export class Picture {
  /** `pointed` gets the keys of a click, the innermost first, the name and the element; `zoom` controls the scale,
   *  where that is not left to the page. */
  constructor(frame, pointed, zoom = null) {
    this.frame = frame;
    this.pointed = pointed;
    this.zoom = zoom;
    this.text = "";
    this.parts = [];
    this.moved = []; // what moved last: how it looks, and where it lies
    this.players = []; // those at the table
    frame.addEventListener("click", ({ target, clientX, clientY, detail }) => {
      if (this.closer(target)) return;
      const can = [...this.frame.querySelectorAll(".choosable, .means")];
      const hit = can.find((each) => each.contains(target) && !each.querySelector(".choosable, .means")) ?? null;
      const meant = detail && zoom ? zoom.meant(can, hit, clientX, clientY) : hit;
      if (meant !== false) this.point(!meant || meant === hit ? target : meant);
    });
    frame.addEventListener("mouseover", ({ target }) => {
      const meant = target.closest(".means")?.dataset.means.split("; ") ?? [];
      if (meant.length || this.frame.querySelector(".means.hint")) this.hint(meant);
    });
    frame.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      if (!this.closer(event.target)) this.point(event.target);
    });
  }

  /** Looks closer at somebody's board, or at the whole again, if that was pointed at; returns whether it was. */
  closer(target) {
    const part = target.closest(".closer")?.closest(".theirs");
    if (part) this.zoom?.at(part);
    return Boolean(part);
  }

  get element() {
    return this.frame.querySelector("svg.table");
  }

  /** Joins a picture sent as a diff: parts of the last picture are given by their range. */
  joined(parts) {
    this.parts = parts.flatMap((part) => (typeof part === "string" ? [part] : this.parts.slice(part[0], part[1])));
    return this.parts.join("<g ");
  }

  show(text, animated = true) {
    const called = this.players.map(({ name }) => name).join("\n"); // names are written over what is drawn
    if (text === this.text && called === this.called) {
      this.zoom?.shown();
      return;
    }
    const old = this.element;
    const before = old ? pieceBoxes(old) : [];
    const middle = this.zoom?.middle();
    this.text = text;
    this.called = called;
    const made = svg(text);
    for (const title of made.querySelectorAll("title")) title.remove(); // what is rested on answers itself
    const { width, height } = made.viewBox.baseVal;
    made.style.setProperty("--across", width);
    made.style.setProperty("--ratio", width / height);
    this.frame.replaceChildren(made);
    this.zoom?.shown(middle);
    this.names();
    if (old) this.moved.push(...fly(this.element, before, animated));
    this.markMoved();
  }

  /** Starts a new event: the last move stays marked until the next one. */
  forget() {
    this.past = this.moved;
    this.moved = [];
  }

  /** Marks the last move, as many equal pieces as moved. */
  markMoved() {
    const left = [...(this.moved.length ? this.moved : (this.past ?? []))];
    for (const each of this.element.querySelectorAll(".piece")) {
      const at = left.findIndex(({ look, place }) => look === each.dataset.look && place === each.dataset.place);
      if (at >= 0) left.splice(at, 1);
      each.classList.toggle("moved", at >= 0);
    }
  }

  /** Replaces seat names by the players' names. */
  names() {
    for (const each of this.element.querySelectorAll("[data-player]")) {
      const player = this.players[Number(each.dataset.player)];
      if (!player || player.name === player.seat_name) continue;
      const room = Number(each.dataset.room);
      each.textContent = player.name;
      for (let text = player.name; text && each.getComputedTextLength() > room; ) {
        text = text.slice(0, -1);
        each.textContent = `${text}…`;
      }
    }
  }

  thing(key) {
    return this.frame.querySelector(`[data-thing="${CSS.escape(key)}"]`);
  }

  strip(seat) {
    return this.frame.querySelector(`[data-seat="${seat}"]`);
  }

  /** Marks the places that score, and draws lines through those that are aligned. */
  scored(keys, lines = []) {
    const marked = new Set([...keys, ...lines.flat()]);
    for (const each of this.frame.querySelectorAll(".place")) each.classList.toggle("scored", marked.has(each.dataset.thing));
    for (const each of this.frame.querySelectorAll(".won-by")) each.remove();
    for (const line of lines) this.draw(line.map((key) => this.thing(key)).filter(Boolean));
  }

  /** Draws a line through the centres of places, if they are aligned or each is next to the last. */
  draw(places) {
    const { element } = this;
    const spots = places.map((each) => spot(each, element));
    const line = inLine(spots) ?? (inChain(spots) ? spots : null);
    if (!line) return;
    for (const kind of ["under", "over"]) {
      const made = document.createElementNS("http://www.w3.org/2000/svg", "polyline");
      made.setAttribute("class", `won-by ${kind}`);
      made.setAttribute("points", line.map(({ x, y }) => `${x.toFixed(1)},${y.toFixed(1)}`).join(" "));
      element.append(made);
    }
  }

  /** Marks the subject of the question (keys): of equal things as many as named. */
  about(keys) {
    const left = [...keys];
    for (const each of this.frame.querySelectorAll("[data-thing]")) {
      const at = left.indexOf(each.dataset.thing);
      if (at >= 0) left.splice(at, 1);
      each.classList.toggle("about", at >= 0);
    }
  }

  /** Scrolls to what can be chosen, the subject of the question and one's own hand, with as much of the table as
   *  fits; while an answer is assembled, only to what can be chosen. */
  reveal(fresh = true) {
    const all = (kinds) => [...this.frame.querySelectorAll(kinds)].filter((each) => each.getBoundingClientRect().width);
    const [asked, about, own, moved] = [".choosable:not(.later), .means", ".about", ".own", ".fresh"].map(all);
    const shared = all(".place").filter((each) => !each.closest(".strip"));
    const subject = [...asked, ...about];
    const sets = fresh ? [[this.element], [...subject, ...own, ...shared], [...subject, ...own, ...moved], [...subject, ...own], subject, asked] : [asked];
    const some = sets.filter((set) => set.length);
    if (some.length) this.zoom?.reveal(some);
  }

  /** Whether a key can be clicked in the picture. */
  has(key) {
    return [...this.frame.querySelectorAll("[data-thing]")].some((each) => keysOf(each).includes(key));
  }

  /** Describes a single piece in a place. */
  alone(key) {
    const place = this.thing(key);
    const pieces = place?.classList.contains("place") ? place.querySelectorAll(".piece") : [];
    return pieces.length === 1 ? pieces[0].getAttribute("aria-label") : "";
  }

  point(target) {
    const chain = [];
    for (let at = target.closest("[data-thing]"); at; at = at.parentElement?.closest("[data-thing]")) chain.push(at);
    if (!chain.length) return;
    const keys = chain.flatMap(keysOf);
    this.pointed(keys, chain[0].getAttribute("aria-label") ?? "", chain[0]);
  }

  /** Marks what can be chosen (a set of keys), the selection (a list of keys), what can replace it, and what usually
   *  comes later. */
  mark(can, picked, others = new Set(), later = new Set()) {
    const counts = new Map();
    for (const key of picked) counts.set(key, (counts.get(key) ?? 0) + 1);
    const things = [...this.frame.querySelectorAll("[data-thing]")];
    for (const each of things) {
      const keys = keysOf(each);
      const taken = keys.find((key) => counts.get(key) > 0);
      if (taken) counts.set(taken, counts.get(taken) - 1);
      const itself = can.has(each.dataset.thing);
      const may = itself || keys.some((key) => can.has(key));
      each.classList.toggle("picked", Boolean(taken));
      each.classList.toggle("choosable", itself && !taken);
      each.classList.toggle("later", itself && !taken && later.has(each.dataset.thing));
      each.classList.toggle("means", may && !itself && !taken);
      const other = others.has(each.dataset.thing);
      each.classList.toggle("other", other);
      if (may || taken || other) {
        each.setAttribute("tabindex", "0");
        if (taken) each.setAttribute("aria-pressed", "true");
        else each.removeAttribute("aria-pressed");
      } else if (each.hasAttribute("tabindex")) {
        each.removeAttribute("tabindex");
        each.removeAttribute("aria-pressed");
      }
    }
    // If the first part is nowhere in the picture, nothing has to wait for it.
    if (!this.frame.querySelector(".choosable:not(.later), .means")) for (const each of things) each.classList.remove("later");
    // Buttons must not be nested, and an image must not have interactive parts.
    for (const each of things) {
      const plain = each.classList.contains("piece") ? "img" : "group";
      const inside = each.querySelector("[tabindex]") !== null;
      each.setAttribute("role", inside ? "group" : each.hasAttribute("tabindex") ? "button" : plain);
      if (inside) each.removeAttribute("aria-pressed");
    }
  }

  /** Highlights the things of an option. */
  hint(keys) {
    for (const each of this.frame.querySelectorAll("[data-thing]")) {
      each.classList.toggle("hint", keysOf(each).some((key) => keys.includes(key)));
    }
  }
}

function keysOf(element) {
  const means = element.dataset.means ? element.dataset.means.split("; ") : [];
  return [element.dataset.thing, ...means];
}

/** The centre and size of an element in picture units. */
function spot(each, picture) {
  const { x, y, width, height } = each.getBoundingClientRect();
  const back = picture.getScreenCTM().inverse();
  const middle = new DOMPoint(x + width / 2, y + height / 2).matrixTransform(back);
  return { x: middle.x, y: middle.y, size: Math.max(width, height) * back.a };
}

/** The two ends of aligned spots: with equal distances, and two of them only if adjacent. Null if they are not
 *  aligned: scattered places are no line. */
export function inLine(spots) {
  if (spots.length < 2) return null;
  const far = (from) => spots.reduce((best, each) => (apart(each, from) > apart(best, from) ? each : best), from);
  const to = far(spots[0]);
  const from = far(to);
  const long = apart(from, to);
  const off = (each) => Math.abs((to.x - from.x) * (each.y - from.y) - (to.y - from.y) * (each.x - from.x)) / long;
  if (!long || !spots.every((each) => off(each) < 0.04 * long)) return null;
  const along = [...spots].sort((one, other) => apart(one, from) - apart(other, from));
  const gaps = along.slice(1).map((each, at) => apart(each, along[at]));
  const even = Math.max(...gaps) < 1.25 * Math.min(...gaps);
  return even && (spots.length > 2 || inChain(spots)) ? [from, to] : null;
}

/** Whether each spot is next to the following one. */
export function inChain(spots) {
  return spots.length > 1 && spots.slice(1).every((each, at) => apart(each, spots[at]) < 1.5 * each.size);
}

function apart(one, other) {
  return Math.hypot(one.x - other.x, one.y - other.y);
}
