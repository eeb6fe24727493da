import { make, notice } from "./dom.js";
import { call } from "./rest.js";
import { UserList } from "./users.js";

const methods = ["get", "list", "create", "update", "delete"];

/** The page of a project's security rules and users. */
export class RulesPage {
  #database;
  #users;
  /** The text of the rules in force; `null` for none. */
  #text = null;

  constructor(place, database) {
    this.#database = database;
    this.#users = new UserList(database.project);
    this.rules = make("div");
    this.outcome = make("div", { "aria-live": "polite" });
    place.append(
      make("h1", {}, "Rules and users"), make("h2", {}, "Rules in force"), this.rules,
      make("h2", {}, "Try a request"), this.#form(), this.outcome,
      make("h2", {}, "Users"), this.#users.element);
  }

  async show() {
    const users = this.#users.show().catch((error) =>
      this.#users.list.replaceChildren(notice(error.message)));
    await this.#showRules();
    await users;
  }

  async #showRules() {
    const address = `/hearth/v1/projects/${encodeURIComponent(this.#database.project)}`;
    const { rules } = await call("GET", `${address}:securityRules`);
    this.#text = rules?.files[0].content ?? null;
    if (this.#text === null) {
      return this.rules.replaceChildren(make(
        "p", { class: "quiet" }, "None: every caller may read and write everything."));
    }
    let hint = "A condition's line tells how often all of it was true, was false or failed.";
    let lines = new Map();
    try {
      const { report = [] } = await call("GET", `${address}:ruleCoverage`);
      lines = coverageOf(report);
    } catch (error) {
      hint = error.message;
    }
    this.rules.replaceChildren(
      listing(this.#text, (line) => lines.get(line)), make("p", { class: "quiet" }, hint));
  }

  #form() {
    const input = (label, attributes) => make(
      "input", { "aria-label": label, class: "mono", spellcheck: "false", ...attributes });
    const method = make("select", { "aria-label": "Method" }, methods.map((word) =>
      make("option", {}, word)));
    const path = input("Path", { placeholder: "cities/tokyo", required: true, size: 30 });
    const uid = input("User", { placeholder: "signed out", size: 20 });
    const claims = input("Claims", { placeholder: '{"admin": true}', size: 30 });
    const fields = input("Fields", {
      placeholder: '{"n": {"integerValue": "1"}}', size: 40 });
    const run = async (event) => {
      event.preventDefault();
      try {
        const decision = await this.#try({
          method: method.value, path: path.value, uid: uid.value, claims: claims.value,
          fields: fields.value });
        this.#showDecision(decision, method.value);
      } catch (error) {
        this.outcome.replaceChildren(notice(error.message));
      }
    };
    return make(
      "form", { onsubmit: run },
      make("div", { class: "row" }, make("label", {}, "Method ", method),
        make("label", {}, "Path ", path)),
      make("div", { class: "row" }, make("label", {}, "User ", uid),
        make("label", {}, "Claims ", claims)),
      make("div", { class: "row" }, make("label", {}, "Fields after a write ", fields),
        make("button", { type: "submit", class: "main" }, "Try")));
  }

  #try({ method, path, uid, claims, fields }) {
    const token = readObject(claims, "The claims are");
    if (token && !uid) throw new Error("Claims are those of a user: fill in the user.");
    const auth = uid ? { uid, token: token ?? {} } : null;
    return this.#database.inspect("POST", ":tryRules", {
      method, path, auth, fields: readObject(fields, "The fields are") });
  }

  #showDecision({ allowed, statements, documentsRead, documentExists }, method) {
    const verdict = make(
      "p", { class: allowed ? "good" : "bad" }, make("strong", {}, allowed ? "Allowed" : "Denied"));
    const parts = statements.map((tried) => make(
      "details", { open: true },
      make(
        "summary", {}, `Line ${tried.line}, ${tried.method}: `,
        make("span", { class: tried.allowed ? "good" : "bad" }, tried.allowed ? "allows" : tried.reason)),
      make("pre", {}, this.#text?.split("\n")[tried.line - 1]?.trim() ?? ""),
      make("ul", {}, tried.expressions.map((each) => make(
        "li", { class: "mono" },
        `${this.#text?.slice(each.startOffset, each.endOffset).replace(/\s+/g, " ")} → `,
        each.value ?? `error: ${each.error}`)))));
    if (method === "create" && documentExists || method === "update" && documentExists === false) {
      parts.unshift(make("p", {}, documentExists
        ? "The document exists: a write there would be an update."
        : "There is no document: a write there would create one."));
    }
    if (!statements.length) parts.push(make("p", {}, "No allow statement matches the path."));
    if (documentsRead.length) parts.push(make("p", {}, `Documents read: ${documentsRead.join(", ")}`));
    this.outcome.replaceChildren(verdict, ...parts);
  }
}

function readObject(text, what) {
  if (!text.trim()) return undefined;
  try {
    const value = JSON.parse(text);
    if (value && typeof value === "object" && !Array.isArray(value)) return value;
  } catch { /* The message below tells. */ }
  throw new Error(`${what} an object in JSON.`);
}

/** The outcomes of conditions by the lines on which they begin. Their parts aren't counted. */
function coverageOf(report) {
  const lines = new Map();
  for (const { sourcePosition, values = [] } of report) {
    const sums = lines.get(sourcePosition.line) ?? { true: 0, false: 0, failed: 0 };
    for (const { value, count } of values) {
      if (value.boolValue === true) sums.true += count;
      else if (value.boolValue === false) sums.false += count;
      else if (value.undefined) sums.failed += count;
    }
    lines.set(sourcePosition.line, sums);
  }
  return lines;
}

/** The text of rules with numbers of lines; those of conditions are coloured by their outcomes,
 * which stand at their end. */
function listing(text, outcomesOf) {
  return make("pre", { class: "listing", tabindex: "0" }, text.split("\n").map((line, index) => {
    const sums = outcomesOf(index + 1);
    const wasRun = sums && sums.true + sums.false + sums.failed > 0;
    const kind = !sums ? "" : !wasRun ? "never" : sums.true ? "held" : sums.failed ? "failed" : "missed";
    const words = !sums ? "" : wasRun
      ? `  ← true ${sums.true}, false ${sums.false}, failed ${sums.failed}` : "  ← never evaluated";
    return make(
      "span", { class: `code ${kind}` },
      make("span", { class: "number", "aria-hidden": "true" }, String(index + 1).padStart(4)),
      ` ${line}`, make("span", { class: "outcomes" }, words), "\n");
  }));
}
