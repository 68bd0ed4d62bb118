// Animates pieces that moved, so that a move can be followed.
//
// Pieces have no identity. Those that look the same are matched: first the ones that stayed in place, then the others
// in order. A piece that was revealed or hidden is matched by its type.

const LASTS = 520;

export const reducedMotion = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** The screen positions of all pieces. */
export function pieceBoxes(picture) {
  return [...picture.querySelectorAll(".piece")].map((element) => {
    const { look, place, type } = element.dataset;
    return { element, look, place, type, box: element.getBoundingClientRect() };
  });
}

/** Pairs of old and new for the pieces that moved, and the new ones without an old one. */
export function matched(before, after) {
  const old = [...before];
  const take = (fits) => {
    const at = old.findIndex(fits);
    return at < 0 ? null : old.splice(at, 1)[0];
  };
  const moved = after.filter((now) => !take((was) => was.look === now.look && was.place === now.place));
  const pairs = [];
  const left = moved.filter((now) => {
    const was = take((each) => each.look === now.look);
    if (was) pairs.push([was, now]);
    return !was;
  });
  const fresh = left.filter((now) => {
    const hidden = (each) => each.type === now.type && each.place !== now.place;
    const was = now.type ? take((each) => hidden(each) && isTurned(each, now)) : null;
    if (was) pairs.push([was, now]);
    return !was;
  });
  return { pairs, fresh };
}

const isHidden = (piece) => piece.look.startsWith("hidden ");
const isTurned = (was, now) => isHidden(was) !== isHidden(now);

/** Animates the pieces of a new picture from their old positions; returns those that moved. */
export function fly(picture, before, animated = true) {
  const { pairs, fresh } = matched(before, pieceBoxes(picture));
  const moved = [...pairs.map(([, now]) => now), ...fresh].filter(({ look }) => !look?.startsWith("score "));
  const screen = picture.getScreenCTM();
  if (!animated || reducedMotion() || !screen) return moved;
  for (const [was, now] of pairs) lift(picture, screen, was.box, now);
  for (const { element } of fresh) {
    element.animate([{ opacity: 0 }, { opacity: 1 }], { duration: LASTS, easing: "ease-out" });
  }
  return moved;
}

function lift(picture, screen, from, { element, box }) {
  const here = element.getScreenCTM();
  if (!here || !box.width) return;
  const matrix = screen.inverse().multiply(here);
  const layer = document.createElementNS("http://www.w3.org/2000/svg", "g");
  const { a, b, c, d, e, f } = matrix;
  layer.setAttribute("transform", `matrix(${a} ${b} ${c} ${d} ${e} ${f})`);
  layer.setAttribute("aria-hidden", "true");
  layer.classList.add("flying");
  const copy = element.cloneNode(true);
  copy.removeAttribute("data-thing");
  copy.classList.remove("piece");
  for (const inner of copy.querySelectorAll("[data-thing]")) inner.removeAttribute("data-thing");
  layer.append(copy);
  picture.append(layer);
  const across = (from.x + from.width / 2 - box.x - box.width / 2) / here.a;
  const down = (from.y + from.height / 2 - box.y - box.height / 2) / here.d;
  element.classList.add("away");
  const flight = copy.animate(
    [
      { transform: `translate(${across}px, ${down}px)` },
      { transform: "translate(0, 0)" },
    ],
    { duration: LASTS, easing: "cubic-bezier(.3,.7,.2,1)" },
  );
  flight.onfinish = flight.oncancel = () => {
    element.classList.remove("away");
    layer.remove();
  };
}
