// Syntax highlighting of rule files, line by line: the frame is YAML, some values are code, others text. It runs on
// every key; the language service adds the kinds of names a moment later.

const WORDY = new Set("says asks about title because note publisher author by section kind publisher why remark en de it fr".split(" "));
const WORDY_INSIDE = new Set("guards names sources about title says asks".split(" "));
const KEY = /^(\s*(?:- )*)([A-Za-z_][\w .()*+-]*?|"[^"]*"|'[^']*')( @[0-9a-f]+\??)?:(?=\s|$)/; // in a translation with its print
const TOKEN = /(#.*$)|("(?:[^"\\]|\\.)*"|'(?:[^']|'')*')|([A-Za-z_][\w.]*)|(-?\b\d+\b)/g;

export const NOWHERE = { block: null, inside: null };

/** Tokenizes a line: pieces [start, end, kind], and the state for the next line. */
export function painted(line, state, words) {
  const indent = line.search(/\S/);
  if (indent < 0) return { pieces: [], next: state };
  let { block, inside } = state;
  if (block && indent <= block.indent) block = null;
  if (inside !== null && indent <= inside) inside = null;
  if (block) return { pieces: block.wordy ? [[indent, line.length, "says"]] : code(line, 0, words), next: { block, inside } };
  if (line[indent] === "#") return { pieces: [[indent, line.length, "remark"]], next: { block, inside } };
  const found = KEY.exec(line);
  if (!found) return { pieces: inside === null ? code(line, 0, words) : [[indent, line.length, "says"]], next: { block, inside } };
  const start = found[1].length;
  const end = start + found[2].length;
  const colon = found[0].length - 1;
  const pieces = [[start, end, inside === null ? "key" : "name"]];
  if (found[3]) pieces.push([end, colon, "remark"]);
  const rest = line.slice(colon + 1);
  const wordy = inside !== null || Boolean(found[3]) || WORDY.has(found[2]);
  if (/^\s*[|>][-+0-9]*\s*(#.*)?$/.test(rest)) block = { indent: start, wordy };
  else if (!rest.trim() && WORDY_INSIDE.has(found[2]) && inside === null) inside = start;
  else if (wordy && rest.trim() && !/^\s*[{[]/.test(rest)) pieces.push([colon + 1, line.length, "says"]);
  else pieces.push(...code(line, colon + 1, words));
  return { pieces, next: { block, inside } };
}

/** Whether names and keywords may follow this beginning of a line. */
export function wantsCode(line, state) {
  const { block, inside } = state;
  const indent = line.search(/\S/);
  if (block && indent > block.indent) return !block.wordy;
  if (inside !== null && indent > inside) return false;
  const found = KEY.exec(line);
  return !found || !(found[3] || WORDY.has(found[2]));
}

function code(line, from, words) {
  const pieces = [];
  TOKEN.lastIndex = from;
  for (let found = TOKEN.exec(line); found; found = TOKEN.exec(line)) {
    const [all, remark, text, word] = found;
    const start = found.index;
    const end = start + all.length;
    if (remark !== undefined) pieces.push([start, end, "remark"]);
    else if (text !== undefined) pieces.push([start, end, "says"]);
    else if (word === undefined) pieces.push([start, end, "number"]);
    else if (words.has(word)) pieces.push([start, end, "word"]);
    else if (line[end] === ":") pieces.push([start, end, "key"]);
  }
  return pieces;
}
