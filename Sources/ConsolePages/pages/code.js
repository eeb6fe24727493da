import { documentPath, elementsOf, fieldsOf, geoText, numberText, typeOf, vectorOf } from "./values.js";

/** A query as code for Firestore's libraries. */

const signs = {
  EQUAL: "==", NOT_EQUAL: "!=", LESS_THAN: "<", LESS_THAN_OR_EQUAL: "<=", GREATER_THAN: ">",
  GREATER_THAN_OR_EQUAL: ">=", IN: "in", NOT_IN: "not-in", ARRAY_CONTAINS: "array-contains",
  ARRAY_CONTAINS_ANY: "array-contains-any",
};

/** The comparison of a filter, with null and NaN as values. */
function comparison(filter) {
  if (filter.fieldFilter) {
    const { field, op, value } = filter.fieldFilter;
    return { path: field.fieldPath, op, value };
  }
  const { field, op } = filter.unaryFilter;
  return {
    path: field.fieldPath, op: op.startsWith("IS_NOT") ? "NOT_EQUAL" : "EQUAL",
    value: op.endsWith("NULL") ? { nullValue: null } : { doubleValue: "NaN" },
  };
}

/** The text of a filter: `group` joins the texts of its parts, `condition` writes a comparison. */
function filterText(filter, group, condition) {
  if (!filter.compositeFilter) return condition(comparison(filter));
  const { op, filters } = filter.compositeFilter;
  return group(op === "OR", filters.map((part) => filterText(part, group, condition)).join(", "));
}

const quote = JSON.stringify;

/** Conditions that follow one another, for languages that chain them. */
function chained(where) {
  if (!where) return [];
  return where.compositeFilter?.op === "AND" ? where.compositeFilter.filters : [where];
}

function literal(value, forms) {
  const inner = (part) => literal(part, forms);
  switch (typeOf(value)) {
    case "null": return forms.null;
    case "boolean": return forms.boolean(value.booleanValue);
    case "integer": return numberText(value);
    case "double": return /^-?(NaN|Infinity)$/.test(numberText(value)) ? forms.special(numberText(value)) : numberText(value);
    case "timestamp": return forms.time(value.timestampValue);
    case "string": return forms.string(value.stringValue);
    case "bytes": return forms.bytes(value.bytesValue);
    case "reference": return forms.reference(documentPath(value));
    case "geopoint": return forms.point(geoText(value));
    case "vector": return forms.vector(vectorOf(value).join(", "));
    case "array": return forms.array(elementsOf(value).map(inner).join(", "));
    default: return forms.map(Object.entries(fieldsOf(value)).map(([name, part]) => [forms.string(name), inner(part)]));
  }
}

const swiftText = (text) => quote(text).replace(/\\u([0-9a-f]{4})/g, "\\u{$1}").replace(/\\[bf]/g, (part) =>
  part === "\\b" ? "\\u{8}" : "\\u{c}");

const swift = {
  null: "NSNull()", boolean: String, special: (text) => `Double.${text.endsWith("NaN") ? "nan" : "infinity"}`.replace(/^/, text.startsWith("-") ? "-" : ""),
  time: (text) => `ISO8601DateFormatter().date(from: ${quote(text)})!`, string: swiftText,
  bytes: (text) => `Data(base64Encoded: ${quote(text)})!`, reference: (path) => `db.document(${swiftText(path)})`,
  point: (text) => `GeoPoint(latitude: ${text.replace(", ", ", longitude: ")})`, vector: (text) => `FieldValue.vector([${text}])`,
  array: (text) => `[${text}]`, map: (parts) => parts.length ? `[${parts.map((part) => part.join(": ")).join(", ")}]` : "[:]",
};

const swiftLabels = {
  EQUAL: "isEqualTo", NOT_EQUAL: "isNotEqualTo", LESS_THAN: "isLessThan", LESS_THAN_OR_EQUAL: "isLessThanOrEqualTo",
  GREATER_THAN: "isGreaterThan", GREATER_THAN_OR_EQUAL: "isGreaterThanOrEqualTo", IN: "in", NOT_IN: "notIn",
  ARRAY_CONTAINS: "arrayContains", ARRAY_CONTAINS_ANY: "arrayContainsAny",
};

const swiftFilter = (filter) => filterText(
  filter, (isOr, parts) => `Filter.${isOr ? "or" : "and"}Filter([${parts}])`,
  ({ path, op, value }) => `Filter.whereField(${swiftText(path)}, ${swiftLabels[op]}: ${literal(value, swift)})`);

function swiftCode({ path, isGroup, where, orderBy, limit }) {
  const lines = [isGroup ? `db.collectionGroup(${swiftText(path)})` : `db.collection(${swiftText(path)})`];
  for (const filter of chained(where)) {
    if (filter.compositeFilter) {
      lines.push(`.whereFilter(${swiftFilter(filter)})`);
    } else {
      const { path: field, op, value } = comparison(filter);
      lines.push(`.whereField(${swiftText(field)}, ${swiftLabels[op]}: ${literal(value, swift)})`);
    }
  }
  for (const { field, direction } of orderBy) {
    lines.push(`.order(by: ${swiftText(field.fieldPath)}${direction === "DESCENDING" ? ", descending: true" : ""})`);
  }
  if (limit) lines.push(`.limit(to: ${limit})`);
  return `let snapshot = try await ${lines.join("\n  ")}\n  .getDocuments()`;
}

const script = {
  null: "null", boolean: String, special: String, time: (text) => `Timestamp.fromDate(new Date(${quote(text)}))`, string: quote,
  bytes: (text) => `Bytes.fromBase64String(${quote(text)})`, reference: (path) => `doc(db, ${quote(path)})`,
  point: (text) => `new GeoPoint(${text})`, vector: (text) => `vector([${text}])`, array: (text) => `[${text}]`,
  map: (parts) => `{ ${parts.map((part) => part.join(": ")).join(", ")} }`,
};

const scriptFilter = (filter) => filterText(
  filter, (isOr, parts) => `${isOr ? "or" : "and"}(${parts})`,
  ({ path, op, value }) => `where(${quote(path)}, ${quote(signs[op])}, ${literal(value, script)})`);

function scriptCode({ path, isGroup, where, orderBy, limit }) {
  const source = isGroup ? `collectionGroup(db, ${quote(path)})` : `collection(db, ${quote(path)})`;
  const parts = [source, ...(hasAlternatives(where) ? [scriptFilter(where)] : chained(where).map(scriptFilter))];
  for (const { field, direction } of orderBy) {
    parts.push(`orderBy(${quote(field.fieldPath)}${direction === "DESCENDING" ? ', "desc"' : ""})`);
  }
  if (limit) parts.push(`limit(${limit})`);
  return `const snapshot = await getDocs(query(\n  ${parts.join(",\n  ")}));`;
}

/** Whether a filter has more than conditions that are joined. */
const hasAlternatives = (where) => chained(where).some((filter) => filter.compositeFilter);

const python = {
  null: "None", boolean: (value) => value ? "True" : "False", special: (text) => `float(${quote(text)})`,
  time: (text) => `datetime.fromisoformat(${quote(text)})`, string: quote, bytes: (text) => `base64.b64decode(${quote(text)})`,
  reference: (path) => `db.document(${quote(path)})`, point: (text) => `GeoPoint(${text})`, vector: (text) => `Vector([${text}])`,
  array: (text) => `[${text}]`, map: (parts) => `{${parts.map((part) => part.join(": ")).join(", ")}}`,
};

const pythonSigns = {
  ...signs, NOT_IN: "not-in", ARRAY_CONTAINS: "array_contains", ARRAY_CONTAINS_ANY: "array_contains_any",
};

const pythonFilter = (filter) => filterText(
  filter, (isOr, parts) => `${isOr ? "Or" : "And"}([${parts}])`,
  ({ path, op, value }) => `FieldFilter(${quote(path)}, ${quote(pythonSigns[op])}, ${literal(value, python)})`);

function pythonCode({ path, isGroup, where, orderBy, limit }) {
  const lines = [isGroup ? `db.collection_group(${quote(path)})` : `db.collection(${quote(path)})`];
  for (const filter of chained(where)) lines.push(`.where(filter=${pythonFilter(filter)})`);
  for (const { field, direction } of orderBy) {
    lines.push(`.order_by(${quote(field.fieldPath)}${direction === "DESCENDING" ? ", direction=Query.DESCENDING" : ""})`);
  }
  if (limit) lines.push(`.limit(${limit})`);
  return `documents = (\n    ${lines.join("\n    ")}\n    .stream()\n)`;
}

const go = {
  null: "nil", boolean: String, special: (text) => text.endsWith("NaN") ? "math.NaN()" : `math.Inf(${text.startsWith("-") ? -1 : 1})`,
  time: (text) => `must(time.Parse(time.RFC3339Nano, ${quote(text)}))`, string: quote,
  bytes: (text) => `must(base64.StdEncoding.DecodeString(${quote(text)}))`, reference: (path) => `client.Doc(${quote(path)})`,
  point: (text) => `&latlng.LatLng{Latitude: ${text.replace(", ", ", Longitude: ")}}`, vector: (text) => `firestore.Vector64{${text}}`,
  array: (text) => `[]any{${text}}`, map: (parts) => `map[string]any{${parts.map((part) => part.join(": ")).join(", ")}}`,
};

const goFilter = (filter) => filterText(
  filter, (isOr, parts) => `firestore.${isOr ? "Or" : "And"}Filter{Filters: []firestore.EntityFilter{${parts}}}`,
  ({ path, op, value }) =>
    `firestore.PropertyFilter{Path: ${quote(path)}, Operator: ${quote(signs[op])}, Value: ${literal(value, go)}}`);

function goCode({ path, isGroup, where, orderBy, limit }) {
  const lines = [isGroup ? `client.CollectionGroup(${quote(path)})` : `client.Collection(${quote(path)})`];
  for (const filter of chained(where)) {
    if (filter.compositeFilter) {
      lines.push(`WhereEntity(${goFilter(filter)})`);
    } else {
      const { path: field, op, value } = comparison(filter);
      lines.push(`Where(${quote(field)}, ${quote(signs[op])}, ${literal(value, go)})`);
    }
  }
  for (const { field, direction } of orderBy) {
    lines.push(`OrderBy(${quote(field.fieldPath)}, firestore.${direction === "DESCENDING" ? "Desc" : "Asc"})`);
  }
  if (limit) lines.push(`Limit(${limit})`);
  return `documents, err := ${lines.join(".\n\t")}.\n\tDocuments(ctx).GetAll()`;
}

export const languages = { Swift: swiftCode, JavaScript: scriptCode, Python: pythonCode, Go: goCode };
