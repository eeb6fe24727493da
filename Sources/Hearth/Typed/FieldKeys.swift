import HearthDocumentModel

/// The fields that a type's key paths stand for.
///
/// If a property's type is ``FieldKeyed`` too, its own keys give the fields inside it, such as
/// `\.address.city`. For an optional property, the fields inside have to be added:
/// ```swift
/// static let fieldKeys = FieldKeys<Person>(CodingKeys.self, [\.name: .name, \.home: .home])
///   .adding(\.home?.city, at: "home.city")
/// ```
// Key paths are immutable, and those that come in here capture only `Sendable` values.
public struct FieldKeys<Root>: @unchecked Sendable {
  enum Place {
    /// Path from the document, or from the map that the type is stored as, to the field.
    case keys([any CodingKey])
    case documentID
  }

  private(set) var places: [AnyKeyPath: Place] = [:]
  /// Closure that returns the document id of a value; `nil` if the type has no property for it.
  private(set) var id: (@Sendable (Root) -> String?)?

  /// Creates the field keys from the coding keys of the properties.
  public init<Key: CodingKey>(
    _ type: Key.Type, _ keys: KeyValuePairs<any PartialKeyPath<Root> & Sendable, Key>
  ) {
    for (keyPath, key) in keys { places[keyPath] = .keys([key]) }
  }

  /// Creates the field keys of a type with a property for the document's id.
  ///
  /// - Parameters:
  ///   - type: the type of the keys.
  ///   - id: the property that is the document's id and not a field, such as one with
  ///     `@DocumentID`.
  ///   - keys: all other properties.
  public init<Key: CodingKey>(
    _ type: Key.Type, id: any KeyPath<Root, String?> & Sendable,
    _ keys: KeyValuePairs<any PartialKeyPath<Root> & Sendable, Key>
  ) {
    self.init(type, keys)
    places[id] = .documentID
    self.id = { $0[keyPath: id] }
  }

  /// Returns the field keys with one more, whose field is given as a path of keys: `home.city`.
  public func adding(_ keyPath: any PartialKeyPath<Root> & Sendable, at path: String) -> FieldKeys {
    var keys = self
    keys.places[keyPath] = .keys(
      path.split(separator: ".").map { FieldKey(stringValue: String($0)) })
    return keys
  }
}

// MARK: - Finding a field

extension FieldKeyed {
  /// Returns the field that a key path stands for.
  ///
  /// - Throws: `invalidArgument` for a key path that the type doesn't list.
  static func field(_ keyPath: PartialKeyPath<Self>) throws(DatabaseError) -> FieldPath {
    switch place(of: keyPath, below: nil, inside: []) {
    case .documentID?: return .documentID
    case .keys(let keys)?: return try documentEncoder.path(of: keys)
    case nil:
      throw .invalidArgument(
        "\(Self.self).fieldKeys doesn't list \(keyPath): add it there, with its key.")
    }
  }

  /// Returns the place of a key path, which may lead into other types.
  ///
  /// - Parameters:
  ///   - keyPath: the key path to find.
  ///   - base: the path from the key path's root to a value of this type.
  ///   - types: types whose keys are being searched; a class may contain itself.
  private static func place(
    of keyPath: AnyKeyPath, below base: AnyKeyPath?, inside types: [ObjectIdentifier]
  ) -> FieldKeys<Self>.Place? {
    let places = fieldKeys.places
    if base == nil, let place = places[keyPath] { return place }
    let types = types + [ObjectIdentifier(Self.self)]
    for (own, place) in places {
      guard let full = base.map({ $0.appending(path: own) }) ?? own, case .keys(let keys) = place
      else { continue }
      if full == keyPath { return place }
      guard let type = Swift.type(of: own).valueType as? any FieldKeyed.Type,
        !types.contains(ObjectIdentifier(type)),
        let inner = type.keys(of: keyPath, below: full, inside: types)
      else { continue }
      return .keys(keys + inner)
    }
    return nil
  }

  private static func keys(
    of keyPath: AnyKeyPath, below base: AnyKeyPath, inside types: [ObjectIdentifier]
  ) -> [any CodingKey]? {
    guard case .keys(let keys)? = place(of: keyPath, below: base, inside: types) else { return nil }
    return keys
  }
}

extension DocumentEncoder {
  /// Returns the path of the field that this encoder writes for the last of `keys`.
  fileprivate func path(of keys: [any CodingKey]) throws(DatabaseError) -> FieldPath {
    var names: [String] = []
    for key in keys {
      switch keyEncodingStrategy {
      case .useDefaultKeys: names.append(key.stringValue)
      case .convertToSnakeCase: names.append(key.stringValue.snakeCased)
      case .custom(let convert):
        // The path has the stored names, as it does in encoding.
        let way: [any CodingKey] = names.map(FieldKey.init(stringValue:)) + [key]
        names.append(convert(way).stringValue)
      }
    }
    return try FieldPath(names: names)
  }

  /// Returns the stored value of `value` in a field.
  func fieldValue<T: Encodable>(_ value: T, in field: FieldPath) throws(DatabaseError) -> Value {
    do {
      return try FieldEncoder.encode(value, self)
    } catch {
      throw DatabaseError(
        coding: error, subject: "\(T.self) doesn't encode for the field \(field).", document: nil)
    }
  }
}
