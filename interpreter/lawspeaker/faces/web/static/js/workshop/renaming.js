// The rename dialog: renames a symbol everywhere, through the language service.

import { fill, h } from "../dom.js";
import { t } from "../words.js";

export class Renaming {
  /** `ask` requests the edits that rename the symbol at a place; `apply` makes them. */
  constructor({ ask, apply }) {
    this.ask = ask;
    this.apply = apply;
    this.dialog = h("dialog", { class: "begin renaming", "aria-labelledby": "renaming-title" });
    document.body.append(this.dialog);
  }

  open(word, at) {
    const input = h("input", { type: "text", value: word, id: "renaming-name", spellcheck: "false", autocapitalize: "off", autocomplete: "off", maxlength: 60 });
    const why = h("p", { class: "why", role: "alert" });
    const button = h("button", { class: "main" }, t("workshop.rename"));
    const go = async (event) => {
      event.preventDefault();
      const name = input.value.trim();
      if (!name || name === word) return this.dialog.close();
      button.disabled = true;
      why.textContent = t("workshop.renaming");
      const found = await this.ask(at, name);
      button.disabled = false;
      why.textContent = found ? found.why : t("line_broken");
      if (!found || found.why) return input.focus();
      this.dialog.close();
      this.apply(found.edits, name);
    };
    fill(
      this.dialog,
      h("form", { onsubmit: go },
        h("h2", { id: "renaming-title" }, t("workshop.rename_title", { word })),
        h("label", {}, h("span", {}, t("workshop.new_name")), input),
        why,
        h("div", { class: "actions" }, h("button", { type: "button", onclick: () => this.dialog.close() }, t("workshop.leave_it")), button),
      ),
    );
    this.dialog.showModal();
    input.select();
  }
}
