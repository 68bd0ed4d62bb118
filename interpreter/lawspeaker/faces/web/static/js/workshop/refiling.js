// Creates, renames and removes files of the draft; the workers compute the dependent changes.

import { fill, h } from "../dom.js";
import * as notes from "../notes.js";
import { language, t } from "../words.js";
import { ENTRY } from "./draft.js";

const KINDS = { variant: "begin_house", translation: "file_translation", part: "file_part" };
const USUAL = ["de", "en", "es", "fr", "it", "nl", "pl", "pt", "sv"]; // languages that are proposed; any other will do
const PLAIN = { type: "text", spellcheck: "false", autocapitalize: "off", autocomplete: "off", required: true };

export class Refiling {
  /** `draft` returns the draft, `ask` sends a request to the workers, `apply` applies their changes. */
  constructor({ draft, ask, apply }) {
    this.draft = draft;
    this.ask = ask;
    this.apply = apply;
    this.dialog = h("dialog", { class: "begin renaming", "aria-labelledby": "filing-title" });
    document.body.append(this.dialog);
  }

  begin(kind = "variant") {
    const again = h("select", { id: "file-kind", onchange: (event) => this.begin(event.target.value) }, ...Object.entries(KINDS).map(([each, words]) => h("option", { value: each, selected: each === kind }, t(`workshop.${words}`))));
    const called = h("input", { id: "file-called", maxlength: 50, list: kind === "translation" ? "file-languages" : null, ...PLAIN });
    const rules = [...this.draft().texts.values()].filter((file) => file.name === ENTRY || file.given !== null);
    const of = h("select", { id: "file-of" }, ...rules.map(({ name }) => h("option", { value: name, selected: name === this.draft().file.name }, name)));
    const tongues = new Intl.DisplayNames(language, { type: "language" });
    const fields = kind === "translation"
      ? [label("file_of", of), label("file_language", called), h("datalist", { id: "file-languages" }, ...USUAL.map((each) => h("option", { value: each }, tongues.of(each))))]
      : [label("file_called", called)];
    this.show(t("workshop.file_new_title"), t("workshop.file_make"), [label("file_kind", again), ...fields], called, () =>
      this.ask("begin_file", { kind, called: bare(called.value), ...(kind === "translation" ? { file: of.value } : {}) }));
  }

  rename() {
    const { name } = this.draft().file;
    const called = h("input", { id: "file-called", maxlength: 50, value: bare(name), ...PLAIN });
    this.show(t("workshop.rename_title", { word: name }), t("workshop.rename"), [label("new_name", called)], called, () =>
      bare(called.value) === bare(name) ? null : this.ask("move_file", { called: bare(called.value) }));
  }

  async remove() {
    const { name } = this.draft().file;
    if (confirm(t("workshop.file_remove_sure", { name }))) {
      const found = await this.ask("remove_file", {});
      const why = this.why(found);
      if (why) notes.note(why);
      else this.apply(found);
    }
  }

  /** Shows a dialog that reports invalid input. */
  show(title, words, fields, first, ask) {
    const why = h("p", { class: "why", role: "alert" });
    const button = h("button", { class: "main" }, words);
    const go = async (event) => {
      event.preventDefault();
      const asked = ask();
      if (!asked) return this.dialog.close();
      button.disabled = true;
      const found = await asked;
      button.disabled = false;
      why.textContent = this.why(found);
      if (why.textContent) return first.focus();
      this.dialog.close();
      this.apply(found);
    };
    fill(
      this.dialog,
      h("form", { onsubmit: go }, h("h2", { id: "filing-title" }, title), ...fields, why,
        h("div", { class: "actions" }, h("button", { type: "button", onclick: () => this.dialog.close() }, t("workshop.leave_it")), button)),
    );
    if (!this.dialog.open) this.dialog.showModal();
    first.focus();
    first.select();
  }

  /** The reason of a failure; empty on success. */
  why(found) {
    return found?.why ? t(`workshop.file_not_${found.why}`) : found ? "" : t("line_broken");
  }
}

/** The displayed name of a file, without its suffix. */
const bare = (name) => name.trim().replace(/\.yaml$/, "");

const label = (words, field) => h("label", { for: field.id }, h("span", {}, t(`workshop.${words}`)), field);
