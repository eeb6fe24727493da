import HearthDocumentModel
import HearthStorageFormat

/// The fields of one map while a type decodes them.
///
/// It is a class because the standard library copies a container at every call: a copy then costs
/// one reference, and not one for each member. It can also show the next document's map after the
/// type has decoded this one.
final class KeyedFields {
  // No access to these overlaps another: checking that would take longer than the accesses.
  /// The decoding of the last `begin`; `nil` after `end`.
  @exclusivity(unchecked) private var decoding: Unmanaged<DecodingRun>?
  /// The same decoding, retained if no call of `init(from:)` keeps it alive.
  @exclusivity(unchecked) private var ownDecoding: DecodingRun?
  @exclusivity(unchecked) private var map = FieldPlaces()
  @exclusivity(unchecked) private(set) var level = DecodingLevel()
  /// The fields by the names that a strategy gives them; `nil` if they keep their own.
  @exclusivity(unchecked) private(set) var converted: ConvertedNames?

  /// Keys that the type asks for. A type asks for the same keys each time, in the same order.
  @exclusivity(unchecked) private var knownKeys: [KnownKey] = []
  /// Names of these keys. They keep their memory, so that no other string is mistaken for them.
  @exclusivity(unchecked) private var knownNames: [FieldName] = []
  /// Index of the key that is likely to be asked for next.
  @exclusivity(unchecked) private var nextKey = 0
  private let learnsKeys: Bool

  /// Limit of the known keys. Further keys are looked up without being remembered.
  private static let knownKeyLimit = 64

  /// - Parameter isReusable: whether the object will show several maps of one type.
  init(isReusable: Bool) {
    learnsKeys = isReusable
  }

  /// Shows the map at `place`.
  func begin(_ run: DecodingRun, mapAt place: Int, _ level: DecodingLevel) throws {
    decoding = .passUnretained(run)
    if !learnsKeys { ownDecoding = run }
    self.level = level
    nextKey = learnsKeys ? 0 : .max
    let isMap = try run.read { (record) throws(CorruptBytes) in try record.read(&map, at: place) }
    guard isMap else { throw run.mismatch([String: Any].self, at: place) }
    guard run.convertsNames else { return }
    nextKey = .max
    converted = level.keepsNames ? nil : try ConvertedNames(of: map, run)
  }

  /// Releases the document.
  func end() {
    decoding = nil
    if converted != nil { converted = nil }
  }

  /// Keeps the document, for code that has kept the container.
  func outlive() { ownDecoding = decoding?.takeUnretainedValue() }

  /// The decoding that the fields belong to.
  var run: DecodingRun { borrowedRun.takeUnretainedValue() }

  /// The same decoding without another reference count: these fields keep it alive.
  @inline(__always)
  var borrowedRun: Unmanaged<DecodingRun> {
    guard let decoding else { preconditionFailure("a container of no document") }
    return decoding
  }

  /// Place of the map in the record.
  var mapPlace: Int { map.place }
  var count: Int { map.count }

  /// Returns the name of the field at `index`, as a key asks for it.
  func name(at index: Int) throws -> String {
    if let converted { return converted.names[index] }
    let run = run
    return try run.read { (record) throws(CorruptBytes) in try map.name(at: index, in: record.bytes)
    }
  }

  /// Turns off the prediction of keys: the caller will ask for the document's names, and not for
  /// those of a type.
  func expectNamesOfDocument() { nextKey = .max }

  // MARK: Places

  /// Returns the place of a field; `nil` if there is none.
  @inline(__always)
  func place(of name: String, _ run: DecodingRun) -> Int? {
    let number = nextKey
    guard number < knownKeys.count else { return search(name, run) }
    let key = knownKeys[number]
    guard key.isIdentical(to: name) else { return search(name, run) }
    nextKey = number &+ 1
    let place = map.place(
      at: key.index, or: key.otherIndex, ifNamed: key.mark, in: run.record.bytes)
    return place ?? search(knownKey: number, run)
  }

  /// Returns the place of a known key that is in none of its known places.
  @inline(never)
  private func search(knownKey number: Int, _ run: DecodingRun) -> Int? {
    guard let index = map.index(of: knownNames[number], in: run.record.bytes) else { return nil }
    knownKeys[number].otherIndex = knownKeys[number].index
    knownKeys[number].index = index
    return map.place(at: index)
  }

  /// Returns the place of a key that was not predicted.
  @inline(never)
  private func search(_ name: String, _ run: DecodingRun) -> Int? {
    if let converted { return converted.place(of: name) }
    let fieldName = FieldName(name)
    let number = knownKeys.firstIndex { $0.isIdentical(to: name) } ?? knownKeys.count
    guard nextKey != .max, fieldName.mark.isWhole, number < KeyedFields.knownKeyLimit else {
      return map.index(of: fieldName, in: run.record.bytes).map { map.place(at: $0) }
    }
    if number == knownKeys.count {
      knownKeys.append(KnownKey(fieldName, index: number))
      knownNames.append(fieldName)
    }
    nextKey = number + 1
    return search(knownKey: number, run)
  }
}

/// A key that a type has asked for, and its last two places among the fields. Most documents of a
/// type have their fields in one of two orders.
private struct KnownKey {
  let mark: FieldName.Mark
  var index: Int
  var otherIndex: Int
  private let bits: (UInt64, UInt64)

  init(_ name: FieldName, index: Int) {
    mark = name.mark
    self.index = index
    otherIndex = index
    bits = KnownKey.bits(of: name.text)
  }

  /// Whether `name` is the very same string in memory, and so has the same bytes. If not, its bytes
  /// may still be the same.
  @inline(__always)
  func isIdentical(to name: String) -> Bool { bits == KnownKey.bits(of: name) }

  @inline(__always)
  private static func bits(of string: String) -> (UInt64, UInt64) {
    unsafeBitCast(string, to: (UInt64, UInt64).self)
  }
}

/// The fields of a map by the names that a strategy makes of the stored ones.
final class ConvertedNames {
  /// Names in the order of the stored names.
  let names: [String]
  private let places: [UTF8Key: Int]

  /// Converts the names of a map; returns `nil` if they stay as they are.
  init?(of map: FieldPlaces, _ run: DecodingRun) throws {
    let convert: (String) -> String
    switch run.decoder.keyDecodingStrategy {
    case .useDefaultKeys: return nil
    case .convertFromSnakeCase: convert = \.camelCasedFromSnake
    case .custom(let body):
      let path = run.codingPath(to: map.place)
      convert = { body(path + [FieldKey(stringValue: $0)]).stringValue }
    }
    var names: [String] = []
    var places: [UTF8Key: Int] = [:]
    for index in 0..<map.count {
      let name = convert(
        try run.read { (record) throws(CorruptBytes) in try map.name(at: index, in: record.bytes) })
      names.append(name)
      // If several fields get the same name, the first one counts.
      let key = UTF8Key(name)
      if places[key] == nil { places[key] = map.place(at: index) }
    }
    self.names = names
    self.places = places
  }

  func place(of name: String) -> Int? { places[UTF8Key(name)] }
}
