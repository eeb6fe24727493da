package import DocumentModel
import OrderedStore
import QueryPlanning

extension IndexBuilds {
  /// A query's refusal, with how far the indexes are that are being built for it.
  package func addingProgress(to refusal: DatabaseError) -> DatabaseError {
    guard var missing = refusal.missingIndex, missing.isBuilding else { return refusal }
    do throws(DatabaseError) {
      // It may have been begun before the database was opened, and nobody have looked since.
      let unfinished = try list().filter { !$0.isFinished }
      let fractions = missing.building.compactMap { index in
        unfinished.last { $0.subject == .index(index) }?.fraction
      }
      missing.progress = fractions.min()
    } catch {
      // That the query is refused matters more than how far the build is.
      return refusal
    }
    return DatabaseError(refusal.code, refusal.message, details: missing, cause: refusal.cause)
  }
}
