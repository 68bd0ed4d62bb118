// The library: a searchable list of games and variants, and a page for each with its changes and measured effect.

import "./head.js";
import { byId, fill, h } from "./dom.js";
import * as notes from "./notes.js";
import { changeEntry } from "./rulebook.js";
import { ask } from "./server.js";
import { preview } from "./setup.js";
import { playerCounts, language, load, initialLanguage, searchKey, t, strengthAndName, inLanguage } from "./words.js";
import { measures } from "./workshop/measures.js";

const OFTEN = 3000; // between two looks at games that are being played

let games = [];
let entries = []; // games and variants alike, each with its tags
let sought = "";
const wanted = new Set(); // tags
const lasting = new Map(); // minutes of the games that the server has times of; null until they are known

async function begin() {
  const catalogue = await (await ask("/api/games")).json();
  games = catalogue.games;
  await load(initialLanguage(catalogue.languages));
  const { names } = await (await ask("/api/library/minutes")).json();
  for (const name of names) lasting.set(name, null);
  const select = byId("language");
  fill(select, ...catalogue.languages.map((each) => h("option", { value: each, selected: each === language }, each.toUpperCase())));
  select.onchange = async () => {
    await load(select.value);
    show();
  };
  show();
  timed();
}

function show() {
  entries = games.flatMap((game) => [entry(game, null), ...game.variants.map((variant) => entry(game, variant))]);
  const name = shownName();
  const found = entries.find((each) => each.name === name);
  if (found) one(found);
  else all();
}

const shownName = () => decodeURIComponent(location.pathname.split("/")[2] ?? "");

function entry(game, variant) {
  const kind = variant ? { edition: "edition", module: "module" }[variant.layer] ?? "house_rule" : "game";
  const players = game.players.map((count) => t("players", { count }));
  const tags = [t(`library.${kind}`), ...players, ...(game.secrets ? [t("library.hidden")] : [t("library.open")])];
  const of = variant ?? game;
  const words = [of.name, ...Object.values(of.title), ...Object.values(of.about), ...Object.values(game.title)].join(" ");
  return { name: variant ? `${game.name}+${variant.name}` : game.name, game, variant, of, kind, tags, words: searchKey(words) };
}

const address = (each) => `/library/${encodeURIComponent(each.name)}`;

// ------------------------------------------------------------ search

function all() {
  document.title = `${t("library.title")} – Lawspeaker`;
  const count = new Map();
  for (const each of entries) for (const tag of each.tags) count.set(tag, (count.get(tag) ?? 0) + 1);
  const field = h("input", { type: "search", value: sought, placeholder: t("library.find"), "aria-label": t("library.find"), oninput: (event) => { sought = event.target.value; list(); } });
  const order = ["game", "edition", "module", "house_rule", "open", "hidden"].map((kind) => t(`library.${kind}`));
  const place = (tag) => (order.includes(tag) ? order.indexOf(tag) : order.length);
  const tags = [...count.keys()].sort((one, other) => place(one) - place(other) || one.localeCompare(other, language, { numeric: true })).map((tag) =>
    h("button", { "aria-pressed": String(wanted.has(tag)), onclick: (event) => {
      if (!wanted.delete(tag)) wanted.add(tag);
      event.currentTarget.setAttribute("aria-pressed", String(wanted.has(tag)));
      list();
    } }, tag),
  );
  const visitors = h("section", { id: "visitors", hidden: true });
  fill(byId("page"), h("div", { class: "finding" }, field, h("div", { class: "tags", role: "group", "aria-label": t("library.tags") }, ...tags)), h("p", { id: "found", class: "facts", role: "status" }), h("ul", { id: "entries", class: "entries" }), visitors);
  list();
  handedIn(visitors);
}

function list() {
  const parts = searchKey(sought).split(/\s+/).filter(Boolean);
  const found = entries.filter((each) => parts.every((part) => each.words.includes(part)) && [...wanted].every((tag) => each.tags.includes(tag)));
  byId("found").textContent = t("library.found", { count: found.length, of: entries.length });
  fill(byId("entries"), ...found.map((each) =>
    h("li", { class: "card entry-card" },
      h("span", { class: "kind" }, each.variant ? `${t(`library.${each.kind}`)} · ${inLanguage(each.game.title)}` : each.tags.join(" · ")),
      h("a", { href: address(each) }, inLanguage(each.of.title)),
      h("p", {}, inLanguage(each.of.about)),
      lasting.has(each.name) ? duration(each.name) : null,
    ),
  ));
}

// ------------------------------------------------------------ minutes

const duration = (name, full) => withMinutes(h("span", { class: "kind", "data-lasts": name, "data-full": full }));

function withMinutes(place) {
  const known = lasting.get(place.dataset.lasts);
  const parts = known ? [t("library.minutes", known), "full" in place.dataset ? t("library.minutes_by", known) : ""] : [];
  place.textContent = parts.filter(Boolean).join(", ");
  return place;
}

/** Asks for the minutes one game after another: the server may have to play games of each. */
async function timed() {
  const name = shownName();
  for (const { name: each } of entries.filter((entry) => lasting.has(entry.name) && (!name || entry.name === name))) {
    const answer = await ask(`/api/library/minutes?${new URLSearchParams({ name: each })}`);
    lasting.set(each, answer.ok ? (await answer.json()).minutes : null);
    for (const place of document.querySelectorAll("[data-lasts]")) withMinutes(place);
  }
}

// ------------------------------------------------------------ drafts of visitors

/** The operator's key, if this page was opened with it. */
function ownersKey() {
  const found = location.hash.slice(1);
  try {
    if (/^[A-Za-z0-9_-]{32}$/.test(found)) {
      sessionStorage.setItem("lawspeaker.owner", found);
      history.replaceState(null, "", location.pathname + location.search);
    }
    return sessionStorage.getItem("lawspeaker.owner") ?? "";
  } catch {
    return found; // a browser that keeps nothing
  }
}

async function handedIn(frame) {
  const key = ownersKey();
  const headers = key ? { authorization: `Bearer ${key}` } : {};
  const { drafts, owner } = await (await ask("/api/library/drafts", { headers })).json();
  frame.hidden = !drafts.length && !owner;
  if (owner) byId("page").prepend(frame); // that is what he came for
  const decide = (each, shown) => async () => {
    await ask(`/api/library/drafts/${each.token}/decide`, { method: "POST", headers: { ...headers, "content-type": "application/json" }, body: JSON.stringify({ shown }) });
    handedIn(frame);
  };
  fill(
    frame,
    h("h2", {}, t("library.visitors")),
    h("p", { class: "tip" }, t(owner ? "library.owner" : "library.visitors_about")),
    h("ul", { class: "entries" }, ...drafts.map((each) => {
      const game = games.find((other) => other.name === each.rules.split("+")[0]);
      return h("li", { class: "card entry-card" },
        h("span", { class: "kind" }, [game ? inLanguage(game.title) : t("library.game"), each.state === "waiting" ? t("library.waits") : ""].filter(Boolean).join(" · ")),
        h("a", { href: `/workshop/${each.token}` }, each.name),
        h("p", {}, each.about),
        changed(each),
        owner ? h("p", { class: "buttons" }, each.state === "waiting" ? h("button", { class: "main", onclick: decide(each, true) }, t("library.show")) : null, h("button", { class: "quiet", onclick: decide(each, false) }, t("library.take_out"))) : null,
      );
    })),
  );
}

/** Lists the changes of a draft, loaded on demand. */
function changed(each) {
  const list = h("ul", {});
  const frame = h("details", { ontoggle: async () => {
    if (!frame.open || list.children.length) return;
    const answer = await ask(`/api/library/drafts/${each.token}/changes?${new URLSearchParams({ language })}`);
    const data = await answer.json();
    const points = answer.ok ? data.points.map((point) => h("li", {}, ...changeEntry(point))) : [h("li", {}, data.error.message)];
    fill(list, ...(points.length ? points : [h("li", {}, t("library.nothing_changes"))]));
  } }, h("summary", {}, t("library.changes_of")), list);
  return frame;
}

// ------------------------------------------------------------ a single entry

function one(each) {
  const { game, variant, of } = each;
  document.title = `${inLanguage(of.title)} – Lawspeaker`;
  const titled = (names) => names.map((name) => inLanguage(game.variants.find((other) => other.name === name)?.title) || name).join(", ");
  const facts = [
    [t("library.kind"), t(`library.${each.kind}`)],
    variant ? [t("library.of"), h("a", { href: `/library/${game.name}` }, inLanguage(game.title))] : null,
    [t("library.players"), t("players", { count: playerCounts(game.players) })],
    lasting.has(each.name) ? [t("library.lasts"), duration(each.name, true)] : null,
    game.by ? [t("library.source"), t("by", { name: game.by })] : null,
    [t("library.languages"), game.languages.map((code) => code.toUpperCase()).join(", ")],
    variant?.includes.length ? [t("library.includes"), titled(variant.includes)] : null,
    variant?.needs.length ? [t("library.needs"), titled(variant.needs)] : null,
    variant?.conflicts.length ? [t("library.conflicts"), titled(variant.conflicts)] : null,
  ].filter(Boolean);
  const query = (values) => new URLSearchParams(values);
  const changes = h("section", { class: "card changes", hidden: true });
  const effect = h("section", { class: "card", hidden: true });
  fill(
    byId("page"),
    h("a", { class: "back", href: "/library" }, "← ", t("library.title")),
    h(
      "div",
      { class: "one" },
      h(
        "header",
        { class: "card banner" },
        h("div", { class: "picture" }, preview(game.name)),
        h("h2", {}, inLanguage(of.title)),
        h("p", { class: "about" }, inLanguage(of.about)),
        h("p", { class: "buttons" },
          h("a", { class: "button main", href: `/#${each.name}` }, t("library.play")),
          h("a", { class: "button", href: `/workshop?${query({ as: "house", rules: each.name })}` }, t("library.fork")),
          variant ? h("a", { class: "button", href: `/comparison?${query([["name", game.name], ["name", each.name], ["language", language]])}` }, t("library.compare")) : null,
          h("a", { class: "button quiet", href: `/cards?${query({ name: each.name, language })}` }, t("library.cards")),
        ),
        h("dl", {}, ...facts.flatMap(([name, value]) => [h("dt", {}, name), h("dd", {}, value)])),
      ),
      changes,
      effect,
      variant ? null : variants(game),
    ),
  );
  rules(each, changes);
  if (variant) measured(each, effect);
}

function variants(game) {
  if (!game.variants.length) return null;
  return h("section", { class: "card" }, h("h3", {}, t("library.variants")), h("ul", {}, ...game.variants.map((each) =>
    h("li", {}, h("a", { href: `/library/${encodeURIComponent(`${game.name}+${each.name}`)}` }, inLanguage(each.title)), h("small", {}, ` ${inLanguage(each.about)}`)),
  )));
}

/** Lists its changes with their sources. */
async function rules({ name }, frame) {
  const answer = await (await ask(`/api/rules?${new URLSearchParams({ name, language })}`)).json();
  const parts = (answer.parts ?? []).filter((part) => part.points.length);
  frame.hidden = !parts.length;
  fill(frame, h("h3", {}, t("changes")), ...parts.map((part) =>
    h("div", {}, h("h4", {}, part.title), h("ul", {}, ...part.points.map((point) =>
      h("li", {}, ...changeEntry(point), point.cites?.length ? h("small", {}, [point.cites].flat().join("; ")) : null),
    ))),
  ));
}

/** Shows its measured effect; measuring takes a while. */
async function measured({ name }, frame, waited = false) {
  const answer = await (await ask(`/api/library/effect?${new URLSearchParams({ name })}`)).json();
  drawMeasured(name, frame, answer.found, answer.running);
  if (answer.running) setTimeout(() => frame.isConnected && measured({ name }, frame, true), OFTEN);
  else if (waited && !answer.found) notes.note(t("workshop.stopped_late"));
}

function drawMeasured(name, frame, found, running = false) {
  const run = async (event) => {
    event.target.disabled = true;
    event.target.textContent = t("library.measuring");
    const answer = await ask("/api/library/effect", { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ name }) });
    const data = await answer.json();
    if (data.running) measured({ name }, frame, true);
    else if (answer.ok) drawMeasured(name, frame, data.found);
    else {
      notes.note(data.error.message);
      drawMeasured(name, frame, null);
    }
  };
  const content = found
    ? [
        h("p", { class: "tip" }, t("library.measured", { games: found.done, players: found.players, bot: strengthAndName(found.bot) })),
        found.broken ? h("p", { class: "tip" }, t("workshop.broken", { count: found.broken })) : null,
        measures(found.rows, (seat) => t("place.player", { number: seat + 1 })),
      ]
    : [h("p", { class: "tip" }, t("library.not_measured")), h("button", { onclick: run, disabled: running }, t(running ? "library.measuring" : "library.measure"))];
  frame.hidden = false;
  fill(frame, h("h3", {}, t("library.effect")), ...content);
}

begin();
