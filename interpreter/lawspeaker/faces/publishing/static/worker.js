// Python in a worker: the table itself, or (as "bots") those who think at it.
//
// All files come from beside this one. The first message says what to be; after that the page talks
// to the table by messages with a number, and gets an answer with the same number.

import { loadPyodide } from "../runtime/pyodide.mjs";

const here = new URL("..", import.meta.url).href;
const file = async (path, kind = "arrayBuffer") => {
  const answer = await fetch(here + path);
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
  return answer[kind]();
};
const tell = (message) => postMessage(message);

let python = null;
let house = null; // or the thinker
let connection = null;
const thoughts = new Map(); // by number, who waits for a bot
let thinking = 0;

async function begin({ role, game, record }) {
  const [made, packed, rules] = await Promise.all([
    loadPyodide({ indexURL: `${here}runtime/`, packageBaseUrl: `${here}runtime/` }),
    file("python/lawspeaker.zip"),
    file(`games/${game}.game`),
  ]);
  python = made;
  tell({ type: "progress", part: "python" });
  python.unpackArchive(packed, "zip", { extractDir: "/lib/published" });
  const globals = python.toPy({ rules: new Uint8Array(rules) });
  python.runPython("import sys; sys.path.insert(0, '/lib/published')", { globals });
  python.runPython("from lawspeaker.faces.publishing.opening import opened\ngame = opened(bytes(rules))", { globals });
  tell({ type: "progress", part: "rules" });
  if (role === "bots") {
    const { modules } = await file("games/modules.json", "json");
    const own = modules[game] ?? {};
    const codes = await Promise.all(Object.values(own).map((path) => file(path)));
    const found = Object.fromEntries(Object.keys(own).map((name, at) => [name, new Uint8Array(codes[at])]));
    globals.set("given", python.toPy(found));
    python.runPython(
      "from lawspeaker.faces.publishing.thinking import Thinker\n" +
        "thinker = Thinker(game, {name: bytes(code) for name, code in given.items()})",
      { globals },
    );
    house = globals.get("thinker");
  } else {
    const open = python.runPython("from lawspeaker.faces.publishing.opening import open_house\nopen_house", { globals });
    house = open(globals.get("game"), record, keep, think);
  }
  tell({ type: "ready" });
}

/** A record goes to the page, which puts it away. */
function keep(text) {
  tell({ type: "keep", record: text });
}

/** Asks the bots' worker, by way of the page. */
function think(turn) {
  const number = ++thinking;
  tell({ type: "think", number, turn });
  return new Promise((resolve) => thoughts.set(number, resolve));
}

const doing = {
  thought: ({ number, answer }) => {
    thoughts.get(number)?.(answer);
    thoughts.delete(number);
  },
  think: ({ number, turn }) => tell({ type: "thought", number, answer: house.think(turn) }),
  connect: async ({ language, shape }) => {
    connection = await house.show((text) => tell({ type: "told", text }), language, shape);
    tell({ type: "connected" });
    connection.write(house.channel).catch((error) => tell({ type: "failed", message: String(error) }));
  },
  say: ({ text }) => house.channel.hear(connection, text),
  scene: ({ number, after, seat, language, shape }) =>
    tell({ type: "answer", number, text: house.scene(after, seat, language, shape) }),
  log: ({ number }) => tell({ type: "answer", number, text: house.log() }),
  branch: ({ number, after }) => tell({ type: "answer", number, text: house.branch(after) }),
};

let begun = null; // whoever asks for something waits for that

onmessage = async ({ data }) => {
  try {
    if (data.type === "begin") begun = begin(data);
    await begun;
    await doing[data.type]?.(data);
  } catch (error) {
    console.error(error);
    const message = String(error.message ?? error).trim().split("\n").at(-1);
    if (data.type === "think") tell({ type: "thought", number: data.number, answer: JSON.stringify({ error: message }) });
    else tell({ type: "failed", message, number: data.number });
  }
};
