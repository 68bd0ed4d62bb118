// The drafts of whoever is here: those that are only in this browser, and those that are kept at the server.

import { askMine, key } from "../key.js";
import { served } from "../server.js";
import { held, unsaved } from "./remembering.js";

/** All of them that are not put away, without their files, as { id, name, rules, changed }; the latest first. */
export async function mine() {
  const here = unsaved();
  const answer = served && key() ? await askMine("/api/home").catch(() => null) : null;
  const kept = answer?.ok ? (await answer.json()).drafts ?? [] : [];
  const all = [...here, ...kept.filter(({ id, away }) => !away && !here.some((each) => each.id === id))];
  return all.sort((one, other) => other.changed - one.changed);
}

/** A draft with its files: one of one's own, or one that somebody shares by a link; null if there is none. */
export async function opened(id) {
  let found = held(id);
  for (const address of found ? [] : [`/api/home/drafts/${encodeURIComponent(id)}`, `/api/drafts/${encodeURIComponent(id)}`]) {
    const answer = await askMine(address).catch(() => null);
    if (answer?.ok) {
      found = await answer.json();
      break;
    }
  }
  return found?.files?.length ? { id, name: found.name ?? "", rules: found.rules, files: found.files } : null;
}
