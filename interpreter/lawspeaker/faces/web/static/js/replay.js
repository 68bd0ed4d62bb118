// The replay page: a slider over a game's replies, with the story beside it.

import { byId, fill, h } from "./dom.js";
import { folding } from "./folding.js";
import * as notes from "./notes.js";
import { Picture } from "./picture.js";
import { reporting } from "./report.js";
import { address, ask, token } from "./server.js";
import { Stages } from "./stages.js";
import { Story } from "./story.js";
import { colon, language, load, numeral, t, inLanguage, languageWishes } from "./words.js";
import { Zoom } from "./zoom.js";

const narrow = matchMedia("(max-width: 760px)");
const PACE = 900;

const known = new Map(); // by reply, the scene after it
let seat = null;
let last = 0;
let at = 0;
let running = false;
let clauses = new Map(); // by reply, the lines of the story

const zoom = new Zoom(byId("table"), byId("zooming"));
const picture = new Picture(byId("table"), () => {}, zoom);
const stages = new Stages(picture, document.querySelector(".story header"));
const story = new Story(byId("log"), { ruled: () => {}, looked });

async function scene(after) {
  if (known.has(after)) return known.get(after);
  const staged = after === null ? {} : { stages: "" };
  const query = new URLSearchParams({ ...staged, shape: narrow.matches ? "tall" : "wide" });
  if (after !== null) query.set("after", after);
  if (seat !== null) query.set("seat", seat);
  for (const [name, value] of Object.entries(languageWishes())) query.set(name, value);
  const answer = await ask(`/api/scene/${token}?${query}`);
  const found = await answer.json();
  if (!answer.ok) throw new Error(found.error.message);
  known.set(after, found);
  return found;
}

async function begin() {
  let final;
  try {
    final = await scene(null);
  } catch (error) {
    byId("line").textContent = error.message;
    return;
  }
  await load(final.table.language);
  zoom.named();
  last = final.at;
  document.title = `${final.table.title} – Lawspeaker`;
  byId("title").textContent = final.table.title;
  const table = address(`/t/${token}${location.search}`);
  byId("to-table").hidden = table === null;
  byId("to-table").href = table;
  byId("download").href = address(`/api/log/${token}`);
  byId("download").hidden = !final.table.log;
  byId("branch").hidden = !final.table.log;
  // A game in a file cannot be continued.
  if (!final.table.log && table !== null) byId("line").textContent = t("stage.own_eyes");
  byId("slider").max = last;
  seats(final);
  tell(final);
  if (final.table.log) variants(final.table.rules);
  const wanted = Number(location.hash.slice(1));
  await go(wanted <= last ? wanted : 0, false); // where the link says, or at the beginning
}

function tell(final) {
  story.tell(final.scene.log, final.scene.players, true);
  clauses = new Map(final.scene.log.map((entry) => [entry.reply, entry.lines]));
}

/** The selector of views, where this link allows several. */
function seats(final) {
  const mine = final.table.log ? final.scene.players.map((each) => each.seat) : final.you.seats;
  const named = mine.map((each) => h("option", { value: each }, final.scene.players[each].name));
  const select = fill(byId("seat"), h("option", { value: "" }, t("everyone")), ...named);
  select.value = final.seat ?? "";
  select.onchange = async () => {
    seat = select.value === "" ? null : Number(select.value);
    known.clear();
    zoom.forget();
    try {
      tell(await scene(null));
    } catch (error) {
      notes.note(error.message);
      seat = null;
      select.value = "";
    }
    await go(at, false);
  };
}

/** The selector of other rules to compare with. */
async function variants(rules) {
  const { games } = await (await ask("/api/games")).json();
  const game = games.find((each) => each.name === rules.split("+")[0]);
  const others = game?.variants.filter((each) => !rules.split(/[+(]/).includes(each.name)) ?? [];
  if (!others.length) return;
  const select = byId("under");
  fill(select, h("option", { value: "" }, t("what_if")), ...others.map((each) => h("option", { value: each.name }, inLanguage(each.title))));
  select.hidden = false;
  select.onchange = async () => {
    if (!select.value) return;
    const title = inLanguage(others.find((each) => each.name === select.value).title);
    // A draft is not in the catalogue: the comparison uses its base rules.
    const shelved = rules.split("+").filter((each) => !each.startsWith("./"));
    const query = new URLSearchParams({ rules: [...shelved, select.value].join("+"), language });
    const answer = await ask(`/api/under/${token}?${query}`);
    const found = await answer.json();
    select.value = "";
    if (!answer.ok) notes.note(found.error.message);
    else await parted(found, title);
  };
}

async function parted(found, title) {
  const { same, first } = found;
  if (same || !first) {
    notes.note(t("what_if_same", { rules: title }));
    return;
  }
  await go(first.reply);
  const refused = first.refused ? [t("what_if_refused", { answer: first.answered })] : first.now;
  const sides = [
    [t("what_if_then"), first.then.length ? first.then : [first.answered], "then"],
    [t("what_if_now"), refused, "now"],
  ];
  if (found.last > first.reply) sides.push([t("what_if_scores", { at: found.last }), await scores(found), "scores"]);
  notes.otherwise(t("what_if_parts", { rules: title, at: first.reply }), { ...first, sentence: first.says || first.message, sides });
}

/** The points of all players under both rules. */
async function scores({ scores_then: then, scores_now: now }) {
  const { players } = (await scene(null)).scene;
  return players.map((each, at) => colon(each.name, `${numeral(then[at])} → ${numeral(now[at])}`));
}

/** Shows the table after `reply` replies. */
async function go(reply, animated = true) {
  const before = at;
  at = Math.max(0, Math.min(last, reply));
  byId("slider").value = at;
  byId("at").textContent = t("position", { at, last });
  history.replaceState(null, "", `#${at}`);
  const wanted = at;
  const found = await scene(at);
  if (wanted !== at) return;
  story.mark(at);
  picture.players = found.scene.players;
  if (animated && before === at - 1) {
    stages.rushing = false;
    await stages.play(found.scene.stages ?? [], found.scene.svg, () => {}, found.scene.marks);
    if (wanted !== at) return;
  } else {
    stages.skip();
    picture.show(found.scene.svg, false);
    picture.scored([], found.scene.marks);
  }
  behind(clauses.get(at) ?? []);
  if (at < last) scene(at + 1);
}

/** Lists the rules behind the last events, without duplicates. */
function behind(lines) {
  const rules = new Map(lines.filter((line) => line.rule).map((line) => [line.clause, line.rule]));
  fill(byId("behind"), ...[...rules].map(([clause, says]) => h("p", { title: clause }, says)));
}

/** Previews another moment (null ends that), or goes there and shows the rule. */
async function looked(reply, stay) {
  if (stay) {
    await go(reply);
    const line = clauses.get(reply)?.find((each) => each.rule);
    if (!line) return;
    notes.rule({ sentence: line.rule, clause: line.clause, citations: [], guards: [] }, line.text);
    if ((await scene(reply)).table.log) reporting(line.clause, reply);
    return;
  }
  const moment = reply ?? at;
  byId("table").classList.toggle("glimpse", reply !== null && reply !== at);
  const found = await scene(moment);
  picture.show(found.scene.svg, false);
  picture.scored([], found.scene.marks);
}

/** Plays on, each reply as long as its stages take; or stops. */
async function run() {
  running = !running;
  labelled();
  if (!running) return;
  if (at === last) await go(0, false);
  while (running && at < last) {
    const beginning = performance.now();
    await go(at + 1);
    const left = PACE / Math.min(2.5, stages.speed) - (performance.now() - beginning);
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, left)));
  }
  running = false;
  labelled();
}

function labelled() {
  byId("run").textContent = running ? "❚❚" : "▶";
  byId("run").setAttribute("aria-label", t(running ? "pause" : "run"));
}

async function branch() {
  const { table } = await scene(null);
  const who = table.seats.map((each) => ({ who: each.who === "bot" ? each.strength : "me" }));
  const answer = await ask(`/api/branch/${token}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ after: at, seats: who }),
  });
  const found = await answer.json();
  if (answer.ok) location.href = found.link;
  else notes.note(found.error.message);
}

byId("first").onclick = () => go(0, false);
byId("earlier").onclick = () => go(at - 1);
byId("later").onclick = () => go(at + 1);
byId("last").onclick = () => go(last, false);
byId("run").onclick = run;
byId("branch").onclick = branch;
byId("slider").oninput = (event) => go(Number(event.target.value));
document.addEventListener("keydown", (event) => {
  if (event.target.closest("input, select")) return;
  const steps = { ArrowLeft: -1, ArrowRight: 1 };
  if (event.key in steps) go(at + steps[event.key]);
  else if (event.key === "Home") go(0, false);
  else if (event.key === "End") go(last, false);
  else if (event.key === "Escape") notes.hide();
});
folding();
begin();
