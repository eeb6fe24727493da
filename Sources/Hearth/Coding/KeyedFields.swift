import DocumentModel
import StorageFormat

/// The fields of one map while a type decodes them.
///
/// It is a class because the standard library copies a container at every call, which then costs
/// one reference and not one for each thing in it.
final class KeyedFields {
  let run: DecodingRun
  private let stored: StoredFields
  let map: StoredMap
  let level: DecodingLevel
  /// The fields by the names that a strategy gives them; `nil` where they keep theirs.
  let converted: ConvertedNames?

  init(_ run: DecodingRun, mapAt place: Int, _ level: DecodingLevel) throws {
    let map = try run.read { () throws(CorruptBytes) in try run.fields.map(at: place) }
    guard let map else { throw run.mismatch([String: Any].self, at: place) }
    self.run = run
    stored = run.fields
    self.map = map
    self.level = level
    converted =
      run.convertsNames && !level.keepsNames ? try ConvertedNames(of: map, run) : nil
  }

  func place(of name: String) -> Int? {
    if let converted { return converted.place(of: name) }
    return map.place(of: name, in: stored)
  }

  /// `nil` for a field that is missing or null.
  func presentPlace(of name: String) throws -> Int? {
    guard let place = place(of: name) else { return nil }
    return try run.isNull(place) ? nil : place
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
