// The table as it is drawn: shows it, marks what can be chosen, and says what was pointed at.

import { svg } from "./dom.js";
import { fly, pieces } from "./flight.js";

export class Picture {
  /** `pointed` gets the keys of what was pointed at, the innermost first, what it is called, and the element;
   *  `zoom` says how large it is shown, where that is not left to the page. */
  constructor(frame, pointed, zoom = null) {
    this.frame = frame;
    this.pointed = pointed;
    this.zoom = zoom;
    this.text = "";
    this.parts = [];
    this.moved = []; // what moved last: how it looks, and where it lies
    this.players = []; // those at the table
    frame.addEventListener("click", ({ target, clientX, clientY, detail }) => {
      const can = [...this.frame.querySelectorAll(".can, .means")];
      const hit = can.find((each) => each.contains(target) && !each.querySelector(".can, .means")) ?? null;
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
      this.point(event.target);
    });
  }

  get element() {
    return this.frame.querySelector("svg.table");
  }

  /** A picture that came in parts; those that were in the one before are only told by where. */
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
    const before = old ? pieces(old) : [];
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

  /** Something new begins: what moved before it is marked until something moves. */
  forget() {
    this.past = this.moved;
    this.moved = [];
  }

  /** Marks what moved last, as many of the same as did. */
  markMoved() {
    const left = [...(this.moved.length ? this.moved : (this.past ?? []))];
    for (const each of this.element.querySelectorAll(".piece")) {
      const at = left.findIndex(({ look, place }) => look === each.dataset.look && place === each.dataset.place);
      if (at >= 0) left.splice(at, 1);
      each.classList.toggle("moved", at >= 0);
    }
  }

  /** Who sits where, by the names they go by. */
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

  /** Marks the places for which points are given, and draws a line through those that lie in one. */
  scored(keys, lines = []) {
    const marked = new Set([...keys, ...lines.flat()]);
    for (const each of this.frame.querySelectorAll(".place")) each.classList.toggle("scored", marked.has(each.dataset.thing));
    for (const each of this.frame.querySelectorAll(".won-by")) each.remove();
    for (const line of lines) this.draw(line.map((key) => this.thing(key)).filter(Boolean));
  }

  /** A line through the middles of places, if they lie in one, or each beside the next. */
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

  /** Marks what the question is about (keys): of things that are alike, as many as are named. */
  about(keys) {
    const left = [...keys];
    for (const each of this.frame.querySelectorAll("[data-thing]")) {
      const at = left.indexOf(each.dataset.thing);
      if (at >= 0) left.splice(at, 1);
      each.classList.toggle("about", at >= 0);
    }
  }

  /** Brings into sight what can be pointed at, what the question is about, what one has in the hand, and as much
   *  else of the table as there is room for; while an answer is put together, only what can be pointed at. */
  reveal(fresh = true) {
    const all = (kinds) => [...this.frame.querySelectorAll(kinds)].filter((each) => each.getBoundingClientRect().width);
    const [asked, about, own, moved] = [".can:not(.later), .means", ".about", ".own", ".fresh"].map(all);
    const shared = all(".place").filter((each) => !each.closest(".strip"));
    const subject = [...asked, ...about];
    const sets = fresh ? [[this.element], [...subject, ...own, ...shared], [...subject, ...own, ...moved], [...subject, ...own], subject, asked] : [asked];
    const some = sets.filter((set) => set.length);
    if (some.length) this.zoom?.reveal(some);
  }

  /** Whether something is in the picture that can be pointed at for a key. */
  has(key) {
    return [...this.frame.querySelectorAll("[data-thing]")].some((each) => keysOf(each).includes(key));
  }

  /** What lies alone in a place, in words. */
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

  /** Marks what can be pointed at (a set of keys), what has been (a list of keys), what can be
   *  instead of that, and what usually comes later. */
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
      each.classList.toggle("can", itself && !taken);
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
    // What comes first may be nowhere in the picture: then nothing has to wait for it.
    if (!this.frame.querySelector(".can:not(.later), .means")) for (const each of things) each.classList.remove("later");
    // No button may have buttons inside, and no picture parts that can be pointed at.
    for (const each of things) {
      const plain = each.classList.contains("piece") ? "img" : "group";
      const inside = each.querySelector("[tabindex]") !== null;
      each.setAttribute("role", inside ? "group" : each.hasAttribute("tabindex") ? "button" : plain);
      if (inside) each.removeAttribute("aria-pressed");
    }
  }

  /** Shows which things an option speaks of. */
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

/** The middle of an element, and its size, in the measures of the picture. */
function spot(each, picture) {
  const { x, y, width, height } = each.getBoundingClientRect();
  const back = picture.getScreenCTM().inverse();
  const middle = new DOMPoint(x + width / 2, y + height / 2).matrixTransform(back);
  return { x: middle.x, y: middle.y, size: Math.max(width, height) * back.a };
}

/** The two ends of spots that make a straight line: with the same distance from one to the next, and two of them only
 *  side by side. Null, if they make none: fields that count here and there are no line. */
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

/** Whether each of some spots lies beside the next one. */
export function inChain(spots) {
  return spots.length > 1 && spots.slice(1).every((each, at) => apart(each, spots[at]) < 1.5 * each.size);
}

function apart(one, other) {
  return Math.hypot(one.x - other.x, one.y - other.y);
}
