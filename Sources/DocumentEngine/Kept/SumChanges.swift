import HearthDocumentModel
import HearthOrderedStore
package import HearthStorageFormat

/// The changes that a commit makes to the kept sums.
package struct SumChanges: Derivation {
  /// The sums after the changes so far.
  package private(set) var table: SumTable
  private let old: SumTable

  /// - Parameter table: the sums as of `view`.
  init(_ view: ReadView, _ table: SumTable) {
    self.table = table
    old = table
    guard let recorder = view.recorder else { return }
    // Sums that aren't kept yet are facts too.
    for space in SumTable.ordered(view.catalog.summedSpaces) {
      recorder.record { $0.insert(StorageKey.sums(of: space)) }
    }
  }

  var mark: SumTable { table }

  mutating func rollBack(to mark: SumTable) { table = mark }

  mutating func note(
    _ change: DocumentChange, _ catalog: Catalog, into batch: inout StoreBatch,
    since start: StoreBatch.Mark
  ) throws {
    guard !table.isEmpty else { return }
    var ofBatches = SumTally()
    try ofBatches.add(batch, since: start, by: change)
    var ofDocuments = SumTally()
    if let old = change.old {
      try old.forEachExpectedEntry(catalog, .complete) { key, value throws(CorruptBytes) in
        guard let space = try EntrySpace(ofKey: key) else { return }
        ofDocuments.subtract(EntrySum(ofEntry: key, value), in: space)
      }
    }
    if let new = change.new {
      try new.forEachExpectedEntry(catalog, .complete) { key, value throws(CorruptBytes) in
        guard let space = try EntrySpace(ofKey: key) else { return }
        ofDocuments.add(EntrySum(ofEntry: key, value), in: space)
      }
    }
    table.add(ofDocuments: ofDocuments, ofBatches: ofBatches)
  }

  /// Drops the sums of spaces that the catalogue no longer keeps in line with the documents.
  mutating func follow(_ catalog: Catalog) {
    if !table.isEmpty { table.keep(catalog.summedSpaces) }
  }

  /// Appends the sums that differ from those before the commit.
  mutating func seal(into batch: inout StoreBatch) {
    if !table.isEmpty || !old.isEmpty { table.appendChanges(from: old, into: &batch) }
  }

  /// Begins to keep the sums of some spaces, which include all changes from a commit on.
  package mutating func begin(_ spaces: [EntrySpace], with commitNumber: UInt64) {
    for space in spaces { table[space] = EntrySums(begun: commitNumber, isComplete: false) }
  }

  /// Adds the entries that existed before the sums were begun.
  package mutating func complete(
    _ spaces: [EntrySpace], begun: UInt64, ofDocuments: SumTally, ofBatches: SumTally
  ) {
    for space in spaces {
      // A space that was changed meanwhile is begun again.
      guard var sums = table[space], sums.begun == begun, !sums.isComplete else { continue }
      sums.ofDocuments += ofDocuments[space]
      sums.ofBatches += ofBatches[space]
      sums.isComplete = true
      table[space] = sums
    }
  }

  /// Drops all sums, since entries that were wrong are put and deleted.
  package mutating func forget() { table = SumTable() }
}

extension SumTally {
  /// Adds the entries that the operations since `mark` put, and subtracts those that they replace
  /// or delete. An operation has the key of such an entry, and `change` has the value.
  fileprivate mutating func add(
    _ batch: StoreBatch, since mark: StoreBatch.Mark, by change: DocumentChange
  ) throws(CorruptBytes) {
    let old = change.oldEntries
    // In both scopes it is what the value says.
    let oldName = change.old.map { EntryValue.groupName(of: $0.number) }
    var place = 0
    try batch.forEach(since: mark) { operation, key, value throws(CorruptBytes) in
      guard let space = try EntrySpace(ofKey: key) else { return }
      if operation == .put { add(EntrySum(ofEntry: key, value), in: space) }
      switch space {
      case .names, .groupNames:
        guard let oldName else { return }
        subtract(EntrySum(ofEntry: key, oldName.span.bytes), in: space)
      case .automatic, .groupAutomatic, .composite:
        // Operations come in the order of their entries. If there are no new entries, every old one
        // has an operation.
        while place < old.count, !change.newEntries.isEmpty,
          old.key(place).span.bytes.compare(key) == .less
        { place += 1 }
        guard place < old.count, old.key(place).span.bytes.compare(key) == .equal else { return }
        subtract(EntrySum(ofEntry: key, old.value(place).span.bytes), in: space)
        place += 1
      }
    }
  }
}
