import HearthDocumentModel
import HearthStorageFormat

/// The fields of one map while a type decodes them.
///
/// It is a class because the standard library copies a container at every call: a copy then costs
/// one reference at most, and not one for each member. It can also show the next document's map
/// after the type has decoded this one.
final class KeyedFields {
  // No access to these overlaps another: checking that would take longer than the accesses.
  /// The decoding of the last `begin`; `nil` after `end`.
  @exclusivity(unchecked) private var decoding: Unmanaged<DecodingRun>?
  /// The same decoding, retained for a container that is kept beyond it.
  @exclusivity(unchecked) private var ownDecoding: DecodingRun?
  @exclusivity(unchecked) private var fields = ExpectedFields()
  @exclusivity(unchecked) private(set) var level = DecodingLevel()
  /// The fields by the names that a strategy gives them; `nil` if they keep their own.
  @exclusivity(unchecked) private(set) var converted: ConvertedNames?
  private let learnsKeys: Bool

  /// - Parameter isReusable: whether the object will show several maps of one type.
  init(isReusable: Bool) {
    learnsKeys = isReusable
  }

  /// Shows the map at `place`.
  func begin(_ run: DecodingRun, mapAt place: Int, _ level: DecodingLevel) throws {
    decoding = .passUnretained(run)
    self.level = level
    // A type asks for the same keys each time, in the same order.
    let expectsNames = learnsKeys && !run.convertsNames
    let isMap = try run.read { (record) throws(CorruptBytes) in
      try fields.read(record, at: place, expectsNames: expectsNames)
    }
    guard isMap else { throw run.mismatch([String: Any].self, at: place) }
    guard run.convertsNames else { return }
    converted = level.keepsNames ? nil : try ConvertedNames(of: fields.map, run)
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
  var mapPlace: Int { fields.map.place }
  var count: Int { fields.map.count }

  /// Returns the name of the field at `index`, as a key asks for it.
  func name(at index: Int) throws -> String {
    if let converted { return converted.names[index] }
    let run = run
    return try run.read { (record) throws(CorruptBytes) in
      try fields.map.name(at: index, in: record.bytes)
    }
  }

  /// Turns off the prediction of keys: the caller will ask for the document's names, and not for
  /// those of a type.
  func expectNamesOfDocument() { fields.expectAnyName() }

  /// Returns the place of a field of the map, which belongs to `run`; `nil` if there is none.
  @inline(__always)
  func place(of name: String, _ run: DecodingRun) -> Int? {
    guard converted == nil else { return convertedPlace(of: name) }
    return run.borrowedRecord._withUnsafeGuaranteedRef { fields.place(of: name, in: $0) }
  }

  @inline(never)
  private func convertedPlace(of name: String) -> Int? { converted?.place(of: name) }
}

/// The fields of a map by the names that a strategy makes of the stored ones.
final class ConvertedNames {
  /// Names in the order of the stored names.
  let names: [String]
  private let places: [UTF8Key: Int]

  /// Converts the names of a map; returns `nil` if they stay as they are.
  init?(of map: BorrowedFieldPlaces, _ run: DecodingRun) throws {
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
