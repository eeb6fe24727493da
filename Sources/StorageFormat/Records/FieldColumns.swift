package import HearthDocumentModel

/// The fields that are read from one record after another, and their places in the last one.
///
/// Most documents of a collection have the same fields. So a field is looked for first at the
/// index, in the order of names, that it had in the record before.
package struct FieldColumns: ~Copyable {
  /// One field. It has no references, so that none are counted for each record.
  struct Column {
    /// The name of the top-level field.
    let name: FieldName.Probe
    let isNested: Bool
    /// The index of the top-level field in the record in which it was found last.
    var index: Int
    /// The place of the field in the record that was read last; ``missing`` if that lacks it.
    var place = missing

    /// The place of a field that a record lacks.
    static let missing = -1
  }

  private let fields: [FieldPath]
  /// The names of the top-level fields.
  private let names: [FieldName]
  private(set) var columns: [Column]
  private let hasNestedFields: Bool
  /// The fields of the last record that hasn't noted its own.
  private var scratch = FieldPlaces()

  /// - Parameter fields: the fields, in the order of the columns.
  package init(_ fields: [FieldPath]) {
    self.fields = fields
    names = fields.map { FieldName($0.names.first ?? "") }
    columns = fields.indices.map { [names] number in
      Column(
        name: FieldName.Probe(names[number].mark), isNested: fields[number].names.count > 1,
        index: number)
    }
    hasNestedFields = columns.contains(where: \.isNested)
  }

  /// Finds the fields in a record.
  ///
  /// - Complexity: a few comparisons of integers for each field of a record that has noted its
  ///   fields; otherwise a pass over the names of all fields.
  /// - Throws: ``CorruptBytes``.
  package mutating func find(in record: borrowing DocumentRecord) throws(CorruptBytes) {
    if let places = record.places {
      find(in: places, record.bytes)
    } else {
      _ = try record.read(&scratch, at: record.root)
      find(in: scratch.borrowed, record.bytes)
    }
    if hasNestedFields { try findNestedFields(record.bytes) }
  }

  /// Finds the top-level fields.
  @inline(__always)
  private mutating func find(in map: BorrowedFieldPlaces, _ bytes: RawSpan) {
    let names = names
    var span = columns.mutableSpan
    for number in span.indices {
      let column = span[unchecked: number]
      if let place = map.place(at: column.index, ifNamed: column.name, in: bytes) {
        span[unchecked: number].place = place
      } else if let index = map.index(of: names[number], in: bytes) {
        span[unchecked: number].index = index
        span[unchecked: number].place = map.place(at: index)
      } else {
        span[unchecked: number].place = Column.missing
      }
    }
  }

  private mutating func findNestedFields(_ bytes: RawSpan) throws(CorruptBytes) {
    for number in columns.indices where columns[number].isNested {
      guard columns[number].place != Column.missing else { continue }
      var reader = ByteReader(bytes, at: columns[number].place)
      let isThere = try reader.seekValue(inMaps: fields[number].names.dropFirst())
      columns[number].place = isThere ? reader.offset : Column.missing
    }
  }
}
