// The hover box: the symbol under the pointer, and its problems.

import { fill, h } from "../dom.js";
import { paragraphs } from "./markdown.js";

const STILL = 350; // so long the pointer rests on a word before it is asked about
const LEAVING = 250; // so long it may take from the word to the box

export class Explaining {
  /** `ask` requests the hover text of a place, `wrong` returns its problems, `mend` applies a fix. */
  constructor(editor, { ask, wrong, mend }) {
    this.editor = editor;
    this.ask = ask;
    this.wrong = wrong;
    this.mend = mend;
    this.box = h("div", { class: "explains", hidden: true });
    editor.sheet.append(this.box);
    this.resting = 0;
    this.leaving = 0;
    this.span = null; // the word that the box is about
    const { area } = editor;
    area.addEventListener("mousemove", (event) => this.rest(event));
    area.addEventListener("mouseleave", () => this.leave());
    area.addEventListener("input", () => this.close());
    area.addEventListener("mousedown", () => this.close());
    this.box.addEventListener("mouseenter", () => clearTimeout(this.leaving));
    this.box.addEventListener("mouseleave", () => this.leave());
  }

  rest(event) {
    clearTimeout(this.resting);
    if (event.buttons || matchMedia("(hover: none)").matches) return;
    const at = this.editor.offsetAt(event.clientX, event.clientY);
    if (this.span && at !== null && at >= this.span.from && at <= this.span.to) {
      clearTimeout(this.leaving);
      return;
    }
    if (this.span) this.leave();
    if (at !== null && /\S/.test(this.editor.text[at])) this.resting = setTimeout(() => this.explain(at), STILL);
  }

  leave() {
    clearTimeout(this.resting);
    clearTimeout(this.leaving);
    this.leaving = setTimeout(() => this.close(), LEAVING);
  }

  async explain(at) {
    const text = this.editor.text;
    const found = await this.ask(at);
    if (text !== this.editor.text || this.editor.menu?.open) return;
    const wrong = this.wrong(at);
    if (!found?.text && !wrong.length) return this.close();
    clearTimeout(this.leaving);
    const { from, to } = found?.text ? found : wrong[0];
    this.span = { from, to };
    fill(
      this.box,
      ...wrong.map((each) => h("div", { class: `wrong ${each.severity}` },
        h("p", {}, each.message), each.hint ? h("p", { class: "hint" }, each.hint) : null,
        ...each.fixes.map((fix) => h("button", { class: "fix", onclick: () => { this.close(); this.mend(fix); } }, fix.title)),
      )),
      ...(found?.text ? paragraphs(found.text) : []),
    );
    this.box.hidden = false;
    this.editor.put(this.box, from);
  }

  close() {
    clearTimeout(this.resting);
    this.box.hidden = true;
    this.span = null;
  }
}
