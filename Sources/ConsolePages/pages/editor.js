import { ask, button, make } from "./dom.js";
import { blank, editText, elementsOf, fieldsOf, parse, typeOf, types } from "./values.js";

/** A fault of what was typed, and where. */
class Fault extends Error {
  constructor(message, element) {
    super(message);
    this.element = element;
    element.classList.add("invalid");
    element.addEventListener("input", () => element.classList.remove("invalid"), { once: true });
  }
}

let labels = 0;

/** The form of one value, with its type. What nobody edits is read as it was given. */
class ValueForm {
  constructor(value, database, name) {
    this.database = database;
    this.label = name;
    this.select = make(
      "select", { "aria-label": `Type of ${name}`, onchange: () => this.#change(this.select.value) },
      types.map((type) => make("option", { value: type }, type)));
    this.place = make("span", { class: "value" });
    this.children = make("div", { class: "children" });
    this.#show(value);
    this.given = value;
    this.shown = this.input?.value;
  }

  get elements() { return [this.select, this.place, this.children]; }

  /** Begins a value of another type. */
  #change(type) {
    this.given = null;
    this.#show(blank(type));
  }

  #show(value) {
    const type = typeOf(value);
    this.type = type;
    this.select.value = type;
    this.place.replaceChildren();
    this.children.replaceChildren();
    this.children.hidden = type !== "map" && type !== "array";
    this.input = null;
    this.rows = null;
    if (type === "map") {
      this.rows = new Rows(this.children, this.database, fieldsOf(value));
    } else if (type === "array") {
      this.rows = new Rows(this.children, this.database, elementsOf(value));
    } else if (type === "boolean") {
      this.input = make("select", {}, ["true", "false"].map((text) => make("option", { value: text }, text)));
    } else if (type === "string") {
      this.input = make("textarea", { rows: 1, spellcheck: "true" });
    } else if (type !== "null") {
      this.input = make("input", { type: "text", autocomplete: "off", spellcheck: "false" });
    }
    if (!this.input) return;
    this.input.setAttribute("aria-label", `Value of ${this.label}`);
    this.input.value = editText(value, this.database);
    this.place.append(this.input);
    if (type === "string" && lineEndsOf(value.stringValue).length > 1) {
      this.place.append(make("span", { class: "quiet" }, "An edit turns all line ends into line feeds."));
    }
  }

  read() {
    if (this.type === "map") return { mapValue: { fields: this.rows.readFields() } };
    if (this.type === "array") return { arrayValue: { values: this.rows.readElements() } };
    // A text area turns other line ends into line feeds, and a short text needn't say all.
    if (this.given && this.input?.value === this.shown) return this.given;
    try {
      return parse(this.type, withLineEnds(this.given, this.input?.value ?? ""), this.database);
    } catch (error) {
      throw new Fault(error.message, this.input);
    }
  }
}

/** The line ends of a text, of which a text area knows line feeds alone: each kind once. */
const lineEndsOf = (text) => [...new Set(text.match(/\r\n|\r|\n/g) ?? [])];

/** A text with the line ends of the one that was given, if those were all of one kind. */
function withLineEnds(given, text) {
  const ends = lineEndsOf(given?.stringValue ?? "");
  return ends.length === 1 ? text.replaceAll("\n", ends[0]) : text;
}

/** The rows of a map's fields, or of an array's elements. */
class Rows {
  constructor(place, database, values) {
    this.database = database;
    this.isArray = Array.isArray(values);
    this.list = make("div");
    this.rows = [];
    for (const [name, value] of Object.entries(values)) this.add(this.isArray ? null : name, value);
    place.append(this.list, button(this.isArray ? "Add element" : "Add field", () => {
      const row = this.add(this.isArray ? null : "", blank("string"));
      (row.name ?? row.form.input).focus();
    }));
  }

  add(name, value) {
    const label = name || (this.isArray ? `element ${this.rows.length + 1}` : `field ${++labels}`);
    const form = new ValueForm(value, this.database, label);
    const input = this.isArray ? null : make("input", {
      class: "name mono", value: name, "aria-label": `Name of ${label}`, placeholder: "name", spellcheck: "false" });
    const row = { form, name: input };
    row.element = make(
      "div", { class: "field", role: "group", "aria-label": label }, input, form.elements.slice(0, 2),
      button("Remove", () => {
        this.rows.splice(this.rows.indexOf(row), 1);
        row.element.remove();
      }, { "aria-label": `Remove ${label}` }), form.children);
    this.rows.push(row);
    this.list.append(row.element);
    return row;
  }

  readElements() {
    return this.rows.map(({ form }) => {
      if (form.type === "array") throw new Fault("An array can't hold another array.", form.select);
      return form.read();
    });
  }

  readFields() {
    const fields = {};
    for (const { form, name } of this.rows) {
      if (!name.value) throw new Fault("A field needs a name.", name);
      if (/^__.*__$/.test(name.value)) throw new Fault("Names with two underscores at both ends are reserved.", name);
      if (Object.hasOwn(fields, name.value)) throw new Fault(`There are two fields ${name.value}.`, name);
      Object.defineProperty(fields, name.value, { value: form.read(), enumerable: true });
    }
    return fields;
  }
}

const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/** An id as clients make them. */
export function newID() {
  let id = "";
  while (id.length < 20) {
    for (const byte of crypto.getRandomValues(new Uint8Array(40))) {
      // Only multiples of 62 keep all letters equally likely.
      if (byte < 248 && id.length < 20) id += letters[byte % 62];
    }
  }
  return id;
}

function checkID(input, name) {
  const id = input.value;
  if (!id || id.includes("/") || id === "." || id === ".." || /^__.*__$/.test(id)) {
    throw new Fault(`${name} has no slash, isn't . or .. and isn't __any__.`, input);
  }
  return id;
}

/** Edits the fields of a document. The dialog stays when `save` throws, with what was typed.
 *
 * @returns whether they were saved. */
export function editFields(title, fields, database, save) {
  const place = make("div");
  const rows = new Rows(place, database, fields);
  return ask(title, "Save", place, async () => {
    await save(rows.readFields());
    return true;
  });
}

/** Asks for a new document, and gives its path and fields to `create`. The dialog stays when that
 * throws. `collection` is `null` to ask for it as well.
 *
 * @returns the path; `undefined` if it is given up. */
export function askForDocument(title, parent, collection, fields, database, create) {
  const collectionInput = collection === null && make(
    "input", { "aria-label": "Id of the collection", autofocus: true, spellcheck: "false" });
  const id = make("input", { value: newID(), "aria-label": "Id of the document", spellcheck: "false" });
  const place = make("div");
  const rows = new Rows(place, database, fields);
  const content = make(
    "div", {},
    collectionInput ? make("label", { class: "row" }, "Collection ", collectionInput) : [],
    make("label", { class: "row" }, "Document ", id), place);
  return ask(title, "Create", content, async () => {
    const name = collection ?? checkID(collectionInput, "The id of a collection");
    const path = [...parent, name, checkID(id, "The id of a document")];
    await create(path, rows.readFields());
    return path;
  });
}
