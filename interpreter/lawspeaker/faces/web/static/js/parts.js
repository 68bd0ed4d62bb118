// Splits a question with many answers into parts: first how many dice, then of which face.
//
// Answers that share the next thing or word become one entry of the list; complete ones stay answers. Of sets the
// members are listed instead of all sets. Where answers share nothing but the beginning of their names, that is used
// if there are more of them than shortcut keys.

import { keysOf } from "./choosing.js";

export const KEYS = "123456789abcdefgijklmnopqrstvwxyz"; // u takes back, h asks for a hint
const MANY = 12;

/** The entries for the remaining options: each an `option`, or a part with a `key`, or options to narrow down to
 *  (`among`). */
export function panelEntries(choosing, among = null) {
  const found = among ? choosing.left.filter((each) => among.includes(each)) : choosing.left;
  // Complete options come first: they are few and frequently used, so their shortcut keys stay the same.
  const whole = (option) => !remaining(option, choosing.picked).length;
  const left = [...found.filter(whole), ...found.filter((each) => !whole(each))];
  const plain = left.map((option) => ({ option, name: option.name }));
  if (left.length <= MANY) return plain;
  const parts = choosing.question.several ? members(choosing, left) : byKey(choosing, left);
  if (parts) return parts;
  return left.length > KEYS.length ? (byName(left) ?? plain) : plain;
}

function members(choosing, left) {
  const whole = left.filter((option) => !keysOf(option).length);
  return [...whole.map((option) => ({ option, name: option.name })), ...[...choosing.next].map((key) => ({ key, name: "" }))];
}

function byKey(choosing, left) {
  const groups = new Map();
  for (const option of left) {
    const key = remaining(option, choosing.picked)[0] ?? option;
    groups.set(key, [...(groups.get(key) ?? []), option]);
  }
  if (groups.size < 2 || groups.size > 0.7 * left.length) return null;
  const all = beginning(left);
  return [...groups].map(([key, options]) => {
    if (options.length === 1) return { option: options[0], name: options[0].name };
    const name = beginning(options);
    return { key, name: name.length > all.length ? `${name}…` : "", options };
  });
}

/** The keys of an option that are not selected yet, in order. */
function remaining(option, picked) {
  const had = [...picked];
  return keysOf(option).filter((key) => {
    const at = had.indexOf(key);
    if (at >= 0) had.splice(at, 1);
    return at < 0;
  });
}

function byName(left) {
  const shared = beginning(left);
  const groups = new Map();
  for (const option of left) {
    const rest = option.name.slice(shared.length);
    const word = rest.includes(" ") ? rest.slice(0, rest.indexOf(" ") + 1) : rest.slice(0, 1);
    groups.set(word, [...(groups.get(word) ?? []), option]);
  }
  if (groups.size < 2 || groups.size > 0.7 * left.length) return null;
  return [...groups].map(([word, options]) =>
    options.length === 1 ? { option: options[0], name: options[0].name } : { among: options, name: `${shared}${word}…`, options },
  );
}

/** The common prefix of the names of options, up to the last space. */
function beginning(options) {
  let common = options[0].name;
  for (const { name } of options) {
    let at = 0;
    while (at < common.length && common[at] === name[at]) at += 1;
    common = common.slice(0, at);
  }
  return options.length > 1 ? common.slice(0, common.lastIndexOf(" ") + 1) : common;
}
