// Creates DOM elements, with text that is never parsed as markup.

/** Creates an element with attributes, listeners (`onclick`) and children (elements, texts, null). */
export function h(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else if (key === "colour") made.style.setProperty("--colour", value);
    else if (key === "rows") made.style.setProperty("--rows", value);
    else made.setAttribute(key, value === true ? "" : value);
  }
  made.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return made;
}

export const byId = (id) => document.getElementById(id);

export function fill(parent, ...children) {
  parent.replaceChildren(...children.flat().filter((child) => child !== null && child !== undefined));
  return parent;
}

/** Parses an SVG from the server. */
export function svg(text) {
  const read = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
  return document.importNode(read, true);
}

/** A player as a letter on the player's colour. */
export function chip(player, extra = "") {
  // The letter is CSS content (base.css), so that it is no part of the accessible name.
  const letter = (sign) => ({ "data-letter": sign, "aria-hidden": "true" });
  if (!player) return h("span", { class: `chip none ${extra}`, ...letter("·") });
  const made = h("span", { class: `chip ${player.letter.length > 1 ? "long" : ""} ${extra}`, colour: player.colour, ...letter(player.letter) });
  made.style.setProperty("--ink", player.ink);
  return made;
}
