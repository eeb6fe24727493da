package import HearthDocumentEngine
package import HearthDocumentModel
import HearthOrderedStore
import HearthStorageFormat

extension Engine {
  /// Saves the counts of index use since the last save, if there are any.
  ///
  /// To followers of the commits it looks like a commit that changes nothing.
  ///
  /// - Complexity: one write of the store, as large as the number of indexes that were used.
  /// - Throws: errors of the store. Then the counts are still to be saved.
  package func saveUsage() throws(DatabaseError) {
    guard let unsaved = usage.unsaved() else { return }
    do {
      try commitExclusively { [store] _ in try store.write(unsaved.batch) }
    } catch {
      usage.didFail(error)
      throw error
    }
    usage.didSave(unsaved)
  }
}
