import { ask, button, copy, isSure, make, notice, say, table } from "./dom.js";
import { changeField, createIndex, progressOf } from "./builds.js";
import { indexIn, inWords, withoutImpliedName } from "./token.js";

const modes = {
  ascending: { order: "ASCENDING" }, descending: { order: "DESCENDING" }, contains: { arrayConfig: "CONTAINS" } };
const overrideFilter = "indexConfig.usesAncestorConfig=false OR ttlConfig:*";

/** The page of composite indexes, exemptions and times to live. */
export class IndexesPage {
  #database;
  #timer = null;

  constructor(place, database) {
    this.#database = database;
    this.composites = make("div");
    this.fields = make("div");
    this.builds = make("div", { "aria-live": "polite" });
    place.append(
      make("h1", {}, "Indexes"),
      make("div", { class: "row" },
        button("Create an index", () => this.#create(), { class: "main" }),
        button("From a link or a file", () => this.#paste()),
        button("Change a field", () => this.#changeField(null)),
        button("Export firestore.indexes.json", () => this.#export())),
      this.builds, make("h2", {}, "Composite indexes"), this.composites,
      make("h2", {}, "Fields with indexes of their own, and times to live"), this.fields);
  }

  end() { clearTimeout(this.#timer); }

  async show() {
    clearTimeout(this.#timer);
    const [composites, fields, use, operations] = await Promise.all([
      this.#readComposites(), this.#readFields(),
      this.#database.inspect("GET", "/indexes"), this.#database.operations()]);
    this.#showComposites(composites, use, operations);
    this.#showFields(fields);
    // An index that is being built is looked at again.
    if (composites.some((index) => index.state === "CREATING")) {
      this.#timer = setTimeout(() => this.show().catch(() => {}), 1000);
    }
  }

  async #readComposites() {
    const answer = await this.#database.admin("GET", "collectionGroups/-/indexes");
    return (answer.indexes ?? []).filter((index) => index.fields.length > 1 || index.fields[0].vectorConfig);
  }

  async #readFields() {
    const answer = await this.#database.admin(
      "GET", `collectionGroups/-/fields?filter=${encodeURIComponent(overrideFilter)}`);
    return (answer.fields ?? []).filter((field) => !field.name.includes("/collectionGroups/__default__/"));
  }

  #showComposites(indexes, use, operations) {
    if (!indexes.length) return this.composites.replaceChildren(make("p", { class: "quiet" }, "None."));
    const rows = indexes.map((index) => {
      const group = groupOf(index.name);
      const words = `${inWords(index.fields)} of ${group}`;
      const used = use.indexes.find(({ name }) => name === index.name) ?? {};
      return make(
        "tr", {}, make("td", {}, group), make("td", { class: "mono wrap" }, inWords(index.fields)),
        make("td", {}, index.queryScope === "COLLECTION" ? "collection" : "group"),
        make("td", { class: index.state === "READY" ? "good" : "" },
          index.state, shareOf(index, operations), used.hidden ? ", hidden" : ""),
        make("td", { class: "number" }, used.diskBytes?.toLocaleString("en") ?? ""),
        make("td", { class: "number" }, used.queries?.toLocaleString("en") ?? ""),
        make("td", {}, used.lastUsed ? time.format(new Date(used.lastUsed)) : "none known"),
        make("td", { class: "wrap" }, adviceOn(index, used, use.usageStart)), make("td", {}, this.#actions(index, words, used)));
    });
    this.composites.replaceChildren(
      table("Indexes", [
        "collection", "fields", "scope", "state", "bytes on disk", "queries", "last query",
        "advice", "actions"], make("tbody", {}, rows)),
      make("p", { class: "quiet" },
        `Queries are counted since ${time.format(new Date(use.usageStart))}.`));
  }

  #actions(index, words, { hidden }) {
    const word = hidden ? "Show" : "Hide";
    return [
      button("Copy", () => copy(JSON.stringify(stanza(index), null, 2)), {
        "aria-label": `Copy ${words}` }), " ",
      button(word, () => this.#hide(index, !hidden), { "aria-label": `${word} ${words}` }), " ",
      button("Drop", () => this.#drop(index, words), {
        class: "bad", "aria-label": `Drop ${words}` }),
    ];
  }

  /** Hides an index from queries to see what a drop would do, or shows it again. */
  async #hide(index, isHidden) {
    const rest = index.name.slice(this.#database.name.length).split("/").map(encodeURIComponent);
    await this.#database.inspect("POST", `${rest.join("/")}:${isHidden ? "hide" : "unhide"}`, {});
    await this.show();
  }

  #showFields(fields) {
    if (!fields.length) return this.fields.replaceChildren(make("p", { class: "quiet" }, "None."));
    const rows = fields.map((field) => {
      const words = `${fieldOf(field.name)} of ${groupOf(field.name)}`;
      const config = field.indexConfig;
      const names = (config?.indexes ?? []).map((index) => {
        const mode = modeOf(index.fields[0]);
        return index.queryScope === "COLLECTION" ? mode : `group ${mode}`;
      });
      const inherited = config?.usesAncestorConfig ? " (inherited)" : "";
      return make(
        "tr", {}, make("td", {}, groupOf(field.name)), make("td", { class: "mono" }, fieldOf(field.name)),
        make("td", { class: "wrap" }, (names.join(", ") || "no indexes") + inherited),
        make("td", {}, field.ttlConfig ? `time to live ${field.ttlConfig.state ?? ""}` : ""),
        make(
          "td", {}, button("Change", () => this.#changeField(field), {
            "aria-label": `Change ${words}` }), " ",
          button("Reset", () => this.#resetField(field, words), {
            class: "bad", "aria-label": `Reset ${words}` })));
    });
    this.fields.replaceChildren(
      table(
        "Indexes", ["collection", "field", "indexes", "time to live", "actions"],
        make("tbody", {}, rows)));
  }

  /** Gives a field indexes of its own, or none, and perhaps a time to live. */
  async #changeField(field) {
    const input = (label, value) => make("input", {
      "aria-label": label, class: "mono", value, spellcheck: "false", disabled: Boolean(field) });
    const group = input("Id of the collections", field ? groupOf(field.name) : "");
    const path = input("Field", field ? fieldOf(field.name) : "");
    const had = field?.indexConfig?.indexes ?? [];
    const boxes = ["COLLECTION", "COLLECTION_GROUP"].flatMap((queryScope) =>
      Object.entries(modes).map(([name, mode]) => ({
        queryScope, mode, words: queryScope === "COLLECTION" ? name : `group ${name}`,
        box: make("input", { type: "checkbox", checked: had.some((index) =>
          index.queryScope === queryScope && modeOf(index.fields[0]) === name) }),
      })));
    const ttl = make("input", { type: "checkbox", checked: Boolean(field?.ttlConfig) });
    const content = make(
      "div", {},
      make("div", { class: "row" }, make("label", {}, "Collection ", group),
        make("label", {}, "Field ", path)),
      make("p", {}, "Its indexes; without any, no query can use the field."),
      make("div", { class: "row" }, boxes.map(({ words, box }) => make("label", {}, box, ` ${words}`))),
      make("label", { class: "row" }, ttl, " Documents go at the time in this field."));
    const change = await ask("Indexes of a field", "Apply", content, () => {
      if (!group.value || !path.value) throw new Error("The collection and the field have names.");
      const indexes = boxes.filter(({ box }) => box.checked).map(({ queryScope, mode }) =>
        ({ queryScope, ...mode }));
      const hadTime = Boolean(field?.ttlConfig);
      return {
        collectionGroup: group.value, fieldPath: path.value, indexes,
        ttl: ttl.checked === hadTime ? undefined : ttl.checked };
    });
    if (change) await this.#build(changeField, change);
  }

  /** Gives a field the usual indexes again, and takes its time to live away. */
  async #resetField(field, words) {
    const text = `${words} gets the usual indexes again, and has no time to live.`;
    if (!await isSure("Reset the field?", "Reset", text)) return;
    const names = { collectionGroup: groupOf(field.name), fieldPath: fieldOf(field.name) };
    await this.#build(changeField, { ...names, indexes: null, ttl: field.ttlConfig ? false : undefined });
  }

  /** Builds an index or those of a field, and shows how far it is above the lists. */
  async #build(build, wanted) {
    const place = make("div");
    this.builds.append(place);
    try {
      await build(this.#database, wanted, place);
      place.remove();
    } catch (error) {
      place.replaceChildren(notice(error.message));
    }
    await this.show();
  }

  async #create(given = { collectionGroup: "", queryScope: "COLLECTION", fields: [{}, {}] }) {
    const group = make("input", { value: given.collectionGroup, "aria-label": "Id of the collections", autofocus: true });
    const scope = make("select", { "aria-label": "Scope" },
      make("option", { value: "COLLECTION" }, "one collection"), make("option", { value: "COLLECTION_GROUP" }, "all collections with the id"));
    scope.value = given.queryScope;
    const list = make("div");
    const add = ({ fieldPath = "", ...field }) => {
      const name = make("input", { class: "mono", value: fieldPath, "aria-label": "Field", placeholder: "field" });
      const mode = make("select", { "aria-label": "Mode" }, Object.keys(modes).map((text) => make("option", {}, text)));
      mode.value = modeOf(field);
      list.append(make("div", { class: "row field" }, name, mode, button("Remove", (event) => event.target.parentElement.remove())));
    };
    given.fields.forEach(add);
    const content = make(
      "div", {}, make("div", { class: "row" }, make("label", {}, "Collection ", group), make("label", {}, "Scope ", scope)),
      list, button("Add field", () => add({})));
    const index = await ask("A composite index", "Create", content, () => {
      const fields = [...list.children].map((row) => ({
        fieldPath: row.querySelector("input").value.trim(), ...modes[row.querySelector("select").value] }));
      if (!group.value) throw new Error("The collection's id is missing.");
      if (fields.some((field) => !field.fieldPath)) throw new Error("A field has no name.");
      return { collectionGroup: group.value, queryScope: scope.value, fields };
    });
    if (index) await this.#build(createIndex, index);
  }

  async #paste() {
    const text = make("textarea", { rows: 8, cols: 60, "aria-label": "Link or file", autofocus: true });
    const content = make("div", {}, make("p", {}, "The error or the link of a refused query, or a firestore.indexes.json."), text);
    const file = await ask("Create indexes", "Create", content, () => readIndexes(text.value));
    for (const index of file?.indexes ?? []) await this.#build(createIndex, index);
    for (const field of file?.fieldOverrides ?? []) await this.#build(changeField, field);
  }

  async #drop(index, words) {
    const text = `Queries that need ${words} are refused then.`;
    if (!await isSure("Drop the index?", "Drop", text)) return;
    await this.#database.admin("DELETE", `collectionGroups/-/indexes/${index.name.split("/").at(-1)}`);
    say(`Dropped ${words}.`);
    await this.show();
  }

  async #export() {
    const [composites, fields] = await Promise.all([this.#readComposites(), this.#readFields()]);
    const file = {
      indexes: composites.map(stanza),
      fieldOverrides: fields.map((field) => ({
        collectionGroup: groupOf(field.name), fieldPath: fieldOf(field.name), ttl: field.ttlConfig ? true : undefined,
        indexes: (field.indexConfig?.indexes ?? []).map(({ queryScope, fields: [{ order, arrayConfig }] }) =>
          ({ order, arrayConfig, queryScope })),
      })),
    };
    const text = JSON.stringify(file, null, 2);
    await ask("firestore.indexes.json", "Done", make("div", {}, button("Copy", () => copy(text)),
      make("pre", { tabindex: "0" }, text)), () => null);
  }
}

const time = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });

/** The days after which an index without a query is told of. */
const longUnused = 7;

/** What speaks for dropping an index. */
function adviceOn({ state }, { servedBy = [], queries }, usageStart) {
  if (servedBy.length) return `redundant: its queries are served by ${servedBy.join(" and ")}`;
  const days = Math.floor((Date.now() - new Date(usageStart)) / 86400000);
  return state === "READY" && queries === 0 && days >= longUnused
    ? `no query has used it for ${days} days` : "";
}

/** How far the build of an index is; empty for none. */
function shareOf(index, operations) {
  const build = operations.find(({ done, metadata }) => !done && metadata?.index === index.name);
  const { share } = progressOf(build);
  return share === undefined ? "" : `, ${Math.floor(100 * share)} %`;
}

const modeOf = ({ order, arrayConfig }) =>
  arrayConfig ? "contains" : order === "DESCENDING" ? "descending" : "ascending";
const groupOf = (name) => decodeURIComponent(name.split("/collectionGroups/")[1].split("/")[0]);
const fieldOf = (name) => decodeURIComponent(name.split("/fields/")[1]);

/** An index as `firestore.indexes.json` has it. */
const stanza = (index) => ({
  collectionGroup: groupOf(index.name), queryScope: index.queryScope, fields: withoutImpliedName(index.fields) });

/** Reads the link of a refused query, an index or an index file.
 *
 * @returns `{indexes, fieldOverrides}`. */
function readIndexes(text) {
  const linked = indexIn(text);
  if (linked) return { indexes: [linked], fieldOverrides: [] };
  let file;
  try {
    file = JSON.parse(text);
  } catch {
    throw new Error("The text has neither the link of a refused query nor JSON.");
  }
  const isFile = Boolean(file?.indexes || file?.fieldOverrides);
  const indexes = Array.isArray(file) ? file : isFile ? file.indexes ?? [] : [file];
  const fieldOverrides = isFile ? file.fieldOverrides ?? [] : [];
  for (const field of fieldOverrides) {
    if (!field?.collectionGroup || !field.fieldPath) {
      throw new Error("A field override has a collectionGroup and a fieldPath.");
    }
  }
  for (const index of indexes) {
    if (!index?.collectionGroup || !Array.isArray(index.fields)) {
      throw new Error("An index has a collectionGroup and fields.");
    }
  }
  return {
    fieldOverrides,
    indexes: indexes.map(({ collectionGroup, queryScope = "COLLECTION", fields }) =>
      ({ collectionGroup, queryScope, fields })),
  };
}
