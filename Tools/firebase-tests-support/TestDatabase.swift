import Hearth
import HearthFirebase

/// The database that the tests of one process run against, in memory.
enum TestDatabase {
  /// The id of every collection that a test writes to, so that indexes can be declared for it.
  static let collectionID = "test-collection"

  /// Indexes that the tests' queries need, as a project has them in its index file. The emulator
  /// that the tests were written for needs none.
  private static let indexes = [
    ["k", "sort"], ["pages", "rating"],
    ["accumulationOverflow", "longOverflow", "negativeInfinity", "positiveInfinity"],
    ["doubleOverflow", "longOverflow", "negativeInfinity"],
  ]

  private static let shared = Result { try make() }

  /// Opens the database once, as the database of `Firestore.firestore()`.
  static func open() throws -> Database { try shared.get() }

  private static func make() throws -> Database {
    let database = try Database.inMemory()
    for fields in indexes {
      let columns = try fields.map { IndexColumn(try Hearth.FieldPath($0), .ascending) }
      try database.indexes.create(IndexDefinition(collectionID, columns))
    }
    Firestore.use(database)
    return database
  }

  /// Creates the index that a query's error names, as the link in the error does.
  ///
  /// - Returns: whether the error names one.
  static func createIndex(missingIn error: any Error) throws -> Bool {
    let cause = (error as NSError).userInfo[NSUnderlyingErrorKey] as? DatabaseError
    guard let missing = cause?.missingIndex else { return false }
    try open().indexes.create(missing)
    return true
  }
}
