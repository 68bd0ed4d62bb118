// Rules in the making: the files it starts from, and those that were changed or added.

export const keyOf = (file) => (file.given === null ? file.name : `+${file.name}`);

export class Draft {
  constructor({ rules, original, files, open }) {
    this.rules = rules;
    this.original = new Map(original.map((file) => [keyOf(file), file]));
    this.texts = new Map([...original, ...files].map((file) => [keyOf(file), { ...file }]));
    // Rules that start from nothing are held against themselves, as they were when they were opened.
    this.before = rules ? [] : files.map((file) => ({ ...file }));
    const first = [...this.texts.values()].filter((file) => file.name === open).at(-1);
    this.opened = keyOf(first ?? this.texts.values().next().value);
  }

  get file() {
    return this.texts.get(this.opened);
  }

  changed(key) {
    const was = this.original.get(key) ?? this.before.find((file) => keyOf(file) === key);
    return was?.text !== this.texts.get(key).text;
  }

  /** The files that differ from the original ones. */
  get files() {
    return [...this.texts.values()].filter((file) => this.original.get(keyOf(file))?.text !== file.text);
  }

  get touched() {
    return [...this.texts.keys()].some((key) => this.changed(key));
  }

  get message() {
    return { rules: this.rules, files: this.files, before: this.before };
  }

  add(name, text) {
    const file = { name, text, given: [] };
    this.texts.set(keyOf(file), file);
    this.opened = keyOf(file);
  }

  /** Changes of texts, each {file, from, to, text}. */
  edit(edits) {
    const last = [...edits].sort((one, other) => other.from - one.from);
    for (const { file, from, to, text } of last) {
      const found = [...this.texts.values()].find((each) => each.name === file);
      if (found) found.text = found.text.slice(0, from) + text + found.text.slice(to);
    }
  }

  /** Puts files as they were left in their place. */
  putBack(files) {
    for (const file of files) this.texts.set(keyOf(file), { ...file });
    if (files.length) this.opened = keyOf(files.at(-1));
  }

  /** Takes back all changes of a file; one that was added goes. */
  restore(key) {
    const was = this.original.get(key) ?? this.before.find((file) => keyOf(file) === key);
    if (was) this.texts.get(key).text = was.text;
    else this.texts.delete(key);
    if (!this.texts.has(this.opened)) this.opened = this.texts.keys().next().value;
  }

  /** What it is played by on a command line. */
  get command() {
    const added = [...this.texts.values()].filter((file) => file.given !== null && !this.original.has(keyOf(file)));
    return [this.rules, ...added.map((file) => `./${file.name}`)].filter(Boolean).join("+");
  }
}
