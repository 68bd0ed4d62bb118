// Imports a game: a folder, a ZIP, a file or a link, dropped on the page or chosen. It becomes a draft of one's own,
// opened in the workshop.

import { h } from "./dom.js";
import { askMine, bearer } from "./key.js";
import * as notes from "./notes.js";
import { t } from "./words.js";

const MOST = 300; // entries of a folder
const LARGEST = 800_000; // bytes of a file that can be rules

/** The card with drop zone and file chooser. */
export function bringCard() {
  const files = h("input", { type: "file", multiple: true, accept: ".yaml,.zip,.svg,.png,.lock", class: "unseen", tabindex: "-1", "aria-label": t("place.bring_file"), onchange: () => bring([...files.files].map((file) => [file.name, file])) });
  const folder = h("input", { type: "file", webkitdirectory: true, class: "unseen", tabindex: "-1", "aria-label": t("place.bring_folder"), onchange: () => bring([...folder.files].map((file) => [file.webkitRelativePath || file.name, file])) });
  return h(
    "section",
    { class: "section card bring" },
    h("h2", {}, t("place.bring_title")),
    h("p", { class: "about" }, t("place.bring_about")),
    h("p", { class: "buttons" }, h("button", { onclick: () => files.click() }, t("place.bring_file")), h("button", { onclick: () => folder.click() }, t("place.bring_folder"))),
    files,
    folder,
  );
}

/** Makes the whole page a drop zone. */
export function takeDrops() {
  const over = (on) => document.body.classList.toggle("dropping", on);
  addEventListener("dragover", (event) => {
    event.preventDefault();
    over(true);
  });
  addEventListener("dragleave", (event) => event.relatedTarget === null && over(false));
  addEventListener("drop", async (event) => {
    event.preventDefault();
    over(false);
    const link = event.dataTransfer.getData("text/uri-list").split("\n")[0].trim();
    const entries = [...event.dataTransfer.items].filter((item) => item.kind === "file").map((item) => item.webkitGetAsEntry?.() ?? item.getAsFile());
    if (entries.length) await bring((await Promise.all(entries.map((entry) => walked(entry)))).flat());
    else if (link) open(link);
  });
}

/** Opens a link to a draft of this server, or to a home. */
function open(link) {
  const address = URL.canParse(link) ? new URL(link) : null;
  if (address?.origin === location.origin && /^\/(workshop|home|t|watch|library)(\/|$)/.test(address.pathname)) location.href = address.href;
  else notes.note(t("place.bring_link"));
}

/** Lists all dropped files with their paths. */
async function walked(entry, path = "") {
  if (entry instanceof File) return [[entry.name, entry]];
  const here = path + entry.name;
  if (entry.isFile) return [[here, await new Promise((done, failed) => entry.file(done, failed))]];
  const reader = entry.createReader();
  const found = [];
  for (;;) {
    const some = await new Promise((done, failed) => reader.readEntries(done, failed));
    if (!some.length || found.length > MOST) break;
    for (const each of some) found.push(...(await walked(each, `${here}/`)));
  }
  return found;
}

async function bring(files) {
  if (!files.length) return;
  try {
    const [only] = files;
    const zip = files.length === 1 && /\.zip$/i.test(only[0]);
    const answer = zip ? await askMine("/api/bring", null, await packed(only[1])) : await askMine("/api/bring", { files: await read(files) });
    const found = await answer.json();
    if (!answer.ok) throw new Error(found.error.message);
    const id = [...crypto.getRandomValues(new Uint8Array(8))].map((each) => each.toString(16).padStart(2, "0")).join("");
    const { name, rules, files: kept, left_out: left } = found;
    const saved = await askMine(`/api/home/drafts/${id}`, { name, rules, files: kept });
    if (!saved.ok) throw new Error((await saved.json()).error.message);
    if (left.length) sessionStorage.setItem("lawspeaker.left", t("place.bring_left", { names: left.join(", ") }));
    location.href = `/workshop?draft=${id}`;
  } catch (error) {
    notes.note(error.message);
  }
}

async function packed(file) {
  if (file.size > LARGEST) throw new Error(t("place.bring_large"));
  return { method: "POST", headers: { authorization: bearer(), "content-type": "application/zip" }, body: file };
}

async function read(files) {
  if (files.length > MOST) throw new Error(t("place.bring_large"));
  return Promise.all(files.map(async ([path, file]) => ({ path, text: file.size <= LARGEST ? await text(path, file) : null })));
}

/** Reads rules and drawings as text, images in base64; null for other files. */
async function text(path, file) {
  if (/\.(yaml|svg|lock)$/.test(path)) return file.text();
  if (!/\.png$/.test(path)) return null;
  const bytes = new Uint8Array(await file.arrayBuffer());
  return btoa(Array.from(bytes, (each) => String.fromCharCode(each)).join(""));
}
