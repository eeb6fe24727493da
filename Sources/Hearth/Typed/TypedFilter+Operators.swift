import DocumentModel
import QueryPlanning

// Conditions as Swift writes them: `\.priority >= 3`. The compiler holds the value against the
// property's type; a range against an optional property takes no `nil`.

/// Documents that have `value` in the field; `nil` finds a null, and no missing field (§2.4).
///
/// - Throws: `invalidArgument` for a key path that the type doesn't list, or a value that doesn't
///   encode. So do the others.
public func == <Root: FieldKeyed, Property: Encodable & Equatable>(
  field: KeyPath<Root, Property>, value: Property
) throws(DatabaseError) -> TypedFilter<Root> {
  try .comparing(field, value) { .whereField($0, isEqualTo: $1) }
}

/// Documents that have another value than `value` in the field, and not null (§2.4).
public func != <Root: FieldKeyed, Property: Encodable & Equatable>(
  field: KeyPath<Root, Property>, value: Property
) throws(DatabaseError) -> TypedFilter<Root> {
  try .comparing(field, value) { .whereField($0, isNotEqualTo: $1) }
}

/// Documents whose field is less than `value`, and of its type class (§2.5).
public func < <Root: FieldKeyed, Property: Encodable & Comparable>(
  field: KeyPath<Root, Property>, value: Property
) throws(DatabaseError) -> TypedFilter<Root> {
  try .comparing(field, value) { .whereField($0, isLessThan: $1) }
}

/// The same for a property that may be `nil`.
public func < <Root: FieldKeyed, Property: Encodable & Comparable>(
  field: KeyPath<Root, Property?>, value: Property
) throws(DatabaseError) -> TypedFilter<Root> {
  try .comparing(field, value) { .whereField($0, isLessThan: $1) }
}

/// Documents whose field is `value` or less, and of its type class (§2.5).
public func <= <Root: FieldKeyed, Property: Encodable & Comparable>(
  field: KeyPath<Root, Property>, value: Property
) throws(DatabaseError) -> TypedFilter<Root> {
  try .comparing(field, value) { .whereField($0, isLessThanOrEqualTo: $1) }
}

/// The same for a property that may be `nil`.
public func <= <Root: FieldKeyed, Property: Encodable & Comparable>(
  field: KeyPath<Root, Property?>, value: Property
) throws(DatabaseError) -> TypedFilter<Root> {
  try .comparing(field, value) { .whereField($0, isLessThanOrEqualTo: $1) }
}

/// Documents whose field is greater than `value`, and of its type class (§2.5).
public func > <Root: FieldKeyed, Property: Encodable & Comparable>(
  field: KeyPath<Root, Property>, value: Property
) throws(DatabaseError) -> TypedFilter<Root> {
  try .comparing(field, value) { .whereField($0, isGreaterThan: $1) }
}

/// The same for a property that may be `nil`.
public func > <Root: FieldKeyed, Property: Encodable & Comparable>(
  field: KeyPath<Root, Property?>, value: Property
) throws(DatabaseError) -> TypedFilter<Root> {
  try .comparing(field, value) { .whereField($0, isGreaterThan: $1) }
}

/// Documents whose field is `value` or greater, and of its type class (§2.5).
public func >= <Root: FieldKeyed, Property: Encodable & Comparable>(
  field: KeyPath<Root, Property>, value: Property
) throws(DatabaseError) -> TypedFilter<Root> {
  try .comparing(field, value) { .whereField($0, isGreaterThanOrEqualTo: $1) }
}

/// The same for a property that may be `nil`.
public func >= <Root: FieldKeyed, Property: Encodable & Comparable>(
  field: KeyPath<Root, Property?>, value: Property
) throws(DatabaseError) -> TypedFilter<Root> {
  try .comparing(field, value) { .whereField($0, isGreaterThanOrEqualTo: $1) }
}
