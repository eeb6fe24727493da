import { addressOf } from "./address.js";
import { readConditions, readOrders } from "./conditions.js";
import { languages } from "./code.js";
import { button, copy, count, make, notice, say, table } from "./dom.js";
import { planView, refusalView, unusedView } from "./plan.js";
import { fieldNames, shortText, valueAt } from "./values.js";

/** The most columns of a table of results. */
const columnCount = 12;
const sampleCount = 20;

/** The page of queries, with their results, their plan or their refusal. */
export class QueryPage {
  #database;
  #fields = make("datalist", { id: "field-names" });
  #sampled = null;
  /** Number of queries that were begun: an answer to an earlier one isn't shown. */
  #runs = 0;

  constructor(place, database) {
    this.#database = database;
    const input = (label, attributes) => make("input", { "aria-label": label, spellcheck: "false", ...attributes });
    this.source = input("Collection", { class: "mono", placeholder: "cities", required: true, size: 24,
      onchange: () => this.#sample() });
    this.group = make("input", { type: "checkbox" });
    this.where = input("Conditions", { class: "mono", placeholder: 'country == "JP" && population > 1000000', size: 60 });
    this.orders = input("Orders", { class: "mono", placeholder: "population desc", size: 24 });
    this.limit = input("Limit", { type: "number", min: 1, max: 10000, value: 50, required: true });
    this.answer = make("div");
    place.append(
      make("h1", {}, "Query"), this.#fields,
      make(
        "form", { onsubmit: (event) => { event.preventDefault(); this.run(); } },
        make("div", { class: "row" }, make("label", {}, "Collection ", this.source),
          make("label", {}, this.group, " all collections with this id")),
        make("div", { class: "row" }, make("label", {}, "Where ", this.where)),
        this.#conditionForm(),
        make("div", { class: "row" }, make("label", {}, "Order by ", this.orders), make("label", {}, "Limit ", this.limit),
          make("button", { type: "submit", class: "main" }, "Run"))),
      this.answer);
  }

  /** The form that adds a condition to the text of conditions. */
  #conditionForm() {
    const field = make("input", { class: "mono", list: "field-names", "aria-label": "Field", placeholder: "field" });
    const operator = make("select", { "aria-label": "Operator" }, [
      "==", "!=", "<", "<=", ">", ">=", "in", "not-in", "array-contains", "array-contains-any",
    ].map((text) => make("option", {}, text)));
    const value = make("input", { class: "mono", "aria-label": "Value", placeholder: '"text", 42, true, [1, 2]' });
    const problem = make("span", { class: "bad", role: "alert" });
    const add = () => {
      try {
        const text = `${field.value} ${operator.value} ${value.value}`;
        readConditions(text, this.#database);
        this.where.value = [this.where.value.trim(), text].filter(Boolean).join(" && ");
        [field.value, value.value, problem.textContent] = ["", "", ""];
        field.focus();
      } catch (error) {
        problem.textContent = error.message;
      }
    };
    return make(
      "details", {}, make("summary", {}, "Add a condition by a form"),
      make("div", { class: "row" }, field, operator, value, button("Add", add), problem));
  }

  async show(path) {
    if (path.length) this.source.value = path.join("/");
    if (!this.source.value) this.source.focus();
    await this.#sample();
  }

  /** Reads the names of the fields of some documents, for completion. */
  async #sample() {
    const path = this.source.value;
    if (!path || path === this.#sampled) return;
    this.#sampled = path;
    try {
      const answer = await this.#request({ limit: sampleCount });
      const names = new Set(answer.flatMap((part) => Object.keys(part.document?.fields ?? {})));
      this.#fields.replaceChildren(...[...names].sort().map((value) => make("option", { value })));
    } catch {
      // Without a sample there is nothing to complete.
    }
  }

  get #path() { return this.source.value.split("/").filter(Boolean); }

  get #from() { return [{ collectionId: this.#path.at(-1), allDescendants: this.group.checked }]; }

  #request(query, explainOptions) {
    const path = this.#path;
    if (path.length % 2 === 0) throw new Error("The path of a collection has an odd number of segments.");
    return this.#database.call("POST", path.slice(0, -1), ":runQuery", {
      structuredQuery: { from: this.#from, ...query }, explainOptions });
  }

  async run() {
    const number = this.#runs += 1;
    this.answer.replaceChildren(make("p", { class: "quiet" }, "…"));
    let query;
    try {
      query = {
        where: readConditions(this.where.value, this.#database), orderBy: readOrders(this.orders.value),
        limit: Number(this.limit.value),
      };
      const begun = performance.now();
      const answer = await this.#request(query, { analyze: true });
      if (number !== this.#runs) return;
      this.#showResults(answer, query, performance.now() - begun);
    } catch (error) {
      if (number !== this.#runs) return;
      if (query && error.code === "FAILED_PRECONDITION") return this.#showRefusal(error, query);
      this.answer.replaceChildren(notice(error.message));
    }
  }

  #showResults(answer, query, milliseconds) {
    const documents = answer.filter((part) => part.document).map((part) => part.document);
    const metrics = answer.find((part) => part.explainMetrics)?.explainMetrics;
    const read = metrics?.executionStats?.debugStats?.index_entries_scanned;
    const words = [count(documents.length, "document")];
    if (read) words.push(count(read, "index entry", "index entries") + " read");
    words.push(`${milliseconds.toFixed(1)} ms to this page and back`);
    say(words.join(", "));
    this.answer.replaceChildren(
      make("p", { class: "quiet" }, words.join(", ")), this.#table(documents, query), planView(metrics),
      this.#unused(query), this.#code(query));
  }

  /** The columns of a table: the paths by which results are ordered, then other fields. */
  #columns(names, orders) {
    const paths = orders.map(({ field }) => field.fieldPath).filter((path) => path !== "__name__");
    const ordered = paths.map((path) => ({ title: path, read: (fields) => valueAt(fields, path) }));
    const isOrdered = (name) => paths.some((path) => fieldNames(path).join("\0") === name);
    const others = names.filter((name) => !isOrdered(name)).map((name) => ({
      title: name, read: (fields) => Object.hasOwn(fields, name) ? fields[name] : undefined }));
    return [...ordered, ...others].slice(0, columnCount);
  }

  #table(documents, query) {
    if (!documents.length) return make("p", {}, "No document meets the query.");
    const names = [...new Set(documents.flatMap((document) => Object.keys(document.fields ?? {})))].sort();
    const columns = this.#columns(names, query.orderBy);
    const head = ["id", ...columns.map(({ title }) => title)].map((title) =>
      make("th", { scope: "col", class: "mono" }, title));
    const rows = documents.map((document) => {
      const path = this.#database.pathOf(document.name);
      const href = addressOf("data", this.#database, path);
      const cells = columns.map(({ read }) => {
        const value = read(document.fields ?? {});
        const isNumber = value && ("integerValue" in value || "doubleValue" in value);
        return make("td", { class: isNumber && "number" }, shortText(value, this.#database));
      });
      return make("tr", {}, make("td", {}, make("a", { href }, this.group.checked ? path.join("/") : path.at(-1))), cells);
    });
    const rest = names.length - columnCount;
    return make(
      "div", {},
      table("Results", head, make("tbody", {}, rows)),
      rest > 0 ? make("p", { class: "quiet" }, `${count(rest, "more field")}: the document's page shows all.`) : []);
  }

  #code(query) {
    const source = { path: this.source.value, isGroup: this.group.checked, ...query };
    const text = make("pre", { tabindex: "0" });
    const choice = make("select", { "aria-label": "Language", onchange: () => show() },
      Object.keys(languages).map((name) => make("option", {}, name)));
    const show = () => { text.textContent = languages[choice.value](source); };
    show();
    return make("details", {}, make("summary", {}, "As code"),
      make("div", { class: "row" }, choice, button("Copy", () => copy(text.textContent))), text);
  }

  #showRefusal(error, query) {
    this.answer.replaceChildren(
      refusalView(this.#database, error, () => this.run()), this.#unused(query), this.#code(query));
  }

  #unused(query) {
    return unusedView(this.#database, this.#path.slice(0, -1), { from: this.#from, ...query });
  }
}
