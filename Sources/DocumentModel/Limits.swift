/// The limits of §1.2 that hold for documents and their names.
public enum Limits {
  public static let documentByteCount = 1_048_576
  public static let documentNameByteCount = 6 * 1024
  public static let idByteCount = 1_500
  public static let collectionDepth = 100
  public static let fieldNameByteCount = 1_500
  public static let fieldPathByteCount = 1_500
  public static let valueByteCount = 1_048_487
  public static let nestingDepth = 20
  public static let vectorDimension = 2_048
  /// The bytes of a value that an index sees (§3.6).
  public static let indexedValueByteCount = 1_500
  public static let indexEntriesPerDocument = 40_000
  public static let indexEntryByteCount = 7_680
  public static let indexEntriesByteCount = 8 * 1_048_576
  public static let fieldsPerIndex = 100
  /// With billing; there is nobody to bill here.
  public static let compositeIndexesPerDatabase = 1_000
  public static let requestByteCount = 10 * 1_048_576
  /// In one commit (§7.3).
  public static let transformsPerDocument = 500
}
