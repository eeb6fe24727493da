import DocumentEngine
package import DocumentModel
import OrderedStore
import QueryPlanning
import Reports

extension IndexBuilds {
  /// Returns a query's refusal with the progress of the indexes that are being built for it.
  package func addingProgress(to refusal: DatabaseError) -> DatabaseError {
    guard var missing = refusal.missingIndex, missing.isBuilding else { return refusal }
    do throws(DatabaseError) {
      // The build may have begun before the database was opened, and not been placed since.
      let unfinished = try list().filter { !$0.isFinished }
      let fractions = missing.building.compactMap { index in
        unfinished.last { $0.subject == .index(index) }?.fraction
      }
      missing.progress = fractions.min()
    } catch {
      // The refusal of the query matters more than the build's progress.
      return refusal
    }
    return DatabaseError(refusal.code, refusal.message, details: missing, cause: refusal.cause)
  }
}
