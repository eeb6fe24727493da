import HearthDocumentModel
import FoundationEssentials
import HearthStorageFormat

extension DecodingRun {
  /// Returns the value at `place` as `type`. Firestore's own types are read in one step, others by
  /// the type's own `init(from:)`.
  func value<T: Decodable>(
    _ type: T.Type, at place: Int, _ level: DecodingLevel
  ) throws -> T {
    if isDecodedBySelf(type) { return try bySelf(type, at: place, level) }
    if type == String.self { return same(try string(place)) }
    if type == Int.self { return same(try integer(Int.self, place)) }
    if type == Double.self { return same(try double(place)) }
    if type == Bool.self { return same(try boolean(place)) }
    if type == [String].self { return same(try strings(place, level)) }
    if type == Date.self { return same(try date(place)) }
    if type == Timestamp.self { return same(try timestamp(place)) }
    if type == UUID.self { return same(try uuid(place)) }
    if type == URL.self { return same(try url(place)) }
    if type == Data.self { return same(try bytes(place, Data.self) { Data($0) }) }
    if type == [UInt8].self { return same(try byteArray(place, level)) }
    if type == Decimal.self { return same(try decimal(place)) }
    if type == GeoPoint.self { return same(try geoPoint(place)) }
    if type == DocumentName.self { return same(try reference(place)) }
    if type == DocumentReference.self { return same(try documentReference(place)) }
    if type == VectorValue.self { return same(try vector(place)) }
    if type == Value.self { return same(try anyValue(place)) }
    if type == MapValue.self { return same(try map(place)) }
    noteDecodedBySelf(type)
    return try bySelf(type, at: place, level)
  }

  /// Returns `value` as the type that the caller has found it to be.
  ///
  /// A cast would ask the runtime again for the result of that comparison.
  private func same<Known, T>(_ value: Known) -> T { unsafeBitCast(value, to: T.self) }

  /// Decodes an array of strings without a container of its elements.
  private func strings(_ place: Int, _ level: DecodingLevel) throws -> [String] {
    guard level.callCount < DocumentDecoder.callLimit,
      let strings = try read({ (record) throws(CorruptBytes) in try record.strings(at: place) })
    else { return try bySelf([String].self, at: place, level) }
    return strings
  }

  /// Returns the value of a document's id for a property without a field.
  func value<T>(_ id: DocumentID<String>, as type: T.Type) -> T { same(id) }

  // MARK: Types that Firestore has

  private func timestamp(_ place: Int, for type: Any.Type = Timestamp.self) throws -> Timestamp {
    let value = try read { (record) throws(CorruptBytes) in try record.timestamp(at: place) }
    guard let value else { throw mismatch(type, at: place) }
    return value
  }

  private func date(_ place: Int) throws -> Date {
    Date(try timestamp(place, for: Date.self))
  }

  private func geoPoint(_ place: Int) throws -> GeoPoint {
    let value = try read { (record) throws(CorruptBytes) in try record.geoPoint(at: place) }
    guard let value else { throw mismatch(GeoPoint.self, at: place) }
    return value
  }

  private func reference(
    _ place: Int, for type: Any.Type = DocumentName.self
  ) throws -> DocumentName {
    let value = try read { (record) throws(CorruptBytes) in try record.reference(at: place) }
    guard let value else { throw mismatch(type, at: place) }
    return value
  }

  private func documentReference(_ place: Int) throws -> DocumentReference {
    let name = try reference(place, for: DocumentReference.self)
    guard name.database == record.own else {
      let found = "a reference into \(name.database)"
      throw corrupted(
        CodingMismatch(
          found: found, wanted: "DocumentReference",
          sentence: "Found \(found), which is another database; DocumentName can hold it."),
        at: place)
    }
    return DocumentReference(unchecked: name.path, in: database)
  }

  private func bytes<Bytes>(
    _ place: Int, _ type: Bytes.Type, _ body: (UnsafeRawBufferPointer) -> Bytes
  ) throws -> Bytes {
    let value = try read { (record) throws(CorruptBytes) in try record.withBytes(at: place, body) }
    guard let value else { throw mismatch(type, at: place) }
    return value
  }

  /// Decodes bytes, or an array of small integers.
  private func byteArray(_ place: Int, _ level: DecodingLevel) throws -> [UInt8] {
    let value = try read { (record) throws(CorruptBytes) in
      try record.withBytes(at: place) { Array($0) }
    }
    return try value ?? bySelf([UInt8].self, at: place, level)
  }

  private func vector(_ place: Int) throws -> VectorValue {
    let value = try read { (record) throws(CorruptBytes) in try record.vector(at: place) }
    guard let value else { throw mismatch(VectorValue.self, at: place) }
    return VectorValue(value)
  }

  private func anyValue(_ place: Int) throws -> Value {
    try read { (record) throws(CorruptBytes) in try record.value(at: place) }
  }

  private func map(_ place: Int) throws -> MapValue {
    guard case .map(let map) = try anyValue(place) else {
      throw mismatch(MapValue.self, at: place)
    }
    return map
  }

  // MARK: Types that are stored as others

  private func uuid(_ place: Int) throws -> UUID {
    guard let uuid = UUID(uuidString: try text(place, for: UUID.self)) else {
      throw noSuchText(UUID.self, at: place)
    }
    return uuid
  }

  private func url(_ place: Int) throws -> URL {
    guard let url = URL(string: try text(place, for: URL.self)) else {
      throw noSuchText(URL.self, at: place)
    }
    return url
  }

  private func decimal(_ place: Int) throws -> Decimal {
    if let integer = try read({ (record) throws(CorruptBytes) in try record.integer(at: place) }) {
      return Decimal(integer)
    }
    guard let double = try read({ (record) throws(CorruptBytes) in try record.double(at: place) })
    else { throw mismatch(Decimal.self, at: place) }
    guard let decimal = Decimal(shortestTextOf: double) else {
      throw unfit(Decimal.self, "the double \(double)", at: place)
    }
    return decimal
  }

  private func text(_ place: Int, for type: Any.Type) throws -> String {
    let value = try read { (record) throws(CorruptBytes) in try record.string(at: place) }
    guard let value else { throw mismatch(type, at: place) }
    return value
  }

  private func noSuchText(_ type: Any.Type, at place: Int) -> any Error {
    corrupted(
      CodingMismatch(
        found: "a string", wanted: "\(type)", sentence: "Found a string that is no \(type)."),
      at: place)
  }
}
