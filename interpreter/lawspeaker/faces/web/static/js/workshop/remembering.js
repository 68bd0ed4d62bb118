// A draft survives a reload: what was changed is kept in this browser, for the page it was changed on.

const KEY = "lawspeaker.draft";

/** Keeps the files of a draft that differ; forgets them when none do. */
export function keep(address, draft) {
  try {
    if (draft.touched) localStorage.setItem(KEY, JSON.stringify({ address, files: draft.files }));
    else localStorage.removeItem(KEY);
  } catch {
    // A browser that keeps nothing is none the worse for it.
  }
}

/** The files that were kept for a page; none if there are none. */
export function kept(address) {
  try {
    const found = JSON.parse(localStorage.getItem(KEY));
    return found?.address === address ? found.files : [];
  } catch {
    return [];
  }
}
