// Draws an estimate as a dot with its interval as a bar.

const SVG = "http://www.w3.org/2000/svg";
const WIDE = 160;
const HIGH = 18;

function s(name, attributes) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

/** The scale is 0 to `most` or, with `around`, -most to most with a line at 0; `mark` is another line. */
export function interval({ value, low, high }, most, around, mark = around ? 0 : null) {
  const x = (each) => {
    const part = around ? 0.5 + each / (2 * most) : each / most;
    return 4 + Math.max(0, Math.min(1, part)) * (WIDE - 8);
  };
  const picture = s("svg", { viewBox: `0 0 ${WIDE} ${HIGH}`, class: "interval", "aria-hidden": "true" });
  picture.append(
    s("line", { x1: 4, x2: WIDE - 4, y1: HIGH / 2, y2: HIGH / 2, class: "axis" }),
    s("rect", { x: x(low), width: Math.max(1.5, x(high) - x(low)), y: HIGH / 2 - 4, height: 8, rx: 4, class: "range" }),
    s("circle", { cx: x(value), cy: HIGH / 2, r: 4, class: "dot" }),
  );
  if (mark !== null) picture.prepend(s("line", { x1: x(mark), x2: x(mark), y1: 1, y2: HIGH - 1, class: "zero" }));
  return picture;
}
