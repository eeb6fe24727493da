package import DocumentModel
import OrderedStore
import StorageFormat

extension Engine {
  /// Saves what was counted of the use of indexes since the last save, if there is anything.
  ///
  /// For whoever follows commits it is as a commit that changes nothing.
  ///
  /// - Complexity: one write of the store, as large as the number of indexes that were used.
  /// - Throws: what the store reports; what was counted is still to be saved then.
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
