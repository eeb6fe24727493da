// Messages by the level from which they are logged:
//
//   error    a commit or a read that failed because of damaged files, or a fault of the disk or of
//            Hearth itself
//   warning  a slow query; a write of the store that stalled; damage of a crash or a loss of power
//            that was repaired at opening; an index build that failed; background work that
//            failed; an admin socket that can't be made; a clock that was set far ahead, and
//            commit times that are ahead of the clock
//   info     opening; an incomplete write found while opening read-only; an index build that
//            ended; a query that lacks an index; a transaction that gave up
//   debug    all other refusals, and the reason of a failed build, with the message; a transaction
//            that is tried again; listeners
//   trace    groups of commits; the progress of index builds

import HearthDocumentEngine
import HearthDocumentModel
import HearthEngineUpkeep
import HearthFirestoreJSON
import Logging
import HearthQueryPlanning
import HearthReports

/// Writes the messages about a database to a log.
struct DatabaseLog: Sendable {
  let logger: Logger

  init(_ logger: Logger) {
    self.logger = logger
  }

  func reportLead(_ lead: Duration) {
    logger.warning(
      "Commit times are ahead of the clock: it was wrong once, or is now.",
      metadata: ["ahead": "\(lead)"])
  }

  func reportNoAdministration(_ reason: String) {
    logger.warning("The admin socket is not served.", metadata: ["reason": "\(reason)"])
  }

  func reportUpkeep(_ message: String, _ error: DatabaseError) {
    logger.warning(
      "\(message)", metadata: ["code": "\(error.code.name)", "message": "\(error.message)"])
  }

  func report(_ error: any Error, of operation: Operation) {
    guard let error = error as? DatabaseError else { return }
    if let missing = error.missingIndex {
      logger.info(
        "A query lacks an index.",
        metadata: [
          "operation": "\(operation.name)", "index": "\(missing.index)",
          "collectionGroup": "\(missing.index.collectionGroup)",
        ])
      return
    }
    let hasGivenUp = operation == .transaction && error.code == .aborted
    logger.log(
      level: error.isFault ? .error : hasGivenUp ? .info : .debug, "An operation failed.",
      metadata: [
        "operation": "\(operation.name)", "code": "\(error.code.name)",
        "message": "\(error.message)",
      ])
  }

  private func reportEnd(of build: BuildStatus, in collectionGroup: String) {
    var metadata: Logger.Metadata = ["collectionGroup": "\(collectionGroup)"]
    switch build.subject {
    case .index(let index), .covering(let index): metadata["index"] = "\(index)"
    default: break
    }
    guard build.state == .failed else {
      metadata["state"] = "\(build.state.rawValue)"
      metadata["entries"] = "\(build.entriesWritten)"
      return logger.info("An index build ended.", metadata: metadata)
    }
    logger.warning("An index build failed: a document can't be indexed.", metadata: metadata)
    // The message names the document.
    metadata["message"] = build.error.map { "\($0.message)" }
    logger.debug("The reason of a failed index build.", metadata: metadata)
  }

  func reportSlow(
    _ operation: Operation, _ work: QueryWork, _ statistics: ExecutionStatistics,
    _ duration: Duration
  ) {
    logger.warning(
      "A query was slow.",
      metadata: [
        "operation": "\(operation.name)", "query": "\(work.text)", "plan": "\(work.plan)",
        "entries": "\(statistics.entriesRead)", "documents": "\(statistics.documentsRead)",
        "seeks": "\(statistics.seekCount)", "duration": "\(duration)",
      ])
  }

  func reportStall(_ group: CommitTiming) {
    logger.warning(
      "A write of the store stalled.",
      metadata: [
        "duration": "\(group.storing)", "bytes": "\(group.byteCount)",
        "requests": "\(group.requestCount)",
      ])
  }

  func report(_ event: EngineEvent) {
    switch event {
    case .groupCommitted(let group):
      // The group's requests report the error.
      guard group.error == nil else { return }
      logger.trace(
        "A group of commits was written.",
        metadata: [
          "requests": "\(group.requestCount)", "writes": "\(group.writeCount)",
          "bytes": "\(group.byteCount)", "storing": "\(group.storing)",
        ])
    case .historyChanged, .listenersServed: break
    case .transactionConflicted(let error):
      logger.debug(
        "An attempt at a transaction met a conflict.", metadata: ["message": "\(error.message)"])
    case .clockSetAhead(let jump):
      logger.warning(
        "The clock was set ahead; commits follow it in five minutes, if it stays there.",
        metadata: ["ahead": "\(jump)"])
    case .commitTimesLead(let lead): reportLead(lead)
    case .listenersChanged(let count):
      logger.debug("Listeners began or ended.", metadata: ["count": "\(count)"])
    }
  }

  func report(_ event: BuildEvent) {
    switch event {
    case .indexBuildProgressed(let collectionGroup, _, let progress):
      logger.trace(
        "An index build made progress.",
        metadata: [
          "collectionGroup": "\(collectionGroup)", "done": "\(progress.documentsDone)",
          "total": "\(progress.documentsTotal)",
        ])
    case .indexBuildEnded(let collectionGroup, let status):
      reportEnd(of: status, in: collectionGroup)
    }
  }
}

extension DatabaseError {
  /// Whether the error is a fault of the files, the disk or Hearth, and not of the request.
  fileprivate var isFault: Bool {
    switch code {
    case .dataLoss, .internal, .unknown, .unavailable: true
    // A full disk. Without the store's error, it is a limit that the request exceeded.
    case .resourceExhausted: isOfStore
    default: false
    }
  }
}
