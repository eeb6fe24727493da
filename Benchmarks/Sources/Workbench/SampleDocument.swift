/// A document in the form that every contestant returns, with all fields in one list of variants.
package final class SampleDocument: Equatable {
  package let fields: [Field]

  package init(fields: [Field]) {
    self.fields = fields
  }

  /// Compares field for field, names and order included.
  package static func == (one: SampleDocument, other: SampleDocument) -> Bool {
    one.fields == other.fields
  }
}

/// A field of a `SampleDocument`.
package struct Field: Equatable {
  package let name: String
  package let value: SampleValue

  package init(name: String, value: SampleValue) {
    self.name = name
    self.value = value
  }
}

/// The values that the sample data needs.
package enum SampleValue: Equatable {
  case integer(Int64)
  case boolean(Bool)
  case string(String)
  case strings([String])
}

/// An error that ends a run of the study.
package struct StudyError: Error, CustomStringConvertible {
  package let description: String

  package init(_ description: String) {
    self.description = description
  }
}
