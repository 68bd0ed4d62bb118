// Runs in Node at publishing time: precompiles Python modules with the browser's Python, so that a page need not.
// Arguments: the folder of the runtime, an archive of sources, and the output file.

import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [runtime, source, target] = process.argv.slice(2).map((each) => resolve(each));
const { loadPyodide } = await import(pathToFileURL(join(runtime, "pyodide.mjs")).href);
const python = await loadPyodide({ indexURL: runtime });
python.unpackArchive(new Uint8Array(readFileSync(source)), "zip", { extractDir: "/source" });
python.runPython(`
import os, py_compile, zipfile

with zipfile.ZipFile("/made.zip", "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
    for folder, _, names in sorted(os.walk("/source")):
        for name in sorted(names):
            path = os.path.join(folder, name)
            inside = os.path.relpath(path, "/source")
            if name.endswith(".py"):
                how = py_compile.PycInvalidationMode.UNCHECKED_HASH
                py_compile.compile(path, "/made.pyc", inside, doraise=True, invalidation_mode=how)
                path, inside = "/made.pyc", inside + "c"
            with open(path, "rb") as file:
                content = file.read()
            archive.writestr(zipfile.ZipInfo(inside), content, zipfile.ZIP_DEFLATED)
`);
writeFileSync(target, python.FS.readFile("/made.zip"));
