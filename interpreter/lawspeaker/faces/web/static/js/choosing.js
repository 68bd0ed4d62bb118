// The state of a selection: what has been clicked, and which options remain. Pure logic, without DOM.
//
// An option is a multiset of keys: things in the picture, and words that are not in it. Clicking a key keeps the
// options that have it. Without sets, the last remaining option is chosen at once; in a set one more may always be
// added, so that a choice must be confirmed.

const count = (keys) => {
  const counts = new Map();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
};

/** Decrements a count, if it is positive. */
const take = (counts, key) => {
  const many = counts.get(key) ?? 0;
  counts.set(key, many - 1);
  return many > 0;
};

/** Typed options cannot be clicked. */
const listed = (question) => question.options.filter((option) => !option.typed);

export const keysOf = (option) => [...option.things, ...option.words];

export class Choosing {
  constructor(question) {
    this.question = question;
    this.options = listed(question);
    this.picked = [];
  }

  /** Replaces the question by the same one with other names; the selection stays. */
  reworded(question) {
    this.question = question;
    this.options = listed(question);
  }

  /** The options that contain the selection; with receivers, in that order. */
  get left() {
    if (this.question.receivers) return this.options.filter((option) => this.picked.every((key, at) => keysOf(option)[at] === key));
    const wanted = count(this.picked);
    return this.options.filter((option) => {
      const has = count(keysOf(option));
      return [...wanted].every(([key, many]) => (has.get(key) ?? 0) >= many);
    });
  }

  /** The keys that can be clicked next. */
  get next() {
    if (this.question.receivers) return new Set(this.left.map((option) => keysOf(option)[this.picked.length]).filter(Boolean));
    const had = count(this.picked);
    const found = new Set();
    for (const option of this.left) {
      for (const [key, many] of count(keysOf(option))) if (many > (had.get(key) ?? 0)) found.add(key);
    }
    return found;
  }

  /** The selectable keys that come after another selectable one in all options. With a single start, nothing has to
   *  be marked as the first. */
  get later() {
    if (this.question.several || this.question.receivers) return new Set();
    const first = new Set();
    for (const option of this.left) {
      const had = count(this.picked);
      const key = option.things.find((each) => !take(had, each));
      if (key) first.add(key);
    }
    return first.size < 2 ? new Set() : new Set([...this.next].filter((key) => !first.has(key)));
  }

  /** The options that equal the selection. Of those with the same keys in another order, such as two paths over the
   *  same places, the one in the order of clicks. */
  get complete() {
    const whole = this.left.filter((option) => keysOf(option).length === this.picked.length);
    const inOrder = whole.filter((option) => keysOf(option).every((key, at) => key === this.picked[at]));
    return inOrder.length ? inOrder : whole;
  }

  /** The minimum and maximum number of things in an answer that has any, and the number of all things. */
  get extent() {
    const sizes = this.options.map((option) => option.things.length).filter(Boolean);
    const there = new Map();
    for (const option of this.options) {
      for (const [key, many] of count(option.things)) there.set(key, Math.max(many, there.get(key) ?? 0));
    }
    const all = [...there.values()].reduce((sum, many) => sum + many, 0);
    return { least: Math.min(...sizes), most: Math.max(...sizes), all };
  }

  /** The number of keys to unselect so that a key becomes selectable; -1 if that is impossible. */
  switching(key) {
    if (this.question.several || this.picked.includes(key)) return -1;
    for (let gone = 1; gone <= this.picked.length; gone += 1) {
      const before = new Choosing(this.question);
      before.picked = this.picked.slice(0, -gone);
      if (before.next.has(key)) return gone;
    }
    return -1;
  }

  /** The keys that can replace a selected one. */
  get others() {
    const all = new Set(this.picked.length ? this.options.flatMap(keysOf) : []);
    const { next } = this;
    return new Set([...all].filter((key) => !next.has(key) && this.switching(key) > 0));
  }

  /** Clicks a key; returns the option if it is then determined. Clicking something incompatible replaces earlier
   *  clicks. */
  pick(key) {
    if (!this.next.has(key)) {
      const gone = this.switching(key);
      if (gone < 0) {
        this.drop(key);
        return null;
      }
      this.picked.splice(-gone);
    }
    this.picked.push(key);
    if (this.question.several) return null;
    const { left, complete } = this;
    if (left.length === 1) return left[0];
    return complete.length === 1 && !this.next.size ? complete[0] : null;
  }

  /** The option that a click on a key would choose; null if none would be, or not yet. */
  by(key) {
    if (!this.next.has(key) && this.switching(key) < 0) return null;
    const after = new Choosing(this.question);
    after.picked = [...this.picked];
    return after.pick(key);
  }

  drop(key) {
    const at = this.picked.lastIndexOf(key);
    if (at >= 0) this.picked.splice(at, this.question.receivers ? Infinity : 1);
  }

  clear() {
    this.picked = [];
  }
}
