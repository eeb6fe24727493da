import HearthDocumentModel
import HearthStorageFormat

/// A container for the fields of a stored map, which a type decodes by its keys.
///
/// It counts no reference to the fields, since the standard library copies a container at every
/// call. ``KeyedContainers`` keeps them alive, or ``KeptContainers`` after the decoding.
struct RecordKeyedContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
  private let borrowedFields: Unmanaged<KeyedFields>

  init(_ fields: KeyedFields) {
    borrowedFields = .passUnretained(fields)
  }

  private var fields: KeyedFields { borrowedFields.takeUnretainedValue() }
  private var run: DecodingRun { fields.run }
  private var level: DecodingLevel { fields.level }

  /// Calls `body` with the fields and their decoding. No reference is counted.
  @inline(__always)
  private func withFields<Result>(
    _ body: (KeyedFields, DecodingRun) throws -> Result
  ) rethrows -> Result {
    try borrowedFields._withUnsafeGuaranteedRef { fields in
      try fields.borrowedRun._withUnsafeGuaranteedRef { run in try body(fields, run) }
    }
  }

  var codingPath: [any CodingKey] { run.codingPath(to: fields.mapPlace) }

  /// Keys of the fields that `Key` has.
  var allKeys: [Key] {
    fields.expectNamesOfDocument()
    var keys: [Key] = []
    keys.reserveCapacity(fields.count)
    var areASCII = true
    do {
      for index in 0..<fields.count {
        let name = try fields.name(at: index)
        // A key that is made by comparing strings may stand for a name that only looks the same.
        guard let key = Key(stringValue: name), key.stringValue.utf8Equal(name) else { continue }
        areASCII = areASCII && name.utf8.allSatisfy { $0 < 0x80 }
        keys.append(key)
      }
    } catch {
      // The run has kept the error, and throws it at the end.
      return []
    }
    if !areASCII { checkKeysDiffer(keys) }
    return keys
  }

  /// Reports names that Swift considers equal although their bytes differ: one of the fields would
  /// be lost.
  private func checkKeysDiffer(_ keys: [Key]) {
    var names: Set<String> = []
    for key in keys where !names.insert(key.stringValue).inserted {
      let found = "two names that Swift takes for one"
      run.failure = run.corrupted(
        CodingMismatch(
          found: found, wanted: "[String: Any]",
          sentence: "Found \(found), \"\(key.stringValue)\"; MapValue can hold them."),
        at: fields.mapPlace)
    }
  }

  // MARK: Places

  private func place(_ key: Key) -> Int? { fields.place(of: key.stringValue, run) }

  private func place(_ key: Key, _ type: Any.Type) throws -> Int {
    guard let place = place(key) else { throw missing(key, type) }
    return place
  }

  @inline(never)
  private func missing(_ key: Key, _ type: Any.Type) -> any Error {
    run.missing(key, type, inMapAt: fields.mapPlace)
  }

  func contains(_ key: Key) -> Bool { place(key) != nil }

  func decodeNil(forKey key: Key) throws -> Bool { try run.isNull(place(key, Any?.self)) }

  /// Reads a field with `body`, which receives its place.
  @inline(__always)
  private func read<Result>(
    _ type: Any.Type, _ key: Key, _ body: (DecodingRun, Int) throws -> Result
  ) throws -> Result {
    try withFields { fields, run in
      guard let place = fields.place(of: key.stringValue, run) else { throw missing(key, type) }
      return try body(run, place)
    }
  }

  /// Reads a field with `body`; returns `nil` for a field that is missing or null.
  @inline(__always)
  private func readIfPresent<Result>(
    _ key: Key, _ body: (DecodingRun, Int) throws -> Result
  ) throws -> Result? {
    try withFields { fields, run in
      guard let place = fields.place(of: key.stringValue, run) else { return nil }
      return try run.isNull(place) ? nil : body(run, place)
    }
  }

  // MARK: Types

  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
    try withFields { fields, run in
      guard let place = fields.place(of: key.stringValue, run) else {
        return try nothing(type, key)
      }
      return try run.value(type, at: place, fields.level)
    }
  }

  /// Returns the value of a missing field, for types that have one.
  @inline(never)
  private func nothing<T: Decodable>(_ type: T.Type, _ key: Key) throws -> T {
    try withFields { _, run in
      if type == DocumentID<String>.self, let id = run.documentID {
        return run.value(DocumentID(wrappedValue: id), as: type)
      }
      return try anyNothing(type, key)
    }
  }

  /// Does the same for any type. It is a separate function because its caller would otherwise ask
  /// the runtime for `T?` each time.
  @inline(never)
  private func anyNothing<T: Decodable>(_ type: T.Type, _ key: Key) throws -> T {
    if let type = type as? any DecodableFromNothing.Type, let nothing = type.nothing as? T {
      return nothing
    }
    if let type = type as? any DecodableFromPath.Type, let place = run.documentPlace,
      let value = try type.init(place) as? T
    {
      return value
    }
    throw missing(key, type)
  }

  func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? {
    try withFields { fields, run in
      guard let place = fields.place(of: key.stringValue, run), try !run.isNull(place)
      else { return nil }
      return try run.value(type, at: place, fields.level)
    }
  }

  // MARK: Containers

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<NestedKey> {
    try run.container(
      keyedBy: type, at: place(key, [String: Any].self), level.next(keepsNames: false))
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try RecordUnkeyedContainer(
      run, arrayAt: place(key, [Any].self), level.next(keepsNames: false))
  }

  func superDecoder() throws -> any Decoder {
    let key = FieldKey(stringValue: "super")
    guard let place = fields.place(of: key.stringValue, run) else {
      throw run.missing(key, (any Decoder).self, inMapAt: fields.mapPlace)
    }
    return RecordDecoder(run, place, level.next(keepsNames: false))
  }

  func superDecoder(forKey key: Key) throws -> any Decoder {
    RecordDecoder(run, try place(key, (any Decoder).self), level.next(keepsNames: false))
  }
}

// MARK: - Numbers, strings and booleans

extension RecordKeyedContainer {
  func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool {
    try read(type, key) { run, place in try run.boolean(place) }
  }

  func decode(_ type: String.Type, forKey key: Key) throws -> String {
    try read(type, key) { run, place in try run.string(place) }
  }

  func decode(_ type: Double.Type, forKey key: Key) throws -> Double {
    try read(type, key) { run, place in try run.double(place) }
  }

  func decode(_ type: Float.Type, forKey key: Key) throws -> Float {
    try read(type, key) { run, place in try run.float(place) }
  }

  /// Decodes an integer of any size. It is a part of each caller, so that none of them is generic.
  @inline(__always)
  func decode<Integer: FixedWidthInteger & Decodable>(
    _ type: Integer.Type, forKey key: Key
  ) throws -> Integer {
    try read(type, key) { run, place in try run.integer(type, place) }
  }

  func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 {
    try read(type, key) { run, place in try run.integer(type, place) }
  }

  func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 {
    try read(type, key) { run, place in try run.integer(type, place) }
  }

  func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? {
    try readIfPresent(key) { run, place in try run.boolean(place) }
  }

  func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
    try readIfPresent(key) { run, place in try run.string(place) }
  }

  func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? {
    try readIfPresent(key) { run, place in try run.double(place) }
  }

  func decodeIfPresent(_ type: Float.Type, forKey key: Key) throws -> Float? {
    try readIfPresent(key) { run, place in try run.float(place) }
  }

  /// Decodes an integer of any size. It is a part of each caller, so that none of them is generic.
  @inline(__always)
  private func integer<Integer: FixedWidthInteger>(_ key: Key) throws -> Integer? {
    try readIfPresent(key) { run, place in try run.integer(Integer.self, place) }
  }

  func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? { try integer(key) }
  func decodeIfPresent(_ type: Int8.Type, forKey key: Key) throws -> Int8? { try integer(key) }
  func decodeIfPresent(_ type: Int16.Type, forKey key: Key) throws -> Int16? { try integer(key) }
  func decodeIfPresent(_ type: Int32.Type, forKey key: Key) throws -> Int32? { try integer(key) }
  func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? { try integer(key) }
  func decodeIfPresent(_ type: Int128.Type, forKey key: Key) throws -> Int128? { try integer(key) }
  func decodeIfPresent(_ type: UInt.Type, forKey key: Key) throws -> UInt? { try integer(key) }
  func decodeIfPresent(_ type: UInt8.Type, forKey key: Key) throws -> UInt8? { try integer(key) }
  func decodeIfPresent(_ type: UInt16.Type, forKey key: Key) throws -> UInt16? { try integer(key) }
  func decodeIfPresent(_ type: UInt32.Type, forKey key: Key) throws -> UInt32? { try integer(key) }
  func decodeIfPresent(_ type: UInt64.Type, forKey key: Key) throws -> UInt64? { try integer(key) }
  func decodeIfPresent(_ type: UInt128.Type, forKey key: Key) throws -> UInt128? {
    try integer(key)
  }
}
