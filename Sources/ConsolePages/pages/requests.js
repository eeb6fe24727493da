import { button, count, make, notice, table } from "./dom.js";
import { planView, refusalView, unusedView } from "./plan.js";
import { call, databaseOf } from "./rest.js";

const pause = 2000;
/** Number of calls that the page holds: a thousand, and earlier refusals. */
const heldCount = 1200;
/** Number of rows that are drawn at first, and that a press adds. */
const drawnCount = 100;
/** The duration from which a call is marked as slow, in milliseconds. */
const slow = 100;
const streams = ["Listen", "Write"];
const time = new Intl.DateTimeFormat(undefined, { timeStyle: "medium" });

/** The page of the last thousand calls. */
export class RequestsPage {
  #database;
  #calls = [];
  /** The id of the log: numbers begin anew with another one. */
  #log = null;
  #loading = null;
  #timer = null;
  #isEnded = false;
  #drawn = drawnCount;
  #body = make("tbody");
  #chosen = null;

  constructor(place, database) {
    this.#database = database;
    const show = () => {
      this.#drawn = drawnCount;
      this.#show();
    };
    this.text = make("input", {
      "aria-label": "Find", placeholder: "method, path or code", spellcheck: "false",
      oninput: show });
    this.failed = make("input", { type: "checkbox", onchange: show });
    this.slow = make("input", { type: "checkbox", onchange: show });
    this.order = make("select", { "aria-label": "Order", onchange: show },
      make("option", { value: "refused" }, "refusals first"),
      make("option", { value: "latest" }, "latest first"));
    this.pausing = make("input", { type: "checkbox" });
    this.summary = make("p", { class: "quiet" });
    this.more = button("Show more", () => {
      this.#drawn += drawnCount;
      this.#show();
    });
    this.detail = make("div");
    const titles = ["time", "method", "subject", "ms", "entries", "documents", "answers", "status"];
    place.append(
      make("h1", {}, "Requests"),
      make(
        "div", { class: "row" }, make("label", {}, "Find ", this.text),
        make("label", {}, this.failed, " refused or failed"),
        make("label", {}, this.slow, ` slower than ${slow} ms`),
        make("label", {}, "Order ", this.order), make("label", {}, this.pausing, " hold still")),
      this.summary, table("Calls", titles, this.#body), this.more, this.detail);
  }

  end() {
    this.#isEnded = true;
    clearTimeout(this.#timer);
  }

  /** Reads the calls since the last time. One reading goes on at a time. */
  show() {
    this.#loading ??= this.#load().finally(() => { this.#loading = null; });
    return this.#loading;
  }

  async #load() {
    clearTimeout(this.#timer);
    try {
      const next = this.#calls.length ? this.#calls.at(-1).number + 1 : 0;
      const { log, calls = [] } = await call("GET", `/hearth/v1/calls?from=${next}`);
      if (this.#isEnded) return;
      if (this.#log !== null && this.#log !== log) {
        // The server has begun anew.
        this.#calls = [];
        this.detail.replaceChildren();
        this.#timer = setTimeout(() => this.#poll(), 0);
      } else {
        this.#calls = [...this.#calls, ...calls].slice(-heldCount);
        this.#timer = setTimeout(() => this.#poll(), pause);
      }
      this.#log = log;
      if (!this.pausing.checked && (calls.length || !next)) this.#show();
    } catch (error) {
      // The server may have gone for a while.
      if (!this.#isEnded) this.#timer = setTimeout(() => this.#poll(), pause);
      throw error;
    }
  }

  #poll() {
    this.show().catch((error) => { this.summary.textContent = error.message; });
  }

  #show() {
    const text = this.text.value.toLowerCase();
    const calls = this.#calls.filter((each) =>
      (!this.failed.checked || !isWell(each)) && (!this.slow.checked || isSlow(each))
      && `${each.method} ${each.subject} ${each.code}`.toLowerCase().includes(text)).reverse();
    if (this.order.value === "refused") calls.sort((left, right) => rank(left) - rank(right));
    const refused = this.#calls.filter((each) => each.refused).length;
    this.summary.textContent = `${count(calls.length, "call")} of the last `
      + `${this.#calls.length.toLocaleString("en")}, which have ${count(refused, "refused query", "refused queries")}.`;
    const focused = this.#body.contains(document.activeElement)
      ? document.activeElement.dataset.number : undefined;
    this.#body.replaceChildren(...calls.slice(0, this.#drawn).map((each) => this.#row(each)));
    this.more.hidden = calls.length <= this.#drawn;
    if (focused) this.#body.querySelector(`[data-number="${focused}"]`)?.focus();
  }

  #row(each) {
    const cell = (value, attributes) => make("td", attributes, value ?? "");
    const open = button(each.method, () => this.#open(each.number), {
      "data-number": each.number, "aria-current": each.number === this.#chosen && "true" });
    return make(
      "tr", { class: each.number === this.#chosen && "chosen" },
      cell(time.format(each.time)), cell(open), cell(this.#subject(each), { class: "mono" }),
      cell(each.milliseconds?.toFixed(each.milliseconds < 10 ? 2 : 0), {
        class: isSlow(each) ? "number bad" : "number" }),
      cell(each.entriesRead?.toLocaleString("en"), { class: "number" }),
      cell(each.documentsRead?.toLocaleString("en"), { class: "number" }),
      cell(each.answers.toLocaleString("en"), { class: "number" }),
      cell(each.code, { class: isWell(each) ? "good" : "bad" }));
  }

  /** The subject of a call, with its database if that is another one. */
  #subject({ subject, database }) {
    const other = database && database !== this.#database.name
      ? `${database.replace("projects/", "").replace("/databases/", " / ")}: ` : "";
    return other + subject.replace(`${this.#database.root}/`, "");
  }

  /** Opens a call into its request, and a query into its plan. */
  async #open(number) {
    this.#chosen = number;
    const each = await call("GET", `/hearth/v1/calls/${number}`);
    const heading = make("h2", { tabindex: "-1" }, `${each.method}, call ${number}`);
    const parts = [heading];
    if (each.request) {
      parts.push(make("details", { open: true }, make("summary", {}, "Request"),
        make("pre", { tabindex: "0" }, JSON.stringify(each.request, null, 2))));
    } else if (each.refused) {
      parts.push(make("p", { class: "mono" }, each.subject));
    } else {
      parts.push(make("p", { class: "quiet" }, "Its request wasn't kept: a stream, or too large."));
    }
    this.detail.replaceChildren(...parts, await this.#outcome(each));
    heading.focus();
    heading.scrollIntoView({ block: "nearest" });
  }

  /** The plan of a query, or the error of a call. */
  async #outcome(each) {
    if (each.request?.structuredQuery) return this.#plan(each, ":runQuery", "structuredQuery");
    if (each.request?.structuredAggregationQuery) {
      return this.#plan(each, ":runAggregationQuery", "structuredAggregationQuery");
    }
    if (!each.message) return "";
    if (!each.refused) return notice(each.message);
    const place = make("div");
    place.append(refusalView(databaseOf(each.database), each, () =>
      place.replaceChildren(make("p", { class: "good" }, "The index is ready."))));
    return place;
  }

  /** The plan of a query now, or the index that it needs: a plan alone is refused without naming
   * it. */
  async #plan(each, verb, member) {
    const { parent, [member]: query } = each.request;
    const database = databaseOf(parent);
    const path = parent === database.root ? [] : database.pathOf(parent);
    const place = make("div");
    const show = async () => {
      try {
        const answer = await database.call(
          "POST", path, verb, { [member]: query, explainOptions: {} }, { unrecorded: true });
        const metrics = answer.find((part) => part.explainMetrics)?.explainMetrics;
        place.replaceChildren(...[planView(metrics)].flat());
      } catch (error) {
        place.replaceChildren(error.code === "FAILED_PRECONDITION" && each.refused
          ? refusalView(database, each, show) : notice(error.message));
      }
      place.append(unusedView(database, path, query.structuredQuery ?? query));
    };
    await show();
    return place;
  }
}

/** Whether a call has ended well: a stream does when its client goes. */
const isWell = ({ method, code }) =>
  code === "OK" || code === "CANCELLED" && streams.includes(method);

const isSlow = ({ method, milliseconds }) => milliseconds > slow && !streams.includes(method);

const rank = (each) => each.refused ? 0 : isWell(each) ? 2 : 1;
