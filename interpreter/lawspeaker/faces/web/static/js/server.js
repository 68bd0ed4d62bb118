// The interface to the server: all requests of pages go through here. On a published site without a server, another
// file with the same functions replaces this one.

/** The token of the table or shared draft of this page. */
export const token = location.pathname.split("/")[2];

/** Like `fetch`. */
export const ask = (path, options) => fetch(path, options);

/** Like `WebSocket`. */
export const connect = (path) => new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}${path}`);

/** Whether there is a server: for friends, storage, and studies with many games. */
export const served = true;

/** The URL of a page or file; null if there is none. */
export const address = (path) => path;
