import { fieldNames, parse as parseValue, vector } from "./values.js";

/** The operators of conditions, by their names in StructuredQuery. */
export const operators = {
  "==": "EQUAL", "!=": "NOT_EQUAL", "<": "LESS_THAN", "<=": "LESS_THAN_OR_EQUAL", ">": "GREATER_THAN",
  ">=": "GREATER_THAN_OR_EQUAL", in: "IN", "not-in": "NOT_IN", "array-contains": "ARRAY_CONTAINS",
  "array-contains-any": "ARRAY_CONTAINS_ANY",
};

const token = /\s*(?:(&&|\|\||==|!=|<=|>=|<|>|[()[\]{},:])|("(?:[^"\\]|\\.)*")|(`(?:[^`\\]|\\.)+`(?:\.(?:`(?:[^`\\]|\\.)+`|[A-Za-z_]\w*))*)|(not-in|array-contains-any|array-contains)(?![\w-])|([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)|([A-Za-z_]\w*(?:\.(?:`(?:[^`\\]|\\.)+`|[A-Za-z_]\w*))*|-Infinity))/y;

/** A reader of conditions such as `population > 1000 && (a == 1 || b in [2, 3])`. */
class Reader {
  constructor(text, database) {
    this.database = database;
    this.tokens = [];
    this.next = 0;
    token.lastIndex = 0;
    const end = text.trimEnd().length;
    while (token.lastIndex < end) {
      const place = token.lastIndex;
      const found = token.exec(text);
      if (!found) throw new Error(`"${text.slice(place).trim().slice(0, 20)}" can't be read.`);
      const [, sign, string, quoted, word, number, name] = found;
      this.tokens.push({ sign: sign ?? word, string, name: quoted ?? name, number });
    }
  }

  get token() { return this.tokens[this.next] ?? {}; }

  take(sign) {
    if (this.token.sign !== sign) return false;
    this.next += 1;
    return true;
  }

  expect(sign) {
    if (!this.take(sign)) throw new Error(`A ${sign} is missing${this.where()}.`);
  }

  where() {
    const before = this.tokens.slice(Math.max(this.next - 2, 0), this.next).map(({ sign, string, name, number }) =>
      sign ?? string ?? name ?? number);
    return before.length ? ` after ${before.join(" ")}` : "";
  }

  filter() {
    const filter = this.alternatives();
    if (this.next < this.tokens.length) throw new Error(`Something follows${this.where()} that is no condition.`);
    return filter;
  }

  alternatives() { return this.joined("||", "OR", () => this.conjunction()); }

  conjunction() { return this.joined("&&", "AND", () => this.condition()); }

  joined(sign, op, part) {
    const filters = [part()];
    while (this.take(sign)) filters.push(part());
    return filters.length === 1 ? filters[0] : { compositeFilter: { op, filters } };
  }

  condition() {
    if (this.take("(")) {
      const inner = this.alternatives();
      this.expect(")");
      return inner;
    }
    const fieldPath = this.token.name;
    if (!fieldPath) throw new Error(`The name of a field is missing${this.where()}.`);
    this.next += 1;
    const { sign, name } = this.token;
    const op = operators[sign ?? name];
    if (!op) throw new Error(`An operator is missing${this.where()}: ${Object.keys(operators).join(" ")}.`);
    this.next += 1;
    return comparison(fieldPath, op, this.value());
  }

  value() {
    const { sign, string, name, number } = this.token;
    this.next += 1;
    if (string !== undefined) return { stringValue: readString(string) };
    if (number !== undefined) {
      return parseValue(/^[+-]?\d+$/.test(number) ? "integer" : "double", number, this.database);
    }
    if (sign === "[") return { arrayValue: { values: this.list("]", () => this.value()) } };
    if (sign === "{") return this.map();
    switch (name) {
      case "true": case "false": return { booleanValue: name === "true" };
      case "null": return { nullValue: null };
      case "NaN": case "Infinity": case "-Infinity": return { doubleValue: name };
      case "timestamp": case "reference": case "bytes": return this.made(name);
      case "geopoint": case "vector": return this.numbers(name);
      default:
        this.next -= 1;
        throw new Error(`A value is missing${this.where()}: 42, 1.5, "text", true, null, timestamp("…"), [1, 2], …`);
    }
  }

  list(end, part) {
    const parts = [];
    while (!this.take(end)) {
      if (parts.length) this.expect(",");
      parts.push(part());
    }
    return parts;
  }

  map() {
    const fields = this.list("}", () => {
      const { name, string } = this.token;
      if (!name && string === undefined) throw new Error(`The name of a field is missing${this.where()}.`);
      this.next += 1;
      this.expect(":");
      return [string !== undefined ? readString(string) : fieldNames(name)[0], this.value()];
    });
    return { mapValue: { fields: Object.fromEntries(fields) } };
  }

  made(type) {
    this.expect("(");
    const { string } = this.token;
    if (string === undefined) throw new Error(`A text is missing${this.where()}.`);
    this.next += 1;
    this.expect(")");
    return parseValue(type, readString(string), this.database);
  }

  numbers(type) {
    this.expect("(");
    const numbers = this.list(")", () => {
      const { number } = this.token;
      if (number === undefined) throw new Error(`A number is missing${this.where()}.`);
      this.next += 1;
      return number;
    });
    return type === "vector" ? vector(numbers.map(Number)) : parseValue(type, numbers.join(","), this.database);
  }
}

function readString(text) {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`${text} has an escape that is none.`);
  }
}

/** A comparison, with the operators of null and NaN as Firestore has them. */
export function comparison(fieldPath, op, value) {
  const field = { fieldPath };
  const name = "nullValue" in value ? "NULL" : value.doubleValue === "NaN" ? "NAN" : null;
  if (name && op === "EQUAL") return { unaryFilter: { field, op: `IS_${name}` } };
  if (name && op === "NOT_EQUAL") return { unaryFilter: { field, op: `IS_NOT_${name}` } };
  return { fieldFilter: { field, op, value } };
}

/** Reads conditions; `undefined` for none. */
export function readConditions(text, database) {
  return text.trim() ? new Reader(text, database).filter() : undefined;
}

/** Reads orders such as `population desc, name`. */
export function readOrders(text) {
  return text.trim() ? text.split(",").map((part) => {
    const [path, direction = "asc", ...rest] = part.trim().split(/\s+/);
    if (!path || rest.length || !["asc", "desc"].includes(direction)) {
      throw new Error(`"${part.trim()}" is no order: a field, and asc or desc.`);
    }
    fieldNames(path);
    return { field: { fieldPath: path }, direction: direction === "asc" ? "ASCENDING" : "DESCENDING" };
  }) : [];
}
