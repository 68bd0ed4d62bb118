// Folds parts of the page on small screens: the rest of the bar, the story, the list of players.

import { byId } from "./dom.js";

function expanded(button, yes) {
  button?.setAttribute("aria-expanded", String(yes));
}

export function folding() {
  const more = byId("more");
  const story = byId("unfold-story");
  more?.addEventListener("click", () => expanded(more, byId("further").classList.toggle("open")));
  story?.addEventListener("click", () => expanded(story, document.querySelector(".story").classList.toggle("unfolded")));
  const away = (target) => {
    const seats = byId("seats");
    if (seats && !target?.closest("#seats")) seats.open = false;
    if (target?.closest("#more, #further")) return;
    byId("further")?.classList.remove("open");
    expanded(more, false);
  };
  document.addEventListener("click", ({ target }) => away(target));
  document.addEventListener("keydown", ({ key }) => {
    if (key === "Escape") away(null);
  });
}
