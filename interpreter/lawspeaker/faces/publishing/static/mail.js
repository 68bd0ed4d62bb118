// Play by mail: a link contains the whole game, and its recipient plays on from there.
//
// A link is checked twice: here against what this browser knows of the game (nobody may rewrite the past), and by the
// table, which replays every reply by the rules.

import { storedGame, storeGame } from "./keeping.js";
import { compress, decompress } from "./compression.js";

const KEY = "#mail=";
const LARGEST = 1_000_000; // so many bytes the game of a link may have

/** Makes the link of a game from its record. */
export async function link(page, game, record) {
  const { mail, digest, language, seats, replies } = JSON.parse(record);
  const told = { mail, game, digest, language, names: seats.map(({ name }) => name), replies: replies.map(([seat, , said]) => [seat, said]) };
  return new URL(`table.html${KEY}${await compress(JSON.stringify(told))}`, page).href;
}

/** Imports a link: returns the token of its game, or null if the URL has none. Throws the name of a phrase for an
 *  error. */
export async function received(hash) {
  if (!hash.startsWith(KEY)) return null;
  let told;
  try {
    told = JSON.parse(await decompress(hash.slice(KEY.length), LARGEST));
    if (!/^[0-9a-f]{24}$/.test(told.mail) || !/^[a-z0-9_-]+$/.test(told.game) || !Array.isArray(told.replies)) throw new Error("not a game");
  } catch {
    throw new Error("published.bad_link");
  }
  const { mail, game, digest, language, names, replies } = told;
  const kept = await storedGame(mail);
  const known = kept ? JSON.parse(kept.record) : { mine: -1, replies: [] };
  const common = Math.min(known.replies.length, replies.length);
  for (let at = 0; at < common; at += 1) {
    const [seat, , said] = known.replies[at];
    if (seat !== replies[at][0] || said !== replies[at][1]) throw new Error("published.other_past");
  }
  if (kept && known.replies.length >= replies.length) return mail; // this browser knows as much already
  const seats = names.map((name) => ({ who: "me", name: String(name).slice(0, 24) }));
  const given = replies.map(([seat, said]) => [seat, 0, String(said)]);
  await storeGame(mail, game, JSON.stringify({ ...known, rules: game, digest, seed: "0", discretion: "quick", language, seats, replies: given, mail }));
  return mail;
}
