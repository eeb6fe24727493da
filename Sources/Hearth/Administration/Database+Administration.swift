import AdminSocket
import DocumentEngine
import DocumentModel

extension Database {
  /// Listens for tools at the database's folder.
  ///
  /// - Returns: `nil` where that fails, with the reason in the report: the database opens anyway.
  static func administration(of folder: String, _ report: inout OpenReport) -> Administration? {
    do throws(DatabaseError) {
      return try Administration(folder: folder)
    } catch {
      report.administrationFailure = error.message
      return nil
    }
  }

  /// Takes no more calls of tools, and ends listeners; returns when the calls that are being
  /// performed are answered. For who would close the database next, and has time.
  ///
  /// - Parameter note: is told once where that takes more than a second.
  package func finishAdministration(_ note: () -> Void = {}) {
    dispatcher.feed.close()
    administration?.stop(answering: .all, note)
  }

  /// Begins to answer the tools that connect.
  func startAdministration() {
    guard let administration else { return }
    do throws(DatabaseError) {
      try administration.start(on: Database(sharing: self))
    } catch {
      administration.stop()
      instruments?.log?.reportNoAdministration(error.message)
    }
  }
}
