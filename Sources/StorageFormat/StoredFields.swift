package import HearthDocumentModel

/// The fields of a record, read value by value from their bytes.
///
/// A place is the offset of a value's tag. A read by type returns `nil` for a value of another
/// type, so that the caller can report the type that it met.
package struct StoredFields: Sendable {
  let bytes: [UInt8]
  /// The place of the document's own fields, which have no tag.
  package let root: Int

  /// The type of a stored value. Integers and doubles are different types.
  package enum ValueKind: Sendable {
    case null, boolean, integer, double, timestamp, string, bytes, reference, geoPoint
    case array, vector, map
  }

  /// - Throws: ``CorruptBytes``. So do the other calls.
  package func kind(at place: Int) throws(CorruptBytes) -> ValueKind {
    guard place != root else { return .map }
    var reader = ByteReader(bytes.span.bytes, at: place)
    return switch try reader.readTag() {
    case .null: .null
    case .false, .true: .boolean
    case .integer: .integer
    case .double: .double
    case .timestamp: .timestamp
    case .string: .string
    case .bytes: .bytes
    case .reference, .foreignReference: .reference
    case .geoPoint: .geoPoint
    case .array: .array
    case .vector: .vector
    case .map: .map
    }
  }

  package func isNull(at place: Int) throws(CorruptBytes) -> Bool {
    guard place != root else { return false }
    var reader = ByteReader(bytes.span.bytes, at: place)
    return try reader.readTag() == .null
  }

  package func boolean(at place: Int) throws(CorruptBytes) -> Bool? {
    guard place != root else { return nil }
    var reader = ByteReader(bytes.span.bytes, at: place)
    return switch try reader.readTag() {
    case .false: false
    case .true: true
    default: nil
    }
  }

  package func integer(at place: Int) throws(CorruptBytes) -> Int64? {
    guard place != root else { return nil }
    var reader = ByteReader(bytes.span.bytes, at: place)
    guard try reader.readTag() == .integer else { return nil }
    return try reader.readSigned("integer")
  }

  package func double(at place: Int) throws(CorruptBytes) -> Double? {
    guard place != root else { return nil }
    var reader = ByteReader(bytes.span.bytes, at: place)
    guard try reader.readTag() == .double else { return nil }
    return try reader.readDouble("double")
  }

  package func timestamp(at place: Int) throws(CorruptBytes) -> Timestamp? {
    guard place != root else { return nil }
    var reader = ByteReader(bytes.span.bytes, at: place)
    guard try reader.readTag() == .timestamp else { return nil }
    return try reader.readTimestamp("timestamp")
  }

  package func string(at place: Int) throws(CorruptBytes) -> String? {
    guard place != root else { return nil }
    var reader = ByteReader(bytes.span.bytes, at: place)
    guard try reader.readTag() == .string else { return nil }
    return try reader.readString("string")
  }

  /// Passes the content of a bytes value to `body`, without copying it.
  package func withBytes<Result>(
    at place: Int, _ body: (UnsafeRawBufferPointer) -> Result
  ) throws(CorruptBytes) -> Result? {
    guard place != root else { return nil }
    var reader = ByteReader(bytes.span.bytes, at: place)
    guard try reader.readTag() == .bytes else { return nil }
    return try reader.readBytes(reader.readCount("bytes"), "bytes").withUnsafeBytes(body)
  }

  /// Returns the elements of a vector; `nil` for a value of another type.
  package func vector(at place: Int) throws(CorruptBytes) -> [Double]? {
    guard case .vector(let elements)? = try value(ifOf: .vector, at: place) else { return nil }
    return elements
  }

  package func geoPoint(at place: Int) throws(CorruptBytes) -> GeoPoint? {
    guard case .geoPoint(let point)? = try value(ifOf: .geoPoint, at: place) else { return nil }
    return point
  }

  /// - Parameter own: the database that contains the record.
  package func reference(
    at place: Int, own: DatabaseID
  ) throws(CorruptBytes) -> DocumentName? {
    guard case .reference(let name)? = try value(ifOf: .reference, at: place, own: own)
    else { return nil }
    return name
  }

  private func value(
    ifOf kind: ValueKind, at place: Int, own: DatabaseID = .default
  ) throws(CorruptBytes) -> Value? {
    try self.kind(at: place) == kind ? try value(at: place, own: own) : nil
  }

  /// Returns the value of any type.
  package func value(at place: Int, own: DatabaseID) throws(CorruptBytes) -> Value {
    var reader = ByteReader(bytes.span.bytes, at: place)
    guard place == root else { return try reader.readValue(own, depth: 0) }
    let fields = try reader.readFields(own, depth: 0)
    try reader.requireEnd()
    return .map(fields)
  }

  /// Returns the place of a field, through nested maps; `nil` if there is none.
  package func place(of path: FieldPath) throws(CorruptBytes) -> Int? {
    var reader = ByteReader(bytes.span.bytes, at: root)
    for (depth, name) in path.names.enumerated() {
      guard try reader.seekValue(named: name.utf8.span.bytes) else { return nil }
      if depth == path.names.count - 1 { return reader.offset }
      guard try reader.readMapStart() else { return nil }
    }
    return nil
  }
}

extension DocumentRecord {
  /// The fields, for reading value by value.
  package var storedFields: StoredFields { StoredFields(bytes: bytes, root: fieldsOffset) }
}

// MARK: - Arrays

/// The elements of a stored array, in sequence.
package struct StoredArray: Sendable {
  package let count: Int
  /// The place of the array itself.
  package let place: Int
  /// The number of elements that were skipped.
  package private(set) var index = 0
  /// The place of the next element, if there is one.
  package private(set) var next: Int
  private let end: Int

  fileprivate init?(at place: Int, of fields: StoredFields) throws(CorruptBytes) {
    guard place != fields.root else { return nil }
    var reader = ByteReader(fields.bytes.span.bytes, at: place)
    guard try reader.readTag() == .array else { return nil }
    end = try reader.readEnclosedStart(0)
    count = try reader.readCount("element count")
    self.place = place
    next = reader.offset
    if count == 0 { try reader.requireOffset(end) }
  }

  /// Moves past the next element.
  package mutating func pass(in fields: StoredFields) throws(CorruptBytes) {
    var reader = ByteReader(fields.bytes.span.bytes, at: next)
    try reader.skipValue()
    next = reader.offset
    index &+= 1
    if index == count { try reader.requireOffset(end) }
  }
}

extension StoredFields {
  package func array(at place: Int) throws(CorruptBytes) -> StoredArray? {
    try StoredArray(at: place, of: self)
  }
}

// MARK: - The way to a place

/// One step from a map or an array to a value in it.
package enum PlaceStep: Sendable, Equatable {
  case field(String)
  case element(Int)
}

extension StoredFields {
  /// Returns the steps from the root to the value at `place`. It searches for them, so that readers
  /// don't have to record them before an error occurs.
  ///
  /// - Complexity: skips the values before `place`.
  package func way(to place: Int) throws(CorruptBytes) -> [PlaceStep] {
    var steps: [PlaceStep] = []
    var here = root
    while here != place {
      guard let step = try step(from: here, towards: place) else {
        throw CorruptBytes("value", at: place)
      }
      steps.append(step.step)
      here = step.place
    }
    return steps
  }

  private func step(
    from here: Int, towards place: Int
  ) throws(CorruptBytes) -> (step: PlaceStep, place: Int)? {
    if let map = try map(at: here) {
      for index in 0..<map.count
      where map.place(at: index) <= place
        && (index + 1 == map.count || place < map.place(at: index + 1))
      {
        return (.field(try map.name(at: index, in: self)), map.place(at: index))
      }
    } else if var array = try array(at: here) {
      while array.index < array.count {
        let (element, index) = (array.next, array.index)
        try array.pass(in: self)
        if place >= element, place < array.next { return (.element(index), element) }
      }
    }
    return nil
  }
}
