import { ask, make } from "./dom.js";

/** An error of a call, by Google's form of errors. */
export class CallError extends Error {
  constructor(status, error) {
    super(error?.message ?? `The server answered with ${status}.`);
    this.status = status;
    this.code = error?.status ?? "";
    this.details = error?.details ?? [];
  }
}

const storedToken = "hearth-token";
let setting = {};

/** Reads how the server is set up. */
export async function readSetting() {
  setting = await (await fetch("setting.json", { cache: "no-store" })).json();
  return setting;
}

/** The value of the header with the caller's credentials; `null` for none. */
export function authorization() {
  if (setting.authorization === "owner") return "Bearer owner";
  const token = sessionStorage.getItem(storedToken);
  return token ? `Bearer ${token}` : null;
}

let asking = null;
/** Whether the question was given up: what goes on by itself doesn't ask again. */
let isDeclined = false;

/** Asks for the token that the server wants and the tab hasn't got. */
export async function askForMissingToken() {
  isDeclined = false;
  if (setting.authorization === "token" && !authorization()) await askForToken();
}

async function askForToken() {
  if (isDeclined) return false;
  asking ??= (async () => {
    const input = make("input", {
      type: "password", required: true, autocomplete: "off", autofocus: true, "aria-label": "Token" });
    const token = await ask(
      "The server asks for an access token", "Use it",
      make("p", {}, "It is kept for this tab alone. ", input),
      () => {
        if (!/^[\x21-\x7e]+$/.test(input.value)) throw new Error("A token is one word.");
        return input.value;
      });
    isDeclined = token === undefined;
    if (token !== undefined) sessionStorage.setItem(storedToken, token);
    return token !== undefined;
  })().finally(() => { asking = null; });
  return asking;
}

/** Calls the server, and returns the JSON of its answer.
 *
 * @param unrecorded whether the call stays out of the log of calls. */
export async function call(method, path, body, { unrecorded = false } = {}) {
  const headers = { "content-type": "application/json" };
  if (unrecorded) headers["x-hearth-unrecorded"] = "1";
  const credentials = authorization();
  if (credentials) headers.authorization = credentials;
  const answer = await fetch(path, {
    method, headers, cache: "no-store", credentials: "omit",
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const text = await answer.text();
  let json = null;
  try { json = JSON.parse(text); } catch { /* The status tells what is wrong. */ }
  const error = Array.isArray(json) ? json.find((part) => part.error)?.error : json?.error;
  if (answer.status === 401 && setting.authorization === "token") {
    // Another call may have asked meanwhile.
    if (authorization() !== credentials || await askForToken()) {
      return call(method, path, body, { unrecorded });
    }
  }
  if (!answer.ok || error) throw new CallError(answer.status, error);
  return json;
}

/** Returns the database of a resource name. */
export function databaseOf(name) {
  const [, project, , id] = name.split("/");
  return new Database(project, id);
}

/** A database of the server. */
export class Database {
  constructor(project, id) {
    this.project = project;
    this.id = id;
    this.name = `projects/${project}/databases/${id}`;
  }

  get root() { return `${this.name}/documents`; }

  /** The resource name of a document or of a parent, by its path. */
  nameOf(path) { return path.length ? `${this.root}/${path.join("/")}` : this.root; }

  /** The path of a resource name. */
  pathOf(name) { return name.slice(this.root.length + 1).split("/"); }

  /** The address of a document, of a collection or of a parent. */
  address(path, verb = "") {
    const segments = [...this.root.split("/"), ...path];
    return `/v1/${segments.map(encodeURIComponent).join("/")}${verb}`;
  }

  call(method, path, verb, body, options) {
    return call(method, this.address(path, verb), body, options);
  }

  admin(method, path, body, options) {
    return call(method, `/v1/${this.#encodedName}/${path}`, body, options);
  }

  get #encodedName() { return this.name.split("/").map(encodeURIComponent).join("/"); }

  /** Calls Hearth's own administration at an address that begins with the database's. */
  inspect(method, rest, body) { return call(method, `/hearth/v1/${this.#encodedName}${rest}`, body); }

  /** The operations of the administration. They are looked at without being recorded. */
  async operations() {
    const answer = await this.admin("GET", "operations", undefined, { unrecorded: true });
    return answer.operations ?? [];
  }

  operation(id) { return this.admin("GET", `operations/${id}`, undefined, { unrecorded: true }); }

  async collectionIds(path) {
    const ids = [];
    let pageToken;
    do {
      const answer = await this.call("POST", path, ":listCollectionIds", { pageSize: 300, pageToken });
      ids.push(...(answer.collectionIds ?? []));
      pageToken = answer.nextPageToken;
    } while (pageToken && ids.length < 10000);
    return ids;
  }

  /** A query for the documents below a document, or for those of a collection and below it. */
  #below(path) {
    const from = [{ allDescendants: true }];
    if (path.length % 2 === 0) return { parent: path, query: { from } };
    // The least name in the collection, and the least one after all of it.
    const least = "__id-9223372036854775808__";
    const at = (id) => ({
      values: [{ referenceValue: this.nameOf([...path.slice(0, -1), id, least]) }], before: true });
    return {
      parent: path.slice(0, -1),
      query: {
        from, orderBy: [{ field: { fieldPath: "__name__" }, direction: "ASCENDING" }],
        startAt: at(path.at(-1)), endAt: at(`${path.at(-1)}\0`),
      },
    };
  }

  /** Counts the documents below a document, or those of a collection and below it. */
  async countBelow(path) {
    const { parent, query } = this.#below(path);
    const answer = await this.call("POST", parent, ":runAggregationQuery", {
      structuredAggregationQuery: {
        structuredQuery: query,
        aggregations: [{ alias: "n", count: {} }],
      },
    });
    return Number(answer[0].result.aggregateFields.n.integerValue);
  }

  commit(writes) { return this.call("POST", [], ":commit", { writes }); }

  /** Deletes a document and those below it, or all documents of a collection and below it. Tells
   * `progress` how many are gone. Ends before the next 300 when `signal` says so. */
  async deleteTree(path, progress, signal) {
    const { parent, query } = this.#below(path);
    let deleted = 0;
    while (!signal.aborted) {
      const found = await this.call("POST", parent, ":runQuery", {
        structuredQuery: {
          ...query, limit: 300,
          select: { fields: [{ fieldPath: "__name__" }] },
        },
      });
      const names = found.filter((part) => part.document).map((part) => part.document.name);
      if (!names.length) {
        return path.length % 2 ? undefined : this.commit([{ delete: this.nameOf(path) }]);
      }
      await this.commit(names.map((name) => ({ delete: name })));
      deleted += names.length;
      progress(deleted);
    }
  }
}
