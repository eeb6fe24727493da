import { glow, make, moveByArrows } from "./dom.js";

const pageCount = 100;
/** The number of rows in the page from which others are given up. */
const heldCount = 5 * pageCount;
/** The distance from the visible part at which pages are loaded, in pixels. */
const margin = 600;

/** The documents of a collection, of which only the pages near the visible ones are in the page.
 *
 * A page has the documents after those of the page before it, up to `bound`; the last page has no
 * bound. Its `rows` are `null` until it is near the visible part. Pages with rows follow each other
 * without a gap, so that one listener covers just them. */
export class DocumentList {
  #database;
  #path;
  #channel;
  #pages = [{ token: null, bound: undefined, count: 0, rows: null }];
  /** The rows in the page, by the ids of their documents. */
  #rows = new Map();
  #isLoading = false;
  #isEnded = false;
  #rowHeight = 28.5;
  #body;
  #list = make("ul");
  #above = make("li", { "aria-hidden": "true" });
  #below = make("li", { "aria-hidden": "true" });
  #empty = make("p", { class: "empty", hidden: true }, "No documents.");
  #stop = null;
  #range = null;

  /** @param hrefOf returns the address of a document's page. */
  constructor(database, path, channel, hrefOf, chosenID) {
    this.#database = database;
    this.#path = path;
    this.#channel = channel;
    this.hrefOf = hrefOf;
    this.chosenID = chosenID;
    const look = () => this.#look().catch(() => {});
    this.#body = make("div", { class: "body", onscroll: look }, this.#empty, this.#list);
    this.#list.append(this.#above, this.#below);
    moveByArrows(this.#list);
  }

  get element() { return this.#body; }

  /** Loads what is visible at first. */
  start() { return this.#look(); }

  end() {
    this.#isEnded = true;
    this.#stop?.();
  }

  choose(id) {
    this.chosenID = id;
    for (const row of this.#rows.values()) this.#mark(row);
  }

  #mark(row) {
    if (row.id === this.chosenID) row.link.setAttribute("aria-current", "true");
    else row.link.removeAttribute("aria-current");
  }

  #row({ id, isMissing }) {
    const link = make("a", { href: this.hrefOf(id), "data-id": id }, id);
    const element = make("li", {
      class: isMissing && "missing", title: isMissing && "Only documents below it exist." }, link);
    const row = { id, link, element, isMissing };
    this.#mark(row);
    return row;
  }

  // Pages

  async #fetch(token) {
    const query = new URLSearchParams({
      pageSize: pageCount, showMissing: true, "mask.fieldPaths": "__name__" });
    if (token) query.set("pageToken", token);
    const answer = await this.#database.call("GET", this.#path, `?${query}`);
    return {
      token: answer.nextPageToken ?? null,
      found: (answer.documents ?? []).map((document) => ({
        id: this.#idOf(document.name), isMissing: !document.createTime })),
    };
  }

  #idOf(name) { return this.#database.pathOf(name).at(-1); }

  /** Loads the rows of a page. What goes beyond a hundred becomes a page after it. */
  async #load(page) {
    const { token, found } = await this.#fetch(page.token);
    if (this.#isEnded) return;
    const { bound } = page;
    const isWithin = ({ id }) => bound === undefined || compare(id, bound) <= 0;
    const hasMore = token && found.length && isWithin(found.at(-1)) && found.at(-1).id !== bound;
    if (hasMore) {
      page.bound = found.at(-1).id;
      const rest = { token, bound, count: bound === undefined ? 0 : pageCount, rows: null };
      this.#pages.splice(this.#pages.indexOf(page) + 1, 0, rest);
    }
    this.#release(page);
    page.rows = found.filter(isWithin).map((each) => this.#row(each));
    page.count = page.rows.length;
    const next = this.#firstAfter(page);
    for (const row of page.rows) {
      this.#rows.set(row.id, row);
      this.#list.insertBefore(row.element, next?.element ?? this.#below);
    }
    // Fonts and zoom decide on it; all rows have the same.
    this.#rowHeight = page.rows[0]?.element.getBoundingClientRect().height || this.#rowHeight;
    this.#hold(this.#pages.indexOf(page));
    // A new listener tells of changes since the answer.
    this.#range = null;
  }

  /** Gives up the rows of a page. */
  #release(page) {
    for (const row of page.rows ?? []) {
      row.element.remove();
      this.#rows.delete(row.id);
    }
    page.rows = null;
  }

  /** Gives up the rows of all pages but the nearest to one, which follow each other. */
  #hold(index) {
    let [first, last, count] = [index, index, this.#pages[index].count];
    while (count < heldCount) {
      const [hasNext, hasEarlier] = [this.#pages[last + 1]?.rows, this.#pages[first - 1]?.rows];
      if (hasNext) count += this.#pages[++last].count;
      if (hasEarlier) count += this.#pages[--first].count;
      if (!hasNext && !hasEarlier) break;
    }
    this.#pages.forEach((page, place) => { if (place < first || place > last) this.#release(page); });
    this.#space();
  }

  get #held() { return this.#pages.filter((page) => page.rows); }

  /** Gives the places of pages without rows their height. */
  #space() {
    const first = this.#pages.findIndex((page) => page.rows);
    const last = this.#pages.findLastIndex((page) => page.rows);
    const height = (pages) =>
      `${pages.reduce((sum, page) => sum + page.count, 0) * this.#rowHeight}px`;
    this.#above.style.height = height(this.#pages.slice(0, first));
    this.#below.style.height = height(this.#pages.slice(last + 1));
    this.#empty.hidden = this.#rows.size > 0 || this.#pages.length > 1;
  }

  /** Loads what the visible part lacks, and follows what is shown. */
  async #look() {
    if (this.#isLoading || this.#isEnded) return;
    this.#isLoading = true;
    this.#body.setAttribute("aria-busy", "true");
    try {
      for (let page = this.#wanted(); page && !this.#isEnded; page = this.#wanted()) {
        await this.#load(page);
      }
      this.#listen();
    } finally {
      this.#isLoading = false;
      this.#body.removeAttribute("aria-busy");
    }
  }

  /** The first page near the visible part whose rows are to be loaded; those of a page that has
   * grown are loaded anew. */
  #wanted() {
    const top = this.#body.scrollTop - margin;
    const bottom = this.#body.scrollTop + this.#body.clientHeight + margin;
    let start = 0;
    for (const page of this.#pages) {
      const end = start + page.count * this.#rowHeight;
      const isNear = start <= bottom && end >= top;
      if (isNear && (!page.rows || page.rows.length > 2 * pageCount)) return page;
      start = end;
    }
    return null;
  }

  // Changes

  /** Follows the documents of the pages whose rows are in the page. */
  #listen() {
    const held = this.#held;
    if (this.#isEnded || !held.length) return;
    const before = this.#pages[this.#pages.indexOf(held[0]) - 1]?.bound;
    const range = { after: before, last: held.at(-1).bound };
    if (this.#range && this.#range.after === range.after && this.#range.last === range.last) return;
    this.#range = range;
    this.#stop?.();
    const cursor = (id) => id === undefined ? undefined : {
      values: [{ referenceValue: this.#database.nameOf([...this.#path, id]) }], before: false };
    this.#stop = this.#channel.listen({
      query: {
        parent: this.#database.nameOf(this.#path.slice(0, -1)),
        structuredQuery: {
          from: [{ collectionId: this.#path.at(-1) }],
          orderBy: [{ field: { fieldPath: "__name__" }, direction: "ASCENDING" }],
          startAt: cursor(range.after), endAt: cursor(range.last),
        },
      },
    }, {
      changed: (document, isLive) => { if (isLive) this.#change(this.#idOf(document.name)); },
      removed: (name) => this.#remove(this.#idOf(name)),
      current: (names) => this.#reconcile(new Set([...names].map((name) => this.#idOf(name)))),
    });
  }

  /** Takes the documents that there are when the listener begins: some may have come or gone since
   * the pages were loaded. */
  #reconcile(ids) {
    for (const row of [...this.#rows.values()]) {
      if (!row.isMissing && !ids.has(row.id)) this.#remove(row.id);
    }
    for (const id of ids) if (!this.#rows.has(id)) this.#change(id);
  }

  #change(id) {
    const known = this.#rows.get(id);
    if (known) {
      known.isMissing = false;
      known.element.classList.remove("missing");
      known.element.removeAttribute("title");
      return glow(known.element);
    }
    const page = this.#held.find(({ bound }) => bound === undefined || compare(id, bound) <= 0);
    // One that has grown too much is loaded anew as soon as it is near.
    if (!page || page.rows.length > 2 * pageCount) return;
    const row = this.#row({ id });
    const place = placeOf(id, page.rows);
    const next = page.rows[place] ?? this.#firstAfter(page);
    this.#list.insertBefore(row.element, next?.element ?? this.#below);
    page.rows.splice(place, 0, row);
    page.count += 1;
    this.#rows.set(id, row);
    glow(row.element);
    this.#settle();
  }

  #firstAfter(page) {
    return this.#held.slice(this.#held.indexOf(page) + 1).find(({ rows }) => rows.length)?.rows[0];
  }

  #remove(id) {
    const row = this.#rows.get(id);
    const page = row && this.#held.find(({ rows }) => rows.includes(row));
    if (!page) return;
    page.rows.splice(page.rows.indexOf(row), 1);
    page.count -= 1;
    this.#rows.delete(id);
    row.element.remove();
    this.#settle();
  }

  /** Loads what a change has moved into the visible part. */
  #settle() {
    this.#space();
    this.#look().catch(() => {});
  }
}

/** The place of an id among rows, by halving. */
function placeOf(id, rows) {
  let [low, high] = [0, rows.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (compare(rows[middle].id, id) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

const encoder = new TextEncoder();

/** Compares ids by their bytes, numbers of the form `__id7__` first. */
function compare(left, right) {
  if (left === right) return 0;
  const numbers = [left, right].map((id) => /^__id(-?\d+)__$/.exec(id)?.[1]);
  if (numbers[0] && numbers[1]) return BigInt(numbers[0]) < BigInt(numbers[1]) ? -1 : 1;
  if (numbers[0] || numbers[1]) return numbers[0] ? -1 : 1;
  const [a, b] = [encoder.encode(left), encoder.encode(right)];
  for (let index = 0; index < Math.min(a.length, b.length); index += 1) {
    if (a[index] !== b[index]) return a[index] - b[index];
  }
  return a.length - b.length;
}
