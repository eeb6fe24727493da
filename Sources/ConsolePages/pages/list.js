import { glow, make, moveByArrows } from "./dom.js";

const pageCount = 100;
/** The most pages of links that the page holds at a time. */
const heldCount = 5;

/** The documents of a collection, of which only the pages near the visible ones are in the page. */
export class DocumentList {
  #database;
  #path;
  #pages = [];
  #isLoading = false;
  #rowHeight = 28.5;
  #body;
  #list = make("ul");
  #above = make("li", { "aria-hidden": "true" });
  #below = make("li", { "aria-hidden": "true" });
  #stop = null;
  #channel;

  /** @param hrefOf returns the address of a document's page. */
  constructor(database, path, channel, hrefOf, chosenID) {
    this.#database = database;
    this.#path = path;
    this.#channel = channel;
    this.hrefOf = hrefOf;
    this.chosenID = chosenID;
    this.#body = make("div", { class: "body", onscroll: () => this.#look() }, this.#list);
    this.#list.append(this.#above, this.#below);
    moveByArrows(this.#list);
  }

  get element() { return this.#body; }

  async start() {
    await this.#append();
    if (!this.#pages[0]?.count) {
      this.#body.prepend(make("p", { class: "empty" }, "No documents."));
    }
    this.#listen();
  }

  end() { this.#stop?.(); }

  choose(id) {
    this.chosenID = id;
    for (const link of this.#list.querySelectorAll("a")) this.#mark(link);
  }

  #mark(link) {
    if (link.dataset.id === this.chosenID) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
  }

  async #fetch(token) {
    const query = new URLSearchParams({ pageSize: pageCount, showMissing: true, "mask.fieldPaths": "__name__" });
    if (token) query.set("pageToken", token);
    const answer = await this.#database.call("GET", this.#path, `?${query}`);
    return {
      next: answer.nextPageToken ?? null,
      rows: (answer.documents ?? []).map((document) => ({
        id: this.#database.pathOf(document.name).at(-1), isMissing: !document.createTime })),
    };
  }

  #row({ id, isMissing }) {
    const link = make("a", { href: this.hrefOf(id), "data-id": id }, id);
    this.#mark(link);
    return make("li", { class: isMissing && "missing", title: isMissing && "Only documents below it exist." }, link);
  }

  /** Loads the page after the last one. */
  async #append() {
    const last = this.#pages.at(-1);
    if (last && !last.next) return;
    await this.#show({ token: last?.next ?? null });
  }

  /** Loads a page, new or one whose rows were given up, and puts its rows into their place. */
  async #show(page) {
    const { next, rows } = await this.#fetch(page.token);
    page.next = next;
    page.rows = rows.map((row) => this.#row(row));
    page.first = rows[0]?.id;
    page.last = rows.at(-1)?.id;
    page.count = rows.length;
    const index = this.#pages.indexOf(page);
    const after = index < 0 ? null : this.#pages.slice(index + 1).find((other) => other.rows);
    if (index < 0) this.#pages.push(page);
    for (const row of page.rows) this.#list.insertBefore(row, after ? after.rows[0] ?? this.#below : this.#below);
    // Fonts and zoom decide on it; all rows have the same.
    this.#rowHeight = page.rows[0]?.getBoundingClientRect().height || this.#rowHeight;
    this.#trim(page);
  }

  /** Gives up the rows that are farthest from a page. */
  #trim(page) {
    const held = this.#pages.filter((other) => other.rows);
    const place = this.#pages.indexOf(page);
    held.sort((left, right) => Math.abs(this.#pages.indexOf(right) - place) - Math.abs(this.#pages.indexOf(left) - place));
    for (const far of held.slice(0, Math.max(held.length - heldCount, 0))) {
      for (const row of far.rows) row.remove();
      far.rows = null;
    }
    const first = this.#pages.findIndex((other) => other.rows);
    const last = this.#pages.findLastIndex((other) => other.rows);
    const height = (pages) => `${pages.reduce((sum, other) => sum + other.count, 0) * this.#rowHeight}px`;
    this.#above.style.height = height(this.#pages.slice(0, first));
    this.#below.style.height = height(this.#pages.slice(last + 1));
  }

  /** Loads what the visible part lacks. */
  async #look() {
    if (this.#isLoading) return;
    this.#isLoading = true;
    try {
      for (;;) {
        const top = this.#body.scrollTop - 600;
        const bottom = this.#body.scrollTop + this.#body.clientHeight + 600;
        let [start, wanted] = [0, null];
        for (const page of this.#pages) {
          const end = start + page.count * this.#rowHeight;
          if (!page.rows && start < bottom && end > top) {
            wanted = page;
            break;
          }
          start = end;
        }
        if (wanted) {
          await this.#show(wanted);
        } else if (bottom > start && this.#pages.at(-1)?.next) {
          await this.#append();
        } else {
          break;
        }
        this.#listen();
      }
    } finally {
      this.#isLoading = false;
    }
  }

  /** Follows the documents of the pages whose rows are shown. */
  #listen() {
    const held = this.#pages.filter((page) => page.rows && page.count);
    const [first, last] = [held[0]?.first, held.at(-1)?.next ? held.at(-1).last : undefined];
    if (this.#stop && this.first === first && this.last === last) return;
    [this.first, this.last] = [first, last];
    this.#stop?.();
    const cursor = (id, before) => id === undefined ? undefined : {
      values: [{ referenceValue: this.#database.nameOf([...this.#path, id]) }], before };
    this.#stop = this.#channel.listen({
      query: {
        parent: this.#database.nameOf(this.#path.slice(0, -1)),
        structuredQuery: {
          from: [{ collectionId: this.#path.at(-1) }],
          orderBy: [{ field: { fieldPath: "__name__" }, direction: "ASCENDING" }],
          startAt: held[0] === this.#pages[0] ? undefined : cursor(first, true), endAt: cursor(last, false),
        },
      },
    }, {
      changed: (document, isLive) => { if (isLive) this.#change(document.name); },
      removed: (name) => this.#remove(name),
    });
  }

  #find(name) {
    const id = this.#database.pathOf(name).at(-1);
    return { id, row: [...this.#list.querySelectorAll("a")].find((link) => link.dataset.id === id)?.parentElement };
  }

  #change(name) {
    const { id, row } = this.#find(name);
    if (row) {
      row.classList.remove("missing");
      return glow(row);
    }
    const added = this.#row({ id });
    this.#body.querySelector(".empty")?.remove();
    const held = this.#pages.filter((page) => page.rows);
    const page = held.findLast((other) => other.count && compare(other.first, id) <= 0) ?? held[0];
    const index = page.rows.findIndex((other) => compare(other.firstChild.dataset.id, id) > 0);
    const place = index < 0 ? page.rows.length : index;
    const before = page.rows[place] ?? page.rows[place - 1]?.nextSibling ?? this.#below;
    this.#list.insertBefore(added, before);
    page.rows.splice(place, 0, added);
    page.count += 1;
    page.first = page.rows[0].firstChild.dataset.id;
    glow(added);
  }

  #remove(name) {
    const { row } = this.#find(name);
    const page = this.#pages.find((other) => other.rows?.includes(row));
    if (!page) return;
    page.rows.splice(page.rows.indexOf(row), 1);
    page.count -= 1;
    row.remove();
  }
}

const encoder = new TextEncoder();

/** Compares ids by their bytes, numbers of the form `__id7__` first. */
function compare(left, right) {
  const numbers = [left, right].map((id) => /^__id(-?\d+)__$/.exec(id)?.[1]);
  if (numbers[0] && numbers[1]) return BigInt(numbers[0]) < BigInt(numbers[1]) ? -1 : 1;
  if (numbers[0] || numbers[1]) return numbers[0] ? -1 : 1;
  const [a, b] = [encoder.encode(left), encoder.encode(right)];
  for (let index = 0; index < Math.min(a.length, b.length); index += 1) {
    if (a[index] !== b[index]) return a[index] - b[index];
  }
  return a.length - b.length;
}
