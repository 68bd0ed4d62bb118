// Who sits at the table of a draft: oneself, friends who come by link, bots.

import { fill, h } from "../dom.js";
import { served } from "../server.js";
import { strength, t } from "../words.js";

const BOTS = ["greedy", "random"];
const PEOPLE = served ? [["me", "seat_me"], ["friend", "seat_friend"]] : [["me", "published.person"]];

export class Seating {
  /** `play` sets the table with those who were chosen. */
  constructor({ play }) {
    this.play = play;
    this.chosen = []; // remembered for the next time
    this.dialog = h("dialog", { class: "begin seating", "aria-labelledby": "seating-title" });
    document.body.append(this.dialog);
  }

  /** `people` are the players of the position, with their names and colours. */
  open(count, people) {
    const whos = [...PEOPLE.map(([who, name]) => [who, t(name)]), ...BOTS.map((bot) => [bot, strength(bot)])];
    const selects = Array.from({ length: count }, (_, seat) => {
      const now = this.chosen[seat] ?? (seat ? BOTS[0] : "me");
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
        h("div", { class: "deeds" }, h("button", { type: "button", onclick: () => this.dialog.close() }, t("close")), h("button", { class: "main" }, t("workshop.play"))),
      ),
    );
    this.dialog.showModal();
    this.dialog.querySelector(".main").focus();
  }
}
