// Sets up a game: its edition, modules and house rules with their changes, and the seats.

import { chip, fill, h } from "./dom.js";
import * as notes from "./notes.js";
import * as pace from "./pace.js";
import { briefRules, rulebook, changeEntry } from "./rulebook.js";
import { ask } from "./server.js";
import { colon, language, t, strengthAndName, inLanguage } from "./words.js";

const LAYERS = [
  ["module", "modules"],
  ["house rule", "house_rules"],
];

const narrow = matchMedia("(max-width: 760px)");

/** A picture of a game; where there is none, nothing is missed. */
export function preview(name) {
  const image = h("img", { src: `/api/preview/${name}?language=${language}`, alt: "", loading: "lazy" });
  image.addEventListener("error", () => image.remove());
  return image;
}

/** Who sat where in the game that is played again by other rules, if that is why somebody is here. */
function sittingAgain(game) {
  try {
    const left = JSON.parse(sessionStorage.getItem("lawspeaker.again"));
    sessionStorage.removeItem("lawspeaker.again");
    return left?.game === game ? left : null;
  } catch {
    return null; // a browser that keeps nothing
  }
}

export class Setup {
  constructor(frame, game, bots, chosen = []) {
    this.frame = frame;
    this.game = game;
    this.bots = bots;
    this.levels = new Map(Object.entries(game.levels ?? {}).map(([level, bot]) => [bot, level]));
    this.usual = game.usual ?? bots[0]; // the bot that sits in a seat nobody has taken
    this.edition = "";
    this.extras = new Map(); // by name of a variant, what its parameters are given
    const given = new Map(chosen.map((each) => [each.split("(")[0], each.match(/\((.*)\)/)?.[1].split(",").map((value) => value.trim()) ?? []]));
    for (const each of game.variants.filter((variant) => given.has(variant.name))) {
      if (each.layer === "edition") this.edition = each.name;
      else this.extras.set(each.name, each.parameters.map((parameter, at) => given.get(each.name)[at] ?? parameter.default));
    }
    const { seats: before, discreet = null } = sittingAgain(game.name) ?? {};
    this.wished = discreet; // whether those are asked, too, who have nothing to choose; null: as the rules have it
    this.count = before?.length ?? game.players.at(-1);
    this.seats = Array.from({ length: this.count }, (_, at) => ({ who: at ? this.usual : "me", name: "" }));
    before?.forEach(({ who, name = "" }, at) => { this.seats[at] = { who, name }; });
    this.rules = { ok: true, parts: [], players: game.players };
    this.people = []; // the players as the game draws them
    this.asked = 0;
  }

  show() {
    document.title = `${inLanguage(this.game.title)} – Lawspeaker`;
    const editions = this.game.variants.filter((each) => each.layer === "edition");
    this.changes = h("section", { class: "card changes", hidden: true });
    this.about = h("div", {});
    this.places = h("section", { class: "card seats" });
    const rules = [editions.length ? this.editions(editions) : null, ...LAYERS.map(([layer, name]) => this.layer(layer, name))].filter(Boolean);
    fill(
      this.frame,
      h("a", { class: "back", href: "#" }, "← ", t("back")),
      h(
        "div",
        { class: `columns ${rules.length ? "" : "alone"}` },
        h(
          "header",
          { class: "card banner" },
          h("div", { class: "picture" }, preview(this.game.name)),
          h("h2", { class: "name" }, inLanguage(this.game.title)),
          this.about,
          h("button", { class: "quiet", onclick: () => rulebook(this.name, this.count) }, t("stage.rulebook")),
        ),
        h("div", { class: "beside" }, this.places, this.changes),
        h("div", { class: "rules" }, ...rules),
      ),
    );
    this.drawSeats();
    this.look();
  }

  // ------------------------------------------------------------ rules

  editions(editions) {
    const rows = [{ name: "", title: { en: t("base_edition") }, about: {} }, ...editions].map((each) =>
      h(
        "label",
        { class: "choice" },
        h("input", {
          type: "radio", name: "edition", value: each.name, checked: each.name === this.edition,
          onchange: () => { this.edition = each.name; this.look(); },
        }),
        h("span", {}, h("strong", {}, each.name ? inLanguage(each.title) : t("base_edition")), h("small", {}, inLanguage(each.about))),
      ),
    );
    return h("fieldset", { class: "card" }, h("legend", {}, t("edition")), ...rows);
  }

  layer(layer, name) {
    const found = this.game.variants.filter((each) => each.layer === layer);
    if (!found.length) return null;
    const count = h("small", {}, String(found.length));
    return h(
      "details",
      { class: "card layer", open: !narrow.matches },
      h("summary", {}, t(name), " ", count),
      h("div", { role: "group", "aria-label": t(name) }, ...found.map((each) => this.extra(each))),
    );
  }

  extra(variant) {
    const values = this.extras.get(variant.name) ?? variant.parameters.map((each) => each.default);
    const called = (each) => inLanguage(each.called) || inLanguage(this.game.called[this.game.names.indexOf(each.name)]) || each.name.replaceAll("_", " ");
    const inputs = variant.parameters.map((each, at) =>
      h("span", { class: "parameter" },
        h("span", {}, called(each)),
        h("input", {
          type: "number", step: "1", value: values[at], "aria-label": colon(inLanguage(variant.title), called(each)),
          onchange: (event) => { values[at] = event.target.value.trim() || each.default; if (this.extras.has(variant.name)) this.look(); },
        }),
      ),
    );
    const box = h("input", {
      type: "checkbox", value: variant.name, checked: this.extras.has(variant.name),
      onchange: () => { if (box.checked) this.extras.set(variant.name, values); else this.extras.delete(variant.name); this.look(); },
    });
    return h(
      "label",
      { class: "choice" },
      box,
      h(
        "span",
        {},
        h("strong", {}, inLanguage(variant.title)),
        h("small", {}, inLanguage(variant.about)),
        inputs.length ? h("span", { class: "parameters" }, ...inputs) : null,
      ),
    );
  }

  get name() {
    const extras = [...this.extras].map(([name, values]) => (values.length ? `${name}(${values.join(", ")})` : name));
    return [this.game.name, this.edition, ...extras].filter(Boolean).join("+");
  }

  get comparison() {
    const query = new URLSearchParams([["name", this.game.name], ["name", `${this.game.name}+${this.edition}`], ["language", language]]);
    return `/comparison?${query}`;
  }

  /** Asks the server what the chosen rules change, and whether they go together. */
  async look() {
    const mine = ++this.asked;
    this.changes.setAttribute("aria-busy", "true");
    this.about.setAttribute("aria-busy", "true"); // what it says is of the rules before
    const query = new URLSearchParams({ name: this.name, language });
    const answer = await (await ask(`/api/rules?${query}`)).json();
    if (mine !== this.asked) return;
    this.rules = answer.error ? { ok: false, problems: [answer.error] } : answer;
    this.people = answer.seats ?? this.people;
    this.drawChanges();
    this.drawSeats();
  }

  drawChanges() {
    const { ok, problems = [], parts = [] } = this.rules;
    this.changes.removeAttribute("aria-busy");
    this.changes.hidden = ok && !parts.some((part) => part.points.length);
    this.changes.classList.toggle("clash", !ok);
    if (!ok) {
      const clashes = this.clashes().map((each) => h("li", {}, each));
      const items = problems.map((each) => h("li", {}, each.message, each.hint ? h("small", {}, each.hint) : null));
      fill(this.changes, h("h3", {}, t("conflict")), h("ul", {}, ...(clashes.length ? clashes : items)));
      return;
    }
    const told = parts.filter((part) => part.points.length).map((part) =>
      h("div", {}, h("h4", {}, part.title), h("ul", {}, ...part.points.map((point) => this.point(point)))),
    );
    fill(this.changes, h("h3", {}, t("changes")), ...told);
  }

  /** Which of the chosen variants do not go together, or lack another, as far as they say so. */
  clashes() {
    const titles = new Map(this.game.variants.map((each) => [each.name, inLanguage(each.title)]));
    const chosen = this.game.variants.filter((each) => each.name === this.edition || this.extras.has(each.name));
    const there = new Set(chosen.flatMap((each) => [each.name, ...each.includes]));
    const known = new Set(); // two may say so of each other
    const fresh = (...pair) => !known.has(pair.sort().join()) && known.add(pair.join());
    return chosen.flatMap(({ name, conflicts, needs }) => {
      const say = (phrase, other) => t(phrase, { one: titles.get(name), other: titles.get(other) ?? other });
      return [
        ...conflicts.filter((each) => there.has(each) && fresh(name, each)).map((each) => say("conflict_between", each)),
        ...needs.filter((each) => !there.has(each)).map((each) => say("needs", each)),
      ];
    });
  }

  point(point) {
    return h("li", { title: point.cites || null }, ...changeEntry(point));
  }

  // ------------------------------------------------------------ seats

  drawSeats() {
    const players = this.rules.players ?? this.game.players;
    if (!players.includes(this.count)) this.count = players.at(-1);
    this.drawAbout();
    while (this.seats.length < this.count) this.seats.push({ who: this.usual, name: "" });
    // Who has learned other rules, or for another number of players, cannot sit down here.
    const here = ["me", "friend", ...this.levels.keys(), ...this.sitting];
    for (const seat of this.seats) if (!here.includes(seat.who)) seat.who = this.usual;
    const counts = h("div", { class: "counts", role: "group", "aria-label": t("how_many") }, ...players.map((each) =>
      h("button", {
        type: "button", "aria-pressed": String(each === this.count),
        onclick: () => { this.count = each; this.drawSeats(); },
      }, String(each)),
    ));
    const rows = this.seats.slice(0, this.count).map((seat, at) => this.seat(seat, at));
    const several = this.seats.slice(0, this.count).filter((each) => each.who === "me").length > 1;
    fill(
      this.places,
      h("h3", {}, t("seats")),
      players.length > 1 ? counts : null,
      h("ol", {}, ...rows),
      several && (this.rules.secrets ?? this.game.secrets) ? h("p", { class: "tip" }, t("hot_seat")) : null,
      pace.field(this.seats.slice(0, this.count)),
      this.discretion(),
      h("button", { class: "main start", disabled: !this.rules.ok, onclick: () => this.start() }, t("start")),
      this.edition ? h("a", { class: "compare", href: this.comparison, target: "_blank", rel: "noopener" }, t("compare")) : null,
    );
  }

  /** Whether it can matter, by these rules, that questions are discreet. */
  get canBeDiscreet() {
    return this.rules.discretion ?? this.game.discretion ?? false;
  }

  /** Where somebody may step in, nobody should learn from being asked that he could. */
  get discreet() {
    return this.wished ?? this.rules.interrupted ?? this.game.interrupted ?? false;
  }

  discretion() {
    if (!this.canBeDiscreet) return null;
    const box = h("input", { type: "checkbox", name: "discreet", checked: this.discreet, onchange: () => { this.wished = box.checked; } });
    return h("label", { class: "choice discretion" }, box, h("span", {}, h("strong", {}, t("together.discreet")), h("small", {}, t("together.discreet_about"))));
  }

  /** The bots that can be chosen: with those who have learned by these very rules for so many players. */
  get sitting() {
    const learned = this.rules.learned ?? this.game.learned ?? {};
    return [...this.bots, ...(learned[this.count] ?? [])];
  }

  /** The game in three sentences; how long it takes depends on how many play, and by which rules. */
  drawAbout() {
    const now = `${this.rules.ok ? this.name : this.game.name} ${this.count}`;
    if (this.told === now) {
      if (!this.filling) this.about.removeAttribute("aria-busy");
      return;
    }
    this.told = now;
    this.filling = true;
    this.about.setAttribute("aria-busy", "true");
    const fresh = briefRules(...now.split(/ (?=\d+$)/));
    if (!this.about.children.length) fill(this.about, fresh);
    new MutationObserver((_, watching) => {
      watching.disconnect();
      if (this.told !== now) return;
      this.filling = false;
      fill(this.about, fresh);
      if (this.told === `${this.rules.ok ? this.name : this.game.name} ${this.count}`) this.about.removeAttribute("aria-busy");
    }).observe(fresh, { childList: true });
  }

  seat(seat, at) {
    const rest = this.sitting.filter((bot) => !this.levels.has(bot));
    const bots = [...this.levels.keys(), ...rest].map((bot) => [bot, t("bot", { strength: strengthAndName(bot, this.levels.get(bot)) })]);
    const whos = [["me", t("seat_me")], ["friend", t("seat_friend")], ...bots];
    const player = this.people[at];
    const called = player?.name ?? String(at + 1);
    const select = h(
      "select",
      { "aria-label": colon(t("seats"), called), onchange: (event) => { seat.who = event.target.value; this.drawSeats(); } },
      ...whos.map(([value, words]) => h("option", { value, selected: value === seat.who }, words)),
    );
    const name = h("input", {
      type: "text", maxlength: "24", placeholder: t("name"), "aria-label": t("name"), value: seat.name,
      oninput: (event) => { seat.name = event.target.value; },
    });
    return h(
      "li",
      {},
      chip(player ?? { letter: String(at + 1), colour: "transparent", ink: "inherit" }),
      h("span", { class: "player" }, player ? called : ""),
      select,
      ["me", "friend"].includes(seat.who) ? name : null,
    );
  }

  async start() {
    const seats = this.seats.slice(0, this.count).map(({ who, name }) => (name ? { who, name } : { who }));
    const answer = await ask("/api/tables", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ rules: this.name, language, seats, ...(this.canBeDiscreet && this.discreet ? { discreet: true } : {}), ...pace.wish(seats) }),
    });
    const told = await answer.json();
    if (answer.ok) location.href = told.link;
    else notes.note(told.error.message);
  }
}
