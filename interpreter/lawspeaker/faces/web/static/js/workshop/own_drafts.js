// The user's drafts: those in this browser only, and those on the server.

import { askMine, storedKey } from "../key.js";
import { served } from "../server.js";
import { held, unsaved } from "./remembering.js";

/** All drafts that are not archived, without files, as { id, name, rules, changed }; the latest first. */
export async function ownDrafts() {
  const here = unsaved();
  const answer = served && storedKey() ? await askMine("/api/home").catch(() => null) : null;
  const kept = answer?.ok ? (await answer.json()).drafts ?? [] : [];
  const all = [...here, ...kept.filter(({ id, away }) => !away && !here.some((each) => each.id === id))];
  return all.sort((one, other) => other.changed - one.changed);
}

/** A draft with its files: one's own, or one shared by link; null if there is none. */
export async function openDraft(id) {
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
