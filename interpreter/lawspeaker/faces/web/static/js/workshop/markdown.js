// Renders the subset of Markdown that the manual and the language service use.

import { h } from "../dom.js";

/** Renders paragraphs, lists, tables and code blocks. */
export function paragraphs(text) {
  const parts = [];
  for (const [number, block] of text.split(/^```.*$/m).entries()) {
    if (number % 2) parts.push(h("pre", { tabindex: "0" }, block.trim()));
    else parts.push(...block.split(/\n\n+/).filter((each) => each.trim()).map((each) => rendered(each.trim())));
  }
  return parts;
}

function rendered(block) {
  if (block.startsWith("- ")) return h("ul", {}, ...block.split(/^- /m).slice(1).map((item) => h("li", {}, ...inline(joined(item)))));
  if (!block.startsWith("| ")) return h("p", {}, ...inline(joined(block)));
  const [head, , ...rows] = block.split("\n").map((row) => row.slice(1, -1).split(/(?<!\\)\|/).map((cell) => inline(cell.trim().replaceAll("\\|", "|"))));
  const line = (name, cells) => h("tr", {}, ...cells.map((cell) => h(name, {}, ...cell)));
  return h("div", { class: "tabled", tabindex: "0" }, h("table", {}, h("thead", {}, line("th", head)), h("tbody", {}, ...rows.map((cells) => line("td", cells)))));
}

const joined = (text) => text.trim().replace(/\s*\n\s*/g, " ");

/** Renders inline code, bold and italic text; links become plain text. */
export function inline(text) {
  return text
    .replace(/\[([^\]]+)\]\([^)]*\)/g, "$1")
    .split(/(`[^`]+`|\*\*[^*]+\*\*|\*[^*\s][^*]*\*)/)
    .filter(Boolean)
    .map((part) => {
      if (part.startsWith("`")) return h("code", {}, part.slice(1, -1));
      if (part.startsWith("**")) return h("strong", {}, part.slice(2, -2));
      return part.startsWith("*") && part.endsWith("*") && part.length > 2 ? h("em", {}, part.slice(1, -1)) : part;
    });
}
