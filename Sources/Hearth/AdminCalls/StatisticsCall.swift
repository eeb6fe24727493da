package import HearthAdminSocket
package import HearthReports

/// Reports the figures of a database. The items are the number of entries counted so far.
package struct StatisticsCall: FollowedCall {
  package typealias Item = AdminCount
  package typealias Answer = DatabaseStatistics
  package static let name = "stats"

  private let countsEntries: Bool

  package init(countingEntries countsEntries: Bool) {
    self.countsEntries = countsEntries
  }

  package func run(
    on database: Database, progress: (AdminCount) -> Void
  ) throws -> DatabaseStatistics {
    try database.statistics(countingEntries: countsEntries) { progress(AdminCount($0)) }
  }
}
