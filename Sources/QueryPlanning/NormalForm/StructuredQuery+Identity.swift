import HearthDocumentModel

// Queries with their values, told apart for results that are kept.
extension StructuredQuery {
  /// Returns a hash of the query with its values. Queries that differ may have the same.
  ///
  /// - Parameter shape: the hash of the query's shape.
  package func valueHash(ofShape shape: UInt64) -> UInt64 {
    var hash = ByteHash()
    hash.combine(shape)
    switch filter {
    case nil: break
    case .and(let filters)?: for filter in filters { hash.addOperand(of: filter) }
    case let filter?: hash.addOperand(of: filter)
    }
    for segment in parent.segments { hash.combine(segment) }
    for cursor in [start, end] {
      for value in cursor?.values ?? [] { hash.add(value) }
    }
    hash.combine(UInt64(truncatingIfNeeded: offset))
    hash.combine(UInt64(truncatingIfNeeded: limit ?? -1))
    return hash.value
  }

  /// Whether the queries are the same in everything, to the bytes of their texts.
  func isSame(as other: StructuredQuery) -> Bool {
    // Equal strings may differ in their bytes; other parts compare these themselves.
    collectionID.utf8Equal(other.collectionID) && self == other
  }

  /// The approximate memory that the values of the query take.
  var valueByteCount: Int {
    let conditions = Conditions(filter)
    let operands = (0..<conditions.count).map { conditions[$0].operand }
    let values = operands + (start?.values ?? []) + (end?.values ?? [])
    return values.reduce(0) { $0 + $1.storageByteCount }
  }
}

extension ByteHash {
  /// Adds a condition's operand.
  fileprivate mutating func addOperand(of filter: Filter) {
    if case .field(_, _, let operand) = filter { add(operand) }
  }

  /// Adds a value. Large ones are left out: the queries are compared anyway.
  fileprivate mutating func add(_ value: Value) {
    switch value {
    case .string(let text): combine(text)
    case .integer(let number): combine(UInt64(bitPattern: number))
    case .boolean(let isTrue): combine(isTrue ? 1 : 2)
    case .double(let number): combine(number.bitPattern)
    case .timestamp(let time): combine(UInt64(bitPattern: time.microseconds))
    case .reference(let name): for segment in name.path.segments { combine(segment) }
    case .null, .bytes, .geoPoint, .array, .vector, .map: combine(3)
    }
  }
}
