/// The limits of §1.2 for documents, their names and their index entries. Each is the largest
/// allowed value.
public enum Limits {
  /// The size of a document in bytes, counted by §1.3.
  public static let documentByteCount = 1_048_576
  /// The size of a document's full name in bytes.
  public static let documentNameByteCount = 6 * 1024
  /// The size in bytes of a collection's or a document's id.
  public static let idByteCount = 1_500
  /// The number of collections below one another.
  public static let collectionDepth = 100
  /// The size of one field name in bytes.
  public static let fieldNameByteCount = 1_500
  /// The size of a field path in bytes.
  public static let fieldPathByteCount = 1_500
  /// The size of one field's value in bytes.
  public static let valueByteCount = 1_048_487
  /// The number of maps and arrays inside one another.
  public static let nestingDepth = 20
  /// The number of elements in a vector.
  public static let vectorDimension = 2_048
  /// The number of a value's bytes that an index holds (§3.6).
  public static let indexedValueByteCount = 1_500
  /// The number of entries that one document has in all indexes.
  public static let indexEntriesPerDocument = 40_000
  /// The size of one index entry in bytes.
  public static let indexEntryByteCount = 7_680
  /// The size of all index entries of a document in bytes.
  public static let indexEntriesByteCount = 8 * 1_048_576
  /// The number of fields in a composite index, besides the document's name.
  public static let fieldsPerIndex = 100
  /// The number of composite indexes in a production database with billing. Hearth has no billing.
  public static let compositeIndexesPerDatabase = 1_000
  /// The size of all writes in a commit, in bytes.
  public static let requestByteCount = 10 * 1_048_576
  /// The number of transforms of one document in one commit (§7.3).
  public static let transformsPerDocument = 500
}
