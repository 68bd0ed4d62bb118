// What has been pointed at so far, and what it can still become. No page in here: only logic.
//
// An option is a bag of keys: things of the picture, and words that are not in it. Pointing at a key
// keeps the options that have it. Without sets, the last option that is left is chosen at once; in a
// set one more may always come, so that a choice has to be confirmed.

const count = (keys) => {
  const counts = new Map();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
};

/** Takes one away, if there is one. */
const take = (counts, key) => {
  const many = counts.get(key) ?? 0;
  counts.set(key, many - 1);
  return many > 0;
};

/** What is typed is not pointed at. */
const listed = (question) => question.options.filter((option) => !option.typed);

export const keysOf = (option) => [...option.things, ...option.words];

export class Choosing {
  constructor(question) {
    this.question = question;
    this.options = listed(question);
    this.picked = [];
  }

  /** The same question, in which somebody or something is called otherwise now: what was pointed at stays. */
  reworded(question) {
    this.question = question;
    this.options = listed(question);
  }

  /** The options that have all that was pointed at; where each thing is for somebody, in that order. */
  get left() {
    if (this.question.receivers) return this.options.filter((option) => this.picked.every((key, at) => keysOf(option)[at] === key));
    const wanted = count(this.picked);
    return this.options.filter((option) => {
      const has = count(keysOf(option));
      return [...wanted].every(([key, many]) => (has.get(key) ?? 0) >= many);
    });
  }

  /** What can be pointed at next. */
  get next() {
    if (this.question.receivers) return new Set(this.left.map((option) => keysOf(option)[this.picked.length]).filter(Boolean));
    const had = count(this.picked);
    const found = new Set();
    for (const option of this.left) {
      for (const [key, many] of count(keysOf(option))) if (many > (had.get(key) ?? 0)) found.add(key);
    }
    return found;
  }

  /** What comes later: what can be pointed at, but in all options stands behind something else that can. With one
   *  thing to begin with nobody has to be shown where to begin. */
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

  /**
   * The options that need nothing more: what is pointed at is all they are. Of those that are the same things
   * in another order, such as two ways over the same places, the one in whose order they were pointed at.
   */
  get complete() {
    const whole = this.left.filter((option) => keysOf(option).length === this.picked.length);
    const inOrder = whole.filter((option) => keysOf(option).every((key, at) => key === this.picked[at]));
    return inOrder.length ? inOrder : whole;
  }

  /** The fewest and the most things that an answer takes which takes any, and how many there are. */
  get extent() {
    const sizes = this.options.map((option) => option.things.length).filter(Boolean);
    const there = new Map();
    for (const option of this.options) {
      for (const [key, many] of count(option.things)) there.set(key, Math.max(many, there.get(key) ?? 0));
    }
    const all = [...there.values()].reduce((sum, many) => sum + many, 0);
    return { least: Math.min(...sizes), most: Math.max(...sizes), all };
  }

  /** How many picks have to go so that a key can be pointed at after all; -1 if that is no use. */
  switching(key) {
    if (this.question.several || this.picked.includes(key)) return -1;
    for (let gone = 1; gone <= this.picked.length; gone += 1) {
      const before = new Choosing(this.question);
      before.picked = this.picked.slice(0, -gone);
      if (before.next.has(key)) return gone;
    }
    return -1;
  }

  /** What can be pointed at instead of something that has been. */
  get others() {
    const all = new Set(this.picked.length ? this.options.flatMap(keysOf) : []);
    const { next } = this;
    return new Set([...all].filter((key) => !next.has(key) && this.switching(key) > 0));
  }

  /** Points at a key; gives the option that is chosen by it, if it is clear which. Who points at something
   *  else than before has changed his mind. */
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

  drop(key) {
    const at = this.picked.lastIndexOf(key);
    if (at >= 0) this.picked.splice(at, this.question.receivers ? Infinity : 1);
  }

  clear() {
    this.picked = [];
  }
}
