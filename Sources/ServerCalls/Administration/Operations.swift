package import Hearth
import HearthDocumentEngine
package import HearthDocumentModel
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
  private let noteBuild: BuildStage.Noting

  /// - Parameter noteBuild: receives the stages of the builds of composite indexes that are begun
  ///   by calls, and of those that were under way when their database was opened.
  package init(noteBuild: @escaping BuildStage.Noting = { _, _, _ in }) {
    self.noteBuild = noteBuild
  }

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
  /// - Parameters:
  ///   - isNew: whether the build has just begun.
  ///   - isTold: whether its stages are told to the server's owner.
  /// - Returns: the operation, and whether it was not followed before.
  @discardableResult
  func follow(
    _ build: IndexBuild, of index: IndexAdministration.CompositeIndex, in id: DatabaseID,
    isNew: Bool, isTold: Bool
  ) -> (record: OperationRecord, isNew: Bool) {
    var record = OperationRecord(
      id, id: "index-\(index.id)", .index(index.name(in: id)),
      start: isNew ? SystemClock().now() : nil)
    record.cancel = { () async throws(DatabaseError) in try await build.cancel() }
    return add(record) { operations, record in
      let outcome = await operations.outcome(of: build, record) { stage in
        if isTold { operations.noteBuild(id, index.definition, stage) }
      }
      switch outcome {
      case .failure(let reason): operations.end(record, .failed(reason))
      case .success:
        let ready = index.message(in: id, as: .ready)
        operations.end(record, .succeeded(try? Google_Protobuf_Any(message: ready)))
      }
    }
  }

  /// Follows the builds of a database that something else has begun: the tool, or an earlier run of
  /// the server.
  ///
  /// - Parameter areTold: whether their stages are told to the server's owner.
  /// - Throws: `failedPrecondition` if the database is closed; a store error.
  package func followBuilds(
    of database: Database, _ id: DatabaseID, areTold: Bool = false
  ) async throws(DatabaseError) {
    let builds = try await database.indexes.builds()
    guard !builds.isEmpty else { return }
    let indexes = try await database.indexes.list()
    for build in builds {
      let status = try await build.status()
      guard !status.isFinished, case .index(let definition) = status.subject,
        let index = indexes.first(where: { $0.definition == definition })
      else { continue }
      follow(build, of: index, in: id, isNew: false, isTold: areTold)
    }
  }

  /// Returns the end of a build, and notes its stages up to that.
  private func outcome(
    of build: IndexBuild, _ record: OperationRecord, tell: (BuildStage) -> Void
  ) async -> Result<Void, DatabaseError> {
    let quarters = Quarters()
    func note(_ status: IndexBuild.Status) {
      let progress = IndexAdministration.Progress(
        documentsDone: status.documentsDone, documentsTotal: status.documentsTotal)
      self.note(progress, of: record)
      if quarters.isNew(progress) { tell(.progressed(progress)) }
    }
    while !Task.isCancelled {
      for await status in build.updates { note(status) }
      guard let status = try? await build.status() else { break }
      note(status)
      let failure: DatabaseError
      switch status.state {
      case .building, .paused:
        try? await Task.sleep(for: Operations.obstaclePause)
        continue
      case .ready:
        tell(.ended(nil))
        return .success(())
      case .failed: failure = status.error ?? DatabaseError(.internal, "The build failed.")
      case .cancelled:
        failure = DatabaseError(.cancelled, "The index was dropped before it was built.")
      }
      tell(.ended(failure))
      return .failure(failure)
    }
    // It goes on when the database is opened again.
    return .failure(DatabaseError(.unavailable, "The database was closed."))
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
