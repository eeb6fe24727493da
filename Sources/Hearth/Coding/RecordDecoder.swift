import HearthDocumentModel
import HearthStorageFormat

/// The decoder that a type's `init(from:)` receives, for one value of a document.
///
/// Its size is the largest that fits into an existential without a box.
struct RecordDecoder: DocumentValueDecoder {
  let run: DecodingRun
  let place: Int
  let level: DecodingLevel

  init(_ run: DecodingRun, _ place: Int, _ level: DecodingLevel) {
    self.run = run
    self.place = place
    self.level = level
  }

  var codingPath: [any CodingKey] { run.codingPath(to: place) }
  var userInfo: [CodingUserInfoKey: Any] { run.decoder.userInfo }

  func container<Key: CodingKey>(
    keyedBy type: Key.Type
  ) throws -> KeyedDecodingContainer<Key> {
    try run.container(keyedBy: type, at: place, level)
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try RecordUnkeyedContainer(run, arrayAt: place, level)
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer { self }
}

extension RecordDecoder: SingleValueDecodingContainer {
  func decodeNil() -> Bool {
    // Damage is reported when the value is read.
    (try? run.isNull(place)) ?? false
  }

  func decode<T: Decodable>(_ type: T.Type) throws -> T {
    try run.value(type, at: place, level)
  }

  func decode(_ type: Bool.Type) throws -> Bool { try run.boolean(place) }
  func decode(_ type: String.Type) throws -> String { try run.string(place) }
  func decode(_ type: Double.Type) throws -> Double { try run.double(place) }
  func decode(_ type: Float.Type) throws -> Float { try run.float(place) }
  func decode(_ type: Int.Type) throws -> Int { try run.integer(type, place) }
  func decode(_ type: Int8.Type) throws -> Int8 { try run.integer(type, place) }
  func decode(_ type: Int16.Type) throws -> Int16 { try run.integer(type, place) }
  func decode(_ type: Int32.Type) throws -> Int32 { try run.integer(type, place) }
  func decode(_ type: Int64.Type) throws -> Int64 { try run.integer(type, place) }
  func decode(_ type: Int128.Type) throws -> Int128 { try run.integer(type, place) }
  func decode(_ type: UInt.Type) throws -> UInt { try run.integer(type, place) }
  func decode(_ type: UInt8.Type) throws -> UInt8 { try run.integer(type, place) }
  func decode(_ type: UInt16.Type) throws -> UInt16 { try run.integer(type, place) }
  func decode(_ type: UInt32.Type) throws -> UInt32 { try run.integer(type, place) }
  func decode(_ type: UInt64.Type) throws -> UInt64 { try run.integer(type, place) }
  func decode(_ type: UInt128.Type) throws -> UInt128 { try run.integer(type, place) }
}
