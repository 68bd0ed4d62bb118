// Renders the subset of Markdown that the manual and the language service use.

import { h } from "../dom.js";

/** Renders paragraphs, lists and code blocks. */
export function paragraphs(text) {
  const parts = [];
  for (const [number, block] of text.split(/^```.*$/m).entries()) {
    if (number % 2) parts.push(h("pre", { tabindex: "0" }, block.trim()));
    else {
      const found = block.split(/\n\n+/).filter((each) => each.trim() && !each.includes("|---"));
      parts.push(...found.map((each) => h("p", {}, ...inline(each.trim().replace(/\n/g, " ")))));
    }
  }
  return parts;
}

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
