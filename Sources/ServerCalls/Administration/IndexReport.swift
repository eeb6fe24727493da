import Hearth
package import HearthDocumentModel
import HearthQueryPlanning

/// The composite indexes of a database with their size and use.
package struct IndexReport: Sendable {
  /// A composite index.
  package struct Row: Sendable {
    /// The name of the index in the administration.
    package let name: String
    package let isHidden: Bool
    /// Approximate number of bytes on disk.
    package let diskByteCount: Int?
    /// Number of queries that it served since the recording began.
    package let queryCount: Int?
    /// Time of the last of these.
    package let lastQueryTime: Timestamp?
    /// Number of entries that writes put and deleted.
    package let entryWriteCount: Int
    /// The indexes that serve all of its queries, so that it can be dropped; empty for none.
    package let replacements: [String]
  }

  package let rows: [Row]
  /// Time since which the use of indexes is recorded.
  package let usageStart: Timestamp
}

extension AdministrationCalls {
  /// Returns the composite indexes of a database with their size and use.
  ///
  /// - Complexity: the indexes; no entry is read.
  package func indexReport(
    _ id: DatabaseID, _ context: CallContext
  ) async throws(DatabaseError) -> IndexReport {
    let database = try await database(id, context)
    let statistics = try await database.statistics()
    let droppable = try await database.indexes.redundant().filter { $0.isWhole && $0.isDroppable }
    let rows = try await database.indexes.list().map { index in
      let used = statistics.indexes.first { $0.definitions.contains(index.definition) }
      return IndexReport.Row(
        name: index.name(in: id), isHidden: index.isHidden,
        diskByteCount: used?.diskByteCount, queryCount: used?.queryCount,
        lastQueryTime: used?.lastQueryTime, entryWriteCount: used?.entryWriteCount ?? 0,
        replacements: droppable.first { $0.definition == index.definition }?.replacements
          .map(\.description) ?? [])
    }
    return IndexReport(rows: rows, usageStart: statistics.usageStart)
  }
}
