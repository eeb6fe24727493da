import DocumentModel
import StorageFormat

/// The fields of a stored map, as a type asks for them by its keys.
struct RecordKeyedContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
  private let fields: KeyedFields

  init(_ run: DecodingRun, mapAt place: Int, _ level: DecodingLevel) throws {
    fields = try KeyedFields(run, mapAt: place, level)
  }

  private var run: DecodingRun { fields.run }
  private var map: StoredMap { fields.map }
  private var level: DecodingLevel { fields.level }

  var codingPath: [any CodingKey] { run.codingPath(to: map.place) }

  /// The keys of the fields that `Key` knows.
  var allKeys: [Key] {
    var keys: [Key] = []
    keys.reserveCapacity(map.count)
    var areASCII = true
    do {
      for index in 0..<map.count {
        let name =
          if let converted = fields.converted {
            converted.names[index]
          } else {
            try run.read { () throws(CorruptBytes) in try map.name(at: index, in: run.fields) }
          }
        // A key that is made by comparing strings may stand for a name that only looks the same.
        guard let key = Key(stringValue: name), key.stringValue.utf8Equal(name) else { continue }
        areASCII = areASCII && name.utf8.allSatisfy { $0 < 0x80 }
        keys.append(key)
      }
    } catch {
      // The run has kept it, and throws it in the end.
      return []
    }
    if !areASCII { checkKeysDiffer(keys) }
    return keys
  }

  /// Swift takes names for equal that differ in their bytes, and would lose one of the fields.
  private func checkKeysDiffer(_ keys: [Key]) {
    var names: Set<String> = []
    for key in keys where !names.insert(key.stringValue).inserted {
      let found = "two names that Swift takes for one"
      run.failure = run.corrupted(
        CodingMismatch(
          found: found, wanted: "[String: Any]",
          sentence: "Found \(found), \"\(key.stringValue)\"; MapValue can hold them."),
        at: map.place)
    }
  }

  // MARK: Places

  private func place(_ key: Key) -> Int? { fields.place(of: key.stringValue) }

  private func place(_ key: Key, _ type: Any.Type) throws -> Int {
    guard let place = place(key) else { throw run.missing(key, type, inMapAt: map.place) }
    return place
  }

  private func presentPlace(_ key: Key) throws -> Int? {
    try fields.presentPlace(of: key.stringValue)
  }

  func contains(_ key: Key) -> Bool { place(key) != nil }

  func decodeNil(forKey key: Key) throws -> Bool { try run.isNull(place(key, Any?.self)) }

  // MARK: Types

  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
    guard let place = place(key) else { return try nothing(type, key) }
    return try run.value(type, at: place, level)
  }

  /// A field that isn't there is nothing, for types that can be that. Apart from its caller, which
  /// would ask the runtime for `T?` each time.
  @inline(never)
  private func nothing<T: Decodable>(_ type: T.Type, _ key: Key) throws -> T {
    guard let nothing = (type as? any DecodableFromNothing.Type)?.nothing as? T else {
      throw run.missing(key, type, inMapAt: map.place)
    }
    return nothing
  }

  func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? {
    guard let place = try presentPlace(key) else { return nil }
    return try run.value(type, at: place, level)
  }

  // MARK: Containers

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<NestedKey> {
    KeyedDecodingContainer(
      try RecordKeyedContainer<NestedKey>(
        run, mapAt: place(key, [String: Any].self), level.next(keepsNames: false)))
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try RecordUnkeyedContainer(
      run, arrayAt: place(key, [Any].self), level.next(keepsNames: false))
  }

  func superDecoder() throws -> any Decoder {
    let key = FieldKey(stringValue: "super")
    guard let place = map.place(of: key.stringValue, in: run.fields) else {
      throw run.missing(key, (any Decoder).self, inMapAt: map.place)
    }
    return RecordDecoder(run, place, level.next(keepsNames: false))
  }

  func superDecoder(forKey key: Key) throws -> any Decoder {
    RecordDecoder(run, try place(key, (any Decoder).self), level.next(keepsNames: false))
  }
}

/// What a type decodes as where there is no field for it.
protocol DecodableFromNothing {
  static var nothing: Self { get }
}

extension Optional: DecodableFromNothing {
  static var nothing: Wrapped? { nil }
}

// MARK: - Numbers, strings and booleans

extension RecordKeyedContainer {
  func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool {
    let place = try place(key, type)
    return try fields.run.boolean(place)
  }

  func decode(_ type: String.Type, forKey key: Key) throws -> String {
    let place = try place(key, type)
    return try fields.run.string(place)
  }

  func decode(_ type: Double.Type, forKey key: Key) throws -> Double {
    let place = try place(key, type)
    return try fields.run.double(place)
  }

  func decode(_ type: Float.Type, forKey key: Key) throws -> Float {
    let place = try place(key, type)
    return try fields.run.float(place)
  }

  func decode(_ type: Int.Type, forKey key: Key) throws -> Int {
    let place = try place(key, type)
    return try fields.run.integer(type, place)
  }

  func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 {
    let place = try place(key, type)
    return try fields.run.integer(type, place)
  }

  func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 {
    let place = try place(key, type)
    return try fields.run.integer(type, place)
  }

  func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 {
    let place = try place(key, type)
    return try fields.run.integer(type, place)
  }

  func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 {
    let place = try place(key, type)
    return try fields.run.integer(type, place)
  }

  func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 {
    let place = try place(key, type)
    return try fields.run.integer(type, place)
  }

  func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt {
    let place = try place(key, type)
    return try fields.run.integer(type, place)
  }

  func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 {
    let place = try place(key, type)
    return try fields.run.integer(type, place)
  }

  func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 {
    let place = try place(key, type)
    return try fields.run.integer(type, place)
  }

  func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 {
    let place = try place(key, type)
    return try fields.run.integer(type, place)
  }

  func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 {
    let place = try place(key, type)
    return try fields.run.integer(type, place)
  }

  func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 {
    let place = try place(key, type)
    return try fields.run.integer(type, place)
  }

  func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? {
    guard let place = try presentPlace(key) else { return nil }
    return try fields.run.boolean(place)
  }

  func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
    guard let place = try presentPlace(key) else { return nil }
    return try fields.run.string(place)
  }

  func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? {
    guard let place = try presentPlace(key) else { return nil }
    return try fields.run.double(place)
  }

  func decodeIfPresent(_ type: Float.Type, forKey key: Key) throws -> Float? {
    guard let place = try presentPlace(key) else { return nil }
    return try fields.run.float(place)
  }

  func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? {
    guard let place = try presentPlace(key) else { return nil }
    return try fields.run.integer(type, place)
  }

  func decodeIfPresent(_ type: Int8.Type, forKey key: Key) throws -> Int8? {
    guard let place = try presentPlace(key) else { return nil }
    return try fields.run.integer(type, place)
  }

  func decodeIfPresent(_ type: Int16.Type, forKey key: Key) throws -> Int16? {
    guard let place = try presentPlace(key) else { return nil }
    return try fields.run.integer(type, place)
  }

  func decodeIfPresent(_ type: Int32.Type, forKey key: Key) throws -> Int32? {
    guard let place = try presentPlace(key) else { return nil }
    return try fields.run.integer(type, place)
  }

  func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? {
    guard let place = try presentPlace(key) else { return nil }
    return try fields.run.integer(type, place)
  }

  func decodeIfPresent(_ type: Int128.Type, forKey key: Key) throws -> Int128? {
    guard let place = try presentPlace(key) else { return nil }
    return try fields.run.integer(type, place)
  }

  func decodeIfPresent(_ type: UInt.Type, forKey key: Key) throws -> UInt? {
    guard let place = try presentPlace(key) else { return nil }
    return try fields.run.integer(type, place)
  }

  func decodeIfPresent(_ type: UInt8.Type, forKey key: Key) throws -> UInt8? {
    guard let place = try presentPlace(key) else { return nil }
    return try fields.run.integer(type, place)
  }

  func decodeIfPresent(_ type: UInt16.Type, forKey key: Key) throws -> UInt16? {
    guard let place = try presentPlace(key) else { return nil }
    return try fields.run.integer(type, place)
  }

  func decodeIfPresent(_ type: UInt32.Type, forKey key: Key) throws -> UInt32? {
    guard let place = try presentPlace(key) else { return nil }
    return try fields.run.integer(type, place)
  }

  func decodeIfPresent(_ type: UInt64.Type, forKey key: Key) throws -> UInt64? {
    guard let place = try presentPlace(key) else { return nil }
    return try fields.run.integer(type, place)
  }

  func decodeIfPresent(_ type: UInt128.Type, forKey key: Key) throws -> UInt128? {
    guard let place = try presentPlace(key) else { return nil }
    return try fields.run.integer(type, place)
  }
}
