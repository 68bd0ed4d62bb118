// The connection to the workers: sends drafts, receives results, and reconnects.

import { connect } from "../server.js";

const PAUSES = [300, 1000, 3000, 8000];
const HEARTBEAT = 25000;

export class Line {
  /** `heard` gets every message; `state` is told whether it is connected. */
  constructor(heard, state) {
    this.heard = heard;
    this.state = state;
    this.tries = 0;
    this.number = 0;
    this.latest = new Map(); // by sort of work, the number of the last wish
    this.waiting = new Map(); // by sort of question, who waits for the answer
    this.open();
    setInterval(() => this.send({ type: "ping" }), HEARTBEAT);
  }

  open() {
    this.socket = connect("/api/workshop");
    this.socket.onopen = () => {
      this.tries = 0;
      this.state(true);
    };
    this.socket.onmessage = (event) => {
      const message = JSON.parse(event.data);
      const sort = message.id === undefined || message.id === null ? null : this.sortOf(message.id);
      if (sort === undefined) return;
      if (this.waiting.has(sort)) this.answered(sort, message.type === "stopped" ? null : message);
      else this.heard(message);
    };
    this.socket.onclose = () => {
      for (const sort of [...this.waiting.keys()]) this.answered(sort, null);
      this.state(false);
      setTimeout(() => this.open(), PAUSES[Math.min(this.tries++, PAUSES.length - 1)]);
    };
  }

  /** The kind of a request; undefined if a newer one superseded it. */
  sortOf(id) {
    return [...this.latest].find(([, latest]) => latest === id)?.[0];
  }

  send(message) {
    if (this.socket.readyState !== WebSocket.OPEN) return false;
    this.socket.send(JSON.stringify(message));
    return true;
  }

  /** Sends a request; it supersedes older ones of its kind. */
  ask(type, fields) {
    const id = ++this.number;
    this.latest.set(type, id);
    return this.send({ type, id, ...fields });
  }

  /** Sends a request with a single response: null if it is superseded or fails. */
  question(type, fields) {
    this.answered(type, null);
    return new Promise((resolve) => {
      this.waiting.set(type, resolve);
      if (!this.ask(type, fields)) this.answered(type, null);
    });
  }

  answered(sort, message) {
    const resolve = this.waiting.get(sort);
    this.waiting.delete(sort);
    resolve?.(message);
  }

  stop(what) {
    this.latest.delete(what);
    this.send({ type: "stop", what });
  }
}
