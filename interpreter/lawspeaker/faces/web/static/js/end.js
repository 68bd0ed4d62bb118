// The end of a game: ranks, sources and course of points, turning points, and what to do next.
//
// Turning points are derived from the points alone: where the lead changed, and the largest gains in one move. If the
// lead changed very often, only the last changes are listed, with a note.

import { chip, h } from "./dom.js";
import { address, ask, token } from "./server.js";
import { language, numeral, t } from "./words.js";

const MOST = 8; // so many changes of the lead are worth a look
const LARGEST = 2; // and so many gains
const WIDE = 300;
const HIGH = 110;

/** Renders the result as elements; `mine` are the reader's own seats. */
export function ending(result, players, mine) {
  return [
    h("ol", { class: "result ranks" }, ...result.scores.map((each) => row(each, result, players, mine))),
    ...course(result),
  ];
}

function row({ seat, total, sources }, { scores, winners, holders }, players, mine) {
  const rank = 1 + scores.filter((each) => better(each, { seat, total }, scores, winners)).length;
  const largest = Math.max(1, ...scores.flatMap((each) => each.sources.map(({ points }) => Math.abs(points))));
  const { name, seats } = holders.find((each) => each.seat === seat);
  const own = seats.some((each) => mine.includes(each));
  const parts = sources.map(({ points, name, rule }) => {
    const bar = h("span", { class: points < 0 ? "bar-of lost" : "bar-of", "aria-hidden": "true" });
    bar.style.inlineSize = `${(100 * Math.abs(points)) / largest}%`;
    return h("li", { title: rule }, h("span", {}, name), h("b", {}, numeral(points)), bar);
  });
  return h(
    "li",
    { class: `${winners.includes(seat) ? "winner" : ""} ${own ? "own" : ""}` },
    h("span", { class: "rank" }, t("stage.rank", { rank })),
    h("span", {}, ...seats.map((each) => chip(players[each]))),
    h("span", { class: "name" }, name, own ? h("small", {}, ` (${t("stage.you")})`) : null),
    h("strong", {}, numeral(total)),
    parts.length ? h("details", { class: "sources" }, h("summary", {}, t("stage.by_source")), h("ul", {}, ...parts)) : null,
  );
}

/** Whether one ranks before another: the server has sorted them, ties share a rank. */
function better(one, other, scores, winners) {
  if (one.seat === other.seat) return false;
  const won = (each) => winners.includes(each.seat);
  if (won(one) !== won(other)) return won(one);
  const at = (each) => scores.findIndex(({ seat }) => seat === each.seat);
  return one.total !== other.total && at(one) < at(other);
}

function course({ course: steps, fewest, holders }) {
  if (steps.length < 3) return [];
  const { listed, changes } = turning(steps, fewest);
  const how = [t("stage.turning_how"), changes > MOST ? t("stage.turning_last", { count: changes, shown: MOST }) : ""].filter(Boolean).join(" ");
  const turns = listed.map(({ reply, key, at, points }) => {
    const words = t(`stage.${key}`, { name: holders[at].name, points: key === "gains" ? signed(points) : points });
    const there = address(`/replay/${token}${location.search}#${reply}`);
    return h("li", {}, chip(holders[at], "small"), " ", words, " ", there ? h("a", { href: there }, t("stage.move", { at: reply })) : null);
  });
  return [
    h("h3", {}, t("stage.over_time")),
    chart(steps, holders),
    ...(turns.length ? [h("h3", {}, t("stage.turning")), h("p", { class: "tip" }, how), h("ul", { class: "turning" }, ...turns)] : []),
  ];
}

const signed = (points) => (points > 0 ? `+${points}` : `−${Math.abs(points)}`);

/** The changes of the lead (`changes` counts them) and the largest gains, in game order; where the fewest points win,
 *  what cost or saved somebody most. */
export function turning(steps, fewest) {
  const best = (scores) => (fewest ? Math.min(...scores) : Math.max(...scores));
  const found = [];
  let leader = null;
  for (const { reply, scores } of steps) {
    const first = scores.flatMap((points, at) => (points === best(scores) ? [at] : []));
    if (first.length !== 1 || first[0] === leader) continue;
    if (leader !== null) found.push({ reply, key: "takes_lead", at: first[0], points: scores[first[0]] });
    leader = first[0];
  }
  const gains = steps.slice(1).flatMap(({ reply, scores }, before) =>
    scores.map((points, at) => ({ reply, key: "gains", at, points: points - steps[before].scores[at] })),
  );
  gains.sort((one, other) => (fewest ? Math.abs(other.points) - Math.abs(one.points) : other.points - one.points));
  const largest = gains.filter(({ points }) => points !== 0).slice(0, LARGEST);
  const listed = [...found.slice(-MOST), ...largest].sort((one, other) => one.reply - other.reply);
  return { listed, changes: found.length };
}

/** Plots the points of all over time. */
function chart(steps, holders) {
  const make = (name, attributes, ...inside) => {
    const made = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    made.append(...inside);
    return made;
  };
  const all = steps.flatMap(({ scores }) => scores);
  const [low, high] = [Math.min(0, ...all), Math.max(1, ...all)];
  const last = steps.at(-1).reply || 1;
  const x = (reply) => 24 + ((WIDE - 30) * reply) / last;
  const y = (points) => HIGH - 8 - ((HIGH - 16) * (points - low)) / (high - low);
  const lines = holders.map(({ colour }, at) => {
    const points = steps.map(({ reply, scores }) => `${x(reply).toFixed(1)},${y(scores[at]).toFixed(1)}`).join(" ");
    return make("polyline", { points, fill: "none", stroke: colour, "stroke-width": 2.5, "stroke-linejoin": "round" });
  });
  const marks = [low, high].map((points) => make("text", { x: 20, y: y(points) + 3, "text-anchor": "end", "font-size": 10, fill: "currentColor" }, numeral(points)));
  const label = holders.map(({ name }, at) => `${name} ${numeral(steps.at(-1).scores[at])}`).join(", ");
  const ground = make("line", { x1: 24, x2: WIDE - 6, y1: y(0), y2: y(0), stroke: "currentColor", "stroke-opacity": 0.3 });
  return make("svg", { class: "course", viewBox: `0 0 ${WIDE} ${HIGH}`, role: "img", "aria-label": `${t("stage.over_time")}: ${label}` }, ground, ...lines, ...marks);
}

/** Stores seats and discretion for the page that sets up the next table, where they can be changed. */
function sitAgain(table, seats) {
  try {
    sessionStorage.setItem("lawspeaker.again", JSON.stringify({ game: table.rules.replace("./", "").split("+")[0], seats, discreet: table.discreet }));
  } catch {
    // Without storage the seats are chosen anew.
  }
}

/** Whether a table plays the rules of somebody's draft. */
export const drafted = (table) => table.rules.includes("./");

/** The actions after a game: rematch, other rules, replay, share. */
export function afterwards({ table, you }, { shared, failed, offered }) {
  const seats = table.seats.map((each) => {
    const who = !each.person ? each.strength : you.seats.includes(each.seat) ? "me" : "friend"; // also where a bot has played on for somebody
    return each.nick && each.person ? { who, name: each.nick } : { who };
  });
  const again = async () => {
    const answer = await ask("/api/tables", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ rules: table.rules, language, seats, discreet: table.discreet, ...(seats.some(({ who }) => who === "friend") ? { lobby: true, clock: table.clock.each } : {}) }),
    });
    const told = await answer.json();
    if (!answer.ok) failed(told.error.message);
    else if (seats.some(({ who }) => who === "friend")) offered(told.link);
    else location.href = told.link;
  };
  const home = address("/");
  const replay = address(`/replay/${token}${location.search}`);
  const watch = table.links?.watch;
  const invited = (table.rematch?.links ?? []).map((link) => h("a", { class: "button main", href: link }, t("stage.rematch_join", { name: table.rematch.name })));
  return [
    ...invited,
    invited.length || you.watch || drafted(table) || !home ? null : h("button", { class: "main", onclick: again }, t("stage.rematch")),
    home ? h("a", { class: "button", href: `${home}#${encodeURIComponent(drafted(table) ? table.rules.replace("./", "").split("+")[0] : table.rules)}`, onclick: () => sitAgain(table, seats) }, t("stage.rematch_other")) : null,
    replay ? h("a", { class: "button", href: replay }, t("watch_again")) : null,
    table.log && watch ? h("button", { onclick: () => shared(watch.replace("/watch/", "/replay/")) }, t("stage.share")) : null,
  ].filter(Boolean);
}
