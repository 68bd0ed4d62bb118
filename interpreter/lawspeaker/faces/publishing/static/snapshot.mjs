// Runs in Node at publishing time: starts the browser's Python, imports what a table needs and loads its phrases, and
// snapshots the memory for pages to restore. Arguments: the folder of the runtime, the archive of this package, and
// the output file.

import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";

const [runtime, source, target] = process.argv.slice(2).map((each) => resolve(each));
const { loadPyodide } = await import(pathToFileURL(join(runtime, "pyodide.mjs")).href);
const python = await loadPyodide({ indexURL: runtime, _makeSnapshot: true });
python.FS.writeFile("/lib/lawspeaker.zip", new Uint8Array(readFileSync(source)));
python.runPython(`
import gc, sys

sys.path.insert(0, "/lib/lawspeaker.zip")
import lawspeaker.faces.publishing.table_worker
import lawspeaker.faces.publishing.opening
from lawspeaker.base.phrases import LANGUAGES, phrases

for each in LANGUAGES:
    phrases(each)
gc.collect()
`);
writeFileSync(target, gzipSync(python.makeMemorySnapshot(), { level: 9 }));
