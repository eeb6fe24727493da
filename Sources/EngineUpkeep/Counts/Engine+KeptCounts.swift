package import HearthDocumentEngine
package import HearthDocumentModel
import HearthOrderedStore
package import HearthReports
import HearthStorageFormat

extension Engine {
  /// Keeps counts of the documents by the values of some fields, existing documents included.
  ///
  /// Queries use them when this returns. Writers go on between the chunks. An interrupted first
  /// counting goes on from its position with the next call.
  ///
  /// - Complexity: every document of the collection group is read once.
  /// - Throws: `alreadyExists`; `invalidArgument` for `__name__`, or an invalid collection id;
  ///   `cancelled` if they are dropped meanwhile; `failedPrecondition` if the database is closed.
  package func keepCounts(
    _ definition: KeptCounts.Definition, progress: (BuildProgress) -> Void = { _ in }
  ) throws(DatabaseError) {
    _ = try ResourcePath.validated(definition.collectionGroup, isCollection: true)
    guard !definition.fields.contains(.documentID) else {
      throw .invalidArgument("Documents can't be counted by __name__: it is of one document.")
    }
    try finishCountDrops()
    try administer { try Engine.register(definition, &$0) }
    try build(definition, progress)
  }

  /// Adds counts to the catalogue for building, unless they are there.
  private static func register(
    _ definition: KeptCounts.Definition, _ group: inout CommitDraft
  ) throws {
    if let known = group.catalog.tunings.keptCounts(of: definition) {
      guard known.state == .creating else {
        throw DatabaseError(.alreadyExists, "These counts are kept already.")
      }
      return
    }
    let counts = KeptCounts(id: group.takeIndexID(), definition: definition, state: .creating)
    group.updateTunings { $0.set(counts) }
  }

  /// Makes steps until the counts are ready, each in a turn of its own.
  private func build(
    _ definition: KeptCounts.Definition, _ progress: (BuildProgress) -> Void
  ) throws(DatabaseError) {
    let total = try readView().countDocuments(inGroup: definition.collectionGroup)
    var done = 0
    while true {
      guard let counts = latest.catalog.tunings.keptCounts(of: definition) else {
        throw DatabaseError(.cancelled, "The counts were dropped before they were made.")
      }
      guard counts.state == .creating else { return }
      try builds.stepCounts(counts.id)
      // Another thread may have stepped meanwhile, too.
      let counted = buildState.jobs.withLock { $0.countedDocuments[counts.id] ?? 0 }
      let state = BuildProgress(documentsDone: min(counted, total), documentsTotal: total)
      progress(state)
      buildState.observer?.observe(
        .indexBuildProgressed(
          collectionGroup: definition.collectionGroup, documentCount: max(counted - done, 0),
          state))
      done = counted
    }
  }

  /// Stops keeping counts. Queries stop using them at once, and then they are deleted. An
  /// interrupted drop is finished.
  ///
  /// - Complexity: one write for each combination of values.
  /// - Throws: `notFound`.
  package func dropCounts(_ definition: KeptCounts.Definition) throws(DatabaseError) {
    let id = try administer { try Engine.drop(definition, &$0) }
    try builds.finishDrops([id])
  }

  private static func drop(
    _ definition: KeptCounts.Definition, _ group: inout CommitDraft
  ) throws -> UInt64 {
    let tunings = group.catalog.tunings
    guard let known = tunings.keptCounts(of: definition) else {
      let dropped = tunings.counts.first { $0.definition == definition }
      guard let dropped else { throw DatabaseError(.notFound, "These counts aren't kept.") }
      return dropped.id
    }
    group.delete(StorageKey.checkpoint(countsID: known.id))
    group.updateTunings { $0.set(known.with(.retiring)) }
    return known.id
  }

  /// Deletes the rest of dropped counts.
  private func finishCountDrops() throws(DatabaseError) {
    let retiring = latest.catalog.tunings.counts.filter { $0.state == .retiring }
    if !retiring.isEmpty { try builds.finishDrops(Set(retiring.map(\.id))) }
  }

  /// Counts wrong counts anew, and deletes entries that are no counts.
  ///
  /// One write replaces the wrong counts by counts of another id that are still to be built. So an
  /// interrupted repair leaves them kept, and goes on with the next call.
  ///
  /// - Complexity: every document is read once, and those of collections with wrong counts again.
  /// - Returns: the number of wrong counts.
  func repairCounts() throws(DatabaseError) -> Int {
    let view = try readView()
    let faults = try reportingErrors {
      let hasNone = try view.snapshot.isEmpty(.prefix(StorageKey.keptCountsPrefix))
      return view.catalog.tunings.counts.isEmpty && hasNone ? [] : try CountAudit.faults(in: view)
    }
    try replaceCounts(Set(faults.compactMap(\.id)))
    try finishCountDrops()
    while let counts = latest.catalog.tunings.counts.first(where: { $0.state == .creating }) {
      try builds.stepCounts(counts.id)
    }
    let known = Set(view.catalog.tunings.counts.map(\.id))
    let strays = faults.filter { fault in fault.id.map { !known.contains($0) } ?? true }
    if !strays.isEmpty {
      try commitExclusively { group in for fault in strays { group.delete(fault.key) } }
    }
    return faults.count
  }

  /// Replaces counts by new ones with other ids, so that no cached value of the wrong ones is used
  /// any more. Counts that were dropped since the check are left to their drop.
  private func replaceCounts(_ ids: Set<UInt64>) throws(DatabaseError) {
    guard !ids.isEmpty else { return }
    try administer { draft in
      for counts in draft.catalog.tunings.counts
      where ids.contains(counts.id) && counts.state != .retiring {
        let new = KeptCounts(
          id: draft.takeIndexID(), definition: counts.definition, state: .creating)
        draft.delete(StorageKey.checkpoint(countsID: counts.id))
        draft.updateTunings {
          $0.set(counts.with(.retiring))
          $0.set(new)
        }
      }
    }
  }
}

extension Tunings {
  /// Returns the counts of a definition that aren't dropped; `nil` if there are none.
  fileprivate func keptCounts(of definition: KeptCounts.Definition) -> KeptCounts? {
    counts.first { $0.definition == definition && $0.state != .retiring }
  }
}
