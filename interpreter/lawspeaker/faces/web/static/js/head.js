// The header of the pages around the table: the current page, and links to the others. It is built before phrases are
// loaded, which fill it in.

import { h } from "./dom.js";

const PLACES = [
  ["/", "home"],
  ["/home", "place.title"],
  ["/library", "library.title"],
  ["/comparison", "comparing.title"],
  ["/workshop", "workshop.title"],
  ["/lab", "lab.title"],
];

const here = `/${location.pathname.split("/")[1]}`;
const title = here === "/"
  ? h("div", {}, h("h1", {}, "Lawspeaker"), h("p", { class: "tagline", "data-words": "tagline" }))
  : h("h1", { "data-words": PLACES.find(([path]) => path === here)?.[1] ?? "home" }, "Lawspeaker");

const head = document.querySelector("header.bar"); // it may hold something of its own
head.classList.add("places");
head.prepend(h("a", { class: "home", href: "/", "data-label": "home" }, h("img", { src: "/static/icon.svg", alt: "", width: "34", height: "34" })), title);
head.append(
  h(
    "nav",
    {},
    ...PLACES.filter(([path]) => path !== here).map(([path, words]) => h("a", { class: "button quiet", href: path, "data-words": words })),
    h("button", { id: "night", class: "quiet", "data-label": "layout.night", "aria-pressed": "false" }, h("span", { "aria-hidden": "true" }, "☾")),
    h("select", { id: "language", "data-label": "language" }),
  ),
);
