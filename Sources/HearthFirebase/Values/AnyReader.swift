import Foundation
import Hearth

/// Reader of the values that a program puts into a dictionary or passes to a query.
struct AnyReader {
  /// Place of a value in the data.
  fileprivate struct Place {
    /// Names on the path to the value; empty for the data itself, `nil` inside an array, where no
    /// path leads.
    var names: [String]? = []
    var isElement = false
    var depth = 0
  }

  private static let depthLimit = 4 * Limits.nestingDepth

  /// Returns the data of a write.
  ///
  /// - Throws: `invalidArgument` for a type that Firestore has no values of, or a sentinel inside
  ///   an array.
  static func data(_ fields: [String: Any]) throws(DatabaseError) -> FieldData {
    try data(fields, at: Place())
  }

  /// Returns the change that an update makes to the field at `path`.
  static func change(
    _ any: Any, of path: Hearth.FieldPath
  ) throws(DatabaseError) -> Hearth.FieldValue {
    try change(any, at: Place(names: path.names))
  }

  /// Returns the operand of a filter, or a value of a cursor.
  ///
  /// - Throws: `invalidArgument` for a type that Firestore has no values of, or a sentinel.
  static func argument(_ any: Any) throws(DatabaseError) -> Value {
    if let sentinel = any as? FieldValue {
      throw .invalidArgument("\(sentinel.name) can only be used with updateData() and setData()")
    }
    return try value(any, at: Place(names: nil))
  }

  /// Returns a list of operands, which may be arrays themselves.
  static func arguments(_ elements: [Any]) throws(DatabaseError) -> [Value] {
    var values: [Value] = []
    for element in elements { values.append(try argument(element)) }
    return values
  }
}

// MARK: - Going down

extension AnyReader {
  private static func data(
    _ fields: [String: Any], at place: Place
  ) throws(DatabaseError) -> FieldData {
    var changes: [(String, Hearth.FieldValue)] = []
    for (name, any) in sorted(fields) {
      changes.append((name, try change(any, at: place.field(name))))
    }
    return FieldData(changes)
  }

  private static func change(
    _ any: Any, at place: Place
  ) throws(DatabaseError) -> Hearth.FieldValue {
    try place.check()
    let any = unwrapped(any)
    if let sentinel = any as? FieldValue { return try sentinel.change.get() }
    if let scalar = try scalar(any, at: place) { return .value(scalar) }
    // Only a dictionary can be cast to a dictionary.
    if let fields = any as? [String: Any] { return .map(try data(fields, at: place)) }
    return .value(try value(any, at: place))
  }

  private static func value(_ any: Any, at place: Place) throws(DatabaseError) -> Value {
    try place.check()
    let any = unwrapped(any)
    if let scalar = try scalar(any, at: place) { return scalar }
    if let fields = any as? [String: Any] {
      var values: [(String, Value)] = []
      for (name, field) in sorted(fields) {
        values.append((name, try value(field, at: place.field(name))))
      }
      return .map(MapValue(values))
    }
    if let elements = any as? [Any] { return .array(try array(elements, at: place)) }
    if let sentinel = any as? FieldValue {
      throw .invalidArgument("\(sentinel.name) is not currently supported inside arrays")
    }
    throw .invalidArgument("Unsupported type: \(type(of: any))\(place.description)")
  }

  /// Returns the content of an `Optional`, before anything is cast: an Optional of an `NSNumber`
  /// can be cast to every number type, and to `Bool`.
  private static func unwrapped(_ any: Any) -> Any {
    var any = any
    while let optional = any as? any OptionalValue { any = optional.content ?? NSNull() }
    return any
  }

  private static func array(
    _ elements: [Any], at place: Place
  ) throws(DatabaseError) -> [Value] {
    guard !place.isElement else { throw .invalidArgument("Nested arrays are not supported") }
    var values: [Value] = []
    values.reserveCapacity(elements.count)
    for element in elements { values.append(try value(element, at: place.element)) }
    return values
  }

  private static func scalar(_ any: Any, at place: Place) throws(DatabaseError) -> Value? {
    do throws(DatabaseError) {
      return try Value(scalar: any)
    } catch {
      throw DatabaseError(error.code, error.message + place.description, cause: error)
    }
  }

  /// Returns the fields sorted, so that the first error and the order of transforms are always the
  /// same.
  private static func sorted(_ fields: [String: Any]) -> [(key: String, value: Any)] {
    fields.sorted { $0.key.utf8Compare($1.key) == .less }
  }
}

extension AnyReader.Place {
  fileprivate func field(_ name: String) -> Self {
    Self(names: names.map { $0 + [name] }, depth: depth + 1)
  }

  fileprivate var element: Self { Self(names: nil, isElement: true, depth: depth + 1) }

  /// Refuses data that is nested deeper than any document can be, before it exhausts the stack.
  fileprivate func check() throws(DatabaseError) {
    guard depth <= AnyReader.depthLimit else {
      throw .invalidArgument("The data is nested too deeply\(description)")
    }
  }

  /// The place in the form that ends the SDKs' messages.
  fileprivate var description: String {
    guard let names, !names.isEmpty else { return "" }
    return " (found in field \(names.joined(separator: ".")))"
  }
}

/// An `Optional` of any type, found in an `Any`.
private protocol OptionalValue {
  var content: Any? { get }
}

extension Optional: OptionalValue {
  fileprivate var content: Any? { self }
}
