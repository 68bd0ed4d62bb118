// The way to the server: whatever pages ask for goes through here. Where a page is published without
// a server, another file with the same functions stands in this place.

/** Which table, or which shared draft, this page is for. */
export const token = location.pathname.split("/")[2];

/** As `fetch`: the answer to a request. */
export const ask = (path, options) => fetch(path, options);

/** As `WebSocket`: a line on which both sides speak. */
export const connect = (path) => new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}${path}`);

/** Whether there is a server: one that friends come to, that keeps things, and that has many games played. */
export const served = true;

/** Where a page or a file is to be found; null if there is none. */
export const address = (path) => path;
