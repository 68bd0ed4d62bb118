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

export const keysOf = (option) => [...option.things, ...option.words];

export class Choosing {
  constructor(question) {
    this.question = question;
    this.options = question.options;
    this.picked = [];
  }

  /** The options that have all that was pointed at. */
  get left() {
    const wanted = count(this.picked);
    return this.options.filter((option) => {
      const has = count(keysOf(option));
      return [...wanted].every(([key, many]) => (has.get(key) ?? 0) >= many);
    });
  }

  /** What can be pointed at next. */
  get next() {
    const had = count(this.picked);
    const found = new Set();
    for (const option of this.left) {
      for (const [key, many] of count(keysOf(option))) if (many > (had.get(key) ?? 0)) found.add(key);
    }
    return found;
  }

  /** The options that need nothing more: what is pointed at is all they are. */
  get complete() {
    return this.left.filter((option) => keysOf(option).length === this.picked.length);
  }

  /** Points at a key; gives the option that is chosen by it, if it is clear which. */
  pick(key) {
    if (!this.next.has(key)) {
      this.drop(key);
      return null;
    }
    this.picked.push(key);
    const left = this.left;
    return !this.question.several && left.length === 1 ? left[0] : null;
  }

  drop(key) {
    const at = this.picked.lastIndexOf(key);
    if (at >= 0) this.picked.splice(at, 1);
  }

  clear() {
    this.picked = [];
  }
}
