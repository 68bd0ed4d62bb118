// The dialog for the seats of a draft's table: oneself, friends by link, bots.

import { fill, h } from "../dom.js";
import { served } from "../server.js";
import { t, strengthAndName } from "../words.js";

const USUAL = "greedy"; // it needs no long thought
const PEOPLE = served ? [["me", "seat_me"], ["friend", "seat_friend"]] : [["me", "published.person"]];

export class Seating {
  /** `play` creates the table with the chosen seats; `bots` are those on offer. */
  constructor({ play, bots }) {
    this.play = play;
    this.bots = bots;
    this.chosen = []; // remembered for the next time
    this.dialog = h("dialog", { class: "begin seating", "aria-labelledby": "seating-title" });
    document.body.append(this.dialog);
  }

  /** `people` are the players of the position with names and colours; `levels` the game's bots by level. */
  open(count, people, levels = {}) {
    const known = new Map(Object.entries(levels).map(([level, bot]) => [bot, level]));
    const bots = [...new Set([...known.keys(), ...this.bots])].filter((bot) => this.bots.includes(bot));
    const whos = [...PEOPLE.map(([who, name]) => [who, t(name)]), ...bots.map((bot) => [bot, t("bot", { strength: strengthAndName(bot, known.get(bot)) })])];
    const selects = Array.from({ length: count }, (_, seat) => {
      const now = this.chosen[seat] ?? (seat ? USUAL : "me");
      return h("select", { id: `seat-${seat}` }, ...whos.map(([who, words]) => h("option", { value: who, selected: who === now }, words)));
    });
    const go = (event) => {
      event.preventDefault();
      this.chosen = selects.map((each) => each.value);
      this.dialog.close();
      this.play(this.chosen.map((who) => ({ who })));
    };
    fill(
      this.dialog,
      h("form", { onsubmit: go },
        h("h2", { id: "seating-title" }, t("workshop.who_plays")),
        ...selects.map((select, seat) => h("label", { for: `seat-${seat}` }, h("span", {}, people?.[seat]?.name ?? String(seat + 1)), select)),
        h("p", { class: "tip" }, t(served ? "workshop.friends_come" : "published.one_screen")),
        h("div", { class: "actions" }, h("button", { type: "button", onclick: () => this.dialog.close() }, t("close")), h("button", { class: "main" }, t("workshop.play"))),
      ),
    );
    this.dialog.showModal();
    this.dialog.querySelector(".main").focus();
  }
}
