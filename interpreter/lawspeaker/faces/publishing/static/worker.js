// Python in a worker: the table itself, its bots (as "bots"), or the workshop (as "bench").
//
// All files are loaded from beside this one. The first message gives the role; then the page sends numbered messages
// and gets responses with the same numbers.

import { loadPyodide } from "../runtime/pyodide.mjs";

const here = new URL("..", import.meta.url).href;
const file = async (path, kind = "arrayBuffer") => {
  const answer = await fetch(here + path);
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
  return answer[kind]();
};
const tell = (message) => postMessage(message);
const PACKAGE = "/lib/lawspeaker.zip";

let python = null;
let house = null; // or the thinker
let connection = null;
const thoughts = new Map(); // by number, who waits for a bot
let thinking = 0;

const PYTHON = { indexURL: `${here}runtime/`, packageBaseUrl: `${here}runtime/` };

/** Starts Python with the whole package, which includes compiling rules. */
async function toWrite() {
  const [made, ...archives] = await Promise.all([
    loadPyodide(PYTHON),
    ...["lawspeaker", "workshop"].map((name) => file(`python/${name}.zip`)),
  ]);
  for (const each of archives) made.unpackArchive(each, "zip", { extractDir: "/lib/published" });
  made.runPython("import sys; sys.path.insert(0, '/lib/published')");
  return made;
}

/** Starts Python with what playing needs: from the snapshot, with everything imported, or afresh. */
async function toPlay() {
  const [packed, made] = await Promise.all([file("python/lawspeaker.zip"), goneOn(remembered())]);
  made.FS.writeFile(PACKAGE, new Uint8Array(packed));
  // The snapshot contains the RNG's state, which must differ on every page.
  made.runPython(`import random, sys\nrandom.seed()\nif "${PACKAGE}" not in sys.path: sys.path.insert(0, "${PACKAGE}")`);
  return made;
}

/** Restores Python from a snapshot. It is initialized while the snapshot is unpacked; its memory, which does not grow by
 *  itself, is then enlarged to the snapshot's size. */
async function goneOn(memory) {
  const usual = { instantiate: WebAssembly.instantiate, instantiateStreaming: WebAssembly.instantiateStreaming };
  const roomy = async (made) => {
    const own = Object.values(made.instance?.exports ?? {}).find((each) => each instanceof WebAssembly.Memory);
    const lacking = (await memory).byteLength - (own?.buffer.byteLength ?? Infinity);
    if (lacking > 0) own.grow(Math.ceil(lacking / 65536));
    return made;
  };
  for (const [name, made] of Object.entries(usual)) WebAssembly[name] = async (...given) => roomy(await made.apply(WebAssembly, given));
  try {
    return await loadPyodide({ ...PYTHON, _loadSnapshot: memory });
  } catch (error) {
    if (error !== NO_MEMORY) console.error("Python begins anew:", error);
    return await loadPyodide(PYTHON);
  } finally {
    Object.assign(WebAssembly, usual);
  }
}

const NO_MEMORY = new Error("no memory was published");

/** Fetches the snapshot, unpacked as it arrives. */
async function remembered() {
  const answer = await fetch(`${here}python/memory.gz`);
  if (!answer.ok || answer.headers.get("content-length") === "0") throw NO_MEMORY;
  // The host's Content-Encoding may have unpacked it already.
  if (answer.headers.get("content-encoding")) return answer.arrayBuffer();
  return new Response(answer.body.pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
}

/** Loads the game: a file by name, or a draft, whose texts are compiled here unless the table has done so. */
async function begin({ role, game, record, packed }) {
  const written = role === "bench" || (typeof game === "object" && !packed);
  const [made, rules] = await Promise.all([
    written ? toWrite() : toPlay(),
    written ? JSON.stringify(game) : packed ?? file(`games/${game}.game`),
  ]);
  python = made;
  tell({ type: "progress", part: "python" });
  if (role === "bench") {
    const open = python.runPython("from lawspeaker.faces.publishing.workshop_worker import Bench\nBench");
    house = open((text) => tell({ type: "told", text }));
    tell({ type: "ready" });
    return;
  }
  const globals = python.toPy({ rules: written ? rules : new Uint8Array(rules) });
  if (written) python.runPython("from lawspeaker.faces.publishing.workshop_worker import read\ngame = read(rules)", { globals });
  else python.runPython("from lawspeaker.faces.publishing.opening import opened\ngame = opened(bytes(rules))", { globals });
  tell({ type: "progress", part: "rules" });
  if (role === "bots") {
    const { modules } = await file("games/modules.json", "json");
    const own = modules[game] ?? {};
    const codes = await Promise.all(Object.values(own).map((path) => file(path)));
    const found = Object.fromEntries(Object.keys(own).map((name, at) => [name, new Uint8Array(codes[at])]));
    globals.set("given", python.toPy(found));
    python.runPython(
      "from lawspeaker.faces.publishing.bot_worker import Thinker\n" +
        "thinker = Thinker(game, {name: bytes(code) for name, code in given.items()})",
      { globals },
    );
    house = globals.get("thinker");
  } else {
    const open = python.runPython("from lawspeaker.faces.publishing.opening import open_house\nopen_house", { globals });
    house = open(globals.get("game"), record, keep, think);
    // The bots of this table need not compile its rules again.
    if (written) tell({ type: "packed", rules: python.runPython("from lawspeaker.faces.publishing.opening import packed\npacked(game)", { globals }).toJs() });
  }
  tell({ type: "ready" });
}

/** Sends a record to the page, which stores it. */
function keep(text) {
  tell({ type: "keep", record: text });
}

/** Asks the bots' worker, through the page. */
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
  hear: ({ text }) => house.hear(text),
  start: ({ number, text }) => tell({ type: "answer", number, text: house.start(text) }),
  shared: ({ number, text }) => tell({ type: "answer", number, text: house.shared(text) }),
  table: ({ number, text }) => tell({ type: "answer", number, text: house.table(text) }),
  branch: ({ number, after }) => tell({ type: "answer", number, text: house.branch(after) }),
};

let begun = null; // whoever asks for something waits for that

onmessage = async ({ data }) => {
  try {
    if (data.type === "begin") begun = begin(data);
    await begun;
    if (data.type === "begin") tell({ type: "loaded", entries: performance.getEntriesByType("resource").map(({ name }) => ({ name })) });
    await doing[data.type]?.(data);
  } catch (error) {
    console.error(error);
    const message = String(error.message ?? error).trim().split("\n").at(-1);
    if (data.type === "think") tell({ type: "thought", number: data.number, answer: JSON.stringify({ error: message }) });
    else tell({ type: "failed", message, number: data.number });
  }
};
