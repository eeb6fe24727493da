import DocumentModel

/// Which key path of a type stands for which field.
///
/// What lies inside of a property whose type is ``FieldKeyed`` too, such as `\.address.city`, is
/// found by that type's own keys. Of an optional property it has to be added:
///
/// ```swift
/// static let fieldKeys = FieldKeys<Person>(CodingKeys.self, [\.name: .name, \.home: .home])
///   .adding(\.home?.city, at: "home.city")
/// ```
// Key paths are immutable, and those that come in here hold on to nothing but what is `Sendable`.
public struct FieldKeys<Root>: @unchecked Sendable {
  enum Place {
    /// From the document, or the map that the type is stored as, to the field.
    case keys([any CodingKey])
    case documentID
  }

  private(set) var places: [AnyKeyPath: Place] = [:]
  /// The id that a value has by itself; `nil` if the type has no property for it.
  private(set) var id: (@Sendable (Root) -> String?)?

  /// The keys that the compiler makes for the type, by property.
  public init<Key: CodingKey>(
    _ type: Key.Type, _ keys: KeyValuePairs<any PartialKeyPath<Root> & Sendable, Key>
  ) {
    for (keyPath, key) in keys { places[keyPath] = .keys([key]) }
  }

  /// - Parameters:
  ///   - type: the type of the keys.
  ///   - id: the property that is the document's id and no field, such as one with `@DocumentID`.
  ///   - keys: all other properties.
  public init<Key: CodingKey>(
    _ type: Key.Type, id: any KeyPath<Root, String?> & Sendable,
    _ keys: KeyValuePairs<any PartialKeyPath<Root> & Sendable, Key>
  ) {
    self.init(type, keys)
    places[id] = .documentID
    self.id = { $0[keyPath: id] }
  }

  /// The same with one more, whose field is given as a path of keys: `home.city`.
  public func adding(_ keyPath: any PartialKeyPath<Root> & Sendable, at path: String) -> FieldKeys {
    var keys = self
    keys.places[keyPath] = .keys(
      path.split(separator: ".").map { FieldKey(stringValue: String($0)) })
    return keys
  }
}

// MARK: - Finding a field

extension FieldKeyed {
  /// The field that a key path stands for.
  ///
  /// - Throws: `invalidArgument` for one that the type doesn't list.
  static func field(_ keyPath: PartialKeyPath<Self>) throws(DatabaseError) -> FieldPath {
    switch place(of: keyPath, below: nil, inside: []) {
    case .documentID?: return .documentID
    case .keys(let keys)?: return try documentEncoder.path(of: keys)
    case nil:
      throw .invalidArgument(
        "\(Self.self).fieldKeys doesn't list \(keyPath): add it there, with its key.")
    }
  }

  /// - Parameters:
  ///   - keyPath: what is sought.
  ///   - base: the way from its root to a value of this type.
  ///   - types: those whose keys are being looked through; a class may lie inside of itself.
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
  /// The path of the field that this encoder writes for the last of `keys`.
  fileprivate func path(of keys: [any CodingKey]) throws(DatabaseError) -> FieldPath {
    var names: [String] = []
    for key in keys {
      switch keyEncodingStrategy {
      case .useDefaultKeys: names.append(key.stringValue)
      case .convertToSnakeCase: names.append(key.stringValue.snakeCased)
      case .custom(let convert):
        // The way is that of the stored names, as it is in encoding.
        let way: [any CodingKey] = names.map(FieldKey.init(stringValue:)) + [key]
        names.append(convert(way).stringValue)
      }
    }
    return try FieldPath(names: names)
  }

  /// What `value` is stored as in a field.
  func fieldValue<T: Encodable>(_ value: T, in field: FieldPath) throws(DatabaseError) -> Value {
    do {
      return try FieldEncoder.encode(value, self)
    } catch {
      throw DatabaseError(
        coding: error, subject: "\(T.self) doesn't encode for the field \(field).", document: nil)
    }
  }
}
