import {
  ask, button, copy, count, glow, make, moveByArrows, notice, say,
} from "./dom.js";
import { addressOf } from "./address.js";
import { askForDocument, editFields } from "./editor.js";
import { DocumentList } from "./list.js";
import { elementsOf, fieldsOf, shortText, typeOf } from "./values.js";

/** The page of collections, documents and fields. */
export class DataPage {
  #database;
  #channel;
  #list = null;
  #collection = null;
  #parent = null;
  #stops = [];

  constructor(place, database, channel) {
    this.#database = database;
    this.#channel = channel;
    this.path = make("div", { class: "path" });
    this.collections = make("div", { class: "body" });
    this.documents = make("div", { class: "pane" });
    this.document = make("div", { class: "pane" });
    this.collectionsHead = make("h2", {}, "Collections");
    place.append(
      this.path,
      make(
        "div", { class: "panes" },
        make(
          "section", { class: "pane", "aria-label": "Collections" },
          make("div", { class: "head" }, this.collectionsHead,
            button("Add", () => this.#add(null), { "aria-label": "Add a collection" })), this.collections),
        this.documents, this.document));
  }

  end() {
    this.#list?.end();
    for (const stop of this.#stops) stop();
  }

  /** Shows the place that a path names. */
  async show(path) {
    this.#showPath(path);
    const collection = path.slice(0, path.length - (path.length % 2 ? 0 : 1));
    const parent = collection.slice(0, -1);
    for (const stop of this.#stops.splice(0)) stop();
    const documentPath = path.length && path.length % 2 === 0 ? path : null;
    await Promise.all([
      this.#showCollections(parent, collection.at(-1)), this.#showDocuments(collection, documentPath?.at(-1)),
      this.#showDocument(documentPath),
    ]);
  }

  #showPath(path) {
    const input = make("input", {
      class: "mono", value: path.join("/"), "aria-label": "Path to go to", placeholder: "cities/tokyo",
      spellcheck: "false", size: 28 });
    const parts = [make("a", { href: addressOf("data", this.#database, []) }, "documents")];
    path.forEach((segment, index) => {
      parts.push(" / ", make("a", { href: addressOf("data", this.#database, path.slice(0, index + 1)) }, segment));
    });
    this.path.replaceChildren(
      make("nav", { "aria-label": "Path", class: "mono" }, parts),
      make(
        "form", {
          class: "row", onsubmit: (event) => {
            event.preventDefault();
            const segments = input.value.split("/").filter(Boolean);
            location.hash = addressOf("data", this.#database, segments);
          },
        }, input, make("button", { type: "submit" }, "Go")),
      button("Copy path", () => copy(path.join("/"))));
  }

  async #showCollections(parent, chosen) {
    const key = parent.join("/");
    this.collectionsHead.textContent = parent.length ? `In ${parent.at(-1)}` : "Collections";
    if (this.#parent !== key) {
      this.#parent = key;
      this.collections.replaceChildren(make("p", { class: "empty" }, "…"));
    }
    const ids = await this.#database.collectionIds(parent);
    if (this.#parent !== key) return;
    if (chosen && !ids.includes(chosen)) ids.push(chosen);
    const list = make("ul", {}, ids.map((id) => make("li", {}, make("a", {
      href: addressOf("data", this.#database, [...parent, id]), "aria-current": id === chosen && "true" }, id))));
    moveByArrows(list);
    this.collections.replaceChildren(ids.length ? list : make("p", { class: "empty" }, "No collections."));
  }

  async #showDocuments(collection, chosenID) {
    const key = collection.join("/");
    if (this.#collection === key) return this.#list?.choose(chosenID);
    this.#collection = key;
    this.#list?.end();
    this.#list = null;
    if (!collection.length) {
      return this.documents.replaceChildren(make("p", { class: "empty" }, "Choose a collection."));
    }
    const list = new DocumentList(
      this.#database, collection, this.#channel, (id) => addressOf("data", this.#database, [...collection, id]), chosenID);
    this.#list = list;
    this.documents.replaceChildren(
      make(
        "div", { class: "head" }, make("h2", {}, collection.at(-1)),
        button("Add", () => this.#add(collection), { "aria-label": "Add a document" }),
        make("a", { href: addressOf("query", this.#database, collection) }, "Query"),
        button("Delete all", () => this.#delete(collection), {
          class: "bad", "aria-label": "Delete the collection" })),
      list.element);
    try {
      await list.start();
    } catch (error) {
      // The collection is loaded anew when it is chosen again.
      if (this.#list === list) this.#collection = null;
      throw error;
    }
  }

  async #showDocument(path) {
    if (!path) {
      return this.document.replaceChildren(make("p", { class: "empty" }, "Choose a document."));
    }
    const head = make("div", { class: "head" }, make("h2", { class: "mono" }, path.at(-1)));
    const body = make("div", { class: "body" }, make("p", { class: "empty" }, "…"));
    this.document.replaceChildren(head, body);
    const below = make("div");
    let shown = null;
    const show = (document, isLive) => {
      head.replaceChildren(make("h2", { class: "mono" }, path.at(-1)), ...this.#actions(path, document));
      const fields = document
        ? fieldList(document.fields ?? {}, this.#database, shown?.fields, isLive) : make("p", { class: "empty" }, "There is no document here, only what is below.");
      const times = document && make(
        "p", { class: "empty" }, `Created ${document.createTime}, changed ${document.updateTime}`);
      body.replaceChildren(fields, below, times ?? "");
      shown = document;
    };
    this.#stops.push(this.#channel.listen({ documents: { documents: [this.#database.nameOf(path)] } }, {
      changed: show, removed: () => show(null, true),
      failed: (message) => body.replaceChildren(notice(message)),
    }));
    const ids = await this.#database.collectionIds(path);
    below.replaceChildren(
      make("h2", { class: "empty" }, "Collections below"),
      make("ul", {}, ids.map((id) => make("li", {}, make("a", { href: addressOf("data", this.#database, [...path, id]) }, id)))),
      make("p", { class: "empty" }, button("Add a collection below", () => this.#add(null, path))));
  }

  #actions(path, document) {
    const json = () => ask("The document in JSON", "Done", make(
      "pre", {}, JSON.stringify(document, null, 2)), () => null);
    return document ? [
      button("Edit", () => this.#edit(path, document)),
      button("Duplicate", () => this.#add(path.slice(0, -1), path.slice(0, -2), document.fields)),
      button("JSON", json), button("Delete", () => this.#delete(path), { class: "bad" }),
    ] : [
      button("Create", () => this.#edit(path, null)), button("Delete", () => this.#delete(path), { class: "bad" }),
    ];
  }

  /** Adds a document to a collection, or with `null` to one whose id is asked for. */
  async #add(collection, parent = collection?.slice(0, -1), fields = {}) {
    const place = parent ?? (this.#collection ?? "").split("/").filter(Boolean).slice(0, -1);
    const title = collection ? `A new document in ${collection.at(-1)}` : "A new collection, with its first document";
    const create = (path, values) => this.#database.commit([{
      update: { name: this.#database.nameOf(path), fields: values },
      currentDocument: { exists: false } }]);
    const path = await askForDocument(
      title, place, collection?.at(-1) ?? null, fields, this.#database, create);
    if (!path) return;
    say(`Created ${path.join("/")}.`);
    this.#parent = null;
    location.hash = addressOf("data", this.#database, path);
  }

  async #edit(path, document) {
    const currentDocument = document ? { updateTime: document.updateTime } : { exists: false };
    const save = async (fields) => {
      try {
        await this.#database.commit([{
          update: { name: this.#database.nameOf(path), fields }, currentDocument }]);
      } catch (error) {
        if (error.code !== "FAILED_PRECONDITION") throw error;
        throw new Error("The document was changed meanwhile: nothing is saved. Cancel shows it.");
      }
    };
    const isSaved = await editFields(
      path.join("/"), document?.fields ?? {}, this.#database, save);
    if (isSaved) say(`Saved ${path.join("/")}.`);
  }

  async #delete(path) {
    const below = await this.#database.countBelow(path);
    const name = path.join("/");
    const progress = make("progress", { max: below || 1, value: 0, hidden: true, "aria-label": "Deleted" });
    const isDocument = path.length % 2 === 0;
    const rest = `${count(below, "document")}${isDocument ? " below it" : ""}`;
    const text = !isDocument ? `${rest} of ${name} and below go.`
      : below ? `${name} goes, and ${rest}.` : `${name} goes.`;
    let gone = 0;
    const content = make("div", {}, make("p", {}, text), progress);
    const isDone = await ask("Delete?", "Delete", content, async (signal) => {
      progress.hidden = !below;
      await this.#database.deleteTree(path, (deleted) => { progress.value = gone = deleted; }, signal);
      return true;
    }, { isBad: true });
    if (!isDone) return say(`Stopped: ${count(gone, "document")} below ${name} are gone.`);
    say(`Deleted ${name}.`);
    this.#parent = null;
    location.hash = addressOf("data", this.#database, path.slice(0, -1));
  }
}

/** The fields of a document; those that differ from earlier ones glow. */
function fieldList(fields, database, earlier, isLive) {
  return make("dl", { class: "fields" }, Object.keys(fields).sort().map((name) => {
    const row = make("div", {}, make("dt", { class: "mono" }, name), valueView(fields[name], database));
    if (isLive && JSON.stringify(earlier?.[name]) !== JSON.stringify(fields[name])) glow(row);
    return row;
  }));
}

function valueView(value, database) {
  const type = typeOf(value);
  const note = make("span", { class: "type" }, type);
  if (type === "map" || type === "array") {
    const parts = type === "map" ? fieldsOf(value) : elementsOf(value);
    const names = Object.keys(parts);
    if (type === "map") names.sort();
    return make("dd", {}, note, make("dl", { class: "nested" }, names.map((name) =>
      make("div", {}, make("dt", { class: "mono" }, name), valueView(parts[name], database)))));
  }
  return make("dd", { class: "mono" }, shortText(value, database), " ", note);
}
