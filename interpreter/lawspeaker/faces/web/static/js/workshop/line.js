// The line to the bench: drafts go out, findings come in. It is picked up again when it breaks.

const PAUSES = [300, 1000, 3000, 8000];
const HEARTBEAT = 25000;

export class Line {
  /** `heard` gets every message; `state` is told whether the line is there. */
  constructor(heard, state) {
    this.heard = heard;
    this.state = state;
    this.tries = 0;
    this.number = 0;
    this.latest = new Map(); // by sort of work, the number of the last wish
    this.open();
    setInterval(() => this.send({ type: "ping" }), HEARTBEAT);
  }

  open() {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    this.socket = new WebSocket(`${scheme}://${location.host}/api/workshop`);
    this.socket.onopen = () => {
      this.tries = 0;
      this.state(true);
    };
    this.socket.onmessage = (event) => {
      const message = JSON.parse(event.data);
      if (message.id !== undefined && message.id !== null && !this.current(message.id)) return;
      this.heard(message);
    };
    this.socket.onclose = () => {
      this.state(false);
      setTimeout(() => this.open(), PAUSES[Math.min(this.tries++, PAUSES.length - 1)]);
    };
  }

  current(id) {
    return [...this.latest.values()].includes(id);
  }

  send(message) {
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }

  /** Asks for work; older wishes of the same sort are not answered any more. */
  ask(type, fields) {
    const id = ++this.number;
    this.latest.set(type, id);
    this.send({ type, id, ...fields });
  }

  stop(what) {
    this.latest.delete(what);
    this.send({ type: "stop", what });
  }
}
