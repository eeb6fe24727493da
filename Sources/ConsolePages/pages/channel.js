import { authorization } from "./rest.js";

const path = "/google.firestore.v1.Firestore/Listen/channel";

/** The listeners of a database over one WebChannel (a POST forward, a long GET back). */
export class Channel {
  #database;
  #targets = new Map();
  #nextTarget = 1;
  #session = null;
  #ending = new AbortController();
  #pause = 500;

  constructor(database) {
    this.#database = database;
    const { signal } = this.#ending;
    addEventListener("pagehide", () => this.#terminate({ isLast: true }), { signal });
    // A page that a browser kept goes on.
    addEventListener("pageshow", ({ persisted }) => {
      if (persisted && this.#targets.size) this.#open();
    }, { signal });
  }

  /** Begins to listen.
   *
   * @param target `{query: …}` or `{documents: …}` as the wire has them.
   * @param events `changed(document, isLive)`, `removed(name)`, `failed(message)`, and
   *   `current(names)` with the documents that there are when it begins, also anew.
   * @returns a function that ends it. */
  listen(target, events) {
    if (this.#ending.signal.aborted) return () => {};
    const id = this.#nextTarget++;
    const known = { id, target, events, isCurrent: false, names: new Set() };
    this.#targets.set(id, known);
    if (this.#session) this.#send({ addTarget: { ...target, targetId: id } });
    else this.#open();
    return () => {
      if (!this.#targets.delete(id)) return;
      if (this.#targets.size) this.#send({ removeTarget: id });
      else this.#terminate();
    };
  }

  end() {
    this.#ending.abort();
    this.#targets.clear();
    this.#terminate();
  }

  async #open() {
    const session = { isOpen: true, rid: 1 + Math.floor(Math.random() * 90000), sent: 0, queue: [], aid: 0 };
    this.#session = session;
    for (const known of this.#targets.values()) {
      restart(known);
      session.queue.push({ addTarget: { ...known.target, targetId: known.id } });
    }
    try {
      await this.#handshake(session);
      this.#pause = 500;
      this.#flush(session);
      while (session === this.#session) await this.#receive(session);
    } catch {
      // The server has gone or has forgotten the session.
    }
    if (session !== this.#session) return;
    this.#session = null;
    if (!this.#targets.size || this.#ending.signal.aborted) return;
    await new Promise((resolve) => setTimeout(resolve, this.#pause));
    this.#pause = Math.min(this.#pause * 2, 15000);
    if (!this.#session && this.#targets.size) this.#open();
  }

  #address(session, parameters) {
    const query = new URLSearchParams({
      VER: "8", database: this.#database.name, zx: Math.random().toString(36).slice(2), t: "1", ...parameters,
    });
    if (session.id) query.set("SID", session.id);
    if (session.group) query.set("gsessionid", session.group);
    return `${path}?${query}`;
  }

  #form(session, messages) {
    const form = new URLSearchParams({ count: messages.length, ofs: session.sent });
    messages.forEach((message, index) => {
      form.set(`req${index}___data__`, JSON.stringify({ database: this.#database.name, ...message }));
    });
    session.sent += messages.length;
    return form;
  }

  async #handshake(session) {
    const form = this.#form(session, session.queue.splice(0, 1));
    const credentials = authorization();
    if (credentials) form.set("headers", `Authorization:${credentials}\r\n`);
    const answer = await fetch(
      this.#address(session, { RID: session.rid++, CVER: "22", "X-HTTP-Session-Id": "gsessionid" }),
      { method: "POST", body: form });
    if (!answer.ok) throw new Error(`${answer.status}`);
    session.group = answer.headers.get("x-http-session-id");
    const text = await answer.text();
    session.id = JSON.parse(text.slice(text.indexOf("\n") + 1))[0][1][1];
    session.isReady = true;
    // It was given up meanwhile.
    if (session !== this.#session) this.#tellEnd(session);
  }

  #send(message) {
    this.#session?.queue.push(message);
    if (this.#session?.isReady) this.#flush(this.#session);
  }

  /** Sends what waits, one request at a time. */
  async #flush(session) {
    if (session.isSending) return;
    session.isSending = true;
    try {
      while (session.queue.length && session === this.#session) {
        const form = this.#form(session, session.queue.splice(0, 100));
        await fetch(this.#address(session, { RID: session.rid++, AID: session.aid }), { method: "POST", body: form });
      }
    } catch {
      // The back channel ends too, and everything begins anew.
      session.back?.abort();
    }
    session.isSending = false;
    if (session.isGivenUp) this.#tellEnd(session);
  }

  /** Reads one answer of the back channel: parts of a length in UTF-16 units and JSON. */
  async #receive(session) {
    session.back = new AbortController();
    const answer = await fetch(
      this.#address(session, { RID: "rpc", AID: session.aid, CI: "0", TYPE: "xmlhttp" }),
      { signal: session.back.signal });
    if (!answer.ok) throw new Error(`${answer.status}`);
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      text += value;
      for (;;) {
        const end = text.indexOf("\n");
        const length = Number(text.slice(0, end));
        if (end < 0 || text.length < end + 1 + length) break;
        const arrays = JSON.parse(text.slice(end + 1, end + 1 + length));
        text = text.slice(end + 1 + length);
        for (const [id, payload] of arrays) {
          if (id <= session.aid) continue;
          session.aid = id;
          this.#take(payload, session);
        }
      }
    }
  }

  #take(payload, session) {
    let message = payload[0];
    if (Array.isArray(message)) message = message[0];
    if (message === "close" || message === "stop") session.back.abort();
    if (typeof message !== "object") return;
    if (message.error) {
      for (const known of this.#targets.values()) known.events.failed?.(message.error.message);
      this.#targets.clear();
      this.#terminate();
      return;
    }
    const { documentChange, targetChange } = message;
    if (documentChange) {
      const { document, targetIds, removedTargetIds } = documentChange;
      this.#each(targetIds, (known) => {
        if (!known.isCurrent) known.names.add(document.name);
        known.events.changed?.(document, known.isCurrent);
      });
      this.#each(removedTargetIds, (known) => remove(known, document.name));
    }
    const gone = message.documentDelete ?? message.documentRemove;
    if (gone) this.#each(gone.removedTargetIds, (known) => remove(known, gone.document));
    if (targetChange) this.#takeChange(targetChange);
  }

  #takeChange({ targetChangeType, targetIds, cause }) {
    this.#each(targetIds, (known) => {
      if (targetChangeType === "CURRENT") {
        if (known.isCurrent) return;
        known.isCurrent = true;
        known.events.current?.(known.names);
        known.names = new Set();
      } else if (targetChangeType === "RESET") {
        restart(known);
      } else if (targetChangeType === "REMOVE" && cause) {
        this.#targets.delete(known.id);
        known.events.failed?.(cause.message ?? "The listener has ended.");
      }
    });
  }

  #each(ids, act) {
    for (const id of ids ?? []) {
      const known = this.#targets.get(id);
      if (known) act(known);
    }
  }

  /** Ends the session. A request that is under way comes first, unless the page is at its end. */
  #terminate({ isLast = false } = {}) {
    const session = this.#session;
    this.#session = null;
    if (!session?.id) return;
    session.back?.abort();
    session.isGivenUp = session.isSending && !isLast;
    if (!session.isGivenUp) this.#tellEnd(session);
  }

  #tellEnd(session) {
    navigator.sendBeacon(this.#address(session, { RID: session.rid++, TYPE: "terminate" }));
  }
}

/** A listener begins anew: the server tells all of its documents. */
function restart(known) {
  known.isCurrent = false;
  known.names = new Set();
}

function remove(known, name) {
  known.names.delete(name);
  known.events.removed?.(name);
}
