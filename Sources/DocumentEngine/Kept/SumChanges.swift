import HearthDocumentModel
import HearthOrderedStore
package import HearthStorageFormat

extension CommitDraft {
  /// Records the effect of a request's change of a document on the sums.
  mutating func sum(_ change: DocumentChange) throws {
    var ofBatches = SumTally()
    try ofBatches.add(batch, since: sumMark, by: change)
    sumMark = batch.mark
    var ofDocuments = SumTally()
    if let old = change.old {
      try old.forEachExpectedEntry(catalog, .complete) { key, value throws(CorruptBytes) in
        guard let space = try EntrySpace(ofKey: key) else { return }
        ofDocuments.subtract(EntrySum(key: key, value: value), in: space)
      }
    }
    if let new = change.new {
      try new.forEachExpectedEntry(catalog, .complete) { key, value throws(CorruptBytes) in
        guard let space = try EntrySpace(ofKey: key) else { return }
        ofDocuments.add(EntrySum(key: key, value: value), in: space)
      }
    }
    sums.add(ofDocuments: ofDocuments, ofBatches: ofBatches)
  }

  /// Begins to keep the sums of some spaces. From this commit on they include all changes.
  package mutating func beginSums(of spaces: [EntrySpace]) {
    for space in spaces {
      let begun = EntrySums(begun: state.commitNumber, isComplete: false)
      sums[space] = begun
      put(begun, of: space)
    }
  }

  /// Adds the entries that existed before the sums were begun.
  package mutating func completeSums(
    of spaces: [EntrySpace], begun: UInt64, ofDocuments: SumTally, ofBatches: SumTally
  ) {
    for space in spaces {
      // A space that was changed meanwhile is begun again.
      guard var sums = sums[space], sums.begun == begun, !sums.isComplete else { continue }
      sums.ofDocuments += ofDocuments[space]
      sums.ofBatches += ofBatches[space]
      sums.isComplete = true
      self.sums[space] = sums
      put(sums, of: space)
    }
  }

  private mutating func put(_ sums: EntrySums, of space: EntrySpace) {
    var bytes: [UInt8] = []
    sums.append(to: &bytes)
    put(StorageKey.sums(of: space), bytes)
  }

  /// Drops all sums, since entries that were wrong are put and deleted.
  package mutating func forgetSums() {
    for space in sums.sums.keys { delete(StorageKey.sums(of: space)) }
    sums = SumTable()
  }
}

extension SumTally {
  /// Adds the entries that the operations since `mark` put, and subtracts those that they replace
  /// or delete. An operation has the key of such an entry, and `change` has the value.
  fileprivate mutating func add(
    _ batch: StoreBatch, since mark: StoreBatch.Mark, by change: DocumentChange
  ) throws(CorruptBytes) {
    let old = change.oldEntries
    let oldName = change.old.map { EntryValue.name(of: $0.number) }
    var place = 0
    try batch.forEach(since: mark) { operation, key, value throws(CorruptBytes) in
      guard let space = try EntrySpace(ofKey: key) else { return }
      if operation == .put { add(EntrySum(key: key, value: value), in: space) }
      switch space {
      case .names, .groupNames:
        guard let oldName else { return }
        subtract(EntrySum(key: key, value: oldName.span.bytes), in: space)
      case .automatic, .groupAutomatic, .composite:
        // Operations come in the order of their entries. If there are no new entries, every old one
        // has an operation.
        while place < old.count, !change.newEntries.isEmpty,
          old.key(place).span.bytes.compare(key) == .less
        { place += 1 }
        guard place < old.count, old.key(place).span.bytes.compare(key) == .equal else { return }
        subtract(EntrySum(key: key, value: old.value(place).span.bytes), in: space)
        place += 1
      }
    }
  }
}
