// The first lesson: the goal, the points and a turn, one card each, before somebody's first question in a game.

import { fill, h } from "./dom.js";
import { t } from "./words.js";

/** Shows the cards in a dialog; resolves when it is closed. */
export function teach(cards) {
  if (!cards.length) return Promise.resolve();
  const heading = h("h2", { id: "lesson-title", tabindex: "-1" });
  const place = h("div", { class: "card-of-lesson" });
  const dialog = h("dialog", { class: "lesson", "aria-labelledby": "lesson-title" }, place);
  let at = 0;
  const go = (step) => {
    at += step;
    if (at < cards.length) show();
    else dialog.close();
  };
  const back = h("button", { class: "quiet", type: "button", onclick: () => go(-1) }, t("stage.back"));
  const next = h("button", { class: "main", type: "button", onclick: () => go(1) });
  const show = () => {
    const { title, sentences, more } = cards[at];
    fill(heading, title);
    fill(
      place,
      h("p", { class: "tip" }, `${t("stage.three_cards", { count: cards.length })} · ${at + 1} / ${cards.length}`),
      heading,
      sentences.length > 1 ? h("ul", {}, ...sentences.map((each) => h("li", {}, each))) : h("p", {}, ...sentences),
      more ? h("p", { class: "tip" }, t("stage.further", { count: more })) : null,
    );
    place.scrollTop = 0;
    back.disabled = at === 0;
    fill(next, t(at + 1 < cards.length ? "stage.next" : "stage.lets_play"));
    heading.focus({ preventScroll: true });
  };
  dialog.append(h("div", { class: "buttons" }, back, next));
  dialog.addEventListener("keydown", (event) => {
    event.stopPropagation(); // keys choose nothing at the table meanwhile
    if (event.key === "ArrowRight" && at + 1 < cards.length) go(1);
    else if (event.key === "ArrowLeft" && at) go(-1);
  });
  document.body.append(dialog);
  dialog.showModal();
  show();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve();
    });
  });
}
