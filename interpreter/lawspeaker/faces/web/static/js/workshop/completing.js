// Names and words to go on with, in a list below the caret.

import { fill, h } from "../dom.js";
import { wantsCode } from "./painting.js";

const MOST = 9;

export class Completing {
  constructor(editor) {
    this.editor = editor;
    this.list = h("ul", { class: "completions", role: "listbox", id: "completions", hidden: true });
    editor.sheet.append(this.list);
    editor.menu = this;
    editor.area.setAttribute("aria-controls", "completions");
    editor.area.setAttribute("aria-autocomplete", "list");
    editor.area.addEventListener("blur", () => setTimeout(() => this.close(), 150));
    this.found = [];
    this.at = 0;
    this.known = []; // {name, kind, says}
  }

  /** What can be completed: names of the rules, words of the language, keys of the frame. */
  know(known) {
    this.known = known;
  }

  get open() {
    return !this.list.hidden;
  }

  /** Offers what goes on from the word before the caret; `asked`: even if nothing is written yet. */
  offer(asked = false) {
    const { area } = this.editor;
    const caret = area.selectionStart;
    if (caret !== area.selectionEnd) return this.close();
    const start = area.value.lastIndexOf("\n", caret - 1) + 1;
    const line = area.value.slice(start, caret);
    const begun = /[A-Za-z_][\w.]*$/.exec(line)?.[0] ?? "";
    const follows = /^[\w]/.test(area.value.slice(caret, caret + 1));
    if (!asked && (begun.length < 2 || follows)) return this.close();
    const state = this.editor.stateOf(this.editor.place(caret).line);
    const frame = !state.block && /^\s*(- )*[\w ]*$/.test(line);
    if (!frame && !wantsCode(line, state) && !asked) return this.close();
    this.begun = begun;
    this.found = this.candidates(begun, frame);
    if (!this.found.length || (this.found.length === 1 && this.found[0].name === begun)) return this.close();
    this.at = 0;
    this.draw(caret - begun.length);
  }

  candidates(begun, frame) {
    const wanted = begun.toLowerCase();
    const ranked = [];
    for (const each of this.known) {
      if ((each.kind === "key") !== frame && each.kind === "key") continue;
      const name = each.name.toLowerCase();
      const starts = name.startsWith(wanted);
      const inside = starts || name.split(/[._ ]/).some((part) => part.startsWith(wanted));
      if (!inside) continue;
      ranked.push([(frame && each.kind !== "key" ? 2 : 0) + (starts ? 0 : 1), each]);
    }
    ranked.sort((one, other) => one[0] - other[0] || one[1].name.length - other[1].name.length || one[1].name.localeCompare(other[1].name));
    const seen = new Set();
    return ranked.map(([, each]) => each).filter(({ name }) => !seen.has(name) && seen.add(name)).slice(0, MOST);
  }

  draw(offset) {
    const { x, y } = this.editor.point(offset);
    fill(this.list, ...this.found.map((each, number) =>
      h(
        "li",
        { role: "option", id: `completion-${number}`, "aria-selected": String(number === this.at), onmousedown: (event) => { event.preventDefault(); this.take(number); } },
        h("b", {}, each.name), h("small", {}, each.kind), each.says ? h("span", {}, each.says) : null,
      ),
    ));
    this.list.hidden = false;
    const { paper } = this.editor;
    const room = paper.scrollLeft + paper.clientWidth - this.editor.gutter.offsetWidth - this.list.offsetWidth - 8;
    this.list.style.left = `${Math.max(0, Math.min(x, room))}px`;
    const below = paper.scrollTop + paper.clientHeight - y;
    const up = below < this.list.offsetHeight + 8 && y > this.list.offsetHeight + 40;
    this.list.style.top = `${up ? y - this.list.offsetHeight - this.editor.lineHeight - 4 : y + 2}px`;
    this.editor.area.setAttribute("aria-activedescendant", `completion-${this.at}`);
  }

  pressed(event) {
    if (event.key === " " && event.ctrlKey) {
      this.offer(true);
      return true;
    }
    if (!this.open) return false;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      const step = event.key === "ArrowDown" ? 1 : this.found.length - 1;
      this.at = (this.at + step) % this.found.length;
      for (const [number, each] of [...this.list.children].entries()) each.setAttribute("aria-selected", String(number === this.at));
      this.editor.area.setAttribute("aria-activedescendant", `completion-${this.at}`);
      return true;
    }
    if ((event.key === "Enter" || event.key === "Tab") && !event.shiftKey) {
      this.take(this.at);
      return true;
    }
    if (event.key === "Escape") {
      this.close();
      return true;
    }
    return false;
  }

  take(number) {
    const { name, kind } = this.found[number];
    const caret = this.editor.area.selectionStart;
    const more = kind === "key" && this.editor.text[caret] !== ":" ? ": " : "";
    this.close();
    this.editor.replace(caret - this.begun.length, caret, name + more);
    this.close();
  }

  close() {
    this.list.hidden = true;
    this.editor.area.removeAttribute("aria-activedescendant");
  }
}
