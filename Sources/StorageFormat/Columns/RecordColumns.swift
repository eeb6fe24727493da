package import HearthDocumentModel

/// Reads the columns of an index from the bytes of documents, and appends them to keys without
/// creating values.
///
/// It reads one record after another into the same memory.
package struct RecordColumns: Sendable {
  fileprivate struct Column: Sendable {
    let field: FieldPath
    let name: FieldName
    let probe: FieldName.Probe
    let order: ColumnOrder
    /// Whether the field lies in a map.
    let isInMap: Bool
    /// The index of the field in the last record that has it. Documents of a collection mostly have
    /// the same fields.
    var lastIndex = 0
    /// The place of the value in the last record, if that has every column's field.
    var place = 0

    init(_ field: FieldPath, _ order: ColumnOrder) {
      self.field = field
      self.order = order
      name = FieldName(field.names.first ?? "")
      probe = FieldName.Probe(name.mark)
      isInMap = field.names.count > 1
    }
  }

  private let encoder: ValueEncoder
  private var columns: [Column]
  /// The facts that the key of the last entry doesn't hold, up to the last column that has any.
  package private(set) var flags: [ColumnFlags] = []

  package init(_ columns: [(field: FieldPath, order: ColumnOrder)], own: DatabaseID) {
    encoder = ValueEncoder(own: own)
    self.columns = columns.map { Column($0.field, $0.order) }
  }

  /// Finds the columns in a record with these parts.
  ///
  /// - Returns: whether the document has every column's field, and so has an entry.
  /// - Throws: ``CorruptBytes``.
  package mutating func find(
    among parts: borrowing RecordParts, in record: RawSpan
  ) throws(CorruptBytes) -> Bool {
    for index in columns.indices {
      guard let place = try columns[index].find(among: parts, in: record) else { return false }
      columns[index].place = place
    }
    return true
  }

  /// Appends the columns that were found in `record` to `bytes`, in their order.
  ///
  /// - Throws: ``CorruptBytes``.
  package mutating func append(
    in record: RawSpan, to bytes: inout [UInt8]
  ) throws(CorruptBytes) {
    flags.removeAll(keepingCapacity: true)
    for index in columns.indices {
      let column = try encoder.append(
        valueAt: columns[index].place, of: record, columns[index].order, to: &bytes)
      flags.add(column, at: index)
    }
  }
}

extension RecordColumns.Column {
  /// Returns the place of the column's value; `nil` if the document lacks the field.
  fileprivate mutating func find(
    among parts: borrowing RecordParts, in record: RawSpan
  ) throws(CorruptBytes) -> Int? {
    let fields = parts.fields.borrowed
    var place = fields.place(at: lastIndex, ifNamed: probe, in: record)
    if place == nil {
      guard let index = fields.index(of: name, in: record) else { return nil }
      lastIndex = index
      place = fields.place(at: index)
    }
    guard let place, isInMap else { return place }
    var reader = ByteReader(record, at: place)
    return try reader.seekValue(inMaps: field.names.dropFirst()) ? reader.offset : nil
  }
}
