// A question with many answers, asked in parts: first how many dice, then of which face.
//
// Answers that have the next thing or word in common become one entry of the list; what needs no more
// stays an answer. Of sets the members are listed, and not all the sets there are. Where answers have
// nothing in common but how their names begin, that will do, if there are more of them than keys.

import { keysOf } from "./choosing.js";

export const KEYS = "123456789abcdefgijklmnopqrstvwxyz"; // u takes back, h asks for a hint
const MANY = 12;

/** What is listed for the options that are left: each entry an `option`, or a part with a `key`, or
 *  options to narrow down to (`among`). */
export function entries(choosing, among = null) {
  const found = among ? choosing.left.filter((each) => among.includes(each)) : choosing.left;
  // What needs nothing more comes first, in a long list as in a short one: there are few of these, they are wanted
  // often, and so their keys stay the same from question to question.
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

/** The keys of an option that have not been picked, in their order. */
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

/** What the names of options begin with, up to the last space. */
function beginning(options) {
  let common = options[0].name;
  for (const { name } of options) {
    let at = 0;
    while (at < common.length && common[at] === name[at]) at += 1;
    common = common.slice(0, at);
  }
  return options.length > 1 ? common.slice(0, common.lastIndexOf(" ") + 1) : common;
}
