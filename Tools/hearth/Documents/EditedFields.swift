import HearthFirestoreJSON
import Hearth

/// The fields of a document as a text to edit.
struct EditedFields {
  /// The text that the editor shows.
  let bytes: [UInt8]
  private let fields: MapValue
  private let database: DatabaseID
  private let isTyped: Bool

  init(of fields: MapValue, in database: DatabaseID, isTyped: Bool) {
    self.fields = fields
    self.database = database
    self.isTyped = isTyped
    var line: [UInt8] = []
    if isTyped {
      TypedJSON.append(fields, to: &line)
    } else {
      PlainJSON.append(fields, to: &line, relativeTo: database)
    }
    bytes = IndentedJSON.text(of: line)
  }

  /// Returns the fields of an edited text. Values that plain JSON can't write keep their types.
  ///
  /// - Throws: ``ToolFailure`` for a text that is no JSON object, or a value that can't have its
  ///   type.
  func fields(from bytes: [UInt8]) throws(ToolFailure) -> MapValue {
    let edited = try ToolFailure.reading("The text") {
      isTyped ? try TypedJSON.fields(from: bytes) : try PlainJSON.fields(from: bytes)
    }
    return isTyped ? edited : try restored(edited, like: fields, at: [])
  }

  private func restored(
    _ edited: MapValue, like old: MapValue, at names: [String]
  ) throws(ToolFailure) -> MapValue {
    var restored = edited
    for field in edited {
      guard let value = old[field.name] else { continue }
      restored[field.name] = try self.restored(field.value, like: value, at: names + [field.name])
    }
    return restored
  }

  private func restored(
    _ edited: Value, like old: Value, at names: [String]
  ) throws(ToolFailure) -> Value {
    if edited == plain(old) { return old }
    switch (edited, old) {
    case (.map(let edited), .map(let old)):
      return .map(try restored(edited, like: old, at: names))
    case (.array(let edited), .array(let old)):
      var elements: [Value] = []
      for (place, element) in edited.enumerated() {
        elements.append(
          place < old.count ? try restored(element, like: old[place], at: names) : element)
      }
      return .array(elements)
    default:
      guard let type = old.typeWithoutJSON else { return edited }
      do throws(ConversionFailure) {
        return try ValueConverter(types: [], database: database).value(of: edited, as: type)
      } catch {
        throw .badInput(
          "field \"\(FieldPath(unchecked: names))\": \(error.problem). \(error.advice). --typed "
            + "edits the types too.")
      }
    }
  }

  /// Returns the value that is read from the plain JSON of `value`.
  private func plain(_ value: Value) -> Value? {
    var bytes: [UInt8] = []
    PlainJSON.append(value, to: &bytes, relativeTo: database)
    return try? PlainJSON.value(from: bytes)
  }
}

extension Value {
  /// The type of a value that has no JSON of its own; `nil` for others.
  fileprivate var typeWithoutJSON: FieldType? {
    switch self {
    case .timestamp: .timestamp
    case .bytes: .bytes
    case .reference: .reference
    case .geoPoint: .geopoint
    case .vector: .vector
    default: nil
    }
  }
}
