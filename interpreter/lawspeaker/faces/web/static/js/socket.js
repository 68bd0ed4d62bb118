// A WebSocket that reconnects with exponential backoff and reports its state.

import { connect } from "./server.js";

const PAUSES = [400, 800, 1600, 3000, 5000, 8000];
const GONE = { 4403: "gone", 4404: "gone", 4408: "stopped", 4410: "taken", 4411: "freed", 4412: "refused", 4429: "gone" };

export class Line {
  /** `heard` gets every message, `changed` how the line is: open, broken, or for good gone, stopped, taken or freed. */
  constructor(path, heard, changed) {
    this.path = path;
    this.heard = heard;
    this.changed = changed;
    this.tries = 0;
    this.open();
  }

  open() {
    this.socket = connect(this.path());
    this.socket.onopen = () => {
      this.tries = 0;
      this.changed("open");
    };
    this.socket.onmessage = (event) => this.heard(JSON.parse(event.data));
    this.socket.onclose = (event) => {
      if (event.code in GONE) {
        this.changed(GONE[event.code]);
        return;
      }
      this.changed("broken");
      setTimeout(() => this.open(), PAUSES[Math.min(this.tries++, PAUSES.length - 1)]);
    };
  }

  say(type, more = {}) {
    if (this.socket.readyState !== WebSocket.OPEN) return false;
    this.socket.send(JSON.stringify({ type, ...more }));
    return true;
  }
}
