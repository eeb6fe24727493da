import FirestoreJSON
import Hearth

/// Reads one JSON object a line; blank lines are skipped.
package struct NDJSONReader: RecordReader {
  private var bytes: InputBytes
  private var record: [UInt8] = []

  package init(_ bytes: InputBytes) {
    self.bytes = bytes
  }

  package mutating func next() throws(InputError) -> InputRecord? {
    guard let line = try nextLine() else { return nil }
    return try InputRecord(json: record, in: bytes.source.name, line: line, advice: advice)
  }

  /// Reads the next line that is not blank into `record`, and tells its number; `nil` at the end.
  private mutating func nextLine() throws(InputError) -> Int? {
    while try bytes.peek() != nil {
      let line = bytes.line
      record.removeAll(keepingCapacity: true)
      try bytes.append(to: &record) { $0 != .newline }
      _ = try bytes.next()
      while let last = record.last, last.isBlank { record.removeLast() }
      if !record.isEmpty { return line }
    }
    return nil
  }

  private var advice: String {
    record.first { !$0.isBlank } == UInt8(ascii: "[")
      ? "For a file that is one JSON array say --format json"
      : "Every line must be one whole JSON object"
  }
}

extension NDJSONReader {
  /// Reads the next line as a document of Firestore's REST interface, whose id is its name's last
  /// segment.
  mutating func nextMessage() throws(InputError) -> InputRecord? {
    guard let line = try nextLine() else { return nil }
    do throws(DatabaseError) {
      let message = try TypedJSON.document(from: record)
      return InputRecord(line: line, id: message.name.path.lastSegment, fields: message.fields)
    } catch {
      throw InputError(
        .malformed, in: bytes.source.name, line: line, error.message.withoutFullStop,
        advice: "Every line must be a document as `hearth export --typed` writes it")
    }
  }
}
