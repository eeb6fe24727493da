/** Values of documents in the JSON of Firestore's REST interface. */

/** The types that a field can have, in Firestore's order of values. */
export const types = [
  "null", "boolean", "integer", "double", "timestamp", "string", "bytes", "reference", "geopoint",
  "array", "vector", "map",
];

const members = {
  nullValue: "null", booleanValue: "boolean", integerValue: "integer", doubleValue: "double",
  timestampValue: "timestamp", stringValue: "string", bytesValue: "bytes", referenceValue: "reference",
  geoPointValue: "geopoint", arrayValue: "array", mapValue: "map",
};

export function typeOf(value) {
  const type = members[Object.keys(value)[0]] ?? "null";
  const fields = value.mapValue?.fields;
  return type === "map" && fields?.__type__?.stringValue === "__vector__" ? "vector" : type;
}

export const elementsOf = (value) => value.arrayValue.values ?? [];
export const fieldsOf = (value) => value.mapValue.fields ?? {};
export const vectorOf = (value) => elementsOf(fieldsOf(value).value ?? { arrayValue: {} }).map(numberText);

export function numberText(value) {
  if ("integerValue" in value) return String(value.integerValue);
  const number = value.doubleValue;
  if (typeof number === "string") return number;
  return Object.is(number, -0) ? "-0.0" : Number.isInteger(number) ? number.toFixed(1) : String(number);
}

/** The path of a document in its database. */
export const documentPath = ({ referenceValue }) => referenceValue.replace(/^.*?\/documents\//, "");

/** The path of a document of the database, and the whole name of another. */
export function shortReference({ referenceValue }, database) {
  const root = `${database.root}/`;
  return referenceValue.startsWith(root) ? referenceValue.slice(root.length) : referenceValue;
}

export const geoText = (value) =>
  `${value.geoPointValue.latitude ?? 0}, ${value.geoPointValue.longitude ?? 0}`;

/** Splits the path of a field into names. */
export function fieldNames(path) {
  const names = [];
  const part = /(?:`((?:[^`\\]|\\.)+)`|([^.`]+))(\.|$)/y;
  while (part.lastIndex < path.length) {
    const found = part.exec(path);
    if (!found) throw new Error(`"${path}" is no field.`);
    names.push(found[1] !== undefined ? found[1].replace(/\\(.)/g, "$1") : found[2]);
  }
  if (!names.length || path.endsWith(".")) throw new Error("A field needs a name.");
  return names;
}

/** The value of a field by its path; `undefined` if the document lacks it. */
export function valueAt(fields, path) {
  let value = { mapValue: { fields } };
  for (const name of fieldNames(path)) {
    const inner = value?.mapValue?.fields ?? {};
    value = Object.hasOwn(inner, name) ? inner[name] : undefined;
  }
  return value;
}

const integer = /^[+-]?\d+$/;

/** Reads what was typed for a value of a type.
 *
 * @throws an error that says what is wrong with it. */
export function parse(type, text, database) {
  const plain = text.trim();
  switch (type) {
    case "null": return { nullValue: null };
    case "boolean": return { booleanValue: plain === "true" };
    case "string": return { stringValue: text };
    case "integer": return parseInteger(plain);
    case "double": return { doubleValue: parseDouble(plain) };
    case "timestamp": return { timestampValue: parseTime(plain) };
    case "bytes": return { bytesValue: parseBytes(plain) };
    case "reference": return { referenceValue: parseReference(plain, database) };
    case "geopoint": return { geoPointValue: parsePoint(plain) };
    case "vector": return vector(plain.split(",").map((part) => parseDouble(part.trim())));
    default: throw new Error(`A value of the type ${type} can't be typed here.`);
  }
}

export function vector(numbers) {
  return {
    mapValue: {
      fields: {
        __type__: { stringValue: "__vector__" },
        value: { arrayValue: { values: numbers.map((doubleValue) => ({ doubleValue })) } },
      },
    },
  };
}

function parseInteger(text) {
  if (!integer.test(text)) throw new Error("An integer has digits alone.");
  const number = BigInt(text);
  if (number < -(2n ** 63n) || number >= 2n ** 63n) throw new Error("An integer has 64 bits.");
  return { integerValue: String(number) };
}

function parseDouble(text) {
  if (["NaN", "Infinity", "-Infinity"].includes(text)) return text;
  if (!/^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/.test(text)) throw new Error(`"${text}" is no number.`);
  const number = Number(text);
  if (!Number.isFinite(number)) throw new Error(`${text} is too large for a number.`);
  return Object.is(number, -0) ? "-0.0" : number;
}

function parseTime(text) {
  const form = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/;
  const found = form.exec(text);
  const [year, month, day] = (found ?? []).slice(1, 4).map(Number);
  const date = new Date(Date.UTC(year, month - 1, day));
  date.setUTCFullYear(year);
  if (!found || Number.isNaN(Date.parse(text)) || date.getUTCDate() !== day || year < 1) {
    throw new Error("A time is written as 2026-01-31T09:30:00Z.");
  }
  return text;
}

function parseBytes(text) {
  try {
    return btoa(atob(text));
  } catch {
    throw new Error("Bytes are written in Base64.");
  }
}

function parseReference(text, database) {
  if (text.startsWith("projects/")) return text;
  const segments = text.split("/");
  if (segments.includes("") || segments.length % 2) {
    throw new Error("A reference is the path of a document, such as users/alice.");
  }
  return database.nameOf(segments);
}

function parsePoint(text) {
  const parts = text.split(",").map((part) => parseDouble(part.trim()));
  if (parts.length !== 2 || !parts.every((part) => typeof part === "number")
    || Math.abs(parts[0]) > 90 || Math.abs(parts[1]) > 180) {
    throw new Error("A point is a latitude from -90 to 90, a comma and a longitude from -180 to 180.");
  }
  return { latitude: parts[0], longitude: parts[1] };
}

/** The text of a value for the field in which it is typed. */
export function editText(value, database) {
  switch (typeOf(value)) {
    case "boolean": return String(value.booleanValue);
    case "integer": case "double": return numberText(value);
    case "timestamp": return value.timestampValue;
    case "string": return value.stringValue;
    case "bytes": return value.bytesValue;
    case "reference": return shortReference(value, database);
    case "geopoint": return geoText(value);
    case "vector": return vectorOf(value).join(", ");
    default: return "";
  }
}

/** A value as a list shows it; nothing for a field that isn't there. */
export function shortText(value, database) {
  const inner = (part) => shortText(part, database);
  switch (value === undefined ? "none" : typeOf(value)) {
    case "none": return "";
    case "null": return "null";
    case "vector": return `[${editText(value, database)}]`;
    case "array": return `[${elementsOf(value).map(inner).join(", ")}]`;
    case "map": return JSON.stringify(
      Object.fromEntries(Object.entries(fieldsOf(value)).map(([name, part]) => [name, inner(part)])));
    default: return editText(value, database);
  }
}

/** A value for a start in a new type. */
export function blank(type) {
  switch (type) {
    case "null": return { nullValue: null };
    case "boolean": return { booleanValue: true };
    case "integer": return { integerValue: "0" };
    case "double": return { doubleValue: 0 };
    case "timestamp": return { timestampValue: new Date().toISOString() };
    case "string": return { stringValue: "" };
    case "bytes": return { bytesValue: "" };
    case "reference": return { referenceValue: "" };
    case "geopoint": return { geoPointValue: { latitude: 0, longitude: 0 } };
    case "array": return { arrayValue: { values: [] } };
    case "vector": return vector([0]);
    default: return { mapValue: { fields: {} } };
  }
}
