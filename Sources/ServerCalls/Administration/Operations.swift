import Hearth
import HearthDocumentEngine
import HearthDocumentModel
import SwiftProtobuf
import Synchronization

/// The long-running operations of a server: those that run, and the latest that have ended.
package final class Operations: Sendable {
  /// The number of ended operations that are remembered.
  private static let endedLimit = 1_000
  /// The pause before a build that met an obstacle is asked to go on.
  private static let obstaclePause = Duration.seconds(1)

  /// The operations in the order in which they began.
  private let records = Mutex<[OperationRecord]>([])

  package init() {}

  // MARK: Looking

  /// Returns the operations of a database, in the order of their ids.
  func list(in database: DatabaseID) -> [OperationRecord] {
    records.withLock { records in records.filter { $0.database == database } }
      .sorted { $0.id < $1.id }
  }

  subscript(id: String, in database: DatabaseID) -> OperationRecord? {
    records.withLock { records in records.first { $0.id == id && $0.database == database } }
  }

  // MARK: Beginning

  /// Follows the build of an index up to its end. A build that is followed already has one
  /// operation.
  ///
  /// - Parameter isNew: whether the build has just begun.
  /// - Returns: the operation, and whether it was not followed before.
  @discardableResult
  func follow(
    _ build: IndexBuild, of index: IndexAdministration.CompositeIndex, in id: DatabaseID,
    isNew: Bool
  ) -> (record: OperationRecord, isNew: Bool) {
    var record = OperationRecord(
      id, id: "index-\(index.id)", .index(index.name(in: id)),
      start: isNew ? SystemClock().now() : nil)
    record.cancel = { () async throws(DatabaseError) in try await build.cancel() }
    return add(record) { operations, record in
      await operations.follow(build, record) {
        let ready = index.message(in: id, as: .ready)
        return try? Google_Protobuf_Any(message: ready)
      }
    }
  }

  private func follow(
    _ build: IndexBuild, _ record: OperationRecord, response: () -> Google_Protobuf_Any?
  ) async {
    while !Task.isCancelled {
      for await status in build.updates { note(status, of: record) }
      guard let status = try? await build.status() else { break }
      note(status, of: record)
      switch status.state {
      case .ready: return end(record, .succeeded(response()))
      case .failed:
        let reason = status.error ?? DatabaseError(.internal, "The build failed.")
        return end(record, .failed(reason))
      case .cancelled:
        return end(
          record, .failed(DatabaseError(.cancelled, "The index was dropped before it was built.")))
      case .building, .paused: try? await Task.sleep(for: Operations.obstaclePause)
      }
    }
    end(record, .failed(DatabaseError(.unavailable, "The database was closed.")))
  }

  private func note(_ status: IndexBuild.Status, of record: OperationRecord) {
    note(
      IndexAdministration.Progress(
        documentsDone: status.documentsDone, documentsTotal: status.documentsTotal),
      of: record)
  }

  /// Begins an operation that lasts as long as `work`, and returns it.
  func run(
    _ subject: OperationRecord.Subject, in id: DatabaseID,
    _ work:
      @escaping @Sendable (
        _ progress: @escaping @Sendable (IndexAdministration.Progress) -> Void
      ) async throws(DatabaseError) -> Google_Protobuf_Any?
  ) -> OperationRecord {
    let record = OperationRecord(id, id: Operations.newID(), subject, start: SystemClock().now())
    let added = add(record) { operations, record in
      do throws(DatabaseError) {
        let response = try await work { operations.note($0, of: record) }
        operations.end(record, .succeeded(response))
      } catch {
        operations.end(record, .failed(error))
      }
    }
    return added.record
  }

  /// Adds an operation that is at its end already.
  func addEnded(
    _ subject: OperationRecord.Subject, in id: DatabaseID, response: Google_Protobuf_Any?
  ) -> OperationRecord {
    let record = OperationRecord(id, id: Operations.newID(), subject, start: SystemClock().now())
    records.withLock { $0.append(record) }
    end(record, .succeeded(response))
    return self[record.id, in: id] ?? record
  }

  private static func newID() -> String { String(UInt64.random(in: .min ... .max), radix: 36) }

  private func add(
    _ record: OperationRecord,
    _ follow: @escaping @Sendable (Operations, OperationRecord) async -> Void
  ) -> (record: OperationRecord, isNew: Bool) {
    records.withLock { records in
      if let known = records.first(where: { $0.isSame(as: record) && $0.isRunning }) {
        // One that a listing follows may be of a call that is about to follow it.
        return (known, known.start == nil)
      }
      records.removeAll { $0.isSame(as: record) }
      var record = record
      record.follower = Task { [record] in await follow(self, record) }
      records.append(record)
      return (record, true)
    }
  }

  // MARK: Ending

  private func note(_ progress: IndexAdministration.Progress, of record: OperationRecord) {
    records.withLock { records in
      guard let index = records.firstIndex(where: { $0.isSame(as: record) }) else { return }
      records[index].progress = progress
    }
  }

  /// Ends an operation, once. What it held is let go.
  private func end(_ record: OperationRecord, _ outcome: OperationRecord.Outcome) {
    records.withLock { records in
      guard let index = records.firstIndex(where: { $0.isSame(as: record) }),
        records[index].isRunning
      else { return }
      records[index].outcome = outcome
      records[index].end = SystemClock().now()
      records[index].cancel = nil
      records[index].follower = nil
      var excess = records.count { !$0.isRunning } - Operations.endedLimit
      records.removeAll { record in
        guard excess > 0, !record.isRunning else { return false }
        excess -= 1
        return true
      }
    }
  }

  /// Forgets an operation that has ended.
  func forget(_ record: OperationRecord) {
    records.withLock { $0.removeAll { $0.isSame(as: record) } }
  }

  /// Forgets the operations of a database that is removed.
  func forgetAll(of database: DatabaseID) {
    let forgotten = records.withLock { records in
      let forgotten = records.filter { $0.database == database }
      records.removeAll { $0.database == database }
      return forgotten
    }
    for record in forgotten { record.follower?.cancel() }
  }

  /// Follows no operation any longer. The builds of indexes go on when their databases are opened
  /// again.
  package func stop() {
    for record in records.withLock({ $0 }) { record.follower?.cancel() }
  }
}

extension OperationRecord {
  fileprivate func isSame(as other: OperationRecord) -> Bool {
    id == other.id && database == other.database
  }
}
