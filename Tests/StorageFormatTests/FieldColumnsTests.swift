import HearthDocumentModel
import HearthStorageFormat
import TestSupport
import Testing

@Suite struct FieldColumnsTests {
  private static let path = ResourcePath(unchecked: ["tasks", "one"])

  /// Reads the same fields from many documents, one after another, as look-ups by path do.
  @Test func columnsHaveTheValuesOfTheirFields() throws {
    var random = SplitMix64(seed: GeneratedCases.seed())
    let values = ValueGenerator(makesLongValues: false)
    for _ in 0..<GeneratedCases.count(per: 20) {
      let documents = (0..<8).map { _ in values.fields(using: &random) }
      let paths = documents.flatMap { $0.map { FieldPath(unchecked: [$0.name]) } }.prefix(12)
      let nested = documents.flatMap { $0.flatMap { field in Self.paths(below: field) } }.prefix(6)
      let fields = Array(paths) + nested + [FieldPath(unchecked: ["none"])]
      var columns = FieldColumns(fields)
      for document in documents {
        let plain = try DocumentRecord(document, of: Self.path, own: .default)
        let record = try DocumentRecord(
          plain.bytes, own: .default, notingFields: random.oneIn(2))
        try columns.find(in: record)
        let row = columns.row(of: record)
        for (column, field) in fields.enumerated() {
          let value = try record.value(at: field)
          #expect(try row.value(column) == value)
          #expect(row.hasValue(column) == (value != nil))
        }
      }
    }
  }

  private static func paths(below field: MapValue.Field) -> [FieldPath] {
    guard case .map(let map) = field.value else { return [] }
    return map.map { FieldPath(unchecked: [field.name, $0.name]) }
  }

  /// Damaged bytes end in an error, or in the value that a look-up by path finds.
  @Test func damageIsReported() throws {
    var random = SplitMix64(seed: GeneratedCases.seed())
    let values = ValueGenerator(makesLongValues: false)
    var failures = 0
    // With fewer documents, the damage might reach no field.
    for _ in 0..<max(200, GeneratedCases.count(per: 50)) {
      let document = values.fields(using: &random)
      var bytes = try DocumentRecord(document, of: Self.path, own: .default).byteArray
      let place = Int.random(in: 17..<bytes.count, using: &random)
      bytes[place] ^= UInt8.random(in: 1...255, using: &random)
      let notesFields = random.oneIn(2)
      guard
        let record = try? DocumentRecord(
          bytes.span.bytes, own: .default, notingFields: notesFields)
      else { continue }
      let fields = document.map { FieldPath(unchecked: [$0.name]) }
      var columns = FieldColumns(fields)
      do {
        try columns.find(in: record)
        let row = columns.row(of: record)
        for column in fields.indices {
          let value = try row.value(column)
          #expect(try value == record.value(at: fields[column]))
          _ = (try row.boolean(column), try row.integer(column), try row.double(column))
          _ = (try row.timestamp(column), try row.string(column), try row.byteArray(column))
        }
      } catch {
        failures += 1
      }
    }
    #expect(failures > 0)
  }
}
