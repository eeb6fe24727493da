package import DocumentModel
import OrderedStore
import StorageFormat

extension Engine {
  /// Keeps counts of the documents by the values of some fields, from now on and of what is there.
  ///
  /// Queries use them when this returns. Writers go on between the chunks; a first counting that
  /// was broken off goes on where it was when it is asked for again.
  ///
  /// - Complexity: every document of the collection group is read once.
  /// - Throws: `alreadyExists`; `invalidArgument` for `__name__`, or what is no collection's id.
  package func keepCounts(
    _ definition: KeptCounts.Definition, progress: (BuildProgress) -> Void = { _ in }
  ) throws(DatabaseError) {
    _ = try ResourcePath.validated(definition.collectionGroup, isCollection: true)
    guard !definition.fields.contains(.documentID) else {
      throw .invalidArgument("Documents can't be counted by __name__: it is of one document.")
    }
    try administering { () throws(DatabaseError) in
      try finishCountDrops()
      try keep(definition, progress)
    }
  }

  private func keep(
    _ definition: KeptCounts.Definition, _ progress: (BuildProgress) -> Void
  ) throws(DatabaseError) {
    let counts = try commitExclusively { group in
      if let known = group.catalog.tunings.counts.first(where: { $0.definition == definition }) {
        // None is being dropped: that was finished before.
        guard known.state == .creating else {
          throw DatabaseError(.alreadyExists, "These counts are kept already.")
        }
        return known
      }
      let counts = KeptCounts(id: group.takeIndexID(), definition: definition, state: .creating)
      group.updateTunings { $0.set(counts) }
      return counts
    }
    try build(counts, progress)
  }

  private func build(
    _ counts: KeptCounts, _ progress: (BuildProgress) -> Void
  ) throws(DatabaseError) {
    try CountBuilder(engine: self, counts: counts).run(progress)
    try commitExclusively { group in
      group.delete(StorageKey.checkpoint(countsID: counts.id))
      group.updateTunings { $0.set(counts.with(.ready)) }
    }
  }

  /// Stops keeping counts: queries stop using them at once, then they are deleted. A drop that was
  /// broken off is brought to its end.
  ///
  /// - Complexity: one write for each combination of values.
  /// - Throws: `notFound`.
  package func dropCounts(_ definition: KeptCounts.Definition) throws(DatabaseError) {
    try administering { () throws(DatabaseError) in
      let wasDropped = try readView().catalog.tunings.counts.contains {
        $0.definition == definition && $0.state == .retiring
      }
      try finishCountDrops()
      try drop(definition, wasDropped: wasDropped)
    }
  }

  /// - Parameter wasDropped: whether an earlier drop of them has just been finished.
  private func drop(
    _ definition: KeptCounts.Definition, wasDropped: Bool
  ) throws(DatabaseError) {
    try commitExclusively { group in
      // None is being dropped: that was finished before.
      let known = group.catalog.tunings.counts.first { $0.definition == definition }
      guard let known else {
        guard wasDropped else { throw DatabaseError(.notFound, "These counts aren't kept.") }
        return
      }
      group.delete(StorageKey.checkpoint(countsID: known.id))
      group.updateTunings { $0.set(known.with(.retiring)) }
    }
    try finishCountDrops()
  }

  /// Deletes what is left of dropped counts.
  private func finishCountDrops() throws(DatabaseError) {
    for counts in try readView().catalog.tunings.counts where counts.state == .retiring {
      try deleteAll(.prefix(StorageKey.keptCountsPrefix(id: counts.id)))
      try commitExclusively { group in group.updateTunings { $0.remove(countsID: counts.id) } }
    }
  }

  /// Counts anew what is counted wrong, and deletes what is no count.
  ///
  /// Counts that are wrong give way in one write to ones of another id that are still to be made,
  /// so that a repair which is broken off leaves them kept: it goes on when it is asked for again.
  ///
  /// - Complexity: every document is read once, and those of collections with wrong counts again.
  /// - Returns: how many counts were wrong.
  func repairCounts() throws(DatabaseError) -> Int {
    var wrongCount = 0
    try administering { () throws(DatabaseError) in
      let view = try readView()
      let faults = try reportingErrors {
        let hasNone = try view.snapshot.isEmpty(.prefix(StorageKey.keptCountsPrefix))
        return view.catalog.tunings.counts.isEmpty && hasNone ? [] : try CountAudit.faults(in: view)
      }
      wrongCount = faults.count
      let ids = Set(faults.compactMap(\.id))
      try replace(view.catalog.tunings.counts.filter { ids.contains($0.id) })
      try finishCountDrops()
      for counts in try readView().catalog.tunings.counts where counts.state == .creating {
        try build(counts) { _ in }
      }
      let known = Set(view.catalog.tunings.counts.map(\.id))
      let strays = faults.filter { fault in fault.id.map { !known.contains($0) } ?? true }
      guard !strays.isEmpty else { return }
      try commitExclusively { group in for fault in strays { group.delete(fault.key) } }
    }
    return wrongCount
  }

  /// With another id, so that nothing that is remembered of the wrong ones counts any more.
  private func replace(_ wrong: [KeptCounts]) throws(DatabaseError) {
    guard !wrong.isEmpty else { return }
    try commitExclusively { group in
      for counts in wrong {
        let new = KeptCounts(
          id: group.takeIndexID(), definition: counts.definition, state: .creating)
        group.delete(StorageKey.checkpoint(countsID: counts.id))
        group.updateTunings {
          $0.set(counts.with(.retiring))
          $0.set(new)
        }
      }
    }
  }
}

extension KeptCounts {
  fileprivate func with(_ state: TuningState) -> KeptCounts {
    KeptCounts(id: id, definition: definition, state: state)
  }
}
