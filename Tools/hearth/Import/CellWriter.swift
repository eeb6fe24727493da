import Hearth
import HearthFirestoreJSON

/// A writer of documents as rows of cells (RFC 4180).
struct CellWriter {
  let separator: UInt8
  let database: DatabaseID
  /// The text for null.
  let null: String
  /// The names of the columns.
  let columns: [String]

  /// Appends the row of the columns' names.
  func appendHeader(to bytes: inout [UInt8]) { appendRow(columns.map { $0 }, to: &bytes) }

  /// Appends a document's row. A field that it lacks is an empty cell.
  func append(_ fields: MapValue, to bytes: inout [UInt8]) {
    appendRow(columns.map { fields[$0].map(text) }, to: &bytes)
  }

  private func appendRow(_ cells: [String?], to bytes: inout [UInt8]) {
    for (index, cell) in cells.enumerated() {
      if index > 0 { bytes.append(separator) }
      if let cell { append(cell, to: &bytes) }
    }
    bytes.append(.newline)
  }

  private func append(_ cell: String, to bytes: inout [UInt8]) {
    let needsQuotes = cell.utf8.contains {
      $0 == separator || $0 == .quote || $0 == .newline || $0 == .carriageReturn
    }
    guard needsQuotes else {
      bytes.append(contentsOf: cell.utf8)
      return
    }
    bytes.append(.quote)
    for byte in cell.utf8 {
      if byte == .quote { bytes.append(.quote) }
      bytes.append(byte)
    }
    bytes.append(.quote)
  }

  /// Returns the text that `import --type` reads as the value. Arrays and maps become JSON.
  private func text(_ value: Value) -> String {
    switch value {
    case .null: return null
    case .string(let text): return text
    case .timestamp(let time): return time.rfc3339
    case .reference(let name):
      return name.database == database ? name.path.description : name.description
    case .geoPoint(let point): return "\(point.latitude),\(point.longitude)"
    default:
      var bytes: [UInt8] = []
      PlainJSON.append(value, to: &bytes, relativeTo: database)
      // Bytes, NaN and the infinities are JSON's strings, without escapes.
      if bytes.first == .quote { bytes = Array(bytes.dropFirst().dropLast()) }
      return String(decoding: bytes, as: UTF8.self)
    }
  }
}
