// Small charts: histograms, bars, and lines with intervals.

const SVG = "http://www.w3.org/2000/svg";

function s(name, attributes, text = "") {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (text) made.textContent = text;
  return made;
}

/** A histogram from the lowest value to the highest; `low` and `high` are the ends. */
export function histogram(counts, { low, high, wide = 260, tall = 46, label }) {
  const many = Math.min(high - low + 1, 60);
  const step = (high - low + 1) / many;
  const bars = new Array(many).fill(0);
  for (const [value, count] of counts) bars[Math.min(many - 1, Math.floor((value - low) / step))] += count;
  const most = Math.max(1, ...bars);
  const width = wide / many;
  const picture = s("svg", { viewBox: `0 0 ${wide} ${tall + 14}`, class: "histogram", role: "img", "aria-label": label });
  bars.forEach((count, at) => {
    const height = (count / most) * tall;
    if (count) picture.append(s("rect", { x: at * width + 0.5, width: Math.max(1, width - 1), y: tall - height, height, class: "column" }));
  });
  picture.append(
    s("line", { x1: 0, x2: wide, y1: tall, y2: tall, class: "axis" }),
    s("text", { x: 0, y: tall + 12, class: "tick" }, String(low)),
    s("text", { x: wide, y: tall + 12, class: "tick end" }, String(high)),
  );
  return picture;
}

/** A bar from 0 to `most`. */
export function bar(value, most) {
  const picture = s("svg", { viewBox: "0 0 100 10", class: "part", preserveAspectRatio: "none", "aria-hidden": "true" });
  picture.append(s("rect", { x: 0, y: 1, width: Math.max(0.5, (100 * value) / (most || 1)), height: 8, rx: 1.5, class: "column" }));
  return picture;
}

const WIDE = 320;
const TALL = 170;
const ROOM = { left: 46, right: 12, top: 12, bottom: 24 };

/** A few round tick values in a range. */
function ticks(from, to) {
  const rough = (to - from) / 3;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * [1, 2, 5, 10].find((each) => each * power >= rough);
  const first = Math.ceil(from / step);
  return Array.from({ length: Math.floor(to / step) - first + 1 }, (_, at) => (first + at) * step);
}

/** Points with their intervals over the values of a choice: [{at, value, low, high, reference}]. */
export function line(points, told, label) {
  const ends = points.flatMap(({ value, low, high }) => [low ?? value, high ?? value]);
  const [least, most] = [Math.min(...ends), Math.max(...ends)];
  const span = most - least || Math.max(1e-9, Math.abs(most)) || 1;
  const [from, to] = [least - 0.08 * span, most + 0.08 * span];
  const x = (at) => ROOM.left + (points.length === 1 ? 0.5 : at / (points.length - 1)) * (WIDE - ROOM.left - ROOM.right);
  const y = (value) => TALL - ROOM.bottom - ((value - from) / (to - from)) * (TALL - ROOM.top - ROOM.bottom);
  const picture = s("svg", { viewBox: `0 0 ${WIDE} ${TALL}`, class: "line-chart", role: "img", "aria-label": label });
  for (const value of ticks(from, to)) {
    picture.append(
      s("line", { x1: ROOM.left, x2: WIDE - ROOM.right, y1: y(value), y2: y(value), class: "axis" }),
      s("text", { x: ROOM.left - 6, y: y(value) + 4, class: "tick end" }, told(value)),
    );
  }
  const sure = points.every(({ low }) => low !== null);
  const edge = (name) => points.map((each, at) => `${x(at)},${y(each[name])}`);
  if (sure && points.length > 1) picture.append(s("polygon", { points: [...edge("low"), ...edge("high").reverse()].join(" "), class: "band" }));
  picture.append(s("polyline", { points: points.map(({ value }, at) => `${x(at)},${y(value)}`).join(" "), class: "stroke" }));
  points.forEach(({ at: name, value, reference }, at) => {
    picture.append(
      s("circle", { cx: x(at), cy: y(value), r: reference ? 5.5 : 3.5, class: reference ? "dot reference" : "dot" }),
      s("text", { x: x(at), y: TALL - 7, class: `tick middle ${reference ? "own" : ""}` }, name),
    );
  });
  return picture;
}

/** Points over a number, with intervals: {points: [{x, at, y: {value, low, high}}], even, joined, named}. */
export function curve({ title, points, even, joined, named }, told) {
  const ends = points.flatMap(({ y }) => [y.low ?? y.value, y.high ?? y.value]);
  const [left, right] = [Math.min(...points.map(({ x }) => x)), Math.max(...points.map(({ x }) => x))];
  const [least, most] = [Math.min(...ends, ...(even ? [left] : [])), Math.max(...ends, ...(even ? [right] : []))];
  const span = most - least || Math.max(1e-9, Math.abs(most)) || 1;
  const [from, to] = [least - 0.05 * span, most + 0.05 * span];
  const px = (x) => ROOM.left + (right === left ? 0.5 : (x - left) / (right - left)) * (WIDE - ROOM.left - ROOM.right);
  const py = (value) => TALL - ROOM.bottom - ((value - from) / (to - from)) * (TALL - ROOM.top - ROOM.bottom);
  const picture = s("svg", { viewBox: `0 0 ${WIDE} ${TALL}`, class: "line-chart", role: "img", "aria-label": title });
  for (const value of ticks(from, to)) {
    picture.append(
      s("line", { x1: ROOM.left, x2: WIDE - ROOM.right, y1: py(value), y2: py(value), class: "axis" }),
      s("text", { x: ROOM.left - 6, y: py(value) + 4, class: "tick end" }, told(value)),
    );
  }
  if (even) picture.append(s("line", { x1: px(left), y1: py(left), x2: px(right), y2: py(right), class: "axis" }));
  const line = joined && !even;
  if (line) {
    const edge = (name) => points.map(({ x, y }) => `${px(x)},${py(y[name] ?? y.value)}`);
    picture.append(
      s("polygon", { points: [...edge("low"), ...edge("high").reverse()].join(" "), class: "band" }),
      s("polyline", { points: edge("value").join(" "), class: "stroke" }),
    );
  }
  const every = Math.ceil(points.length / 6);
  points.forEach(({ x, at, y }, number) => {
    if (!line && y.low !== null) picture.append(s("line", { x1: px(x), x2: px(x), y1: py(y.low), y2: py(y.high), class: "stroke" }));
    picture.append(s("circle", { cx: px(x), cy: py(y.value), r: 3.5, class: "dot" }));
    if (named[number]) picture.append(s("text", { x: px(x) + 6, y: py(y.value) - 5, class: `tick ${px(x) > WIDE / 2 ? "end" : ""}` }, named[number]));
    if (number % every === 0) picture.append(s("text", { x: px(x), y: TALL - 7, class: "tick middle" }, at));
  });
  return picture;
}
