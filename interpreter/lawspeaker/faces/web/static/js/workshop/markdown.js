// The little of Markdown that the manual and the language service use, as elements.

import { h } from "../dom.js";

/** Paragraphs, lists and examples of a text. */
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

/** Code, bold and slanted words and links of a text; links stay words. */
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
