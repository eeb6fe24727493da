import Hearth

/// A reader that gives the fields of another reader's records their types.
package struct TypedReader: RecordReader {
  private var records: any RecordReader
  private let converter: ValueConverter
  private let source: String

  package init(_ records: any RecordReader, converter: ValueConverter, source: String) {
    self.records = records
    self.converter = converter
    self.source = source
  }

  package mutating func next() throws(InputError) -> InputRecord? {
    guard let record = try records.next() else { return nil }
    var fields = record.fields
    do throws(ValueConverter.FieldFailure) {
      try converter.convert(&fields)
    } catch {
      throw InputError(
        .malformed, in: source, line: record.line, field: error.path.description,
        error.failure.problem, advice: error.failure.advice)
    }
    return InputRecord(line: record.line, fields: fields)
  }

  package var keepsRecords: Bool {
    get { records.keepsRecords }
    set { records.keepsRecords = newValue }
  }

  package var recordText: [UInt8] { records.recordText }

  package mutating func skipRefused() throws(InputError) -> Bool { try records.skipRefused() }
}
