package import Hearth
package import HearthDocumentModel
package import HearthQueryPlanning
import Synchronization

/// A stage of an index build, for the owner of a server.
package enum BuildStage: Sendable {
  case progressed(IndexAdministration.Progress)
  /// It has ended, perhaps with an error.
  case ended(DatabaseError?)

  /// The function that receives the stages of builds.
  package typealias Noting = @Sendable (DatabaseID, IndexDefinition, BuildStage) -> Void
}

/// The function that writes an index to the file of all databases.
///
/// - Throws: `resourceExhausted` for too many; `unavailable`, with the system's words.
package typealias IndexRecording =
  @Sendable (IndexDefinition, _ present: [SingleFieldIndex]) throws(DatabaseError) -> Void

/// The quarters of a build that were told already.
final class Quarters: Sendable {
  private let told = Mutex(-1)

  func isNew(_ progress: IndexAdministration.Progress) -> Bool {
    let quarter = progress.documentsDone * 4 / max(progress.documentsTotal, 1)
    return told.withLock { told in
      guard quarter > told else { return false }
      told = quarter
      return true
    }
  }
}
