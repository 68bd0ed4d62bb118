// The file tree of a draft, and a search over all files.

import { byId, fill, h } from "../dom.js";
import { t } from "../words.js";

const MOST = 200; // lines that are shown of what was found
const LONGEST = 120;
const isPicture = (file) => file.name.startsWith("pictures/"); // it is listed, not edited
const WIDE = matchMedia("(min-width: 1500px)");

export class Filing {
  /** `turn` opens a file, `jump` a place in one, `takeBack` reverts the open file; `refiling` creates, renames and
   *  removes files. */
  constructor({ turn, jump, takeBack, wrong, refiling }) {
    this.turn = turn;
    this.refiling = refiling;
    this.jump = jump;
    this.takeBack = takeBack;
    this.wrong = wrong; // whether a file has mistakes
    this.draft = null;
    this.panel = byId("files");
    this.button = byId("files-button");
    this.input = byId("search");
    this.button.onclick = () => this.show(this.panel.hidden);
    this.input.oninput = () => this.draw();
    this.panel.addEventListener("keydown", (event) => this.pressed(event));
    this.show(WIDE.matches);
    WIDE.onchange = () => this.show(WIDE.matches);
  }

  show(open) {
    this.panel.hidden = !open;
    this.button.setAttribute("aria-expanded", String(open));
  }

  /** Opens the search, optionally with a word. */
  search(word = "") {
    this.show(true);
    if (word) this.input.value = word;
    this.input.focus();
    this.input.select();
    this.draw();
  }

  draw(draft = this.draft) {
    this.draft = draft;
    if (!draft) return;
    byId("file-name").textContent = draft.file.name;
    this.input.placeholder = t("workshop.search_files");
    this.button.classList.toggle("wrong", [...draft.texts.values()].some((file) => this.wrong(file.name)));
    const back = byId("file-back");
    back.hidden = !draft.changed(draft.opened) || !draft.was(draft.opened);
    back.onclick = this.takeBack;
    const own = draft.own(draft.opened);
    const actions = [["new", true, () => this.refiling.begin()], ["rename", own && !draft.file.name.includes("/"), () => this.refiling.rename()], ["remove", own, () => this.refiling.remove()]];
    fill(byId("file-actions"), ...actions.map(([name, can, act]) => (can ? h("button", { class: `quiet file-${name}`, onclick: () => this.choose(act) }, t(`workshop.file_${name}`)) : null)));
    const words = this.input.value.trim();
    if (words.length > 1) this.found(words);
    else this.tree();
  }

  // ------------------------------------------------------------ the tree

  tree() {
    const folders = new Map([["", []], ["variants", []]]);
    for (const [key, file] of this.draft.texts) {
      if (file.name.endsWith(".lock")) continue; // nobody edits it
      const [folder, name] = file.given !== null ? ["variants", file.name] : file.name.includes("/") ? file.name.split("/") : ["", file.name];
      if (!folders.has(folder)) folders.set(folder, []);
      folders.get(folder).push([key, name, file]);
    }
    const parts = [...folders].filter(([, files]) => files.length).map(([folder, files]) => {
      const list = h("ul", {}, ...files.map((each) => h("li", {}, this.file(...each))));
      if (!folder) return list;
      const open = folder === "variants" || files.some(([key]) => key === this.draft.opened || this.draft.changed(key));
      return h("details", { open }, h("summary", {}, folder === "variants" ? t("workshop.own_files") : `${folder}/`), list);
    });
    fill(byId("tree"), ...parts);
  }

  file(key, name, file) {
    if (isPicture(file)) return h("span", { class: "file" }, name);
    const changed = this.draft.changed(key);
    return h(
      "button",
      { class: `file ${changed ? "changed" : ""}`, "aria-current": key === this.draft.opened ? "true" : null, onclick: () => this.choose(() => this.turn(key)) },
      h("span", {}, name),
      changed ? h("span", { class: "mark", title: t("workshop.changed"), role: "img", "aria-label": t("workshop.changed") }, "●") : null,
      this.wrong(file.name) ? h("span", { class: "dot", role: "img", "aria-label": t("workshop.problems") }) : null,
    );
  }

  /** Hides the tree after a choice on small screens. */
  choose(go) {
    if (!WIDE.matches) this.show(false);
    go();
  }

  // ------------------------------------------------------------ the search

  found(words) {
    const wanted = words.toLowerCase();
    const rows = [];
    let count = 0;
    for (const file of this.draft.texts.values()) {
      if (isPicture(file)) continue;
      const lines = [];
      let offset = 0;
      for (const [number, line] of file.text.split("\n").entries()) {
        const at = line.toLowerCase().indexOf(wanted);
        if (at >= 0 && ++count <= MOST) lines.push(this.line(file.name, line, number, offset + at, at, words.length));
        offset += line.length + 1;
      }
      if (lines.length) rows.push(h("li", {}, h("strong", {}, file.name), h("ul", {}, ...lines)));
    }
    fill(byId("tree"), h("p", { class: "tip", role: "status" }, t("workshop.found", { count })), h("ul", { class: "found" }, ...rows));
  }

  line(file, line, number, from, at, length) {
    const start = Math.max(0, at - 30);
    const shown = line.slice(start, start + LONGEST);
    return h(
      "li",
      {},
      h("button", { class: "file", onclick: () => this.choose(() => this.jump({ file, from, to: from + length })) },
        h("small", {}, String(number + 1)), " ",
        h("span", {}, shown.slice(0, at - start).trimStart(), h("mark", {}, shown.slice(at - start, at - start + length)), shown.slice(at - start + length)),
      ),
    );
  }

  pressed(event) {
    const rows = [this.input, ...this.panel.querySelectorAll("#tree button, #tree summary, #file-actions button")];
    const at = rows.indexOf(document.activeElement);
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      rows[Math.max(0, Math.min(rows.length - 1, at + (event.key === "ArrowDown" ? 1 : -1)))].focus();
    } else if (event.key === "Escape") {
      event.stopPropagation();
      if (this.input.value) {
        this.input.value = "";
        this.draw();
      } else if (!WIDE.matches) {
        this.show(false);
        this.button.focus();
      }
    }
  }
}
