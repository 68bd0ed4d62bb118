// The list of the draft's problems, with links to their places.

import { byId, fill, h } from "../dom.js";
import { language, t } from "../words.js";
import * as lookup from "./lookup.js";

const TABS = ["problems", "lookup", "places"];

export class Problems {
  /** `jump` goes to a place, `lookUp` explains a code, `mend` applies a fix, `translate` updates translations. */
  constructor({ jump, lookUp, mend, translate }) {
    this.translate = translate;
    this.jump = jump;
    this.lookUp = lookUp;
    this.mend = mend;
    this.found = [];
    this.looked = false; // nothing is said about rules that were not looked at yet
    byId("tab-problems").onclick = () => this.tab("problems");
    byId("tab-places").onclick = () => this.tab("places");
    byId("tab-lookup").onclick = () => {
      this.tab("lookup");
      if (!byId("lookup").childElementCount) lookup.empty(byId("lookup"));
    };
    this.draw();
  }

  tab(name) {
    for (const each of TABS) {
      byId(each).hidden = each !== name;
      byId(`tab-${each}`).setAttribute("aria-selected", String(each === name));
    }
  }

  show(found) {
    this.found = found;
    this.looked = true;
    this.draw();
  }

  of(file) {
    return this.found.filter((each) => each.file === file);
  }

  at(file, offset) {
    return this.of(file).filter(({ from, to }) => from <= offset && offset <= to);
  }

  /** Lists all references to a symbol. */
  references(word, places) {
    byId("tab-places").hidden = false;
    fill(
      byId("places"),
      h("p", { class: "tip" }, t("workshop.named_at", { word, count: places.length })),
      h("ul", {}, ...places.map((each) => h("li", {}, h("button", { class: "go", onclick: () => this.jump(each) }, h("span", { class: "where" }, `${each.file}:${each.line}`), h("code", {}, each.text))))),
    );
    this.tab("places");
  }

  wrong(file) {
    return this.found.some((each) => each.file === file && each.severity === "error");
  }

  draw() {
    const errors = this.found.filter((each) => each.severity === "error").length;
    const warnings = this.found.length - errors;
    badge(byId("count"), errors || !warnings ? "error" : "warning", errors || warnings);
    if (!this.looked) byId("count").textContent = "…";
    badge(byId("more-count"), "warning", warnings);
    byId("more-count").hidden = !errors || !warnings;
    // An unchanged list is not redrawn, so that a click on it does not miss.
    const said = JSON.stringify([language, this.looked, this.found]);
    if (said === this.said) return;
    this.said = said;
    fill(byId("problems"), this.found.length ? h("ol", {}, ...this.found.map((each) => this.row(each))) : this.looked ? h("p", { class: "none" }, "✓ ", t("workshop.sound")) : null);
  }

  row(found) {
    const { severity, code, message, hint, file, line, column, also, fixes, untranslated } = found;
    const buttons = fixes.map((fix) => h("button", { class: "fix", onclick: () => this.mend(fix) }, fix.title));
    if (untranslated && file) buttons.push(h("button", { class: "fix translate", onclick: () => this.translate(found) }, t("workshop.translate")));
    return h(
      "li",
      { class: severity },
      h("button", { class: "go", disabled: !file, onclick: () => this.jump(found) },
        h("span", { class: "where" }, file ? `${file}:${line}:${column}` : "–"),
        h("span", { class: "message" }, message),
      ),
      buttons.length ? h("div", { class: "fixing" }, ...buttons) : null,
      hint ? h("p", { class: "hint" }, hint) : null,
      ...also.filter((each) => each.file).map((each) => h("button", { class: "go also", onclick: () => this.jump(each) }, h("span", { class: "where" }, `${each.file}:${each.line}`), h("span", {}, each.text))),
      h("button", { class: "quiet code", onclick: () => this.lookUp(code) }, code),
    );
  }

  /** Goes to the next problem of this file, or the first of another. */
  next(file, at, back) {
    const own = this.of(file);
    const beyond = back ? own.filter((each) => each.from < at).at(-1) : own.find((each) => each.from > at);
    const found = beyond ?? this.found.find((each) => each.file !== file && each.file) ?? own[0];
    if (found) this.jump(found);
  }
}

/** A count of errors or warnings. */
function badge(span, kind, count) {
  const told = t(`workshop.${kind}_count`, { count });
  span.className = `count ${count ? kind : "ok"}`;
  span.textContent = String(count);
  span.title = told;
  span.setAttribute("aria-label", told);
}
