import HearthDocumentEngine
package import HearthDocumentModel
import HearthOrderedStore
package import HearthQueryPlanning
import HearthReports

extension IndexBuilds {
  /// Returns a query's refusal with the progress of the indexes that are being built for it.
  package func addingProgress(to refusal: DatabaseError) -> DatabaseError {
    guard let missing = refusal.missingIndex, missing.isBuilding else { return refusal }
    do throws(DatabaseError) {
      let details = try addingProgress(to: missing)
      return DatabaseError(refusal.code, refusal.message, details: details, cause: refusal.cause)
    } catch {
      // The refusal of the query matters more than the build's progress.
      return refusal
    }
  }

  /// Returns a missing index with the progress of the indexes that are being built for it.
  package func addingProgress(to index: MissingIndex) throws(DatabaseError) -> MissingIndex {
    guard index.isBuilding else { return index }
    var missing = index
    // The build may have begun before the database was opened, and not been placed since.
    let unfinished = try list().filter { !$0.isFinished }
    let fractions = missing.building.compactMap { index in
      unfinished.last { $0.subject == .index(index) }?.fraction
    }
    missing.progress = fractions.min()
    return missing
  }
}
