import HearthFirestoreJSON
import FoundationEssentials
package import Hearth

/// The reason why a value can't be converted.
package struct ConversionFailure: Error, Sendable {
  package let problem: String
  package let advice: String
}

/// A converter of plain values to the given types (`--type`).
package struct ValueConverter: Sendable {
  package struct FieldFailure: Error, Sendable {
    package let path: FieldPath
    package let failure: ConversionFailure
  }

  package let types: [TypedField]
  /// The database of references without a project.
  private let database: DatabaseID

  package init(types: [TypedField], database: DatabaseID) {
    self.types = types
    self.database = database
  }

  /// Converts every typed field that `fields` has; null stays null.
  ///
  /// - Throws: the failure, with the field's path.
  package func convert(_ fields: inout MapValue) throws(FieldFailure) {
    for typed in types {
      guard let value = fields[typed.path] else { continue }
      do throws(ConversionFailure) {
        fields.set(try self.value(of: value, as: typed.type), at: typed.path)
      } catch {
        throw FieldFailure(path: typed.path, failure: error)
      }
    }
  }

  /// Returns `value` as `type`. Null stays null. Every element of a list is converted, unless the
  /// type itself is written as a list.
  package func value(of value: Value, as type: FieldType) throws(ConversionFailure) -> Value {
    switch (type, value) {
    case (_, .null): return .null
    case (_, .string(let text)): return try self.value(of: text, as: type)
    case (.integer, .integer), (.double, .double), (.boolean, .boolean): return value
    case (.integer, .double(let number)):
      guard let integer = Int64(exactly: number) else { throw .no(type, "\(number)") }
      return .integer(integer)
    case (.double, .integer(let number)): return .double(Double(number))
    case (.string, .integer(let number)): return .string("\(number)")
    case (.string, .double(let number)): return .string("\(number)")
    case (.string, .boolean(let flag)): return .string("\(flag)")
    case (.geopoint, .map(let map)):
      guard map.count == 2, let latitude = map["latitude"], let longitude = map["longitude"] else {
        throw .no(type, "the map")
      }
      return try geoPoint([latitude, longitude])
    case (.geopoint, .array(let coordinates))
    where coordinates.count == 2 && coordinates.areNumbers:
      return try geoPoint(coordinates)
    case (.vector, .array(let elements)):
      var numbers: [Double] = []
      for element in elements { numbers.append(try number(element, in: type)) }
      return .vector(numbers)
    case (_, .array(let elements)):
      var converted: [Value] = []
      for element in elements { converted.append(try self.value(of: element, as: type)) }
      return .array(converted)
    default: throw .no(type, value.typePhrase)
    }
  }

  /// Returns the value of type `type` that `text` denotes.
  package func value(of text: String, as type: FieldType) throws(ConversionFailure) -> Value {
    switch type {
    case .string: return .string(text)
    case .integer:
      guard let number = Int64(text) else { throw .no(type, quoted(text)) }
      return .integer(number)
    case .double: return .double(try double(text))
    case .boolean: return .boolean(try boolean(text))
    case .timestamp: return .timestamp(try timestamp(text))
    case .bytes:
      guard let data = Data(base64Encoded: text) else { throw .no(type, quoted(text)) }
      return .bytes(Array(data))
    case .reference: return .reference(try reference(text))
    case .geopoint:
      let coordinates = try numbers(text, of: type)
      guard coordinates.count == 2 else { throw .no(type, quoted(text)) }
      return try geoPoint(coordinates.map { .double($0) })
    case .vector: return .vector(try numbers(text, of: type))
    }
  }

  private func double(_ text: String) throws(ConversionFailure) -> Double {
    if text.utf8Equal("NaN") { return .nan }
    if text.utf8Equal("Infinity") { return .infinity }
    if text.utf8Equal("-Infinity") { return -.infinity }
    guard let number = Double(text), number.isFinite else { throw .no(.double, quoted(text)) }
    return number
  }

  private func boolean(_ text: String) throws(ConversionFailure) -> Bool {
    switch text.lowercased() {
    case "true", "1": return true
    case "false", "0": return false
    default: throw .no(.boolean, quoted(text))
    }
  }

  /// Reads a timestamp. A date alone is its midnight in UTC.
  private func timestamp(_ text: String) throws(ConversionFailure) -> Timestamp {
    do throws(DatabaseError) {
      return try Timestamp(rfc3339: text.utf8.count == 10 ? text + "T00:00:00Z" : text)
    } catch {
      throw .no(.timestamp, quoted(text))
    }
  }

  /// Reads `users/alice` or `projects/p/databases/d/documents/users/alice`.
  private func reference(_ text: String) throws(ConversionFailure) -> DocumentName {
    do throws(DatabaseError) {
      return text.utf8.starts(with: "projects/".utf8) && text.utf8.count(where: { $0 == 0x2f }) > 5
        ? try DocumentName(fullName: text)
        : try DocumentName(ResourcePath(text), in: database)
    } catch {
      throw .no(.reference, quoted(text))
    }
  }

  private func geoPoint(_ coordinates: [Value]) throws(ConversionFailure) -> Value {
    let latitude = try number(coordinates[0], in: .geopoint)
    let longitude = try number(coordinates[1], in: .geopoint)
    do throws(DatabaseError) {
      return .geoPoint(try GeoPoint(latitude: latitude, longitude: longitude))
    } catch {
      throw .no(.geopoint, "\(latitude),\(longitude)")
    }
  }

  /// Reads numbers between commas, in brackets or without.
  private func numbers(_ text: String, of type: FieldType) throws(ConversionFailure) -> [Double] {
    var list = Substring(text)
    if list.first == "[", list.last == "]" { list = list.dropFirst().dropLast() }
    var numbers: [Double] = []
    for part in list.split(separator: ",", omittingEmptySubsequences: false) {
      guard let number = Double(String(part.filter { $0 != " " })), number.isFinite else {
        throw .no(type, quoted(text))
      }
      numbers.append(number)
    }
    return numbers
  }

  private func number(_ value: Value, in type: FieldType) throws(ConversionFailure) -> Double {
    switch value {
    case .integer(let number): return Double(number)
    case .double(let number): return number
    default: throw .no(type, "the list or map")
    }
  }

  private func quoted(_ text: String) -> String {
    // A whole page of text would bury the message.
    let start = text.prefix(60)
    return start.endIndex == text.endIndex ? "\"\(text)\"" : "\"\(start)…\""
  }
}

extension Value {
  /// Such as `a number` or `an array`, for messages.
  package var typePhrase: String { typeClass == .array ? "an array" : "a \(typeClass)" }
}

extension [Value] {
  fileprivate var areNumbers: Bool { allSatisfy { $0.typeClass == .number } }
}

extension ConversionFailure {
  fileprivate static func no(_ type: FieldType, _ text: String) -> ConversionFailure {
    let article = type == .integer ? "an" : "a"
    let advice =
      switch type {
      case .string: "A list or a map can't become a string"
      case .integer: "Write a whole number of at most 64 bits, or choose another type"
      case .double: "Write a number, NaN, Infinity or -Infinity"
      case .boolean: "Write true, false, 1 or 0"
      case .timestamp: "Write it as in 2026-01-31T12:00:00Z, with a zone, or a date alone"
      case .bytes: "Write base64"
      case .reference: "Write a document's path, such as users/alice"
      case .geopoint:
        "Write latitude (-90 to 90) and longitude (-180 to 180): 35.6,139.7, or a list, or a map"
      case .vector: "Write numbers separated by commas: [0.1, 0.2]"
      }
    return ConversionFailure(problem: "\(text) is not \(article) \(type.rawValue)", advice: advice)
  }
}
