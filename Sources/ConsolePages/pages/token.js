/** The index that the link of a refused query names: a message of the protocol in Base64. */

const modes = { 1: { order: "ASCENDING" }, 2: { order: "DESCENDING" } };

class Bytes {
  constructor(bytes) {
    this.bytes = bytes;
    this.place = 0;
  }

  get isAtEnd() { return this.place >= this.bytes.length; }

  number() {
    let [value, shift] = [0, 0];
    for (;;) {
      const byte = this.bytes[this.place++];
      if (byte === undefined || shift > 28) throw new Error("The link is damaged.");
      value |= (byte & 127) << shift;
      if (byte < 128) return value;
      shift += 7;
    }
  }

  /** The fields of a message: numbers, or bytes. */
  * fields() {
    while (!this.isAtEnd) {
      const tag = this.number();
      if ((tag & 7) === 0) {
        yield [tag >> 3, this.number()];
      } else if ((tag & 7) === 2) {
        const count = this.number();
        if (this.place + count > this.bytes.length) throw new Error("The link is damaged.");
        yield [tag >> 3, this.bytes.subarray(this.place, this.place + count)];
        this.place += count;
      } else {
        throw new Error("The link is damaged.");
      }
    }
  }
}

const text = (bytes) => new TextDecoder().decode(bytes);

function readField(bytes) {
  const field = {};
  for (const [number, value] of new Bytes(bytes).fields()) {
    if (number === 1) field.fieldPath = text(value);
    if (number === 2) Object.assign(field, modes[value]);
    if (number === 3) field.arrayConfig = "CONTAINS";
    if (number === 4) {
      const dimension = [...new Bytes(value).fields()].find(([part]) => part === 1)?.[1];
      field.vectorConfig = { dimension, flat: {} };
    }
  }
  return field;
}

/** Reads the index of a refusal's message or link; `null` if it names none.
 *
 * @returns `{collectionGroup, queryScope, fields}` as the administration has it. */
export function indexIn(message) {
  const found = /create_composite=([A-Za-z0-9_\-+/=%]+)/.exec(message);
  if (!found) return null;
  const base64 = decodeURIComponent(found[1]).replaceAll("-", "+").replaceAll("_", "/");
  const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  const index = { queryScope: "COLLECTION", fields: [] };
  for (const [number, value] of new Bytes(bytes).fields()) {
    if (number === 1) index.collectionGroup = text(value).split("/collectionGroups/")[1]?.split("/")[0];
    if (number === 2) index.queryScope = { 1: "COLLECTION", 2: "COLLECTION_GROUP", 3: "COLLECTION_RECURSIVE" }[value];
    if (number === 3) index.fields.push(readField(value));
  }
  index.fields = withoutImpliedName(index.fields);
  return index.collectionGroup && index.fields.length ? index : null;
}

/** Leaves out the name of the document at the end where it has the direction of the last order. */
export function withoutImpliedName(fields) {
  const last = fields.at(-1);
  const implied = fields.slice(0, -1).findLast((field) => field.order)?.order ?? "ASCENDING";
  return last?.fieldPath === "__name__" && fields.length > 1 && last.order === implied ? fields.slice(0, -1) : fields;
}

/** An index in words: `(country ASC, population DESC)`. */
export function inWords(fields) {
  return `(${withoutImpliedName(fields).map(({ fieldPath, order, arrayConfig, vectorConfig }) =>
    `${fieldPath} ${vectorConfig ? `VECTOR<${vectorConfig.dimension}>` : arrayConfig ? "CONTAINS" : order === "DESCENDING" ? "DESC" : "ASC"}`)
    .join(", ")})`;
}
