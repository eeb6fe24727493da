import Hearth
import HearthDocumentModel
import HearthQueryPlanning
import Synchronization

/// Creates the indexes that refused queries lack, so that the queries can be answered after all.
package final class IndexCreation: Sendable {
  /// The longest wait of a call without a deadline.
  private static let longestWait = Duration.seconds(60)
  /// The number of fields with indexes of their own up to which others get some.
  package static let fieldLimit = 1_000

  private struct Key: Hashable {
    let database: DatabaseID
    let index: IndexDefinition
  }

  private let databases: any DatabaseSource
  private let record: IndexRecording
  private let note: BuildStage.Noting
  private let noteRefusal: @Sendable (Refusal) -> Void
  private let fieldLimit: Int
  /// The builds under way, each with whether it led to an index.
  private let builds = Mutex<[Key: Task<Bool, Never>]>([:])

  /// - Parameters:
  ///   - record: writes an index to the file of all databases, before it is built.
  ///   - note: receives the stages of builds.
  ///   - noteRefusal: receives the refusals of queries whose index isn't there in time.
  ///   - fieldLimit: the number of fields with indexes of their own up to which others get some.
  package init(
    _ databases: any DatabaseSource, record: @escaping IndexRecording,
    note: @escaping BuildStage.Noting,
    noteRefusal: @escaping @Sendable (Refusal) -> Void,
    fieldLimit: Int = IndexCreation.fieldLimit
  ) {
    self.databases = databases
    self.record = record
    self.note = note
    self.noteRefusal = noteRefusal
    self.fieldLimit = fieldLimit
  }

  /// Creates what a refused query lacks. The build goes on if the call can't wait for it.
  ///
  /// - Returns: whether the query should be tried again.
  package func create(for refusal: Refusal, _ context: CallContext) async -> Bool {
    let (id, missing) = (refusal.requested.database, refusal.missing)
    let builds = (missing.isBuilding ? missing.building : [missing.index]).map { build($0, in: id) }
    // A little is left to answer in.
    let time = context.timeLeft.map { $0 * 9 / 10 } ?? IndexCreation.longestWait
    guard await IndexCreation.areReady(builds, within: time) else {
      // A client that has gone away isn't refused.
      if !Task.isCancelled { noteRefusal(refusal) }
      return false
    }
    return true
  }

  // MARK: Building

  private func build(_ index: IndexDefinition, in id: DatabaseID) -> Task<Bool, Never> {
    builds.withLock { builds in
      let key = Key(database: id, index: index)
      if let known = builds[key] { return known }
      let work = Task { await self.complete(key) }
      builds[key] = work
      return work
    }
  }

  private func complete(_ key: Key) async -> Bool {
    let (id, index) = (key.database, key.index)
    var failure: DatabaseError?
    do throws(DatabaseError) {
      try await complete(index, in: id)
    } catch {
      // The tool, or a call, may have been quicker.
      failure = error.code == .alreadyExists ? nil : error
    }
    builds.withLock { $0[key] = nil }
    note(id, index, .ended(failure))
    return failure == nil
  }

  private func complete(_ index: IndexDefinition, in id: DatabaseID) async throws(DatabaseError) {
    let database = try await databases.database(id, for: .writing)
    var present: [SingleFieldIndex] = []
    if let (field, _) = index.singleField {
      let overrides = try await database.indexes.overrides()
      let isKnown = overrides.contains {
        $0.collectionGroup == index.collectionGroup && $0.field == field
      }
      guard isKnown || overrides.count < fieldLimit else {
        throw DatabaseError(
          .resourceExhausted,
          "\(overrides.count) fields of the database have indexes of their own, and no more may "
            + "get some.")
      }
      present = try await database.indexes.singleFieldIndexes(
        of: field, in: index.collectionGroup
      ).map(\.index)
    } else {
      let composites = try await database.indexes.list()
      let isFull = composites.count >= Limits.compositeIndexesPerDatabase
      guard !isFull || composites.contains(where: { $0.definition == index }) else {
        throw DatabaseError(
          .resourceExhausted,
          "The database has \(composites.count) composite indexes and may not have more.")
      }
    }
    let (record, names) = (record, present)
    try await Waiting.run { () throws(DatabaseError) in try record(index, names) }
    let quarters = Quarters()
    try await database.indexes.createOrAdd(index) { [note] progress in
      if quarters.isNew(progress) { note(id, index, .progressed(progress)) }
    }
  }

  // MARK: Waiting

  private static func areReady(
    _ builds: [Task<Bool, Never>], within time: Duration
  ) async -> Bool {
    let (outcomes, continuation) = AsyncStream.makeStream(of: Bool.self)
    Task {
      var areReady = true
      for build in builds {
        let isReady = await build.value
        areReady = areReady && isReady
      }
      continuation.yield(areReady)
      continuation.finish()
    }
    let timer = Task {
      try? await Task.sleep(for: time)
      continuation.finish()
    }
    defer { timer.cancel() }
    for await areReady in outcomes { return areReady }
    return false
  }
}
