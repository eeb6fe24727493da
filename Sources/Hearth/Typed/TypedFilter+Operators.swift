import HearthDocumentModel
import HearthQueryPlanning

// Conditions in Swift's own syntax: `\.priority >= 3`. The compiler checks the value against the
// property's type; an inequality on an optional property accepts no `nil`.

/// Returns a filter for documents with `value` in the field. `nil` matches a null, but not a
/// missing field (§2.4).
///
/// - Throws: `invalidArgument` for a key path that the type doesn't list, or a value that doesn't
///   encode. The other conditions throw the same.
public func == <Root: FieldKeyed, Property: Encodable & Equatable>(
  field: KeyPath<Root, Property>, value: Property
) throws(DatabaseError) -> TypedFilter<Root> {
  try .comparing(field, value) { .whereField($0, isEqualTo: $1) }
}

/// Returns a filter for documents whose field has a value other than `value` and null (§2.4).
public func != <Root: FieldKeyed, Property: Encodable & Equatable>(
  field: KeyPath<Root, Property>, value: Property
) throws(DatabaseError) -> TypedFilter<Root> {
  try .comparing(field, value) { .whereField($0, isNotEqualTo: $1) }
}

/// Returns a filter for documents whose field is less than `value`, and of its type class (§2.5).
public func < <Root: FieldKeyed, Property: Encodable & Comparable>(
  field: KeyPath<Root, Property>, value: Property
) throws(DatabaseError) -> TypedFilter<Root> {
  try .comparing(field, value) { .whereField($0, isLessThan: $1) }
}

/// Returns the same filter for an optional property.
public func < <Root: FieldKeyed, Property: Encodable & Comparable>(
  field: KeyPath<Root, Property?>, value: Property
) throws(DatabaseError) -> TypedFilter<Root> {
  try .comparing(field, value) { .whereField($0, isLessThan: $1) }
}

/// Returns a filter for documents whose field is `value` or less, and of its type class (§2.5).
public func <= <Root: FieldKeyed, Property: Encodable & Comparable>(
  field: KeyPath<Root, Property>, value: Property
) throws(DatabaseError) -> TypedFilter<Root> {
  try .comparing(field, value) { .whereField($0, isLessThanOrEqualTo: $1) }
}

/// Returns the same filter for an optional property.
public func <= <Root: FieldKeyed, Property: Encodable & Comparable>(
  field: KeyPath<Root, Property?>, value: Property
) throws(DatabaseError) -> TypedFilter<Root> {
  try .comparing(field, value) { .whereField($0, isLessThanOrEqualTo: $1) }
}

/// Returns a filter for documents whose field is greater than `value`, and of its type class
/// (§2.5).
public func > <Root: FieldKeyed, Property: Encodable & Comparable>(
  field: KeyPath<Root, Property>, value: Property
) throws(DatabaseError) -> TypedFilter<Root> {
  try .comparing(field, value) { .whereField($0, isGreaterThan: $1) }
}

/// Returns the same filter for an optional property.
public func > <Root: FieldKeyed, Property: Encodable & Comparable>(
  field: KeyPath<Root, Property?>, value: Property
) throws(DatabaseError) -> TypedFilter<Root> {
  try .comparing(field, value) { .whereField($0, isGreaterThan: $1) }
}

/// Returns a filter for documents whose field is `value` or greater, and of its type class (§2.5).
public func >= <Root: FieldKeyed, Property: Encodable & Comparable>(
  field: KeyPath<Root, Property>, value: Property
) throws(DatabaseError) -> TypedFilter<Root> {
  try .comparing(field, value) { .whereField($0, isGreaterThanOrEqualTo: $1) }
}

/// Returns the same filter for an optional property.
public func >= <Root: FieldKeyed, Property: Encodable & Comparable>(
  field: KeyPath<Root, Property?>, value: Property
) throws(DatabaseError) -> TypedFilter<Root> {
  try .comparing(field, value) { .whereField($0, isGreaterThanOrEqualTo: $1) }
}
