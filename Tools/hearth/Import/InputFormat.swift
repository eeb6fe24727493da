import Hearth

/// The formats of imported documents. Each may be gzipped, or alone in a zip archive.
package enum InputFormat: String, Sendable, CaseIterable {
  /// One JSON object per line.
  case ndjson
  /// One JSON array of objects.
  case json
  /// Comma-separated values with a header row.
  case csv
  /// The same with tabs in place of commas.
  case tsv
  /// One document of Firestore's REST interface per line, with the types of its values.
  case typed

  /// Whether records are rows of cells.
  package var hasCells: Bool { self == .csv || self == .tsv }

  /// Creates the format that the name of the input or its first bytes indicate. It is never
  /// `typed`, which looks like any other JSON.
  ///
  /// - Throws: `malformed` if neither indicates one.
  package init(of bytes: inout InputBytes) throws(InputError) {
    let name = bytes.source.contentName.lowercased()
    let stem = name.hasSuffix(".gz") ? String(name.dropLast(3)) : name
    if let format = InputFormat(ofName: stem) {
      self = format
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

  /// Creates the format that the end of a file's name indicates; `nil` if it indicates none.
  private init?(ofName name: String) {
    let ends: [(String, InputFormat)] = [
      (".csv", .csv), (".tsv", .tsv), (".tab", .tsv), (".ndjson", .ndjson), (".jsonl", .ndjson),
    ]
    guard let format = ends.first(where: { name.hasSuffix($0.0) })?.1 else { return nil }
    self = format
  }

  /// Returns a reader of this format.
  ///
  /// - Throws: `malformed` for a bad header of cells.
  package func reader(
    of bytes: InputBytes, converter: ValueConverter, cells: CellRules = CellRules()
  ) throws(InputError) -> any RecordReader {
    let records: any RecordReader
    switch self {
    case .csv, .tsv:
      let separator: UInt8 = self == .tsv ? .tab : .comma
      return try CSVReader(
        bytes, converter: converter, separator: cells.separator ?? separator, cells: cells)
    case .typed: return MessageReader(bytes)
    case .ndjson: records = NDJSONReader(bytes)
    case .json: records = JSONArrayReader(bytes)
    }
    if converter.types.isEmpty { return records }
    return TypedReader(records, converter: converter, source: bytes.source.name)
  }
}
