// A home without an account: tables, drafts, games, and the key they belong to.

import "./head.js";
import { byId, fill, h } from "./dom.js";
import { bringCard, takeDrops } from "./bring.js";
import { askMine, forgetKey, storeKey, storedKey, keyIn, ownKey } from "./key.js";
import { timeAgo, rulesTitle, tableCard } from "./mine.js";
import * as notes from "./notes.js";
import { language, load, initialLanguage, t } from "./words.js";
import { saveLeft, unsaved } from "./workshop/remembering.js";

const OFTEN = 30_000; // between two looks at whose turn it is

let games = [];
let home = { tables: [], drafts: [] };

async function begin() {
  let catalogue;
  try {
    catalogue = await (await fetch("/api/games")).json();
  } catch {
    notes.note("The server does not answer. Is it still running?");
    return;
  }
  games = catalogue.games;
  await load(initialLanguage(catalogue.languages));
  const select = byId("language");
  fill(select, ...catalogue.languages.map((each) => h("option", { value: each, selected: each === language }, each.toUpperCase())));
  select.onchange = async () => {
    await load(select.value);
    show();
  };
  const offered = keyIn(location.hash);
  if (location.hash) history.replaceState(null, "", location.pathname + location.search);
  await saveLeft();
  await look();
  if (offered && offered !== storedKey()) takeOver(offered);
  takeDrops();
  setInterval(look, OFTEN);
}

/** Loads everything that belongs to the key. Without a key there is nothing yet, and none is created. */
async function look() {
  if (storedKey()) {
    const answer = await askMine("/api/home").catch(() => null);
    if (!answer?.ok) return;
    home = await answer.json();
  }
  if (!byId("page").contains(document.activeElement) || !document.activeElement.matches("input")) show();
}

async function changed(answering) {
  const answer = await answering.catch(() => null);
  if (!answer?.ok) notes.note((await answer?.json().catch(() => null))?.error.message ?? t("line_broken"));
  await look();
  return Boolean(answer?.ok);
}

// ------------------------------------------------------------ listing

function show() {
  document.title = `${t("place.title")} – Lawspeaker`;
  const of = (state) => home.tables.filter((each) => each.state === state);
  const kept = home.drafts.filter((each) => !each.away);
  const local = unsaved().filter((each) => !kept.some((other) => other.id === each.id));
  const all = [...local, ...kept];
  const away = home.drafts.filter((each) => each.away);
  const empty = !home.tables.length && !all.length && !away.length;
  fill(
    byId("page"),
    empty ? welcome() : null,
    tables("yours", of("yours")),
    tables("lobby", of("lobby")),
    tables("waiting", of("waiting")),
    drafts("drafts", all.filter((each) => each.rules)),
    drafts("games", all.filter((each) => !each.rules)),
    tables("over", of("over")),
    bringCard(),
    away.length ? h("details", { class: "section" }, h("summary", {}, t("place.away", { count: away.length })), h("ul", { class: "drafts" }, ...away.map(awayCard))) : null,
    keyCard(),
  );
}

function welcome() {
  return h(
    "section",
    { class: "section" },
    h("p", { class: "about" }, t("place.empty")),
    h("p", { class: "buttons" }, h("a", { class: "button main", href: "/" }, t("place.play")), h("a", { class: "button", href: "/workshop" }, t("workshop.title"))),
  );
}

function tables(state, found) {
  if (!found.length) return null;
  const out = (table) => () => {
    const { title } = rulesTitle(table.rules, games, table.titles);
    // Others may still be playing an unfinished game, so removing it needs confirmation.
    if (state === "over" || confirm(t("place.take_out_sure", { title }))) changed(askMine("/api/home/tables/out", { link: table.link.split("/")[2] }));
  };
  return h(
    "section",
    { class: "section" },
    h("h2", {}, t(`place.${state}_title`), " ", h("small", {}, String(found.length))),
    h("ul", { class: "tables" }, ...found.map((each) => tableCard(each, games, out(each)))),
  );
}

function drafts(kind, found) {
  if (!found.length) return null;
  return h("section", { class: "section" }, h("h2", {}, t(`place.${kind}_title`), " ", h("small", {}, String(found.length))), h("ul", { class: "drafts" }, ...found.map(draftCard)));
}

function draftCard(draft) {
  const { title, variants } = rulesTitle(draft.rules, games);
  const name = h("input", {
    type: "text", maxlength: "80", value: draft.name, placeholder: t("place.unnamed"), "aria-label": t("place.name"),
    onchange: (event) => changed(askMine(`/api/home/drafts/${draft.id}/change`, { what: "name", name: event.target.value.trim() })),
  });
  const away = () => changed(askMine(`/api/home/drafts/${draft.id}/change`, { what: "away" }));
  return h(
    "li",
    { class: "card draft-card" },
    name,
    h("p", { class: "facts" }, [draft.rules ? t("place.from", { title: [title, ...variants].join(" + ") }) : "", t("place.changed", { when: timeAgo(draft.changed) })].filter(Boolean).join(" · ")),
    draft.local ? h("p", { class: "standing" }, t("place.only_here")) : null,
    h(
      "p",
      { class: "buttons" },
      h("a", { class: "button main", href: `/workshop?draft=${draft.id}` }, t("place.open")),
      draft.rules ? h("a", { class: "button", href: `/comparison?${new URLSearchParams([["name", draft.rules], ["name", `draft:${draft.id}`]])}` }, t("comparing.title")) : null,
      draft.versions > 1 ? h("button", { onclick: () => history_of(draft) }, t("place.history", { count: draft.versions })) : null,
      draft.local ? null : h("button", { class: "quiet", onclick: () => download(draft) }, t("place.download")),
      draft.local || (home.publish ?? "nothing") === "nothing" ? null : h("button", { class: "quiet", onclick: () => handIn(draft) }, t("place.hand_in")),
      draft.local ? null : h("button", { class: "quiet", onclick: away }, t("place.put_away")),
    ),
  );
}

/** Submits the current draft to the library, with a name and a description. */
function handIn(draft) {
  const name = h("input", { type: "text", maxlength: "80", required: true, pattern: ".*\\S.*", value: draft.name, "aria-label": t("place.hand_in_name"), placeholder: t("place.hand_in_name") });
  const about = h("input", { type: "text", maxlength: "200", "aria-label": t("place.hand_in_sentence"), placeholder: t("place.hand_in_sentence") });
  const button = h("button", { class: "main" }, t("place.hand_in_now"));
  const send = async (event) => {
    event.preventDefault();
    button.disabled = true; // once is enough
    try {
      const kept = await (await askMine(`/api/home/drafts/${draft.id}`)).json();
      const answer = await askMine("/api/library/drafts", { name: name.value.trim(), about: about.value.trim(), rules: kept.rules, files: kept.files });
      const told = await answer.json();
      if (answer.ok) byId("dialog").close();
      notes.note(answer.ok ? t(told.state === "shown" ? "place.handed_in" : "place.hand_in_waits") : told.error.message);
    } catch {
      notes.note(t("line_broken"));
    }
    button.disabled = false;
  };
  dialog(t("place.hand_in"), h("p", { class: "about" }, t(home.publish === "approved" ? "place.hand_in_approved" : "place.hand_in_about")), h("form", { onsubmit: send }, name, about, h("p", { class: "buttons" }, button)));
}

function awayCard(draft) {
  const change = (what) => () => changed(askMine(`/api/home/drafts/${draft.id}/change`, { what }));
  const gone = () => {
    if (confirm(t("place.delete_sure", { name: draft.name || t("place.unnamed") }))) change("delete")();
  };
  return h(
    "li",
    { class: "card draft-card" },
    h("h4", {}, draft.name || t("place.unnamed")),
    h("p", { class: "buttons" }, h("button", { onclick: change("back") }, t("place.take_back")), h("button", { class: "quiet", onclick: () => download(draft) }, t("place.download")), h("button", { class: "quiet", onclick: gone }, t("place.delete"))),
  );
}

async function download(draft, version = "") {
  const answer = await askMine(`/api/home/drafts/${draft.id}/files${version === "" ? "" : `?version=${version}`}`);
  if (answer.ok) save(`${draft.name || "draft"}.zip`, await answer.blob());
  else notes.note((await answer.json()).error.message);
}

function save(name, blob) {
  const url = URL.createObjectURL(blob);
  h("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}

async function history_of(draft) {
  const found = await (await askMine(`/api/home/drafts/${draft.id}/versions`)).json();
  const date = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" });
  dialog(
    t("place.history_title", { name: draft.name || t("place.unnamed") }),
    h("p", { class: "about" }, t("place.history_about")),
    h("ol", { class: "versions" }, ...found.map((each) =>
      h("li", {},
        h("a", { href: `/workshop?draft=${draft.id}&version=${each.number}` }, date.format(each.saved * 1000)),
        h("button", { class: "quiet", onclick: () => download(draft, each.number) }, t("place.download")),
      ),
    )),
  );
}

// ------------------------------------------------------------ the key

function keyCard() {
  const buttons = [
    h("button", { onclick: copyKey }, t("place.key_link")),
    h("button", { onclick: () => save("lawspeaker-key.txt", new Blob([`${keyLink()}\n`], { type: "text/plain" })) }, t("place.key_file")),
    h("button", { onclick: () => takeOver("") }, t("place.key_take")),
    storedKey() ? h("button", { class: "quiet", onclick: leave }, t("place.key_forget")) : null,
  ];
  return h("section", { class: "section card key" }, h("h2", {}, t("place.key_title")), h("p", { class: "about" }, t("place.key_about")), h("p", { class: "buttons" }, ...buttons));
}

const keyLink = () => `${location.origin}/home#${ownKey()}`;

async function copyKey() {
  const link = keyLink();
  try {
    await navigator.clipboard.writeText(link);
    notes.note(t("place.key_copied"));
  } catch {
    notes.note(link);
  }
}

/** Replaces this browser's key; the tables and drafts of the old one are copied to the new. */
function takeOver(found) {
  const field = h("input", { type: "text", class: "key", value: found, "aria-label": t("place.key_paste"), placeholder: t("place.key_paste"), autocomplete: "off", spellcheck: "false" });
  const file = h("input", { type: "file", accept: "text/plain", "aria-label": t("place.key_from_file"), onchange: async () => { field.value = keyIn(await file.files[0].text()); } });
  const take = async () => {
    const wanted = keyIn(field.value.trim());
    if (!wanted) {
      notes.note(t("place.key_wrong"));
      return;
    }
    const before = storedKey();
    storeKey(wanted);
    if (before && before !== wanted && !(await changed(askMine("/api/home/join", { key: before })))) {
      storeKey(before);
      await look();
      return;
    }
    byId("dialog").close();
    await look();
    notes.note(t("place.key_taken"));
  };
  dialog(
    t("place.key_take"),
    h("p", { class: "about" }, t(storedKey() ? "place.key_take_about" : "place.key_take_first")),
    field,
    found ? null : h("label", {}, t("place.key_from_file"), " ", file),
    h("p", { class: "buttons" }, h("button", { class: "main", onclick: take }, t("place.key_take_now"))),
  );
}

function leave() {
  if (!confirm(t("place.key_forget_sure"))) return;
  forgetKey();
  home = { tables: [], drafts: [] };
  show();
}

function dialog(title, ...content) {
  const frame = byId("dialog");
  fill(frame, h("button", { class: "close", "aria-label": t("close"), onclick: () => frame.close() }, "×"), h("h2", {}, title), ...content);
  frame.showModal();
}

begin();
