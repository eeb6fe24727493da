import HearthDocumentModel
import HearthStorageFormat

/// The fields that results carry (§4.9).
struct Projection: Sendable {
  /// The fields, sorted. None lies inside another.
  private let fields: [FieldPath]

  init(_ fields: [FieldPath]) {
    var distinct: [FieldPath] = []
    for field in fields.sorted() where !field.isDocumentID {
      if let last = distinct.last, field.hasPrefix(last) { continue }
      distinct.append(field)
    }
    self.fields = distinct
  }

  /// Returns the projected fields of a document with their values.
  func fields(_ value: (FieldPath) throws -> Value?) rethrows -> MapValue {
    var projected = MapValue()
    for field in fields { projected.set(try value(field), at: field) }
    return projected
  }
}
