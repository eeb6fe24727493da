import DocumentModel
import StorageFormat

/// The fields of one map while a type decodes them.
///
/// It is a class because the standard library copies a container at every call, which then costs
/// one reference and not one for each thing in it; and because it can show the next document's
/// map when the type has decoded this one.
final class KeyedFields {
  // No access to these overlaps another: the checks of that would take longer than the accesses.
  /// What `begin` was called with last; `nil` after `end`.
  @exclusivity(unchecked) private var decoding: Unmanaged<DecodingRun>?
  /// The same, if no call of `init(from:)` keeps it alive.
  @exclusivity(unchecked) private var ownDecoding: DecodingRun?
  private let map = StoredMap()
  @exclusivity(unchecked) private(set) var level = DecodingLevel()
  /// The fields by the names that a strategy gives them; `nil` where they keep theirs.
  @exclusivity(unchecked) private(set) var converted: ConvertedNames?

  /// What types ask for is the same each time, and in the same order.
  @exclusivity(unchecked) private var knownKeys: [KnownKey] = []
  /// The names of these keys. They keep their memory, so that no other string is mistaken for them.
  @exclusivity(unchecked) private var knownNames: [FieldName] = []
  /// The one that is likely to be asked for next.
  @exclusivity(unchecked) private var nextKey = 0
  private let learnsKeys: Bool

  /// More keys are looked for without remembering them.
  private static let knownKeyLimit = 64

  /// - Parameter isReusable: whether it is to show several maps of one type.
  init(isReusable: Bool) {
    learnsKeys = isReusable
  }

  /// Shows the map at `place`.
  func begin(_ run: DecodingRun, mapAt place: Int, _ level: DecodingLevel) throws {
    decoding = .passUnretained(run)
    if !learnsKeys { ownDecoding = run }
    self.level = level
    nextKey = learnsKeys ? 0 : .max
    let isMap = try run.read { () throws(CorruptBytes) in try run.fields.read(map, at: place) }
    guard isMap else { throw run.mismatch([String: Any].self, at: place) }
    guard run.convertsNames else { return }
    nextKey = .max
    converted = level.keepsNames ? nil : try ConvertedNames(of: map, run)
  }

  /// Lets go of the document.
  func end() {
    decoding = nil
    if converted != nil { converted = nil }
  }

  /// Keeps the document, for someone who has kept the container.
  func outlive() { ownDecoding = decoding?.takeUnretainedValue() }

  /// The decoding that the fields belong to.
  var run: DecodingRun { borrowedRun.takeUnretainedValue() }

  /// The same without counting one more reference to it: these fields keep it alive.
  @inline(__always)
  var borrowedRun: Unmanaged<DecodingRun> {
    guard let decoding else { preconditionFailure("a container of no document") }
    return decoding
  }

  /// Where the map stands.
  var mapPlace: Int { map.place }
  var count: Int { map.count }

  /// The name of the field at `index`, by which a key asks for it.
  func name(at index: Int) throws -> String {
    if let converted { return converted.names[index] }
    let run = run
    return try run.read { () throws(CorruptBytes) in try map.name(at: index, in: run.fields) }
  }

  /// Says that the keys are those that the document has, and not those of a type.
  func expectNamesOfDocument() { nextKey = .max }

  // MARK: Places

  /// Where a field stands, or `nil`.
  @inline(__always)
  func place(of name: String, _ run: DecodingRun) -> Int? {
    let number = nextKey
    guard number < knownKeys.count else { return search(name, run) }
    let key = knownKeys[number]
    guard key.isIdentical(to: name) else { return search(name, run) }
    nextKey = number &+ 1
    let place = map.place(at: key.index, or: key.otherIndex, ifNamed: key.mark, in: run.fields)
    return place ?? search(knownKey: number, run)
  }

  /// For a key that is in none of its places.
  @inline(never)
  private func search(knownKey number: Int, _ run: DecodingRun) -> Int? {
    guard let index = map.index(of: knownNames[number], in: run.fields) else { return nil }
    knownKeys[number].otherIndex = knownKeys[number].index
    knownKeys[number].index = index
    return map.place(at: index)
  }

  /// For a key out of turn.
  @inline(never)
  private func search(_ name: String, _ run: DecodingRun) -> Int? {
    if let converted { return converted.place(of: name) }
    let fieldName = FieldName(name)
    guard nextKey != .max, fieldName.mark.isWhole else {
      return map.place(of: fieldName, in: run.fields)
    }
    let number = knownKeys.firstIndex { $0.isIdentical(to: name) } ?? knownKeys.count
    if number == knownKeys.count {
      guard number < KeyedFields.knownKeyLimit else {
        return map.place(of: fieldName, in: run.fields)
      }
      knownKeys.append(KnownKey(fieldName, index: number))
      knownNames.append(fieldName)
    }
    nextKey = number + 1
    return search(knownKey: number, run)
  }
}

/// A key that a type has asked for, and where among the fields it was found: last, and before that
/// elsewhere. Most documents of a type have their fields in one of two orders.
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

  /// Whether `name` is the very same string in memory, and so has the same bytes. Where it isn't,
  /// it may still have them.
  @inline(__always)
  func isIdentical(to name: String) -> Bool { bits == KnownKey.bits(of: name) }

  @inline(__always)
  private static func bits(of string: String) -> (UInt64, UInt64) {
    unsafeBitCast(string, to: (UInt64, UInt64).self)
  }
}

/// The fields of a map by the names that a strategy makes of theirs.
final class ConvertedNames {
  /// In the order of the stored names.
  let names: [String]
  private let places: [UTF8Key: Int]

  /// `nil` where the names stay as they are.
  init?(of map: StoredMap, _ run: DecodingRun) throws {
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
        try run.read { () throws(CorruptBytes) in try map.name(at: index, in: run.fields) })
      names.append(name)
      // The first of several fields that get one name counts.
      let key = UTF8Key(name)
      if places[key] == nil { places[key] = map.place(at: index) }
    }
    self.names = names
    self.places = places
  }

  func place(of name: String) -> Int? { places[UTF8Key(name)] }
}
