import { button, count, make, notice, report } from "./dom.js";
import { planView, refusalView, unusedView } from "./plan.js";
import { call, databaseOf } from "./rest.js";

const pause = 2000;
const heldCount = 1000;
/** The duration from which a call is marked as slow, in milliseconds. */
const slow = 100;
const streams = ["Listen", "Write"];
const time = new Intl.DateTimeFormat(undefined, { timeStyle: "medium" });

/** The page of the last thousand calls. */
export class RequestsPage {
  #database;
  #calls = [];
  #timer = null;
  #isEnded = false;
  #body = make("tbody");
  #chosen = null;

  constructor(place, database) {
    this.#database = database;
    const show = () => this.#show();
    this.text = make("input", {
      "aria-label": "Text", placeholder: "method, path or code", spellcheck: "false", oninput: show });
    this.failed = make("input", { type: "checkbox", onchange: show });
    this.slow = make("input", { type: "checkbox", onchange: show });
    this.order = make("select", { "aria-label": "Order", onchange: show },
      make("option", { value: "refused" }, "refusals first"),
      make("option", { value: "latest" }, "latest first"));
    this.pausing = make("input", { type: "checkbox" });
    this.summary = make("p", { class: "quiet" });
    this.detail = make("div");
    const titles = ["time", "method", "subject", "ms", "entries", "documents", "answers", "status"];
    place.append(
      make("h1", {}, "Requests"),
      make(
        "div", { class: "row" }, make("label", {}, "Find ", this.text),
        make("label", {}, this.failed, " refused or failed"),
        make("label", {}, this.slow, ` slower than ${slow} ms`),
        make("label", {}, "Order ", this.order), make("label", {}, this.pausing, " hold still")),
      this.summary,
      make(
        "div", { class: "table", tabindex: "0", role: "region", "aria-label": "Calls" },
        make(
          "table", {},
          make("thead", {}, make("tr", {}, titles.map((title) =>
            make("th", { scope: "col" }, title)))), this.#body)),
      this.detail);
  }

  end() {
    this.#isEnded = true;
    clearTimeout(this.#timer);
  }

  async show() {
    clearTimeout(this.#timer);
    const next = this.#calls.length ? this.#calls.at(-1).number + 1 : 0;
    const { calls = [] } = await call("GET", `/hearth/v1/calls?from=${next}`);
    if (this.#isEnded) return;
    this.#calls = [...this.#calls, ...calls].slice(-heldCount);
    if (calls.length || !next) this.#show();
    this.#timer = setTimeout(() => this.#poll(), pause);
  }

  async #poll() {
    try {
      await this.show();
    } catch (error) {
      // The server may have gone for a while.
      this.summary.textContent = error.message;
      this.#timer = setTimeout(() => this.#poll(), pause);
    }
  }

  #show() {
    if (this.pausing.checked && this.#body.children.length) return;
    const text = this.text.value.toLowerCase();
    const calls = this.#calls.filter((each) =>
      (!this.failed.checked || !isWell(each)) && (!this.slow.checked || isSlow(each))
      && `${each.method} ${each.subject} ${each.code}`.toLowerCase().includes(text)).reverse();
    if (this.order.value === "refused") calls.sort((left, right) => rank(left) - rank(right));
    const refused = this.#calls.filter(({ code }) => code === "FAILED_PRECONDITION").length;
    this.summary.textContent = `${count(calls.length, "call")} of the last `
      + `${this.#calls.length.toLocaleString("en")}, ${count(refused, "refusal")} among them all.`;
    this.#body.replaceChildren(...calls.slice(0, heldCount).map((each) => this.#row(each)));
  }

  #row(each) {
    const cell = (value, attributes) => make("td", attributes, value ?? "");
    const open = button(each.method, () => this.#open(each.number));
    return make(
      "tr", { "aria-selected": each.number === this.#chosen && "true" },
      cell(time.format(each.time)), cell(open),
      cell(each.subject.replace(`${this.#database.root}/`, ""), { class: "mono" }),
      cell(each.milliseconds.toFixed(each.milliseconds < 10 ? 2 : 0), {
        class: isSlow(each) ? "number bad" : "number" }),
      cell(each.entriesRead?.toLocaleString("en"), { class: "number" }),
      cell(each.documentsRead?.toLocaleString("en"), { class: "number" }),
      cell(each.answers.toLocaleString("en"), { class: "number" }),
      cell(each.code, { class: isWell(each) ? "good" : "bad" }));
  }

  /** Opens a call into its request, and a query into its plan. */
  async #open(number) {
    this.#chosen = number;
    const each = await call("GET", `/hearth/v1/calls/${number}`);
    const request = each.request;
    const parts = [make("h2", {}, `${each.method}, call ${number}`)];
    if (each.message && !request?.structuredQuery) {
      parts.push(refusalView(this.#database, each, () => this.#open(number)));
    }
    if (request) {
      parts.push(make("details", { open: true }, make("summary", {}, "Request"),
        make("pre", { tabindex: "0" }, JSON.stringify(request, null, 2))));
    } else {
      parts.push(make("p", { class: "quiet" }, "Its request wasn't kept: a stream, or too large."));
    }
    this.detail.replaceChildren(...parts);
    if (request?.structuredQuery) this.detail.append(await this.#plan(request, each));
    this.detail.scrollIntoView({ block: "nearest" });
  }

  /** The plan of a query, or the index that it needs: a plan alone is refused without naming it. */
  async #plan({ parent, structuredQuery }, { message }) {
    const database = databaseOf(parent);
    const path = parent === database.root ? [] : database.pathOf(parent);
    const place = make("div");
    const show = async () => {
      try {
        const answer = await database.call(
          "POST", path, ":runQuery", { structuredQuery, explainOptions: {} });
        place.replaceChildren(planView(answer.find((part) => part.explainMetrics)?.explainMetrics));
      } catch (error) {
        if (error.code !== "FAILED_PRECONDITION") return place.replaceChildren(notice(error.message));
        const refusal = message ? { message } : error;
        place.replaceChildren(refusalView(database, refusal, show));
      }
      place.append(unusedView(database, path, structuredQuery));
    };
    await show().catch(report);
    return place;
  }
}

const isSlow = ({ method, milliseconds }) => milliseconds > slow && !streams.includes(method);

/** Whether a call has ended well: a stream does when its client goes. */
const isWell = ({ method, code }) => code === "OK" || code === "CANCELLED" && streams.includes(method);

const rank = (each) => each.code === "FAILED_PRECONDITION" ? 0 : isWell(each) ? 2 : 1;
