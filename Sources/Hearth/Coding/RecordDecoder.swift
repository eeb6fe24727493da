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
  func decode(_ type: Int128.Type) throws -> Int128 { try run.integer(type, place) }
  func decode(_ type: UInt128.Type) throws -> UInt128 { try run.integer(type, place) }

  /// Decodes an integer of any size. It is a part of each caller, so that none of them is generic.
  @inline(__always)
  func decode<Integer: FixedWidthInteger & Decodable>(_ type: Integer.Type) throws -> Integer {
    try run.integer(type, place)
  }
}
