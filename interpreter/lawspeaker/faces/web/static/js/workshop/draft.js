// A draft of rules: its base files, and those changed or added.

export const ENTRY = "game.yaml"; // the file that rules begin with

export const keyOf = (file) => (file.given === null ? file.name : `+${file.name}`);

/** The title in the head of a file; in a translation a hash of its original may follow the key. */
const titled = (text) => text.match(/^title(?: @[0-9a-f]{6}\??)?: *(["']?)([^\s{}>|&*#"'].*?)\1 *(?: #.*)?$/m)?.[2] ?? "";

export class Draft {
  constructor({ rules, original, files, open }) {
    this.rules = rules;
    this.original = new Map(original.map((file) => [keyOf(file), file]));
    this.texts = new Map([...original, ...files].map((file) => [keyOf(file), { ...file }]));
    // A draft without base rules is compared with its state when it was opened.
    this.before = rules ? [] : files.map((file) => ({ ...file }));
    const first = [...this.texts.values()].filter((file) => file.name === open).at(-1);
    this.opened = keyOf(first ?? this.texts.values().next().value);
  }

  get file() {
    return this.texts.get(this.opened);
  }

  changed(key) {
    return this.was(key)?.text !== this.texts.get(key).text;
  }

  /** The files that differ from the base. */
  get files() {
    return [...this.texts.values()].filter((file) => this.original.get(keyOf(file))?.text !== file.text);
  }

  get touched() {
    return [...this.texts.keys()].some((key) => this.changed(key)) || this.before.some((file) => !this.texts.has(keyOf(file)));
  }

  /** The title of its rules: that of the first added house rule, else of the game. Falls back to the original
   *  language. */
  title(language) {
    const { own, tongues } = this.titles;
    return tongues.get(language) || own;
  }

  /** Its title as written, and its translations. */
  get titles() {
    const added = ([key, file]) => this.rules && file.given !== null && !this.original.has(key);
    const rules = [...this.texts].find(added)?.[1] ?? this.texts.get(ENTRY);
    const stem = !rules || rules.name === ENTRY ? "" : rules.name.replace(/yaml$/, "");
    const tongues = new Map();
    for (const { name, text } of this.texts.values()) {
      const language = name.startsWith(`languages/${stem}`) ? name.slice(`languages/${stem}`.length).match(/^([a-z]{2})\.yaml$/)?.[1] : null;
      if (language) tongues.set(language, titled(text));
    }
    return { own: titled(rules?.text ?? ""), tongues };
  }

  /** Whether a file can be renamed or removed: not a base file, and not the entry file. */
  own(key) {
    return this.texts.has(key) && !this.original.has(key) && key !== ENTRY;
  }

  get message() {
    return { rules: this.rules, files: this.files, before: this.before };
  }

  /** Applies edits, each {file, from, to, text}; a missing file is created. */
  edit(edits) {
    const last = [...edits].sort((one, other) => other.from - one.from);
    for (const { file, from, to, text } of last) {
      const found = [...this.texts.values()].find((each) => each.name === file) ?? { name: file, text: "", given: null };
      found.text = found.text.slice(0, from) + text + found.text.slice(to);
      this.texts.set(keyOf(found), found);
    }
  }

  /** Applies changes of files; opens the first new one. */
  refile({ edits, files, gone }) {
    this.edit(edits);
    for (const [key, { name }] of [...this.texts]) if (gone.includes(name) && this.own(key)) this.texts.delete(key);
    for (const file of files) this.texts.set(keyOf(file), { ...file });
    if (files.length) this.opened = keyOf(files[0]);
    else if (!this.texts.has(this.opened)) this.opened = this.texts.keys().next().value;
  }

  /** Restores files from storage. */
  putBack(files) {
    for (const file of files) this.texts.set(keyOf(file), { ...file });
    const last = files.findLast((file) => !file.name.includes("/")) ?? files.at(-1);
    if (last) this.opened = keyOf(last);
  }

  /** The original of a file, if there is one. */
  was(key) {
    return this.original.get(key) ?? this.before.find((file) => keyOf(file) === key);
  }

  /** Reverts all changes of a file. */
  restore(key) {
    this.texts.get(key).text = this.was(key).text;
  }
}
