import HearthDocumentModel
import HearthStorageFormat

/// A container for the elements of a stored array or vector, one after the other.
struct RecordUnkeyedContainer: UnkeyedDecodingContainer {
  private let run: DecodingRun
  private let level: DecodingLevel
  private var array: StoredArray

  init(_ run: DecodingRun, arrayAt place: Int, _ level: DecodingLevel) throws {
    self.level = level
    if let array = try run.read({ (record) throws(CorruptBytes) in try record.array(at: place) }) {
      self.run = run
      self.array = array
      return
    }
    guard let (part, place) = try run.expanded(vectorAt: place),
      let array = try part.read({ (record) throws(CorruptBytes) in try record.array(at: place) })
    else { throw run.mismatch([Any].self, at: place) }
    self.run = part
    self.array = array
  }

  var codingPath: [any CodingKey] { run.codingPath(to: array.place) }
  var count: Int? { array.count }
  var currentIndex: Int { array.index }
  var isAtEnd: Bool { array.index == array.count }

  /// Calls `body` with the place of the next element, and steps over it if `body` returns.
  private mutating func next<Result>(
    _ type: Any.Type, _ body: (DecodingRun, Int) throws -> Result
  ) throws -> Result {
    guard !isAtEnd else {
      let mismatch = CodingMismatch(
        found: "the end of the array", wanted: "\(type)")
      throw DecodingError.valueNotFound(
        type,
        DecodingError.Context(
          codingPath: codingPath + [FieldKey(intValue: array.index)],
          debugDescription: mismatch.description, underlyingError: mismatch))
    }
    let result = try body(run, array.next)
    try run.read { (record) throws(CorruptBytes) in try array.pass(in: record) }
    return result
  }

  mutating func decodeNil() throws -> Bool {
    guard !isAtEnd else { return try next(Any?.self) { _, _ in false } }
    guard try run.isNull(array.next) else { return false }
    return try next(Any?.self) { _, _ in true }
  }

  mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
    let level = level
    return try next(type) { run, place in try run.value(type, at: place, level) }
  }

  mutating func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type
  ) throws -> KeyedDecodingContainer<NestedKey> {
    let level = level.next(keepsNames: false)
    return try next([String: Any].self) { run, place in
      try run.container(keyedBy: type, at: place, level)
    }
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    let level = level.next(keepsNames: false)
    return try next([Any].self) { run, place in
      try RecordUnkeyedContainer(run, arrayAt: place, level)
    }
  }

  mutating func superDecoder() throws -> any Decoder {
    let level = level.next(keepsNames: false)
    return try next((any Decoder).self) { run, place in RecordDecoder(run, place, level) }
  }
}

extension RecordUnkeyedContainer {
  mutating func decode(_ type: Bool.Type) throws -> Bool {
    try next(type) { run, place in try run.boolean(place) }
  }

  mutating func decode(_ type: String.Type) throws -> String {
    try next(type) { run, place in try run.string(place) }
  }

  mutating func decode(_ type: Double.Type) throws -> Double {
    try next(type) { run, place in try run.double(place) }
  }

  mutating func decode(_ type: Float.Type) throws -> Float {
    try next(type) { run, place in try run.float(place) }
  }

  /// Decodes an integer of any size. It is a part of each caller, so that none of them is generic.
  @inline(__always)
  mutating func decode<Integer: FixedWidthInteger & Decodable>(
    _ type: Integer.Type
  ) throws -> Integer {
    try next(type) { run, place in try run.integer(type, place) }
  }

  mutating func decode(_ type: Int128.Type) throws -> Int128 {
    try next(type) { run, place in try run.integer(type, place) }
  }

  mutating func decode(_ type: UInt128.Type) throws -> UInt128 {
    try next(type) { run, place in try run.integer(type, place) }
  }
}
