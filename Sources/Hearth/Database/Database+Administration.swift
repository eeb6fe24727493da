import HearthAdminSocket
import HearthDocumentEngine
import HearthDocumentModel

extension Database {
  /// Listens for tools at the database's folder.
  ///
  /// - Returns: `nil` if that fails, with the reason in the report: the database opens anyway.
  static func administration(of folder: String, _ report: inout OpenReport) -> Administration? {
    do throws(DatabaseError) {
      return try Administration(folder: folder)
    } catch {
      report.administrationFailure = error.message
      return nil
    }
  }

  /// Refuses new calls of tools, and ends listeners. It returns when the running calls are
  /// answered. It is for a caller that is about to close the database, and has time.
  ///
  /// - Parameter note: called once if that takes more than a second.
  package func finishAdministration(_ note: () -> Void = {}) {
    dispatcher.feed.close()
    administration?.stop(answering: .all, note)
  }

  /// Whether work is under way of which no reference to this object tells: a tool's call, or the
  /// build of an index.
  package var hasOwnWork: Bool {
    administration?.isBusy == true
      || (try? indexes.builds())?.contains { (try? $0.status().state) == .building } == true
  }

  /// Begins to answer the tools that connect.
  func startAdministration(answering answer: @escaping Administration.Answering) {
    guard let administration else { return }
    do throws(DatabaseError) {
      try administration.start(on: Database(sharing: self), answering: answer)
    } catch {
      administration.stop()
      instruments?.log?.reportNoAdministration(error.message)
    }
  }
}
