/// A document as every contestant hands it out: all fields put into one list of variants.
final class Document: Equatable {
  let fields: [Field]

  init(fields: [Field]) {
    self.fields = fields
  }

  /// Compares field for field, names and order included.
  static func == (one: Document, other: Document) -> Bool {
    one.fields == other.fields
  }
}

/// A field of a `Document`.
struct Field: Equatable {
  let name: String
  let value: FieldValue
}

/// The values that the sample data needs.
enum FieldValue: Equatable {
  case integer(Int64)
  case boolean(Bool)
  case string(String)
  case strings([String])
}

/// What went wrong in a run of the study; ends it.
struct StudyError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) {
    self.description = description
  }
}
