// The completion list below the caret. The language service is asked once for a word; as the word grows, the list is
// filtered here.

import { fill, h } from "../dom.js";
import { wantsCode } from "./painting.js";

const MOST = 60;
const LEADING = /\b(?:do|move|to|of|is|in|where|from|each|every|choose|take|be)\s$/; // a name comes next
const FITTING = 1; // the rank of what fits, or begins something that does

export class Completing {
  /** `ask` requests completions at a place. */
  constructor(editor, ask) {
    this.editor = editor;
    this.ask = ask;
    this.list = h("ul", { class: "completions", role: "listbox", id: "completions", hidden: true });
    editor.sheet.append(this.list);
    editor.menu = this;
    const { area } = editor;
    for (const [name, value] of [["aria-autocomplete", "list"], ["aria-controls", "completions"]]) area.setAttribute(name, value);
    area.addEventListener("blur", () => setTimeout(() => this.close(), 150));
    this.known = null; // {start, before, items}: what was answered, and for which beginning of a line
    this.found = [];
    this.at = -1;
    this.wanted = 0; // grows with every wish, and when nothing is wanted any more
  }

  get open() {
    return !this.list.hidden;
  }

  /** Offers completions of the word before the caret; `asked` also for an empty one. */
  async offer(asked = false) {
    const { area } = this.editor;
    const caret = area.selectionStart;
    if (caret !== area.selectionEnd) return this.close();
    const line = area.value.slice(area.value.lastIndexOf("\n", caret - 1) + 1, caret);
    const begun = /[A-Za-z_][\w.]*$/.exec(line)?.[0] ?? "";
    const goesOn = /^\w/.test(area.value.slice(caret, caret + 1));
    if (!asked && (goesOn || !(begun || LEADING.test(line)))) return this.close();
    if (!asked && !wantsCode(line, this.editor.stateOf(this.editor.place(caret).line))) return this.close();
    const start = caret - begun.length;
    const before = area.value.slice(0, start);
    if (this.known?.start !== start || this.known.before !== before || asked) {
      const wanted = ++this.wanted;
      const found = await this.ask(caret);
      if (wanted !== this.wanted) return;
      if (!found || area.selectionStart < start || !area.value.startsWith(before)) return this.close();
      this.known = { start, before, items: found.items };
    }
    this.narrow(start, asked);
  }

  narrow(start, asked) {
    const { area } = this.editor;
    const begun = area.value.slice(start, area.selectionStart);
    if (!/^[\w.]*$/.test(begun)) return this.close();
    this.begun = begun;
    this.found = this.candidates(begun.toLowerCase(), asked);
    if (!this.found.length || (this.found.length === 1 && this.found[0].text === begun)) return this.close();
    this.at = begun || asked ? 0 : -1; // Enter goes on with the next line unless something was begun
    this.draw(start);
  }

  candidates(begun, asked) {
    if (!begun) return this.known.items.filter(({ rank }) => asked || rank <= FITTING).slice(0, MOST);
    const near = ({ text }) => {
      const name = text.toLowerCase();
      return name.startsWith(begun) ? 0 : name.split(/[._ (]/).some((part) => part.startsWith(begun)) ? 1 : 2;
    };
    return this.known.items
      .map((each, place) => [near(each), place, each])
      .filter(([how]) => how < 2)
      .sort((one, other) => one[0] - other[0] || one[1] - other[1])
      .map(([, , each]) => each)
      .slice(0, MOST);
  }

  draw(offset) {
    fill(this.list, ...this.found.map((each, number) =>
      h(
        "li",
        { role: "option", id: `completion-${number}`, onmousedown: (event) => { event.preventDefault(); this.take(number); } },
        h("b", { class: `n-${each.sort.replace(" ", "-")}` }, each.text), h("small", {}, each.detail || each.sort), each.says ? h("span", {}, each.says) : null,
      ),
    ));
    this.list.hidden = false;
    this.editor.put(this.list, offset);
    this.choose(this.at);
  }

  choose(number) {
    this.at = number;
    for (const [place, each] of [...this.list.children].entries()) each.setAttribute("aria-selected", String(place === number));
    const { area } = this.editor;
    if (number < 0) area.removeAttribute("aria-activedescendant");
    else {
      area.setAttribute("aria-activedescendant", `completion-${number}`);
      const row = this.list.children[number];
      const { list } = this;
      if (row.offsetTop < list.scrollTop) list.scrollTop = row.offsetTop;
      else if (row.offsetTop + row.offsetHeight > list.scrollTop + list.clientHeight) list.scrollTop = row.offsetTop + row.offsetHeight - list.clientHeight;
    }
  }

  pressed(event) {
    if (event.key === " " && event.ctrlKey) {
      this.offer(true);
      return true;
    }
    if (!this.open) return false;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      const step = event.key === "ArrowDown" ? 1 : -1;
      this.choose(this.at < 0 && step < 0 ? this.found.length - 1 : (this.at + step + this.found.length) % this.found.length);
      return true;
    }
    if ((event.key === "Enter" || event.key === "Tab") && !event.shiftKey && this.at >= 0) {
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
    const { text, sort } = this.found[number];
    const caret = this.editor.area.selectionStart;
    const more = sort === "key" && this.editor.text[caret] !== ":" ? ": " : "";
    this.close();
    this.editor.replace(caret - this.begun.length, caret, text + more);
    this.close();
  }

  close() {
    this.wanted++;
    this.list.hidden = true;
    this.editor.area.removeAttribute("aria-activedescendant");
  }
}
