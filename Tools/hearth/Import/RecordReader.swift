import HearthFirestoreJSON
package import Hearth

/// One record of an input: a document's fields and their place in the input.
package struct InputRecord: Sendable {
  /// Number of the line on which the record begins, counted from 1.
  package let line: Int
  /// The document's path in the database that it comes from, if the format has a place for it.
  package let path: ResourcePath?
  package let fields: MapValue

  package init(line: Int, path: ResourcePath? = nil, fields: MapValue) {
    self.line = line
    self.path = path
    self.fields = fields
  }
}

/// A reader that splits an input into records and holds one at a time.
package protocol RecordReader {
  /// Returns the next record; `nil` at the end.
  ///
  /// - Throws: `malformed` for a bad record, with its line.
  mutating func next() throws(InputError) -> InputRecord?

  /// Whether ``recordText`` is asked for.
  var keepsRecords: Bool { get set }
  /// The text of the last record that `next()` returned or refused, as far as it was read.
  var recordText: [UInt8] { get }

  /// Moves to the end of a record that `next()` refused; `false` if the next one can't be found.
  ///
  /// - Throws: the errors of the input's bytes.
  mutating func skipRefused() throws(InputError) -> Bool
}

extension InputRecord {
  /// Reads the JSON object in `json`, which begins on `line`.
  ///
  /// - Parameter element: the number of the object in an array, in which it may begin anywhere on
  ///   the line.
  init(
    json: [UInt8], in source: String, line: Int, element: Int? = nil, advice: String? = nil
  ) throws(InputError) {
    do throws(JSONError) {
      self.init(line: line, fields: try PlainJSON.fields(from: json))
    } catch {
      let isInsideLine = element != nil && error.line == 1
      throw InputError(
        .malformed, in: source, line: line + error.line - 1,
        column: isInsideLine ? nil : error.column, element: element,
        error.message + (isInsideLine ? ", at its character \(error.column)" : ""), advice: advice)
    }
  }
}
