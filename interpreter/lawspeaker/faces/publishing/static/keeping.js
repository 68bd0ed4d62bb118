// Stores games in the browser (IndexedDB): each under a token, as the record of its table.

const opened = new Promise((resolve, reject) => {
  const asking = indexedDB.open("lawspeaker", 1);
  asking.onupgradeneeded = () => asking.result.createObjectStore("games", { keyPath: "token" });
  asking.onsuccess = () => resolve(asking.result);
  asking.onerror = () => reject(asking.error);
});

async function done(mode, deed) {
  const base = await opened;
  return new Promise((resolve, reject) => {
    const doing = base.transaction("games", mode);
    const asked = deed(doing.objectStore("games"));
    doing.oncomplete = () => resolve(asked.result);
    doing.onerror = doing.onabort = () => reject(doing.error);
  });
}

/** A stored game: `{token, game, record, at}`, or undefined. */
export const storedGame = (token) => done("readonly", (games) => games.get(token));

/** All stored games, the newest first. */
export const storedGames = async () => (await done("readonly", (games) => games.getAll())).sort((one, other) => other.at - one.at);

export const deleteGame = (token) => done("readwrite", (games) => games.delete(token));

/** Stores a game; `record` is a text. */
export const storeGame = (token, game, record) => done("readwrite", (games) => games.put({ token, game, record, at: Date.now() }));

export function newToken() {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return [...bytes].map((each) => each.toString(16).padStart(2, "0")).join("");
}

/** A seed for a new game, as a text: it has more digits than a number can hold here. */
export function newSeed() {
  const [high, low] = crypto.getRandomValues(new Uint32Array(2));
  return ((BigInt(high >>> 2) << 32n) | BigInt(low)).toString();
}
