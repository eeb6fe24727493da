import Logging

extension DatabaseLog {
  func reportOpening(_ report: OpenReport, for access: Database.Access) {
    logger.info("Database opened.", metadata: ["new": "\(report.isNew)"])
    for log in report.cutLogs {
      let metadata: Logger.Metadata = ["file": "\(log.file)", "bytes": "\(log.byteCount)"]
      switch access {
      case .readWrite:
        logger.warning(
          "The last write was cut off by a crash before it was acknowledged.", metadata: metadata)
      case .readOnly:
        logger.info(
          "An incomplete write was skipped: it is under way, or a crash cut it off.",
          metadata: metadata)
      }
    }
    if let count = report.repairedEntryCount {
      logger.warning(
        "The machine stopped while writes were not synced; the indexes were checked and repaired.",
        metadata: ["entries": "\(count)"])
    }
    if report.lacksRepair {
      logger.warning(
        "The machine stopped while writes were not synced; opening for reading checks no indexes."
      )
    }
    if let reason = report.administrationFailure { reportNoAdministration(reason) }
    if let lead = report.commitTimeLead { reportLead(lead) }
  }
}
