import Hearth

/// The formats of imported documents. Each may be gzipped.
package enum InputFormat: String, Sendable, CaseIterable {
  /// One JSON object per line.
  case ndjson
  /// One JSON array of objects.
  case json
  /// Comma-separated values with a header row.
  case csv
  /// One document of Firestore's REST interface per line, with the types of its values.
  case typed

  /// Creates the format that the name of the input or its first bytes indicate. It is never
  /// `typed`, which looks like any other JSON.
  ///
  /// - Throws: `malformed` if neither indicates one.
  package init(of bytes: inout InputBytes) throws(InputError) {
    let name = bytes.source.name.lowercased()
    let stem = name.hasSuffix(".gz") ? String(name.dropLast(3)) : name
    if stem.hasSuffix(".csv") {
      self = .csv
      return
    }
    if stem.hasSuffix(".ndjson") || stem.hasSuffix(".jsonl") {
      self = .ndjson
      return
    }
    try bytes.skipBlanks()
    switch try bytes.peek() {
    case UInt8(ascii: "["): self = .json
    case UInt8(ascii: "{"): self = .ndjson
    case nil: self = .ndjson
    default:
      guard !stem.hasSuffix(".json"), bytes.lookahead.contains(.comma) else {
        throw InputError(
          .malformed, in: bytes.source.name, line: bytes.line, "the format can't be told",
          advice: "Say --format ndjson, --format json or --format csv")
      }
      self = .csv
    }
  }

  /// Returns a reader of this format.
  ///
  /// - Throws: `malformed` for a bad CSV header.
  package func reader(
    of bytes: InputBytes, converter: ValueConverter
  ) throws(InputError) -> any RecordReader {
    let records: any RecordReader
    switch self {
    case .csv: return try CSVReader(bytes, converter: converter)
    case .typed: return MessageReader(bytes)
    case .ndjson: records = NDJSONReader(bytes)
    case .json: records = JSONArrayReader(bytes)
    }
    if converter.types.isEmpty { return records }
    return TypedReader(records, converter: converter, source: bytes.source.name)
  }
}
