package import Hearth

/// The types that an option can give a plain value: `--type createdTime:timestamp`.
package enum FieldType: String, Sendable, CaseIterable {
  case string, integer, double, boolean, timestamp, bytes, reference, geopoint, vector

  /// All names, for help texts and errors.
  package static var names: String { allCases.map(\.rawValue).joined(separator: ", ") }
}

/// A field and the type that its values become.
package struct TypedField: Sendable {
  /// The reason why a text names no field and type, as a whole sentence for the user.
  package struct SyntaxError: Error, Sendable, CustomStringConvertible {
    package let description: String
  }

  package let path: FieldPath
  package let type: FieldType

  /// Reads `createdTime:timestamp`. The field is a path as in every option (`` address.`house no`
  /// ``).
  package init(_ text: String) throws(SyntaxError) {
    let bytes = text.utf8
    guard let colon = bytes.lastIndex(of: UInt8(ascii: ":")) else {
      throw SyntaxError(description: "\"\(text)\" lacks a type: write FIELD:TYPE.")
    }
    let name = text[bytes.index(after: colon)...]
    guard let type = FieldType.allCases.first(where: { $0.rawValue.utf8.elementsEqual(name.utf8) })
    else {
      throw SyntaxError(
        description: "\"\(name)\" is no type; the types are \(FieldType.names).")
    }
    self.type = type
    do throws(DatabaseError) {
      path = try FieldPath(String(text[..<colon]))
    } catch {
      throw SyntaxError(
        description: "\"\(text[..<colon])\" is no field: \(error.message) "
          + "Write a name with other characters in backticks.")
    }
  }

  /// Whether the field is the CSV column called `name`.
  func isColumn(_ name: String) -> Bool {
    path.names.count == 1 && path.names[0].utf8Equal(name)
  }
}
