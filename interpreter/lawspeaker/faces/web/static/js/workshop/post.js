// Posts JSON to the server.

import { ask } from "../server.js";

export const post = (path, what) => ask(path, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(what) });
