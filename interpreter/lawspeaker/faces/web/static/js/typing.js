// Forms for typed answers: free text, or one of very many numbers.

import { h } from "./dom.js";
import { t } from "./words.js";

const LONGEST = 100;

export class Typing {
  /** `typed` gets the answer in words. */
  constructor(typed) {
    this.typed = typed;
    this.kept = new Map(); // what stands in the fields, by their names: the question may be shown again meanwhile
    this.sent = ""; // the field to go on with, if the answer is refused
    this.fields = new Map();
  }

  /** Clears the fields for another question. */
  clear() {
    this.kept.clear();
    this.sent = "";
  }

  /** Renders the forms of a question; with `others` to choose from, each is labelled. */
  forms(question, others) {
    this.fields.clear();
    const named = others || question.forms.length > 1;
    return question.forms.map((form, at) => this.form(form, at, named));
  }

  form(form, at, named) {
    const inputs = form.fields.map((field, number) => this.input(field, `own-${at}-${number}`));
    const submit = (event) => {
      event.preventDefault();
      const parts = inputs.map(({ field, input }) => (field.written ? `"${input.value.replaceAll('"', " ").trim()}"` : input.value));
      this.sent = inputs[0].id;
      this.typed(`${form.label} ${parts.join(", ")}`.trim());
    };
    const heading = named && form.name ? h("legend", {}, form.name) : null;
    const shown = inputs.map(({ field, input, id }) =>
      h(
        "div",
        { class: "field" },
        h("label", { for: id }, field.name),
        input,
        field.limits ? h("small", { id: `${id}-limits` }, field.limits) : null,
      ),
    );
    return h("form", { class: "own", onsubmit: submit }, h("fieldset", {}, heading, ...shown, h("button", { class: "main", type: "submit" }, t("own_send"))));
  }

  input(field, id) {
    const common = { id, name: id, required: true };
    const input = field.written
      ? h("input", { ...common, type: "text", maxlength: LONGEST, dir: "auto", autocomplete: "off", autocapitalize: "off", spellcheck: "false", enterkeyhint: "send", "aria-describedby": `${id}-limits` })
      : field.low !== null
        ? h("input", { ...common, type: "number", inputmode: "numeric", min: field.low, max: field.high, step: 1, enterkeyhint: "send" })
        : h("select", common, ...field.values.map(([text, name]) => h("option", { value: text }, name)));
    if (this.kept.has(id)) input.value = this.kept.get(id);
    input.addEventListener("input", () => this.kept.set(id, input.value));
    this.fields.set(id, input);
    return { field, input, id };
  }

  /** What is being typed in, to go on with after the question is shown again. */
  field(element) {
    if (this.sent && this.fields.has(this.sent)) return { id: this.sent, at: null };
    return this.fields.get(element?.id) === element && element ? { id: element.id, at: element.selectionStart } : null;
  }

  back({ id, at }) {
    const input = this.fields.get(id);
    this.sent = "";
    input?.focus({ preventScroll: true });
    if (at !== null && input?.type === "text") input.setSelectionRange(at, at);
  }
}
