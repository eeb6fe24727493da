/// The limits of §1.2 for documents, their names and their index entries: the most that is allowed.
public enum Limits {
  /// The size of a document, counted as §1.3 does.
  public static let documentByteCount = 1_048_576
  /// The full name of a document.
  public static let documentNameByteCount = 6 * 1024
  /// The id of a collection or a document.
  public static let idByteCount = 1_500
  /// Collections below one another.
  public static let collectionDepth = 100
  /// One name of a field.
  public static let fieldNameByteCount = 1_500
  /// A path of such names.
  public static let fieldPathByteCount = 1_500
  /// The value of one field.
  public static let valueByteCount = 1_048_487
  /// Maps and arrays inside of one another.
  public static let nestingDepth = 20
  /// The elements of a vector.
  public static let vectorDimension = 2_048
  /// The bytes of a value that an index sees (§3.6).
  public static let indexedValueByteCount = 1_500
  /// The entries that one document has in all indexes.
  public static let indexEntriesPerDocument = 40_000
  /// The size of one index entry.
  public static let indexEntryByteCount = 7_680
  /// The size of all index entries of a document.
  public static let indexEntriesByteCount = 8 * 1_048_576
  /// The fields of a composite index, besides the document's name.
  public static let fieldsPerIndex = 100
  /// With billing; there is nobody to bill here.
  public static let compositeIndexesPerDatabase = 1_000
  /// All writes of a commit together.
  public static let requestByteCount = 10 * 1_048_576
  /// In one commit (§7.3).
  public static let transformsPerDocument = 500
}
