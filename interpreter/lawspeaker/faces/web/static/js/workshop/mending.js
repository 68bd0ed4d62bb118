// The code actions at the caret: a list to choose from by keys or by clicking.

import { fill, h } from "../dom.js";
import { t } from "../words.js";

export class Mending {
  /** `offered` returns the actions at a place; `mend` applies one. */
  constructor(editor, { offered, mend }) {
    this.editor = editor;
    this.offered = offered;
    this.mend = mend;
    this.list = h("div", { class: "completions fixes", role: "menu", "aria-label": t("workshop.fixes"), hidden: true, onkeydown: (event) => this.pressed(event) });
    editor.sheet.append(this.list);
    this.list.addEventListener("focusout", (event) => {
      if (!this.list.contains(event.relatedTarget)) this.close(false);
    });
  }

  async open() {
    const at = this.editor.area.selectionStart;
    const found = await this.offered(at);
    const rows = found.map((fix) => h("button", { role: "menuitem", class: "fix", onclick: () => { this.close(); this.mend(fix); } }, fix.title));
    fill(this.list, ...(rows.length ? rows : [h("button", { role: "menuitem", onclick: () => this.close() }, t("workshop.no_fixes"))]));
    this.list.hidden = false;
    this.editor.put(this.list, at);
    this.list.querySelector("button").focus({ preventScroll: true });
  }

  pressed(event) {
    const rows = [...this.list.children];
    const at = rows.indexOf(document.activeElement);
    if (event.key === "ArrowDown" || event.key === "ArrowUp") rows.at((at + (event.key === "ArrowDown" ? 1 : -1)) % rows.length).focus();
    else if (event.key === "Escape") this.close();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  close(back = true) {
    if (this.list.hidden) return;
    this.list.hidden = true;
    if (back) this.editor.area.focus({ preventScroll: true });
  }
}
