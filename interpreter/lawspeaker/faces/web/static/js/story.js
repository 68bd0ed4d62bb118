// What happened, beside the table: newest first, each line with the rule behind it.

import { chip, h } from "./dom.js";
import { colon, t } from "./words.js";

export class Story {
  /** `ruled` gets the clause of a line that was pressed; `looked` a reply to look at, or null. */
  constructor(frame, { ruled, looked = null }) {
    this.frame = frame;
    this.ruled = ruled;
    this.looked = looked;
    this.last = -1;
  }

  /** Entries of replies; `anew`: forget what was told before; `seen`: those up to here are no news. */
  tell(entries, players, anew, seen = Infinity) {
    if (anew) {
      this.frame.replaceChildren();
      this.last = -1;
    }
    for (const entry of entries) {
      if (entry.reply <= this.last) continue;
      this.last = entry.reply;
      if (entry.lines.length) this.frame.prepend(this.entry(entry, players));
    }
    for (const each of this.frame.children) each.classList.toggle("new", Number(each.dataset.reply) > seen);
  }

  entry({ reply, lines }, players) {
    const told = lines.map((line) =>
      h(
        "button",
        {
          class: `line ${line.kind}`,
          title: line.rule,
          "aria-label": line.seat === null ? line.text : colon(players[line.seat].name, line.text),
          onclick: () => (this.looked ? this.looked(reply, true) : this.ruled(line.clause)),
        },
        line.seat === null ? chip(null, "small") : chip(players[line.seat], "small"),
        h("span", {}, line.text),
      ),
    );
    const attributes = { class: "entry", "data-reply": reply };
    if (this.looked) {
      attributes.onmouseenter = () => this.looked(reply, false);
      attributes.onmouseleave = () => this.looked(null, false);
      attributes.title = t("look_there");
    }
    return h("li", attributes, ...told);
  }

  /** Marks the entry of a reply. */
  mark(reply) {
    for (const each of this.frame.children) {
      const here = Number(each.dataset.reply) === reply;
      each.classList.toggle("now", here);
      each.classList.toggle("later", Number(each.dataset.reply) > reply);
      if (here) each.scrollIntoView({ block: "nearest" });
    }
  }
}
