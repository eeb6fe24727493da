import HearthDocumentEngine
public import HearthDocumentModel
import HearthEngineUpkeep

extension Database {
  /// Rewrites the files without deleted and overwritten data, so that they are smaller and reads
  /// skip nothing. Other reads and writes go on meanwhile.
  ///
  /// - Complexity: all bytes of the database are read and written once.
  /// - Throws: the store's error.
  public func compact() throws(DatabaseError) {
    try observed(.compact) { () throws(DatabaseError) in try engine.compact() }
  }

  /// Does the same without blocking the calling thread.
  public func compact() async throws(DatabaseError) {
    try await Blocking.run(.unbounded) { () throws(DatabaseError) in try self.compact() }
  }
}
