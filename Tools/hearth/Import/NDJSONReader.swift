import HearthFirestoreJSON
import Hearth

/// A reader of one JSON object per line that skips blank lines.
package struct NDJSONReader: RecordReader {
  private var lines: InputLines
  private var record: [UInt8] = []

  package init(_ bytes: InputBytes) {
    lines = InputLines(bytes)
  }

  package mutating func next() throws(InputError) -> InputRecord? {
    guard let line = try nextLine() else { return nil }
    return try InputRecord(json: record, in: lines.source.name, line: line, advice: advice)
  }

  /// The present line is held in any case.
  package var keepsRecords: Bool {
    get { true }
    set {}
  }

  package var recordText: [UInt8] { record }

  package mutating func skipRefused() throws(InputError) -> Bool {
    try lines.finish()
    return true
  }

  /// Reads the next line that is not blank into `record`; returns its number, or `nil` at the end.
  private mutating func nextLine() throws(InputError) -> Int? {
    try lines.next(into: &record) ? lines.number : nil
  }

  private var advice: String {
    record.first { !$0.isBlank } == UInt8(ascii: "[")
      ? "For a file that is one JSON array say --format json"
      : "Every line must be one whole JSON object"
  }
}

extension NDJSONReader {
  /// Reads the next line as a document of Firestore's REST interface.
  mutating func nextMessage() throws(InputError) -> InputRecord? {
    guard let line = try nextLine() else { return nil }
    do throws(DatabaseError) {
      let message = try TypedJSON.document(from: record)
      return InputRecord(line: line, path: message.name.path, fields: message.fields)
    } catch {
      throw InputError(
        .malformed, in: lines.source.name, line: line, error.message.withoutFullStop,
        advice: "Every line must be a document as `hearth export --typed` writes it")
    }
  }
}
