// Animates events stage by stage, with pauses.
//
// A stage may have a picture; then pieces move to their places in it. Points rise from where they were scored. The
// user can skip the current animation, or set the slider to the end: then everything appears at once. With a backlog,
// pauses get shorter.

import { h } from "./dom.js";
import { reducedMotion } from "./flight.js";
import { t } from "./words.js";

const STOPS = { move: 650, reveal: 1500, score: 1400, told: 1500, luck: 900 }; // in milliseconds, at the middle speed
const SPEEDS = [0.4, 0.7, 1, 1.6, 2.5, Infinity];
const MIDDLE = 2;
const KEPT = "lawspeaker.speed";
const RISES = 1500;
const MUCH = 6; // so much news may wait before it is played faster

/** Whether a stage has something to look at besides what has moved. */
const seen = ({ points, marks }) => points.length > 0 || marks?.length > 0;

export class Stages {
  /** `picture` shows the table; `frame` is where the controls go. */
  constructor(picture, frame) {
    this.picture = picture;
    this.waiting = 0; // how much news is waiting behind this
    this.paused = false;
    this.wake = null;
    this.controls = this.made();
    frame.append(this.controls);
  }

  /** How fast, as the slider says; it is remembered. */
  get speed() {
    const kept = Number(localStorage.getItem(KEPT) ?? MIDDLE);
    return SPEEDS[kept] ?? 1;
  }

  get atOnce() {
    return this.speed === Infinity;
  }

  made() {
    const kept = localStorage.getItem(KEPT) ?? MIDDLE;
    this.slider = h("input", { type: "range", min: "0", max: String(SPEEDS.length - 1), step: "1", value: String(kept) });
    this.slider.addEventListener("input", () => {
      localStorage.setItem(KEPT, this.slider.value);
      this.worded();
      if (this.atOnce) this.skip();
    });
    this.pausing = h("button", { class: "quiet", type: "button", onclick: () => this.pause(!this.paused) });
    this.skipping = h("button", { class: "quiet", type: "button", onclick: () => this.skip() }, "▸▸");
    return h("div", { class: "stages", role: "group" }, this.pausing, this.skipping, this.slider);
  }

  /** The controls in the language of the page. */
  worded() {
    const told = this.atOnce ? t("stage.at_once") : t("stage.speed");
    this.slider.setAttribute("aria-label", told);
    this.slider.title = told;
    this.pausing.textContent = this.paused ? "▶" : "❚❚";
    for (const [button, name] of [[this.pausing, this.paused ? "go_on" : "pause"], [this.skipping, "skip"]]) {
      button.title = t(`stage.${name}`);
      button.setAttribute("aria-label", t(`stage.${name}`));
    }
  }

  pause(paused) {
    this.paused = paused;
    this.worded();
    if (!paused) this.wake?.();
  }

  /** Nothing more is waited for, until all that is there has been shown. */
  skip() {
    this.skipped = this.rushing = true;
    this.paused = false;
    this.worded();
    this.wake?.();
  }

  /** Plays stages; `told` is called with each, to tell its part of the story. The last one's picture is `final`, and
   *  `marks` are the lines that stay drawn in it. */
  async play(stages, final, told, marks = []) {
    this.rushing = this.rushing && this.waiting > 0;
    this.skipped = this.atOnce || this.rushing || document.hidden;
    this.worded();
    this.picture.forget();
    if (stages.length > 1 || stages.some(seen)) this.controls.classList.add("playing");
    for (const [at, stage] of stages.entries()) {
      const last = at === stages.length - 1;
      const svg = last ? final : stage.svg;
      if (svg && !(this.skipped && !last)) this.picture.show(svg, !this.skipped);
      told(stage);
      if (this.skipped) continue;
      this.rise(stage);
      if (!last || seen(stage) || this.paused) await this.stop(stage);
    }
    this.picture.show(final, stages.length === 0);
    this.controls.classList.remove("playing");
    this.picture.scored([], marks);
  }

  /** Waits as long as one looks at a stage; for ever, while it is paused. */
  async stop({ sort, points }) {
    const long = (STOPS[sort] ?? STOPS.move) + 250 * Math.max(0, points.length - 1);
    const until = performance.now() + long / (this.speed * Math.max(1, this.waiting - MUCH));
    while (!this.skipped && (this.paused || performance.now() < until)) {
      const left = this.paused ? 60000 : until - performance.now();
      await new Promise((resolve) => {
        const timer = setTimeout(resolve, Math.max(0, Math.min(left, 250)));
        this.wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    this.wake = null;
  }

  /** Points rise from the places they were for, and where there are none, from whoever gets them. */
  rise({ points, marks = [] }) {
    const places = points.flatMap((each) => each.things);
    this.picture.scored(places, marks);
    const crowd = new Map(); // by where they rise, what each seat gets there
    for (const { seat, points: many, things } of points) {
      const target = things.map((key) => this.picture.thing(key)).find(Boolean) ?? this.picture.strip(seat);
      if (!target) continue;
      const given = crowd.get(target) ?? new Map();
      crowd.set(target, given.set(seat, (given.get(seat) ?? 0) + many));
    }
    for (const [target, given] of crowd) {
      [...given].forEach(([seat, many], before) => this.float(target, seat, many, before));
    }
  }

  float(target, seat, many, before) {
    const box = target.getBoundingClientRect();
    if (!box.width || !many) return;
    const colour = this.picture.players?.[seat]?.colour;
    const made = h("span", { class: `rising ${many < 0 ? "lost" : ""}`, "aria-hidden": "true", colour }, `${many > 0 ? "+" : "−"}${Math.abs(many)}`);
    made.style.left = `${box.x + box.width / 2 + 46 * before}px`;
    made.style.top = `${box.y + box.height / 2}px`;
    document.body.append(made);
    const end = reducedMotion() ? "translate(-50%, -50%)" : "translate(-50%, -190%)";
    const rising = made.animate(
      [
        { opacity: 0, transform: "translate(-50%, -50%) scale(.7)" },
        { opacity: 1, transform: "translate(-50%, -60%) scale(1.1)", offset: 0.15 },
        { opacity: 1, transform: end, offset: 0.8 },
        { opacity: 0, transform: end },
      ],
      { duration: RISES / Math.min(2.5, this.speed), easing: "ease-out" },
    );
    rising.onfinish = rising.oncancel = () => made.remove();
  }
}
